#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh XAS: what LLVM's description of its extensions (docs/extensions.md) says that linkers and other programs do with an
# object. Each input is assembled in both profiles; then linkers say whether it holds.
#
# The last line is "N passed, N failed".
set -u
xas=$(realpath "$1")
. "$(dirname "$0")/../lib.sh"
temporary_folder
cd "$tmp" || exit 1
profile= triple=

# same WHAT GOT WANTED: a text is what was expected
same() {
  if [ "$2" = "$3" ]; then pass; else fail "$1, $profile, $triple: got '$2', expected '$3'"; fi
}
# has WHAT TEXT PATTERN: a text has a line with this extended regular expression
has() {
  if grep -qE -- "$3" <<< "$2"; then pass; else fail "$1, $profile, $triple: no '$3' in '$2'"; fi
}
# lacks WHAT TEXT PATTERN
lacks() {
  if ! grep -qE -- "$3" <<< "$2"; then pass; else fail "$1, $profile, $triple: '$3' in '$2'"; fi
}
# object NAME: standard input, to NAME.o
object() {
  "$xas" --compat=$profile --target=$triple - -o "$1.o" || fail "$1, $profile, $triple: refused"
}
# names FILE: its symbols in the order of their addresses, but for the linker's own
names() { llvm-nm-22 -n "$1" | awk 'NF == 3 && $3 !~ /^_/ { printf "%s ", $3 }'; }
address() { llvm-nm-22 "$1" | awk -v name="$2" '$3 == name { print $1 }'; }
# bytes FILE SECTION
bytes() { llvm-readelf-22 -x "$2" "$1" 2> /dev/null | awk '/^0x/ { for (i = 2; i <= 5 && $i ~ /^[0-9a-f]+$/; ++i) printf "%s", $i }'; }

for tool in ld ld.lld-22 lld-link-22 x86_64-w64-mingw32-ld llvm-nm-22 llvm-readelf-22 llvm-readobj-22 llvm-objdump-22 \
  llvm-objcopy-22 llvm-mc-22 clang-22 ar; do
  command -v $tool > /dev/null || fail "$tool is not installed"
done

# ---- ELF

# Functions that are equal are one behind the link, but not those whose address matters; without a table, all matter.
address_significance() {
  local table found
  for table in .addrsig ""; do
    object same << END
	.section .text._start,"ax",@progbits
	.globl	_start
_start:	.irp n, a, b, c
	call	\\n
	.endr
	.irp n, a, b, c
	.section .text.\\n,"ax",@progbits
	.type	\\n, @function
\\n:	movl	\$5, %eax
	ret
	.endr
	$table
	.addrsig_sym c
END
    ld.lld-22 --icf=safe same.o -o same
    found="$(($(address same a | sed 's/^/0x/') == $(address same b | sed 's/^/0x/')))"
    found+="$(($(address same a | sed 's/^/0x/') == $(address same c | sed 's/^/0x/')))"
    if [ -n "$table" ]; then same "addresses that matter" "$found" 10; else same "no .addrsig" "$found" 00; fi
  done
}

# Sections stand by the weights of calls between them.
call_graph_profile() {
  object calls << 'END'
	.irp	n, a, b, c, d
	.section .text.\n,"ax",@progbits
	.globl	\n
\n:	nop
	.endr
	.section .text._start,"ax",@progbits
	.globl	_start
_start:	nop
	.section .text.t,"ax",@progbits
.Lt:	nop
	.globl	t
t:	nop
	.cg_profile a, d, 100
	.cg_profile d, .Lt, 90
	.cg_profile nowhere, a, 80
END
  ld.lld-22 --call-graph-profile-sort=hfsort calls.o -o calls
  same "order by .cg_profile" "$(names calls)" "a d t b c "
  has "an undefined symbol of .cg_profile" "$(llvm-nm-22 calls.o)" ' U nowhere'
}

