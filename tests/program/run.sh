#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh XAS: what the program does beyond assembling a small text. It reaches every limit of docs/limits.md, and goes far where
# there is none, for Windows beside the reference assemblers; reads standard input; writes listings to files; names the time.
# The last line is "N passed, N failed".
set -u
shopt -s lastpipe  # the functions below read from pipes and count
xas=$(realpath "$1")
. "$(dirname "$0")/../lib.sh"
temporary_folder
cd "$tmp" || exit 1

# limit MESSAGE [OPTION...]: the text on standard input is rejected with this message, and there is no object
limit() {
  local message=$1
  shift
  cat > x.s
  if "$xas" --target=x86_64-linux-gnu "$@" x.s -o x.o 2> x.txt || [ $? != 1 ] || [ -e x.o ] || ! grep -qF -- "$message" x.txt; then
    fail "'$message' was not said, but: $(head -n 1 x.txt)"
  else
    pass
  fi
}

# good WHAT [OPTION...]: the text on standard input is assembled
good() {
  local what=$1
  shift
  cat > x.s
  if "$xas" --target=x86_64-linux-gnu "$@" x.s -o x.o 2> x.txt && [ -s x.o ]; then
    pass
  else
    fail "$what: $(head -n 1 x.txt)"
  fi
}

lines() { awk -v n="$1" -v f="$2\n" 'BEGIN { for (i = 0; i < n; ++i) printf f, i, i, i }'; }
repeat() { printf "%$1s" | sed "s/ /$2/g"; }
nested_macros='.macro m n\n.if \\n\nm "(\\n-1)"\n.endif\n.endm\n'

