#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiler output through PROGRAM, which gets `OPTION... -- FILE...` and says "N passed, N failed" at its end:
#
#     corpus.sh PROGRAM CORPUS [COUNT]          COUNT files of each folder of CORPUS/s; all, if it is not given
set -u
program=$1
corpus=$2/s
count=${3:-1000000}
good=0 bad=0
for profile in gnu llvm; do
  for folder in "$corpus/$profile"/*/; do
    name=$(basename "$folder")
    case $name in
      mingw-64* | clangw-64*) target=x86_64-w64-windows-gnu ;;
      mingw-32* | clangw-32*) target=i686-w64-windows-gnu ;;
      clangw-arm64*) target=aarch64-w64-windows-gnu ;;
      clangw-thumb*) target=thumbv7-w64-windows-gnu ;;
      clangm-64*) target=x86_64-pc-windows-msvc ;;
      clangm-32*) target=i686-pc-windows-msvc ;;
      clangm-arm64*) target=aarch64-pc-windows-msvc ;;
      clangm-*) target=thumbv7-pc-windows-msvc ;;
      *arm64* | *aarch64*) target=aarch64-linux-gnu ;;
      *thumb* | *arm*) target=arm-linux-gnueabihf ;;
      *-x32*) target=x86_64-linux-gnux32 ;;
      *-32*) target=i386-linux-gnu ;;
      *) target=x86_64-linux-gnu ;;
    esac
    files=$(find "$folder" -name '*.s' | sort | head -n "$count")
    [ -n "$files" ] || continue
    # shellcheck disable=SC2086
    answer=$("$program" --compat=$profile --target=$target -- $files 2>&1) || {
      echo "FAIL $profile/$name"
      echo "$answer" | grep -v "passed," | head -n 20
    }
    line=$(echo "$answer" | tail -n 1)
    echo "$profile/$name: $line"
    # "12 passed, 0 failed; ..."
    good=$((good + ${line%% passed*}))
    line=${line#* passed, }
    bad=$((bad + ${line%% failed*}))
  done
done
echo "$good passed, $bad failed"
[ "$bad" = 0 ]
