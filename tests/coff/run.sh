#!/bin/bash
# run.sh XAS: assembles the inputs of this folder for Windows, with xas and with the reference assemblers; the objects must
# be equal byte for byte. The first lines of an input name who takes it, each with its own options: gnu64, gnu32 (GNU as for
# mingw), msvc64, msvc32, mingw64, mingw32, msvcarm64, mingwarm64, arm64ec, msvcarm, mingwarm (llvm-mc), or `all` of those for
# x86. An assembler that is not installed is left out. Options of both assemblers stand in that line.
#
# The last line is "N passed, N failed".
set -u
xas=$(realpath "$1")
cd "$(dirname "$0")" || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mc=${XAS_LLVM_MC:-llvm-mc-22}
passed=0 failed=0

# compare NAME REFERENCE... : the input $source, by the reference's command and by xas
compare() {
  local name=$1 triple=$2 profile=$3
  shift 3
  command -v "$1" > /dev/null || return 0
  # Both are told the same name for the object, which CodeView repeats.
  local made=$tmp/made/object.o
  mkdir -p "$tmp/made"
  if ! { "$@" "$source" -o "$made" && mv "$made" "$tmp/reference.o"; } 2> "$tmp/reference.txt"; then
    echo "FAIL: $source: rejected by $1"
    head -n 3 "$tmp/reference.txt"
  elif ! "$xas" --compat=$profile --target=$triple $options "$source" -o "$made" 2> "$tmp/xas.txt"; then
    echo "FAIL: $source for $name: rejected"
    head -n 3 "$tmp/xas.txt"
  elif ! cmp "$tmp/reference.o" "$made"; then
    echo "FAIL: $source for $name"
  else
    passed=$((passed + 1))
    return
  fi
  failed=$((failed + 1))
}

llvm() { compare "$1" "$2" llvm "$mc" -filetype=obj -triple "$2" $options; }

# run_line LINE: the input $source, as one of its first lines says
run_line() {
  local kinds=${1%%:*} kind
  options=$(grep -oE ' -[^ ]+' <<< "$kinds" | tr '\n' ' ')
  [[ $kinds != *bigobj* ]] || options+=-mbig-obj
  [[ $kinds != *all* ]] || kinds="gnu64 gnu32 msvc64 msvc32 mingw64 mingw32"
  for kind in $kinds; do
    case $kind in
      gnu64) compare $kind x86_64-w64-mingw32 gnu x86_64-w64-mingw32-as $options ;;
      gnu32) compare $kind i686-w64-mingw32 gnu i686-w64-mingw32-as $options ;;
      msvc64) llvm $kind x86_64-pc-windows-msvc ;;
      msvc32) llvm $kind i686-pc-windows-msvc ;;
      mingw64) llvm $kind x86_64-w64-windows-gnu ;;
      mingw32) llvm $kind i686-w64-windows-gnu ;;
      msvcarm64) llvm $kind aarch64-pc-windows-msvc ;;
      mingwarm64) llvm $kind aarch64-w64-windows-gnu ;;
      arm64ec) llvm $kind arm64ec-pc-windows-msvc ;;
      msvcarm) llvm $kind thumbv7-pc-windows-msvc ;;
      mingwarm) llvm $kind thumbv7-w64-windows-gnu ;;
    esac
  done
}

for source in *.s; do
  while read -r line <&3 && [[ $line =~ ^(\#|//|@)\ (all|bigobj|gnu|msvc|mingw|arm64ec) ]]; do run_line "$line"; done 3< "$source"
done

# 70,000 sections (a bigobj by itself for LLVM), 70,000 relocations in one section, 100,000 symbols.
awk 'BEGIN { for (i = 0; i < 70000; ++i) printf ".section .t$%d,\"dr\"\nf%d: .byte 0\n", i, i
             print ".data"; for (i = 0; i < 70000; ++i) print ".long f" i
             for (i = 0; i < 100000; ++i) printf ".globl n%d\nn%d: .byte 0\n", i, i }' > "$tmp/many.s"
source=$tmp/many.s options=
llvm msvc64 x86_64-pc-windows-msvc
llvm msvcarm64 aarch64-pc-windows-msvc
options=-mbig-obj
compare gnu64 x86_64-w64-mingw32 gnu x86_64-w64-mingw32-as $options
compare gnu32 i686-w64-mingw32 gnu i686-w64-mingw32-as $options
# Alignment within a function of ARM64, of which llvm-mc can't tell the length: as with the no-ops written out.
function_with() {
  printf '%s\n' .text '.p2align 5' nop f: '.seh_proc f' nop '.seh_save_fplr_x 16' .seh_endprologue nop "$@" \
    .seh_startepilogue nop '.seh_save_fplr_x 16' .seh_endepilogue ret .seh_endproc
}
if command -v "$mc" > /dev/null; then
  function_with nop nop nop nop nop > "$tmp/noops.s"
  function_with '.p2align 5' > "$tmp/aligned.s"
  "$mc" -filetype=obj -triple aarch64-w64-windows-gnu "$tmp/noops.s" -o "$tmp/reference.o" &&
    "$xas" --target=aarch64-w64-windows-gnu "$tmp/aligned.s" -o "$tmp/xas.o" &&
    cmp "$tmp/reference.o" "$tmp/xas.o" && passed=$((passed + 1)) || { echo "FAIL: alignment in a function"; failed=$((failed + 1)); }
fi
# Time stamps: 0, or the second that the environment names where a linker that works incrementally needs one.
stamp_of() {  # stamp_of OPTIONS...
  SOURCE_DATE_EPOCH=1000 "$xas" "$@" probes.s -o "$tmp/xas.o" && od -An -tu4 -j4 -N4 "$tmp/xas.o" | tr -d ' '
}
for profile in gnu llvm; do
  [ "$(stamp_of --compat=$profile --target=x86_64-pc-windows-msvc)" = 0 ] && passed=$((passed + 1)) || { echo "FAIL: time stamp"; failed=$((failed + 1)); }
done
[ "$(stamp_of --compat=llvm -incremental-linker-compatible --target=x86_64-pc-windows-msvc)" = 1000 ] &&
  passed=$((passed + 1)) || { echo "FAIL: time stamp of the environment"; failed=$((failed + 1)); }
# Names beyond the decimal form of their place, and the program's name in place of --target.
ln -s "$xas" "$tmp/x86_64-w64-mingw32-as"
awk 'BEGIN { for (i = 0; i < 120; ++i) { s = sprintf("%d", i); while (length(s) < 90000) s = s s; printf ".globl n%s\n.long n%s\n", s, s }
             print ".section .a_long_section_name,\"dr\"\n.long 1" }' > "$tmp/names.s"
if command -v x86_64-w64-mingw32-as > /dev/null; then
  x86_64-w64-mingw32-as "$tmp/names.s" -o "$tmp/reference.o" && "$tmp/x86_64-w64-mingw32-as" "$tmp/names.s" -o "$tmp/xas.o" &&
    cmp "$tmp/reference.o" "$tmp/xas.o" && passed=$((passed + 1)) || { echo "FAIL: long names"; failed=$((failed + 1)); }
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