lines 101 'unknown%d' | limit 'too many errors'
printf '.macro m\nm\n.endm\nm\n' | limit 'macros are nested deeper than the limit of 100 levels'
printf '.macro m\nm\n.endm\nm\n' | limit 'macros are nested deeper than the limit of 20 levels' --compat=llvm
printf '.macro m\nm\n.endm\nm\n' | limit 'the limit of 500 levels' -asm-macro-max-nesting-depth=500 --compat=llvm
printf '.macro a t\na "\\t\\t"\n.endm\na 0123456789\n' | limit 'exceed the limit of 1073741824 bytes'
printf '.macro m n\n.if \\n\nm "(\\n-1)"\nm "(\\n-1)"\n.endif\n.endm\nm 60\n' | limit 'the expansions of macros and loops exceed the limit'
printf '.altmacro\n.macro m n\n.if \\n\nm %%(\\n-1)\nm %%(\\n-1)\n.endif\n.endm\nm 60\n' | limit 'the expansions of macros and loops exceed the limit'
for i in {1..40}; do printf '.include "i%d"\n.include "i%d"\n' $((i + 1)) $((i + 1)) > i$i; done
touch i41
printf '.include "i1"\n' | limit 'exceed the limit of 1073741824 bytes'
printf '.rept 1<<40\nnop\n.endr\n' | limit 'rounds of 4 bytes exceed the limit of 1073741824 bytes'
printf '.include "x.s"\n' | limit 'files are included deeper than the limit of 200 levels'
truncate -s 4294901759 large.s
printf '\n' | limit 'all source text together, expansions included, exceeds the limit of 4294901760 bytes' large.s
rm large.s
printf '.long %s1%s\n' "$(repeat 401 '(')" "$(repeat 401 ')')" | limit 'expression is nested deeper than 400 levels'
printf '.long %s1\n' "$(repeat 1000 '-')" | limit 'expression is nested deeper than 400 levels'
printf '.intel_syntax noprefix\nmov eax, %s1%s\n' "$(repeat 201 '(')" "$(repeat 201 ')')" | limit 'expression is nested deeper than 200 levels'
printf '.set a, b+1\n.set b, a+1\n.long a\n' | limit 'depends on itself'
printf '.space 1<<33\n' | limit 'exceed the limit of 4294901760 bytes'
printf '.org 1<<40\n.byte 1\n' | limit 'exceeds the limit of 4294901760 bytes'
printf '.bss\n.space (1<<63)-1\n.space (1<<63)-1\n.space (1<<63)-1\n' | limit 'exceeds 2^64 bytes'
printf '.p2align 64\n' | limit 'exceeds the limit of 2^63' --compat=llvm
printf '.p2align 32\n' | limit 'exceeds the limit of 2^31' --compat=llvm --32
printf '.byte 1\n.p2align 40\n' | limit 'exceeds the limit of 4294901760 bytes'
printf '.bss\n.space 1<<31\n.space 1<<31\n' | limit 'section .bss exceeds the limit of 4294967295 bytes' --32
printf '.p2align 14\n' | limit 'alignment 2^14 exceeds the limit of 2^13' --target=x86_64-w64-mingw32
printf '.comm a, 4, 1<<32\n' | limit 'is not a power of two up to 2^31'
printf '.comm a, 4, 33\n' | limit 'alignment 33 is not between 0 and 32' --target=x86_64-w64-mingw32
printf '.lcomm a, 4, 1<<14\n' | limit 'is not a power of two up to 8192' --target=x86_64-w64-mingw32
printf '.subsection 1<<40\n' | limit 'is not between 0 and 2147483647' --compat=llvm
printf '.file 1048576 "a.c"\n' | limit 'is too large; 1048575 is the largest'
printf '.cv_file 1048577 "a.c"\n' | limit 'is not between 1 and 1048576' --target=x86_64-windows-msvc
printf '.bundle_align_mode 31\n' | limit 'the exponent is between 0 and 30'
printf '.fnstart\n.pad #0x4000000\n.fnend\n' | limit 'makes a frame of more than 16777216 bytes' --target=arm-linux-gnueabihf
{ printf '.fnstart\n'; lines 1100 '.save {r4}'; echo .fnend; } | limit 'take more than 1023 bytes' --target=arm-linux-gnueabihf
{ printf '.seh_proc f\nf:\n'; lines 300 '.seh_pushreg %%rbx'; printf '.seh_endprologue\n.seh_endproc\n'; } |
  limit 'there is room for 255' --target=x86_64-w64-mingw32
{ printf '.seh_proc f\nf:\n.seh_unwindversion 3\n'; lines 32 '.seh_pushreg %%rbx'; printf '.seh_endprologue\n.seh_endproc\n'; } |
  limit 'version 3 of unwind information has room for 31' --target=x86_64-w64-mingw32
