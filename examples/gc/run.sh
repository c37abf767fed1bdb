#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh XAS [DIRECTORY]: builds the program for x86-64 and AArch64 as position-independent executables, by GNU ld and by lld,
# and runs it. What it needs: gcc, aarch64-linux-gnu-gcc-12, ld.lld-22 and qemu-aarch64.
set -eu
xas=$(realpath "$1")
out=${2:-$(mktemp -d)}
out=$(realpath "$out")
cd "$(dirname "$0")"
expected='sum 5005000, 9 collections, the patched call was taken 6999 times'
ln -sf "$(command -v ld.lld-22)" "$out/ld.lld"
for target in x86_64 aarch64; do
  case $target in
    x86_64) cc=gcc emulator= ;;
    aarch64) cc=aarch64-linux-gnu-gcc-12 emulator='qemu-aarch64 -L /usr/aarch64-linux-gnu' ;;
  esac
  for part in cons build; do "$xas" -triple=$target-linux-gnu $target/$part.s -o "$out/$part.o"; done
  $cc -O1 -fno-omit-frame-pointer -fPIE -I ../../include -c runtime.c -o "$out/runtime.o"
  for linker in bfd lld; do
    $cc -pie -fuse-ld=$linker -B "$out" -Wl,--gc-sections "$out"/{cons,build,runtime}.o -o "$out/list"
    answer=$($emulator "$out/list")
    echo "$target, $linker: $answer"
    [[ $answer == "$expected" ]] || { echo "expected '$expected'"; exit 1; }
  done
done
