#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD-DIR: objects of GNU as and llvm-mc, taken apart and written again by the ELF writer, must come out the same
# byte for byte (see rewrite.cpp); and objects made through the builder must link and run.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
as=${XAS_GNU_AS:-as}
mc=${XAS_LLVM_MC:-llvm-mc-22}
failed=0
fail() { echo "FAIL: $*"; failed=1; }

# round STYLE WHAT: x.o again
round() {
  "$build/tests/rewrite" "$1" x.o y.o && cmp x.o y.o || fail "$2"
}
gnu() {
  "$as" "${@:2}" "$1" -o x.o && round gnu "$*" || fail "$as $*"
}
llvm() {
  "$mc" -filetype=obj "${@:2}" "$1" -o x.o && round llvm "$*" || fail "$mc $*"
}

for source in "$here"/*.s; do
  gnu "$source" --64
  gnu "$source" --32
  gnu "$source" --x32
  for triple in x86_64-linux-gnu i386-linux-gnu x86_64-linux-gnux32; do
    llvm "$source" -triple "$triple"
    llvm "$source" -triple "$triple" -crel
  done
done
for source in "$here"/neutral/*.s; do
  for triple in aarch64 aarch64_be armv7-linux-gnueabi armebv7-linux-gnueabi powerpc powerpc64; do
    llvm "$source" -triple "$triple"
  done
done

# The indices that have sixteen bits: 65,279 is the last section number that fits.
sections() {
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; ++i) printf ".section .t%d\nf%d: .byte 0\n", i, i
                         print ".text\n.globl x\nx: .long f0, f" n - 1 ", undefined" }'
}
for n in 65273 65274 65275 66000; do
  sections $n > many.s
  gnu many.s
  llvm many.s -triple x86_64-linux-gnu
done

# COFF objects, regular and bigobj.
coff() {
  "$build/tests/rewrite_coff" "$1" x.o y.o && cmp x.o y.o || fail "$2"
}
for source in "$here"/coff/*.s; do
  for machine in x86_64 i686; do
    { $machine-w64-mingw32-as "$source" -o x.o && coff gnu "$machine $source"; } || fail "$machine $source"
    [ $machine = i686 ] || { $machine-w64-mingw32-as -mbig-obj "$source" -o x.o && coff gnu "bigobj $source"; } || fail "bigobj $source"
  done
  for triple in x86_64-w64-windows-gnu i686-pc-windows-msvc aarch64-pc-windows-msvc thumbv7-pc-windows-msvc; do
    { "$mc" -filetype=obj -triple $triple "$source" -o x.o && coff llvm "$triple $source"; } || fail "$triple $source"
  done
done
# 65,279 sections are the most of a regular object; from 65,535 relocations on their number is elsewhere.
for n in 65276 65277; do
  awk -v n=$n 'BEGIN { for (i = 0; i < n; ++i) printf ".section .t%d,\"dr\"\n.byte 0\n", i }' > many.s
  { "$mc" -filetype=obj -triple x86_64-pc-win32 many.s -o x.o && coff llvm "$n sections"; } || fail "$n sections"
done
for n in 65534 65535 70000; do
  awk -v n=$n 'BEGIN { print ".data"; for (i = 0; i < n; ++i) print ".long x" i % 10 }' > many.s
  { "$mc" -filetype=obj -triple x86_64-pc-win32 many.s -o x.o && coff llvm "$n relocations"; } || fail "$n relocations"
  { x86_64-w64-mingw32-as many.s -o x.o && coff gnu "$n relocations"; } || fail "$n relocations"
done

# An object made by functions, through each linker that there is.
printf 'hello\nworld\n' > source.txt
"$build/examples/toy_compiler" toy.o < source.txt || fail "toy_compiler"
for linker in bfd lld gold; do
  ${CC:-cc} -fuse-ld=$linker -Wl,--fatal-warnings toy.o -o toy && ./toy | cmp - source.txt || fail "toy, linked by $linker"
done
"$build/examples/toy_compiler" toy.obj windows < source.txt || fail "toy_compiler for Windows"
x86_64-w64-mingw32-gcc toy.obj -o toy.exe || fail "toy, linked for Windows"
lld-link-22 -entry:main -force:unresolved toy.obj -out:toy.exe 2> /dev/null ||
  fail "toy, linked for Windows by lld"

[ $failed = 0 ] && echo "object: all passed"
exit $failed