printf '.prefalign 64, e, nop\ne:\n' | limit 'is not between 2**0 and 2**63'
printf '.nop 1<<21\n' | limit 'exceeds the limit of 1048576'
printf '.dcb.l 1<<21, x\n' | limit 'can be repeated up to 1048576 times'
printf '.dcb.s 1<<25, 1.5\n' | limit 'exceeds the limit of 16777216'
printf 'a: .org b\n.byte 1\nb:\n' | limit 'depends on itself'
printf '.cfi_startproc\n.cfi_return_column 256\nnop\n.cfi_endproc\n' | limit 'return column 256 does not fit in a CIE of version 1'
printf '.bundle_align_mode 3\n.bundle_lock\nmovabs $1, %%rax\n.bundle_unlock\n' | limit 'these 10 bytes do not fit in a bundle of 8'
{
  printf 'f:\n.seh_proc f\n.seh_endprologue\n'
  for i in {1..400}; do
    printf '.seh_startepilogue\n'
    printf 'nop\n.seh_save_fregp d8, %d\nnop\n.seh_save_fregp d8, %d\n' $((8 + 8 * (i % 63))) $((8 + 8 * (i / 63)))
    printf '.seh_endepilogue\nret\n'
  done
  echo .seh_endproc
} | limit "too many unwind codes stand before this epilogue's" --target=aarch64-windows-msvc
{
  printf '.syntax unified\n.thumb\nf:\n.seh_proc f\n'
  for i in {1..1200}; do printf 'push.w {r4-r11}\n.seh_save_regs_w {r4-r11}\n'; done
  printf '.seh_endprologue\nbx lr\n.seh_endproc\n'
} | limit "this function's prologue and epilogues take too many unwind codes" --target=thumbv7-windows-gnu
{
  printf '.cv_file 1 "a.c"\n.cv_func_id 0\n'
  awk 'BEGIN { for (i = 0; i < 1001; ++i) printf ".cv_inline_site_id %d within %d inlined_at 1 1 1\n", i + 1, i }'
} | limit 'functions are inlined deeper than the limit of 1000 levels' --target=x86_64-pc-windows-msvc
printf 'f:\n.stackmap_function f, 0\n.stackmap 1, 1048577\n' | limit 'exceeds the limit of 1048576'
printf '.stackmap_function f, 0\nf: nop\n.stackmap 1, 0%s\n' "$(repeat 65536 ', const(1)')" | limit 'a record has at most 65535 locations'
{ printf '.bs_begin "TEST"\n'; lines 257 '.bs_block 8, 3'; } | limit 'blocks are nested 256 deep at most'
printf '.bs_begin "TEST"\n.bs_block 8, 3\n.bs_abbrev 1, fixed(33)\n' | limit 'a width is 0 to 32'
printf '.bss\na: .skip 0x100000001\nb: .pcsection a, b, "t"\n' | limit 'its size has 32 bits'
echo @loop > loop
"$xas" @loop 2>&1 | grep -qF 'too many @files' && pass || fail "@files"
"$xas" @/dev/zero 2>&1 | grep -qF 'exceeds the limit of 67108864 bytes' && pass || fail "an endless @file"

# No limits
{ lines 20000 '.if 1'; echo nop; lines 20000 '.endif'; } | good 'nested conditionals'
{ lines 20000 '.pushsection .data'; lines 20000 '.popsection'; } | good 'nested .pushsection'
{ echo .bundle_align_mode 5; lines 20000 .bundle_lock; lines 20000 .bundle_unlock; } | good 'nested .bundle_lock'
printf '.struct 4\ndata16 call f\n' | good 'a prefix in a .struct' --compat=llvm
printf '%s: nop\n.globl %s\n' "$(repeat 1000000 a)" "$(repeat 1000000 a)" | good 'a long name'
printf '.ascii "%s"\n' "$(repeat 5000000 a)" | good 'a long string'
printf '.byte 1%s\n' "$(repeat 1000000 ,1)" | good 'a long line'
printf '.macro m a:vararg\n.byte \\a\n.endm\nm 1%s\n' "$(repeat 100000 ,1)" | good 'a long argument'
{ echo '.irp x 0'; lines 20000 '# %d'; echo '.byte \x'; echo .endr; } | good 'a long body'
printf "$nested_macros"'m 90\n' | good 'nested macros'
printf '.macro m a\n.ascii "%s"\n.endm\n.rept 500000\nm 1\n.endr\n' "$(repeat 100 a)" | good 'a loop of calls'
{ awk 'BEGIN { for (i = 0; i < 50000; ++i) print ".set a" i ", a" i + 1 "+b" }'; printf '.long a0\na50000: nop\nb=2\n'; } |
  good 'a chain of symbols'
printf '.quad a%s\na=1\n' "$(repeat 100000 +a)" | good 'a long sum'
{ echo ".macro m a$(seq -s ' ' 20000 | sed 's/ / a/g')"; lines 20000 '.byte \\a%d'; echo .endm; echo "m $(repeat 19999 1,)1"; } |
  sed 's/\\a0$/1/' | good 'many parameters'
{ printf '.altmacro\n.macro m\n'; lines 20000 'LOCAL l%d\nl%d:'; printf '.endm\nm\nm\n'; } | good 'many LOCAL names'
printf '.rept 200000\n.ifdef x\n.endif\n.ds.b 1, x<y, 2\n.endr\n' | timeout 20 "$xas" --compat=llvm -o x.o 2>&1 | grep -qF '200000 in all' &&
  pass || fail "a name that is mentioned and forgotten again and again"
