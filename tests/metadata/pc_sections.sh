#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pc_sections.sh BUILD [FUNCTIONS [--full]]: .pcsection against what llc writes, against text written out for GNU as, and in linked
# programs that read their own tables. FUNCTIONS (default 10) is how many are generated for each of twelve
# targets; --full runs the programs for Windows too (wine), and reads clang's tables for lua and zlib.
#
# The last line is "N passed, N failed".
set -u
build=$(realpath "$1")
functions=${2:-10}
cd "$(dirname "$0")" || exit 1
here=$PWD
. ../lib.sh
xas=$build/xas
dump=$build/xas-dump
test=$build/tests/metadata/pc-section-test
temporary_folder
cd "$tmp" || exit 1

# llc's tables as .pcsection lines: the same object. The order of its tables is steady only at fixed addresses.
seed=0
while read -r triple flags; do
  seed=$((seed + 1))
  "$test" generate $seed "$functions" > llc.ll
  # shellcheck disable=SC2086
  for type in asm obj; do
    setarch -R llc-22 -O1 -mtriple="$triple" $flags -filetype=$type llc.ll -o llc.$type 2> llc.txt || head -n 3 llc.txt
  done
  "$test" convert < llc.asm > ours.s
  check "$triple $flags: xas" "$xas" --compat=llvm -triple="$triple" ours.s -o ours.o
  check "$triple $flags: as llc's object" "$test" compare ours.o llc.obj
done << 'END'
x86_64-linux-gnu
x86_64-linux-gnu -code-model=medium
x86_64-linux-gnu -code-model=large
i386-linux-gnu
aarch64-linux-gnu
aarch64-linux-gnu -code-model=large
armv7-linux-gnueabi
thumbv7-linux-gnueabi
x86_64-linux-gnu -function-sections
x86_64-linux-gnu -function-sections -unique-section-names=false
aarch64-linux-gnu -function-sections
thumbv7-linux-gnueabi -function-sections -unique-section-names=false
END

# What it stands for, written out for GNU as.
cat > ours.s << 'END'
        .section .text.f,"ax",%progbits
        .globl f
        .pcsection "first"
f:      .p2align 3
        .pcsection "first", (i8 1), "second!C", (i16 -1, i32 77), (i64 300)
        .skip 3
        .fill 1
        .cfi_sections .debug_frame
        .pcsection "first", (i8 2)
        .byte 7
        .short 8
        .pcsection 1f - 1, "second", (i12 -3, i24 -1, i1 1, i48 5), (i128 -2), (float 1.5, double -2)
1:      .long 9
        .pcsection f, 1b, "ranges", (i32 .Lfix - ., i16 -1, ptr outside)
        .pcsection f, 1b, "ranges!C", (i8 3, i16 0x3fff)
.Lfix:  .byte 1
END
cat > theirs.s << 'END'
        .section .text.f,"ax",%progbits
        .globl f
f:      .p2align 3
        .skip 3
        .fill 1
2:      .byte 7
        .short 8
3:
1:      .long 9
.Lfix:  .byte 1
        .section first,"awo",%progbits,.text.f
        .long 2b - .
        .long 2b - .
        .byte 1
        .long 2b - .
        .byte 2
        .section second,"awo",%progbits,.text.f
        .long 2b - .
        .byte 0xff, 0xff, 3, 77, 0xac, 2
        .long 1b - 1 - .
        .short 0xffd
        .long 0xffffff
        .byte 1
        .quad 5
        .octa 0xfffffffffffffffffffffffffffffffe
        .float 1.5
        .double -2
        .section ranges,"awo",%progbits,.text.f
        .long 2b - 4 - .
        .long 7
        .long .Lfix - .
        .short -1
        .POINTER outside
        .long 2b - 4 - .
        .byte 7, 3, 0xff, 0x7f