# What is for linkers alone is not in the program; libraries are found by name.
excluded_sections() {
  object for_linkers << 'END'
	.section ".linker-options","e",@llvm_linker_options
	.asciz	"lib"
	.asciz	"nowhere"
	.section .images,"e",@llvm_offloading
	.quad	1
	.section .bitcode,"e",@llvm_lto
	.quad	1
	.section .kept,"",@llvm_offloading
	.quad	1
	.section .jump,"ax",@llvm_cfi_jump_table,8
	.quad	1
	.text
	.globl	_start
_start:	ret
END
  local ld sections
  for ld in ld.lld-22 ld; do
    $ld for_linkers.o -o for_linkers
    sections=$(llvm-readelf-22 -SW for_linkers)
    lacks "sections of flag e in a program of $ld" "$sections" 'linker-options|images|bitcode'
    has "a section without flag e in a program of $ld" "$sections" '\.kept'
  done
  object needs << 'END'
	.section ".deplibs","MS",@llvm_dependent_libraries,1
	.asciz	"needed"
	.text
	.globl	_start
_start:	call	needed
END
  printf '\t.globl needed\nneeded:\tret\n' | object needed
  rm -f libneeded.a
  ar rc libneeded.a needed.o
  ld.lld-22 -L. needs.o -o needs
  same "a dependent library" "$(names needs)" "needed "
  lacks "a dependent library's name" "$(llvm-readelf-22 -SW needs)" 'deplibs'
}

# A symbol in a partition of its own.
partitions() {
  object parts << 'END'
	.section ".llvm_sympart","",@llvm_sympart
	.asciz	"second.so"
	.quad	inside
	.irp	n, inside, outside
	.section .text.\n,"ax",@progbits
	.globl	\n
	.type	\n, @function
\n:	ret
	.endr
END
  ld.lld-22 -shared --gc-sections parts.o -o parts.so
  llvm-objcopy-22 --extract-partition=second.so parts.so second.so
  llvm-objcopy-22 --extract-main-partition parts.so main.so
  has "the partition" "$(llvm-nm-22 -D second.so)" ' inside$'
  lacks "the main partition" "$(llvm-nm-22 -D main.so)" ' inside$'
  has "the main partition" "$(llvm-nm-22 -D main.so)" ' outside$'
}

# sh_link: metadata go with their sections.
link_order() {
  object metadata << 'END'
	.section .text._start,"ax",@progbits
	.globl	_start
_start:	ret
	.section .text.unused,"ax",@progbits
.Lunused: ret
	.section .meta,"ao",@progbits,.Lunused
	.ascii	"B"
	.section .meta,"ao",@progbits,.text._start
	.ascii	"A"
END
  local ld
  for ld in ld.lld-22 ld; do
    $ld --gc-sections metadata.o -o metadata
    same "sections of flag o, by $ld" "$(bytes metadata .meta)" 41
  done
}

# GOT entries that stay, and symbols in 8 bits.
x86_relocations() {
  object loads << 'END'
	.globl	_start
_start:	movq	here@GOTPCREL_NORELAX(%rip), %rax
	movq	here@GOTPCREL(%rip), %rax
	cmpq	$value@ABS8, %rdi
here:	ret
END
  local ld
  ld.lld-22 --defsym=value=-5 loads.o -o loads
  same "a load that stays" "$(llvm-objdump-22 -d --no-show-raw-insn loads | awk '$2 ~ /^(mov|lea)q$/ { printf "%s ", $2 }')" "movq leaq "
  for ld in ld.lld-22 ld; do
    $ld --defsym=value=-5 loads.o -o loads
    has "@ABS8 of $ld" "$(llvm-objdump-22 -d loads)" '48 83 ff fb +.*cmpq'
    has "@ABS8 that does not fit, of $ld" "$($ld --defsym=value=256 loads.o -o loads 2>&1)" 'out of range|truncated'
  done
}