awk 'BEGIN { for (i = 0; i < 80000; ++i) printf ".subsection %d\nnop\n", i * 7919 % 80000 }' |
  good 'many subsections in any order' --compat=llvm
lines 70000 '.section .s%d,"a"\n.byte 0' | good 'many sections'

# Objects for Windows, as those of the reference assemblers.

# result WHAT STATUS: counts
result() {
  if [ "$2" = 0 ]; then pass; else fail "$1"; fi
}
# same WHAT TRIPLE OPTIONS... -- REFERENCE...: x.s, by xas and by the reference's command, comes to the same object
same() {
  local what=$1 triple=$2 options=()
  shift 2
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  rm -f reference.o x.o
  "$@" x.s -o reference.o && "$xas" --target="$triple" "${options[@]}" x.s -o x.o && cmp reference.o x.o
  result "$what, $triple" $?
}
mc=${XAS_LLVM_MC:-llvm-mc-22}

# 70,000 sections (a bigobj by itself for LLVM), 70,000 relocations in one section, 100,000 symbols.
awk 'BEGIN { for (i = 0; i < 70000; ++i) printf ".section .t$%d,\"dr\"\nf%d: .byte 0\n", i, i
             print ".data"; for (i = 0; i < 70000; ++i) print ".long f" i
             for (i = 0; i < 100000; ++i) printf ".globl n%d\nn%d: .byte 0\n", i, i }' > x.s
for triple in x86_64-pc-windows-msvc aarch64-pc-windows-msvc; do
  same 'many sections' $triple --compat=llvm -- "$mc" -filetype=obj -triple=$triple
done
for triple in x86_64-w64-mingw32 i686-w64-mingw32; do
  same 'many sections' $triple -mbig-obj -- $triple-as -mbig-obj
done
# Names beyond the decimal form of their place, and the program's name in place of --target.
ln -s "$xas" x86_64-w64-mingw32-as
awk 'BEGIN { for (i = 0; i < 120; ++i) { s = sprintf("%d", i); while (length(s) < 90000) s = s s; printf ".globl n%s\n.long n%s\n", s, s }
             print ".section .a_long_section_name,\"dr\"\n.long 1" }' > x.s
x86_64-w64-mingw32-as x.s -o reference.o && ./x86_64-w64-mingw32-as x.s -o x.o && cmp reference.o x.o
result 'long names' $?
# Alignment within a function of ARM64, of which llvm-mc can't tell the length: as with the no-ops written out.
function_with() {
  printf '%s\n' .text '.p2align 5' nop f: '.seh_proc f' nop '.seh_save_fplr_x 16' .seh_endprologue nop "$@" \
    .seh_startepilogue nop '.seh_save_fplr_x 16' .seh_endepilogue ret .seh_endproc
}
function_with nop nop nop nop nop > no_ops.s
function_with '.p2align 5' > aligned.s
"$mc" -filetype=obj -triple aarch64-w64-windows-gnu no_ops.s -o reference.o &&
  "$xas" --target=aarch64-w64-windows-gnu aligned.s -o x.o && cmp reference.o x.o
result 'alignment in a function' $?
# Time stamps: 0, or the second that the environment names where a linker that works incrementally needs one.
stamp_of() {  # stamp_of OPTIONS...
  echo nop > x.s
  SOURCE_DATE_EPOCH=1000 "$xas" --target=x86_64-pc-windows-msvc "$@" x.s -o x.o && od -An -tu4 -j4 -N4 x.o | tr -d ' '
}
[ "$(stamp_of --compat=gnu)" = 0 ]
result 'time stamp' $?
[ "$(stamp_of --compat=llvm)" = 0 ]
result 'time stamp' $?
[ "$(stamp_of --compat=llvm -incremental-linker-compatible)" = 1000 ]
result 'time stamp of the environment' $?

