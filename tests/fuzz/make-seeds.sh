#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make-seeds.sh READ BITSTREAM: small objects, images and archives of all kinds into the folder READ, streams, their text and
# stack maps into the folder BITSTREAM: what the targets read_object.cpp and bitstream.cpp start from.
set -u
read=$(realpath "$1") streams=$(realpath "$2")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
cat > elf.s << 'END'
        .text
        .globl f
f:      nop
        .long x - .
        .section .text.g,"axG",%progbits,group,comdat
g:      .long y
        .section __table,"awo",%progbits,.text
        .long f
END
cat > coff.s << 'END'
        .section .text$f,"xr",discard,f
        .globl f
f:      nop
        .long x
        .section .a_long_name,"dr"
        .long f
END
for target in x86_64-linux i386-linux aarch64_be-linux armeb-linux-gnueabi; do
  llvm-mc-22 -filetype=obj -triple=$target elf.s -o "$read/$target.o"
done
llvm-mc-22 -filetype=obj -triple=x86_64-linux -crel elf.s -o "$read/crel.o"
for target in x86_64-windows-msvc i686-windows-msvc; do llvm-mc-22 -filetype=obj -triple=$target coff.s -o "$read/$target.obj"; done
sed 's/,discard,f//' coff.s > big.s && x86_64-w64-mingw32-as -mbig-obj big.s -o "$read/big.obj"
echo 'int _start(void) { return 0; }' > a.c
clang-22 --target=x86_64-windows-msvc -c a.c -o a.obj && lld-link-22 /entry:_start /subsystem:console /out:"$read/a.exe" a.obj
clang-22 -fuse-ld=lld-22 -nostdlib -shared -Wl,-z,max-page-size=16 a.c -o "$read/a.so"
llvm-ar-22 rcs "$read/a.a" "$read/i386-linux.o" "$read/x86_64-windows-msvc.obj"
llvm-ar-22 rcsT "$read/thin.a" "$read/i386-linux.o"

cat > text << 'END'
t.bs_begin "TEST"
.bs_block 0, 2; .bs_record 1, 9; .bs_abbrev 5, fixed(0), vbr(0), fixed(32), vbr(32), char6, blob
.bs_record 2, "NAMED"; .bs_record 3, 5, "RECORD"; .bs_record 1, 10; .bs_abbrev fixed(3), array(7); .bs_end_block
.bs_block 9, 5; .bs_record_as 4, 5, 0, 0, 0xffffffff, -1, "_", "\0\377"
.bs_abbrev 1, array, fixed(3), blob, unusable
.bs_block 10, 32, words=7; .bs_record_as 4, 2, 7, 7, 7; .bs_end_block; .bs_bits 5, 7; .bs_end_block; .bs_end; .zero 4; .byte 1, 2; .long 5
END
cp text "$streams"
for options in -emit-llvm -flto=thin "--target=arm64-apple-macos -emit-llvm"; do
  # shellcheck disable=SC2086
  clang-22 $options -O1 -c a.c -o a.bc && (printf b && cat a.bc) > "$streams/module$(tr -d ' ' <<< "$options").bc"
done
clang-22 -Wall -Wstrict-prototypes -fsyntax-only --serialize-diagnostics a.dia a.c 2> /dev/null && (printf b && cat a.dia) > "$streams/dia"
cat > a.ll << 'END'
define i64 @f(i64 %a) {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 77, i32 8, i64 %a, i64 5, i64 4294967296)
  ret i64 %a
}
declare void @llvm.experimental.stackmap(i64, i32, ...)
END
llc-22 -filetype=obj a.ll -o a.o && llvm-objcopy-22 --dump-section .llvm_stackmaps=map a.o && (printf s && cat map) > "$streams/map"
exit 0