# The block address maps of each version, with what profiles add, as LLVM's reader has them.
block_address_maps() {
  object blocks << 'END'
	.text
	.globl	f
	.type	f, @function
f:	nop
.Lend0:	call	cold
.Lcall:	nop
.Lend1:
	.section .text.cold,"ax",@progbits
	.globl	cold
	.type	cold, @function
cold:	nop
	ret
.Lend2:
	.section .maps,"o",@llvm_bb_addr_map,.text
	.byte	2, 0x0f		# entry count, frequencies, probabilities, ranges
	.uleb128 2
	.quad	f
	.uleb128 2
	.uleb128 0, 0, .Lend0-f, 2
	.uleb128 1, 0, .Lend1-.Lend0, 0
	.quad	cold
	.uleb128 1
	.uleb128 2, 0, .Lend2-cold, 1
	.uleb128 1000		# the entry count
	.uleb128 1000, 1, 2, 0x40000000, 900, 0, 100, 0
	.byte	3, 0x20		# call sites
	.quad	f
	.uleb128 2
	.uleb128 0, 0, 0, .Lend0-f, 2
	.uleb128 1, 0, 1, .Lcall-.Lend0, .Lend1-.Lcall, 0
	.byte	4, 0x40		# hashes
	.quad	cold
	.uleb128 1
	.uleb128 0, 0, .Lend2-cold, 1
	.quad	0x0123456789abcdef
END
  local map
  ld.lld-22 -e f blocks.o -o blocks
  map=$(llvm-readobj-22 --bb-addr-map blocks 2>&1)
  lacks "a block address map" "$map" 'warning|error'
  has "a block address map: a function" "$map" 'Name: f$'
  has "a block address map: another function" "$map" 'Name: cold$'
  has "a block address map: a range" "$map" "Base Address: 0x$(address blocks cold | sed 's/^0*//' | tr a-f A-F)\$"
  has "a block address map: a probability" "$map" 'Probability: 0x40000000'
  has "a block address map: an entry count" "$map" 'FuncEntryCount: 1000'
  has "a block address map: a call site" "$map" 'Callsite End Offsets: \[5\]'
  has "a block address map: a hash" "$map" 'Hash: 0x123456789ABCDEF'
}

# clang's objects with bitcode beside the code: one program from the code, one from the bitcode.
bitcode_beside_code() {
  echo 'int start(void) { return 42; }' > fat.c
  clang-22 -O1 --target=$triple -flto -ffat-lto-objects -S fat.c -o fat.s
  object fat < fat.s
  ld.lld-22 -e start --no-fat-lto-objects fat.o -o plain
  ld.lld-22 -e start --fat-lto-objects --lto-O1 fat.o -o optimized
  has "code beside bitcode" "$(llvm-objdump-22 -d plain)" '\$(42|0x2a), %eax'
  has "bitcode beside code" "$(llvm-objdump-22 -d optimized)" '\$(42|0x2a), %eax'
  lacks "bitcode in a program" "$(llvm-readelf-22 -SW plain; llvm-readelf-22 -SW optimized)" 'llvm\.lto'
}

# ---- COFF

link_dll() { lld-link-22 /nologo /dll /noentry /nodefaultlib "/machine:$machine" /safeseh:no "$@" 2>&1; }

# comdat KIND FORM CONTENTS FILE: a COMDAT `sym`, in one line or in two, and data that refer to it
comdat() {
  if [ "$2" = one ]; then
    printf '\t.section .com,"dr",%s,%ssym\n' "$1" "$u"
  else
    printf '\t.section .com,"dr"\n\t.linkonce %s\n' "$1"
  fi
  printf '\t.globl %ssym\n%ssym:\t%s\n\t.data\n\t.globl %s%s\n%s%s:\t.long %ssym@IMGREL\n' "$u" "$u" "$3" "$u" "$4" "$u" "$4" "$u"
}

# What a linker does with two COMDATs of the same symbol.
comdats() {
  local row kind equal other larger form second wanted got
  for row in 'discard ok ok ok' 'one_only duplicate duplicate duplicate' 'same_size ok ok duplicate' \
    'same_contents ok duplicate duplicate' 'largest ok ok ok' 'newest unknown unknown unknown'; do
    read -r kind equal other larger <<< "$row"
    for form in one two; do
      comdat "$kind" $form '.long 1' first | object first
      for second in "$equal .long 1" "$other .long 2" "$larger .long 1,2"; do
        wanted=${second%% *}
        comdat "$kind" $form "${second#* }" second | object second
        got=$(link_dll first.o second.o /include:${u}first /include:${u}second /out:two.dll) && got=ok
        has "COMDATs ($kind, $form, $second)" "$got" "$wanted"
        if [ "$kind" = largest ]; then
          has "the largest of two" "$(llvm-readobj-22 --sections two.dll)" "VirtualSize: 0x$([ "$second" = "$larger .long 1,2" ] && echo 8 || echo 4)"
        fi
      done
    done
  done
  # GNU ld, which keeps one of them
  for form in one two; do
    comdat discard $form '.long 1' first | object first
    comdat discard $form '.long 1' second | object second
    if ${ld_of_mingw} -shared --entry=0 first.o second.o -o two.dll 2> log; then pass; else fail "COMDATs by GNU ld: $(head -n 1 log)"; fi
  done
}