# Options in a file, and options that only print.
printf '\tnop\n\t.L1: .long .L1\n' > x.s
echo '-L --no-pad-sections' > options.txt
same '@file' x86_64-w64-mingw32 @options.txt -- x86_64-w64-mingw32-as @options.txt
printf '\t.ascii "behind"\n' > -x.s
"$xas" -o x.o -- -x.s < x.s && grep -q behind x.o
result 'an input behind --' $?
rm -- -x.s
[ "$("$xas" --help | grep -cE '^  -[nM] .*with --compat=(gnu|llvm): ')" = 4 ]
result 'options that share a name' $?
for option in --help --target-help --version --dump-config --statistics; do
  "$xas" --target=x86_64-w64-mingw32 $option x.s -o x.o > x.txt 2>&1
  result $option $?
done

# Listings: of standard input, to a file, and with errors, where addresses are not known.
printf '\t.byte 1\n\t.text\nf:\tnop\n' > x.s
as -al - -o reference.o < x.s > expected.lst && "$xas" --target=x86_64-linux-gnu -al - -o x.o < x.s | diff expected.lst -
result 'listing of standard input' $?
as --MD reference.d - -o x.o < x.s && "$xas" --target=x86_64-linux-gnu --MD x.d - -o x.o < x.s && diff reference.d x.d
result '--MD of standard input' $?
"$xas" --target=x86_64-linux-gnu --compat=gnu-2.47 -L - -o x.o <<< ' .long "GAS(version)"' && [ -z "$(nm x.o 2> x.txt)" ]
result '-L does not list "GAS(version)"' $?
as -al=expected.lst x.s -o reference.o && "$xas" --target=x86_64-linux-gnu -al=x.lst x.s -o x.o && diff expected.lst x.lst
result 'listing to a file' $?
printf '\t.byte 1\n\t.error "no"\n' > x.s
"$xas" -aln x.s -o x.o > x.lst 2> x.txt
printf '   1 ???? 01       \t\t.byte 1\n   2              \t\t.error "no"\n' | diff - x.lst
result 'listing of a file with errors' $?

# Dependencies and the C preprocessor: the rules are those of gcc.
mkdir cpp
printf '#define N 3\n#include "h.h"\n .long N\n' > cpp/a.S
echo '/* nothing */' > cpp/h.h
for options in '-MD' '-MMD' '-MD -MP' '-MMD -MP' '-MD -MT a$b' '-MMD -MQ a$b'; do
  # shellcheck disable=SC2086
  gcc -c $options -MF expected.d cpp/a.S -o x.o && mv x.o reference.o &&
    "$xas" --target=x86_64-linux-gnu $options -MF x.d cpp/a.S -o x.o && cmp reference.o x.o &&
    diff <(tr -s ' \\\n' '\n' < expected.d) <(tr -s ' \\\n' '\n' < x.d)
  result "$options" $?
done
rm -f x.d
"$xas" -MD cpp/a.S -o x.o && [ -s x.d ]
result '-MD names its file after the object' $?
XAS_CPP='gcc -E -DM=7' "$xas" --preprocess -UN -DN=3 -o x.o - <<< ' .byte M, N' && [ "$(objcopy -O binary -j .text x.o /dev/stdout | od -An -tx1)" = ' 07 03' ]
result '--preprocess, XAS_CPP, -D' $?
echo ' #error' > x.S
! "$xas" x.S -o x.o 2> x.txt && grep -q 'failed with exit status' x.txt && [ ! -e x.o ]
result 'a preprocessor that fails' $?
! XAS_CPP=./none "$xas" x.S -o x.o 2> x.txt && grep -q 'XAS_CPP' x.txt
result 'no preprocessor' $?
ln -s "$xas" as
printf '# no directive\n nop\n' > x.S
XAS_CPP=./none ./as x.S -o x.o
result 'called as GNU as: no preprocessor' $?

