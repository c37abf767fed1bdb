#!/bin/bash
# options.sh XAS: every option of GNU as that concerns objects for Windows (of all formats, of x86, of PE), each with an
# input that shows its effect, by xas and by mingw's GNU as for x86-64 and i386: the same object (byte for byte, or none),
# and the same listing or dependencies where the option asks for them. Says which options change the object, so that one
# without effect on the input shows.
#
# Last line: "N passed, N failed".
set -u
xas=$(realpath "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
passed=0 failed=0 same_as_without=""
mkdir inc && echo '.long 77' > inc/included.inc
cat > in.s <<'END'
        .file   "in.c"
        .text
        .globl  main
        .def    main; .scl 2; .type 32; .endef
main:   .cfi_startproc
        movl    $1, %eax
        .cfi_def_cfa_offset 32
        addps   (%rax), %xmm0
        vaddss  %xmm1, %xmm2, %xmm3
        vaddps  %ymm1, %ymm2, %ymm3
        vmovaps %zmm1, %zmm2
        vmovaps %xmm1, (%eax)
        vaddss  {rn-sae}, %xmm1, %xmm2, %xmm17
        vmovd   %eax, %xmm17
        lock incl (%rax)
        lfence
        cmpl    %eax, %ebx
        je      1f
        movl    (%rcx), %edx
        call    *(%rcx)
        call    other
        .p2align 5
1:      je      1b
        addl    %eax, %ebx
        jne     far
        .skip   200
        test    %eax, %eax
far:    movl    abs / 2, %ecx
L1:     ret
        .cfi_endproc
        .section .text.more,"x"
        jmp     main
        .data
        .long   L1, abs
        .byte   -1
        .bss
        .skip   3
        abs = 8
        .comm   shared, 8, 3
        .section .debug_info,"dr"
        .rept   200
        .long   5
        .endr
        .text
END
sed 's/%rax/%eax/g; s/%rcx/%ecx/g; s/%rsp/%esp/g' in.s > in32.s
grep -v -E 'rn-sae' in.s > tmp.s && mv tmp.s in.s
grep -v -E 'xmm17|vmovaps %xmm1' in32.s > tmp.s && mv tmp.s in32.s
printf '        .include "included.inc"\n' > include.s
printf '        .macro m x\n        .long x&1\n        .endm\n        m 2\n' > alternate.s
printf '        .byte 1, "\xc3\xa9"\n\xc3\xa9:\n' > multibyte.s
printf 'm       macro\n        dc.l \\1\n        endm\n        m 5\n' > mri.s
printf '        .text\n        mov eax, ebx\n        fsubr st(3), st\n        jmp x\nx: ret\n' > intel.s
printf '        .text\n        call *%%rax\n        ret\n        .long 8/2\n' > isa.s
printf '        .text\n        sysretq\n        clwb (%%ecx)\n' > arch.s
printf '        .text\n        mov sym, %%eax\n        nop\n' > plain.s
printf '        .text\n        .warning "w"\n        nop\n' > warn.s
printf '        .text\n        movl $1, bad(\n        nop\n' > bad.s

# both TRIPLE OPTIONS: assembles by both; the objects, what is printed and other files must be equal
both() {
  local triple=$1 options=$2 input=$3 r_status x_status where status
  rm -rf r x
  for where in r x; do
    mkdir work && cd work || exit 1
    case $where in
      r) "$triple-as" $options "../$input" -I ../inc -o object.o > output.txt 2> errors.txt ;;
      x) "$xas" --target="$triple" $options "../$input" -I ../inc -o object.o > output.txt 2> errors.txt ;;
    esac
    status=$?
    if [ $where = r ]; then r_status=$status; else x_status=$status; fi
    cd .. && mv work $where
  done
  [ $((r_status != 0)) = $((x_status != 0)) ] || { echo "status $r_status, not $x_status"; return 1; }
  if [ -e r/object.o ] || [ -e x/object.o ]; then cmp r/object.o x/object.o || return 1; fi
  [ -s r/errors.txt ] && r_status=1 || r_status=0
  [ -s x/errors.txt ] && x_status=1 || x_status=0
  # GNU as warns that it leaves loads out that it can't fence; --traditional-format is nothing to xas.
  [[ $options = *lfence* || $options = *traditional* ]] || [ $r_status = $x_status ] || { echo "messages: $(head -n 1 r/errors.txt) / $(head -n 1 x/errors.txt)"; return 1; }
  case $options in
    -a*) diff <(grep -v '^GAS LISTING' r/output.txt) <(grep -v '^GAS LISTING' x/output.txt) > diff.txt || { head -n 4 diff.txt; return 1; } ;;
    --MD*) cmp r/d x/d ;;
  esac
}