END
for target in x86_64-linux-gnu:.quad:"as --64" i386-linux-gnu:.long:"as --32" aarch64-linux-gnu:.quad:aarch64-linux-gnu-as \
  arm-linux-gnueabihf:.long:arm-linux-gnueabihf-as; do
  IFS=: read -r triple pointer as <<< "$target"
  sed "s/.POINTER/$pointer/" theirs.s > written.s
  $as written.s -o theirs.o || fail "$triple: written out"
  for profile in gnu llvm; do
    check "$triple, $profile: xas" "$xas" --compat=$profile --target="$triple" ours.s -o ours.o
    check "$triple, $profile: as written out" "$test" compare ours.o theirs.o
  done
done

# Code and named symbols are the same with and without .pcsection.
sed '/^ *\.pcsection/d' ours.s > without.s
"$xas" ours.s -o ours.o && "$xas" without.s -o without.o
for object in ours without; do
  { objcopy -O binary -j .text.f $object.o $object.bin && od -An -tx1 $object.bin && nm $object.o | grep -v outside; } > $object.txt
done
check "nothing else changes" cmp ours.txt without.txt

# A program that reads its own tables, linked in all ways; for Windows it takes their ends from sections named in order.
code() {
  cat << END
        .macro  tagged name
        .section .text$1\name,"$2"
        .globl  \name
\name:  .p2align 4
        .pcsection "pcs${3}", (i32 \@)
        nop
9:      ret
        .pcsection \name, 9b, "ranges$3!C", (i32 1000 + \@)
        .endm
        tagged  used
        tagged  unused
END
}
cat > program.c << 'END'
#include <stdio.h>
#include "xas/pcsection.h"
#ifdef _WIN32
extern const unsigned char start_pcs[], stop_pcs[], start_ranges[], stop_ranges[];
#define START(name) start_##name
#define STOP(name) stop_##name
#else
extern const unsigned char __start_pcs[], __stop_pcs[], __start_ranges[], __stop_ranges[];
#define START(name) __start_##name
#define STOP(name) __stop_##name
#endif
void used(void);
int main(void) {
  const unsigned char *at = START(pcs), *range = START(ranges);
  uintptr_t pc, begin;
  uint64_t value, size, range_value;
  int count = 0;
  while (xas_pc_next(&at, STOP(pcs), 4, &pc)) {
    if (!xas_pc_integer(&at, STOP(pcs), 4, &value)) return 2;
    if (!xas_pc_next(&range, STOP(ranges), 4, &begin) || !xas_uleb128(&range, STOP(ranges), &size)) return 3;
    if (!xas_uleb128(&range, STOP(ranges), &range_value) || range_value != 1000 + value) return 4;
    if (*(const unsigned char*)pc != 0x90 || begin != pc || size != 1) return 5;
    if (value == 0 && pc != (uintptr_t)used) return 6;
    ++count;
  }
  used();
  printf("%d\n", count);
  return at != STOP(pcs) || range != STOP(ranges);
}
END
{ code . ax "" && echo '        .section .note.GNU-stack,"",@progbits'; } > code.s
"$xas" code.s -o code.o
clang-22 -O1 -I "$here/../../include" -c program.c -o program.o
for linker in lld-22 bfd; do
  for option in -no-pie -pie -Wl,--gc-sections,-z,start-stop-gc; do
    check "link by $linker $option" clang-22 -fuse-ld=$linker $option program.o code.o -o program
    expected=2
    [[ $option != *gc* ]] || expected=1
    check "$linker $option: the program finds $expected places" [ "$(./program)" = $expected ]
    check "$linker $option: no dynamic relocation in the tables" bash -c "! readelf -rW program | grep -q ' pcs\| ranges'"
    "$dump" --pc-sections=pcs --schema pcs=i32 --json program | jq -r '"\(.pc) \(.symbol) \(.symbol_offset)"' > ours.txt
    nm program | awk '$3 == "used" || $3 == "unused" { print $1, $3 }' | sort |
      while read -r address name; do echo "$((16#$address)) $name 0"; done > theirs.txt
    check "$linker $option: xas-dump finds them" cmp ours.txt theirs.txt
  done
