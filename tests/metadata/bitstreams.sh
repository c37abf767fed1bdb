#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bitstreams.sh BUILD: streams written by hand, in .bs_* directives, are read by llvm-dis and llvm-bcanalyzer; sections with
# bitcode as clang and lld expect them; -filetype=raw and -filetype=hex.
#
# The last line is "N passed, N failed".
set -u
build=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
source=$PWD
. tests/lib.sh
xas=$build/xas
temporary_folder
cd "$tmp" || exit 1
# refused NAME MESSAGE OPTION...: the text on standard input
refused() {
  local name=$1 message=$2
  shift 2
  "$xas" -o refused.o "$@" - 2> err.txt
  if [ $? = 1 ] && grep -qF -- "$message" err.txt && [ ! -e refused.o ]; then pass; else
    fail "$name"
    head -n 3 err.txt
  fi
}

# The example, in both profiles and for every target: the same bits, and a module.
for target in x86_64-linux-gnu i386-linux-gnu x86_64-w64-mingw32 aarch64-linux-gnu armv7a-linux-gnueabihf; do
  for profile in gnu llvm; do
    comment='#'
    [[ $target != a* ]] || comment='//'
    sed "s|#|$comment|" "$source/examples/bitcode.s" > bitcode.s
    check "$target, $profile" "$xas" --compat=$profile --target=$target -filetype=raw -o module.bc bitcode.s
    [ -e first.bc ] || cp module.bc first.bc
    check "$target, $profile: the same" cmp module.bc first.bc
  done
done
check "llvm-dis reads the example" llvm-dis-22 module.bc -o module.ll
check "its function" grep -q '^declare void @hello()' module.ll
check "its triple" grep -q '^target triple = "x86_64-unknown-linux-gnu"' module.ll

# Positions that are known later, expressions, macros, strings, files.
printf 'hello' > name
cat > later.s << 'END'
        .macro  record values:vararg
        .bs_record \values
        .endm
        .bs_begin "BC\xc0\xde"
        .bs_block 13, 5; .bs_abbrev 1, array(char6); .bs_record_as 4, 1, "LLVM", 50 + '0' - '0', "2.1.8"; record 2, 0; .bs_end_block
        .bs_block 8, 3
          record 1, 1 + 1
          .bs_abbrev 13, fixed(32)
          .bs_record_as 4, 13, symbols / 32
          .bs_block 17, 4; record 1, 2; record 2; record 21, 0, 0; .bs_end_block
          .rept 1
          record 8, 0, 5, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
          .endr
          .bs_block 15, 3; .bs_end_block
          .bs_position symbols
          .bs_block 14, 4; .bs_end_block
        .bs_end_block
        .bs_block 23, 3; .bs_abbrev 1, blob; .bs_record_as 4, 1, file("name"); .bs_end_block
        .bs_end
END
check "later positions" "$xas" -filetype=raw -o later.bc later.s
check "llvm-dis follows the offset of the symbol table" llvm-dis-22 later.bc -o later.ll
check "llvm-bcanalyzer reads it" llvm-bcanalyzer-22 later.bc
check "its function" grep -q '^declare void @hello()' later.ll
# In the wrapper of Darwin.
{
  echo '.long 0x0B17C0DE, 0, 20, end - begin, 0x01000007'
  echo 'begin:'
  cat later.s
  echo 'end: .balign 16'
} > wrapped.s
check "a wrapped module" "$xas" -filetype=raw -o wrapped.bc wrapped.s
check "llvm-dis reads it" llvm-dis-22 wrapped.bc -o wrapped.ll

# Sections with bitcode, as clang -fembed-bitcode=all and -ffat-lto-objects make them.
cat > a.c << 'END'
int other(void);
int main(void) { return other(); }
END
echo 'int other(void) { return 7; }' > b.c
clang-22 -O1 -flto -c b.c -o b.bc
clang-22 -O1 -S b.c -o b.s
clang-22 -O1 -c a.c -o a.o
{
  cat b.s
  cat << 'END'
        .section .llvmbc,"",@progbits
        .incbin "b.bc"
        .section .llvmcmd,"",@progbits
        .asciz  "-cc1", "-O1"
        .section .llvm.lto,"e",@llvm_lto
        .incbin "b.bc"
END
} > fat.s
for profile in gnu llvm; do
  check "fat object, $profile" "$xas" --compat=$profile fat.s -o fat.o
  check "$profile: type and flags of .llvm.lto" grep -Eq '\.llvm\.lto +LLVM_LTO .* E ' <(llvm-readelf-22 -SW fat.o)
  check "$profile: the module is in it" cmp <(llvm-objcopy-22 --dump-section .llvm.lto=/dev/stdout fat.o /dev/null) b.bc
  for option in "" -Wl,--fat-lto-objects; do
    # shellcheck disable=SC2086
    check "$profile: lld $option" clang-22 -fuse-ld=lld-22 $option -Wl,--trace a.o fat.o -o program
    check "$profile: the program" [ "$(./program; echo $?)" = 7 ]
  done
done

# -filetype=raw, -filetype=hex
printf '.text\nnop\n.p2align 4\nret\n' | "$xas" -filetype=raw -o raw.bin -
as -o ref.o <<< $'.text\nnop\n.p2align 4\nret\n' && objcopy -O binary -j .text ref.o ref.bin
check "raw: the section's bytes" cmp raw.bin ref.bin
: | "$xas" -filetype=raw -o empty.bin -
check "raw: nothing" [ -e empty.bin -a ! -s empty.bin ]
refused "raw: two sections" "but .text and .data both have contents" -filetype=raw <<< $'nop\n.data\n.byte 1'
refused "raw: a relocation" "but .text has one, the first at offset 0x1" -filetype=raw <<< $'call f'
refused "raw: no contents" "but .bss has no contents" -filetype=raw <<< $'.bss\n.skip 4'
refused "raw: no contents behind an alignment" "but .bss has no contents" -filetype=raw <<< $'.lcomm x, 10'
printf '.macro m\nsyscall\n.endm\nmovl $1, %%eax\nm\nlabel: nop # text\njmp label\n' > hex.s
"$xas" -filetype=hex -o hex.txt hex.s
cat > wanted.txt << 'END'
0xb8,0x01,0x00,0x00,0x00 # movl $1, %eax
0x0f,0x05 # m
0x90 # label: nop # text
0xeb,0xfd # jmp label
END
check "hex" diff hex.txt wanted.txt
check "hex: llvm-mc disassembles it" grep -q syscall <(llvm-mc-22 -disassemble -triple=x86_64 hex.txt)
clang-22 -O2 -S "$source/tests/metadata/runtime.c" -I "$source/include" -o big.s
"$xas" -filetype=hex -o big.txt big.s
check "hex: compiler output" [ "$(llvm-mc-22 -disassemble -triple=x86_64 <(grep -v '# *\.' big.txt) | grep -c '^	[a-z]')" -gt 50 ]
finish