# Threads: XAS_THREADS in place of the option, which goes before it. There is enough for two here.
printf ' .section .debug_info\n .rept 20000\n .quad .\n .endr\n .section .debug_loc\n .zero 99999, 7\n' > x.s
"$xas" --compress-debug-sections=zlib x.s -o reference.o &&
  XAS_THREADS=2 "$xas" --compress-debug-sections=zlib x.s -o x.o && cmp reference.o x.o
result 'XAS_THREADS' $?
! XAS_THREADS=many "$xas" x.s -o y.o 2> x.txt && grep -q "XAS_THREADS.*not a number" x.txt && [ ! -e y.o ]
result 'XAS_THREADS that is no number' $?
XAS_THREADS=2 "$xas" --compress-debug-sections=zlib --threads=0 x.s -o x.o && cmp reference.o x.o
result '--threads=0' $?

# Diagnostics for programs.
printf ' .macro m\n .error "e"\n .endm\n nop\n m\n .warning "w"\n' > x.s
words() { sed -E 's/(Info|Error|Warning): .*/\1/' "$1"; }
as x.s -o x.o 2> expected.txt
"$xas" --diagnostics-format=gnu x.s -o x.o 2> x.txt
diff <(words expected.txt) <(words x.txt)
result '--diagnostics-format=gnu' $?
as none.s -o x.o 2> expected.txt
"$xas" --diagnostics-format=gnu none.s -o x.o 2> x.txt
diff <(words expected.txt) <(words x.txt)
result '--diagnostics-format=gnu: no place' $?
json() { python3 -c "import json, sys; d = json.load(open('x.txt')); sys.exit(not ($1))"; }
for format in json sarif; do
  "$xas" --diagnostics-format=$format x.s -o x.o 2> x.txt
  [ $format = json ] && json 'len(d) == 2' || json 'len(d["runs"][0]["results"]) == 2 and d["version"] == "2.1.0"'
  result "$format" $?
  echo nop > y.s
  "$xas" --diagnostics-format=$format y.s -o x.o 2> x.txt
  [ $format = json ] && json 'd == []' || json 'd["runs"][0]["results"] == []'
  result "$format: nothing to say" $?
  [ $format = json ] && one='len(d) == 1 and d[0]["severity"] == "error"' ||
    one='[each["level"] for each in d["runs"][0]["results"]] == ["error"]'
  echo '@loop' > loop
  for bad in --bogus -march=none --target=none --compat=none --color=none -fmax-errors=x --diagnostics-format=none none.s @loop \
    -MD\ -MF/none/x.d -al=/none/x.lst; do
    # shellcheck disable=SC2086
    "$xas" $bad --diagnostics-format=$format y.s -o x.o 2> x.txt
    [ $? = 1 ] && json "$one"
    result "$format: $bad" $?
    # shellcheck disable=SC2086
    "$xas" -o x.o $bad --diagnostics-format $format y.s 2> x.txt
    [ $? = 1 ] && json "$one"
    result "$format, a separate word: $bad" $?
  done
done

# The target: from the program's name with a version; from what a compiler passes; or told that it is not known.
printf ' nop\n' > x.s
ln -s "$xas" aarch64-linux-gnu-as-2.40
same 'a name with a version' aarch64-linux-gnu -- aarch64-linux-gnu-as
./aarch64-linux-gnu-as-2.40 x.s -o x.o && cmp reference.o x.o
result 'a name with a version' $?
./as -EL -mabi=lp64 x.s -o x.o && cmp reference.o x.o
result "the options of aarch64-linux-gnu-gcc" $?
./as -march=armv7-a -mfloat-abi=hard -mfpu=vfpv3-d16 -meabi=5 x.s -o x.o && readelf -h x.o | grep -q 'Machine: *ARM'
result "the options of arm-linux-gnueabihf-gcc" $?
! ./as -EL x.s -o x.o 2> x.txt && grep -q -- '-Wa,--target=TRIPLE' x.txt
result 'a byte order for x86' $?
[ "$(./as --version | head -n 1 | grep -o '[0-9.]*' | head -n 1)" = 2.40 ]
result 'the first number of --version' $?
finish