# An associated section goes with its COMDAT, and stays away with it.
associated() {
  local name
  for name in first second; do
    object $name << END
	.section .com,"dr",discard,"${u}sym"
	.globl	${u}sym
	.ascii	"$name"
${u}sym: .long	1
	.section .com,"dr",discard,"${u}${name}_too"
	.globl	${u}${name}_too
${u}${name}_too: .long	2
	.section .with,"dr",associative,"${u}sym"
	.ascii	"<$name>"
	.section .with,"dr",associative,"${u}${name}_too"
	.ascii	"[$name]"
END
  done
  link_dll first.o second.o /opt:noref /include:${u}sym /out:with.dll
  local contents
  contents=$(strings -n 3 with.dll)
  has "an associated section" "$contents" '<first>'
  lacks "an associated section of a COMDAT that is discarded" "$contents" '<second>'
  has "the same section's name for another COMDAT" "$contents" '\[second\]'
}

# Places in images and in sections, the numbers of sections, flags.
places() {
  object places << END
	.text
	.globl	${u}f
${u}f:	nop
g:	nop
	.section .one,"dr"
	.long	0
	.globl	${u}here
${u}here: .long	1
	.section .tab,"dr"
	.globl	${u}tab
${u}tab: .long	${u}f@IMGREL, g@imgrel + 0x3f
	.secrel32 ${u}here
	.secrel32 ${u}here + 4
	.secidx	${u}here
	.secidx	${u}f
	.section .gone,"dnr"
	.long	5
	.section .away,"drD"
	.globl	${u}away
${u}away: .long	6
END
  link_dll places.o /include:${u}tab /include:${u}away /include:${u}f /out:places.dll
  has "places" "$(llvm-objdump-22 -s -j .tab places.dll)" ' 00100000 40100000 04000000 08000000 '
  has "numbers of sections" "$(llvm-objdump-22 -s -j .tab places.dll)" ' 02000100 '
  local sections
  sections=$(llvm-readobj-22 --sections places.dll)
  lacks "flag n" "$sections" 'Name: \.gone'
  has "flag D" "$(sed -n '/Name: .away/,/}/p' <<< "$sections")" MEM_DISCARDABLE
}

# Halves of a place in a section, on ARM64; the probe of large stacks.
arm64_places() {
  object halves << 'END'
	.text
	.globl	f
f:	add	x0, x0, :secrel_hi12:there
	add	x0, x0, :secrel_lo12:there
	ldr	x0, [x0, :secrel_lo12:there]
	ldrh	w0, [x0, :secrel_lo12:there]
	adrp	x16, far
	add	x16, x16, :lo12:far
	blr	x16
	.section .one,"dr"
	.space	0x3458
there:	.long	1
	.section .two,"xr"
	.space	0x128
	.globl	far
far:	ret
END
  link_dll halves.o /include:f /out:halves.dll
  local code
  code=$(llvm-objdump-22 -d halves.dll)
  has ":secrel_hi12:" "$code" 'add	x0, x0, #0x3, lsl #12'
  has ":secrel_lo12: of add" "$code" 'add	x0, x0, #0x458'
  has ":secrel_lo12: of a load" "$code" 'ldr	x0, \[x0, #0x458\]'
  has ":secrel_lo12: of a load of 2 bytes" "$code" 'ldrh	w0, \[x0, #0x458\]'
  has "the probe's address" "$code" 'add	x16, x16, #0x128'
}

for profile in gnu llvm; do
  triple=x86_64-linux-gnu
  address_significance
  call_graph_profile
  excluded_sections
  partitions
  link_order
  x86_relocations
  block_address_maps
  bitcode_beside_code
  for triple in x86_64-pc-windows-msvc i686-pc-windows-msvc; do
    u= machine=x64 ld_of_mingw=x86_64-w64-mingw32-ld
    [ $triple = x86_64-pc-windows-msvc ] || u=_ machine=x86 ld_of_mingw=i686-w64-mingw32-ld
    comdats
    associated
    places
  done
  triple=aarch64-pc-windows-msvc machine=arm64
  arm64_places
done
finish