done
{
  code '$' xr '$m'
  for table in pcs ranges; do
    for end in start:a stop:z; do
      printf '.section %s$%s,"dw"\n.globl %s_%s\n%s_%s:\n' $table ${end#*:} ${end%:*} $table ${end%:*} $table
    done
  done
} > code.s
check "Windows: xas" "$xas" --compat=llvm --target=x86_64-w64-mingw32 code.s -o code.obj
check "Windows: compile" x86_64-w64-mingw32-gcc -O1 -I "$here/../../include" -c program.c -o program.obj
check "Windows: ld" x86_64-w64-mingw32-gcc program.obj code.obj -o ld.exe
check "Windows: lld" clang-22 --target=x86_64-w64-windows-gnu -fuse-ld=lld-22 program.obj code.obj -o lld.exe
# lld-link takes what mingw's driver gives to ld: its start files and import libraries.
mapfile -t support < <(for f in libmingw32.a libgcc.a libmoldname.a libmingwex.a libmsvcrt.a libkernel32.a libadvapi32.a libuser32.a; do
  x86_64-w64-mingw32-gcc -print-file-name=$f; done)
for option in -opt:noref -opt:ref; do
  check "Windows: lld-link $option" lld-link-22 -lldmingw -subsystem:console $option -out:lld-link$option.exe -entry:mainCRTStartup \
    -alternatename:__image_base__=__ImageBase "$(x86_64-w64-mingw32-gcc -print-file-name=crt2.o)" program.obj code.obj "${support[@]}"
done
if [ "${3-}" = --full ]; then
  wine=$(command -v wine64 || ls /usr/lib/wine/wine64 2> /dev/null)
  export WINEPREFIX=$build/wine WINEDEBUG=-all
  for program in ld lld lld-link-opt:noref lld-link-opt:ref; do
    check "Windows, $program: the program finds its places" [ "$("$wine" "./$program.exe" 2> /dev/null | tr -d '\r')" = 2 ]
  done
fi

# clang's metadata for lua and zlib: in images by both linkers, xas-dump finds what the running program reads.
if [ "${3-}" = --full ]; then
  corpus=${XAS_CORPUS:-$here/../../build/corpus}
  check "lua and zlib" "$here/../corpus/fetch.sh"
  sources=("$corpus"/src/zlib/*.c)
  for source in "$corpus"/src/lua5.4/src/l*.c; do
    [[ $source == */lua.c || $source == */luac.c ]] || sources+=("$source")
  done
  for options in "-O2" "-O0 -ffunction-sections" "-Os -fno-inline"; do
    mkdir real && cd real || exit 1
    # shellcheck disable=SC2086
    check "clang $options" clang-22 $options -w -DHAVE_UNISTD_H -fPIE -fexperimental-sanitize-metadata=all -c "${sources[@]}"
    clang-22 -O1 -I "$here/../../include" -c "$here/runtime.c" -o runtime.o
    for linker in lld-22 bfd; do
      check "link by $linker $options" clang-22 -fuse-ld=$linker -pie ./*.o -lm -o ../linked
      main=$((16#$(nm ../linked | awk '$3 == "main" { print $1 }')))
      "$dump" --pc-sections=sanmd_covered2 --json ../linked |
        jq -r "\"\(.pc - $main) \(.size)\" + ([.constants[] | \" \(.)\"] | add)" > ../ours.txt
      "$dump" --pc-sections=sanmd_atomics2 --json ../linked | jq -r ".pc - $main" >> ../ours.txt
      { ../linked pcs && ../linked atomics; } > ../theirs.txt
      check "$linker $options: the same PCs" cmp ../ours.txt ../theirs.txt
      check "$linker $options: not few" [ "$(wc -l < ../ours.txt)" -gt 500 ]
    done
    cd .. && rm -r real
  done
fi
finish