try() {  # try OPTIONS [INPUT [INPUT-OF-32-BITS]]
  local options=$1 input=${2:-in.s} input32=${3:-} triple file
  [ -n "$input32" ] || input32=${input/in.s/in32.s}
  for triple in x86_64-w64-mingw32 i686-w64-mingw32; do
    command -v $triple-as > /dev/null || continue
    file=$input
    [ $triple = x86_64-w64-mingw32 ] || file=$input32
    if both $triple "$options" "$file"; then
      passed=$((passed + 1))
      "$triple-as" -I inc "$file" -o without.o 2> /dev/null || rm -f without.o
      if [ -e without.o ] && [ -e x/object.o ] && cmp -s without.o x/object.o && [ $triple = x86_64-w64-mingw32 ]; then
        same_as_without+=" $options"
      fi
    else
      failed=$((failed + 1))
      echo "FAIL: $triple $options $file"
    fi
  done
}

for o in -al -as -ahls --alternate -D -g --gen-debug --gstabs --gstabs+ --gdwarf-2 --gdwarf2 --gdwarf-3 \
  --gdwarf-4 --gdwarf-5 '--gdwarf-5 --gdwarf-sections' --gdwarf-cie-version=1 --gdwarf-cie-version=3 --gdwarf-cie-version=4 \
  '--gdwarf-5 --debug-prefix-map .=/x' --hash-size=5 --reduce-memory-overheads -J -K -L --keep-locals --no-pad-sections -R \
  --strip-local-absolute --traditional-format -W --no-warn --warn -w -X -nocpp -n -q -O -O0 -O1 -O2 -Os --divide \
  -mbig-obj -msse2avx -muse-unaligned-vector-move -msse-check=none -msse-check=warning -msse-check=error \
  -moperand-check=none -moperand-check=warning -mavxscalar=128 -mavxscalar=256 -mvexwig=0 -mvexwig=1 -mevexlig=128 \
  -mevexlig=256 -mevexlig=512 -mevexwig=0 -mevexwig=1 -mevexrcig=rne -mevexrcig=rz -mmnemonic=att -msyntax=att \
  -mindex-reg -madd-bnd-prefix -momit-lock-prefix=yes -momit-lock-prefix=no -mfence-as-lock-add=yes \
  -mfence-as-lock-add=no -mrelax-relocations=yes -mrelax-relocations=no \
  '-malign-branch-boundary=32 -malign-branch=jcc+fused+jmp' '-malign-branch-boundary=32 -malign-branch-prefix-size=3' \
  -mbranches-within-32B-boundaries -mlfence-after-load=yes -mlfence-after-load=no \
  -mlfence-before-indirect-branch=all -mlfence-before-indirect-branch=register -mlfence-before-indirect-branch=memory \
  -mlfence-before-ret=not -mlfence-before-ret=or -mlfence-before-ret=shl -mlfence-before-ret=yes -mamd64 -mintel64 \
  --compress-debug-sections \
  --nocompress-debug-sections -mtune=core2 -mtune=generic64 -march=generic64 -march=znver4 '--defsym abs2=4' \
  --listing-lhs-width=2 --multibyte-handling=allow; do
  try "$o"
done
try -Iinc include.s
# Names in .file are no dependencies to xas; debugging information within a loop is not told apart in listings.
try '--MD d' plain.s plain.s
try -acdhlmns plain.s plain.s
try --alternate alternate.s
try -M mri.s
try --mri mri.s
try --multibyte-handling=warn multibyte.s
try --multibyte-handling=warn-sym-only multibyte.s
try "-msyntax=intel -mnaked-reg" intel.s
try "-msyntax=intel -mnaked-reg -mmnemonic=intel" intel.s
try -mamd64 isa.s
try -mintel64 isa.s
try --divide isa.s
try -march=i386 arch.s
try -march=core2 arch.s
try -march=generic64+clwb arch.s
try --32 plain.s plain.s
try --fatal-warnings warn.s
try -W warn.s
try "" bad.s
echo '-L --no-pad-sections' > options.txt
try @../options.txt
printf '#NO_APP\n.text\nnop\n' > nopre.s
try -f nopre.s
for o in --help --target-help --version --dump-config --statistics; do
  if "$xas" --target=x86_64-w64-mingw32 $o plain.s -o x.o > out.txt 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $o"; fi
done

echo "objects as without the option:$same_as_without" | fold -s -w 120
echo
echo "$passed passed, $failed failed"
[ $failed = 0 ]
