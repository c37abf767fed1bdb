#!/bin/bash
# modifiers.sh XAS INVENTORY: goes through a list of relocation modifiers (tab-separated: target, format, modifier, meaning,
# contexts, GNU as's result, LLVM's result, ...) and, for each row of COFF and each of its contexts, compares the relocations
# that xas makes with those of the reference assembler, and with what the row says: the relocation's name for LLVM, whether
# it is taken for GNU as (whose own relocations have no names outside of it).
#
# Where the reference assemblers lose the modifier without a word (`call foo@IMGREL` is `call foo` to llvm-mc), xas must
# report it. Where a row and the run disagree, the row is printed. Last line: "N passed, N failed".
set -u
xas=$(realpath "$1")
inventory=$(realpath "$2")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
passed=0 failed=0

# text_of TARGET CONTEXT SYMBOL: the instruction that the list means
text_of() {
  local s=$3 m=${4:-}
  case $1/$2 in
    */data1) echo ".byte $s" ;;
    */data2) echo ".word $s" ;;
    */data4 | x86/data) echo ".long $s" ;;
    */data8) echo ".quad $s" ;;
    */data4-.) echo ".long $s-." ;;
    */immb) echo "movb \$$s, %al" ;;
    */imm8) echo "addl \$$s, %ecx" ;;
    */imm8s) echo "addq \$$s, %rcx" ;;
    */imm16) echo "movw \$$s, %ax" ;;
    */imm32) echo "movl \$$s, %eax" ;;
    */imm32s) echo "movq \$$s, %rax" ;;
    */imm64) echo "movabsq \$$s, %rax" ;;
    */moffs64) echo "movabsq $s, %rax" ;;
    */addimm) echo "addl \$$s, %ecx" ;;
    */call) echo "call $s" ;;
    */jmp) echo "jmp $s" ;;
    */jcc) echo "jne $s" ;;
    */'call*rip') echo "call *$s(%rip)" ;;
    */'jmp*rip') echo "jmp *$s(%rip)" ;;
    */mov_rip_rexw) echo "movq $s(%rip), %rax" ;;
    */mov_rip) echo "movl $s(%rip), %eax" ;;
    */add_rip_rexw) echo "addq $s(%rip), %rax" ;;
    */lea_rip) echo "leaq $s(%rip), %rax" ;;
    */lea_rip32) echo "leal $s(%rip), %eax" ;;
    */r16_mov_rip) echo "movq $s(%rip), %r16" ;;
    */disp32) echo "movl $s, %ecx" ;;
    */'call*rax(tlscall)') echo "call *$s(%rax)" ;;
    */fs) echo "movl %fs:$s, %ecx" ;;
    */gs) echo "movl %gs:$s, %ecx" ;;
    */'disp32(reg)') echo "movl $s(%ebx), %ecx" ;;
    */'lea(reg)') echo "leal $s(%ebx), %ecx" ;;
    */'lea(,reg,1)') echo "leal $s(,%ebx,1), %ecx" ;;
    */'add(reg)') echo "addl $s(%ebx), %ecx" ;;
    */'call*(reg)') echo "call *$s(%ebx)" ;;
    aarch64/adrp) echo "adrp x0, $s" ;;
    aarch64/adr) echo "adr x0, $s" ;;
    aarch64/bl) echo "bl $s" ;;
    aarch64/cbz) echo "cbz x0, $s" ;;
    aarch64/tbz) echo "tbz x0, #1, $s" ;;
    aarch64/add) echo "add x0, x0, $s" ;;
    aarch64/addw) echo "add w0, w0, $s" ;;
    aarch64/ldrb) echo "ldrb w0, [x1, $s]" ;;
    aarch64/ldrh) echo "ldrh w0, [x1, $s]" ;;
    aarch64/ldrw) echo "ldr w0, [x1, $s]" ;;
    aarch64/ldrx) echo "ldr x0, [x1, $s]" ;;
    aarch64/ldrq) echo "ldr q0, [x1, $s]" ;;
    aarch64/strx) echo "str x0, [x1, $s]" ;;
    thumb2/movw) echo "movw r0, #$s" ;;
    thumb2/movt) echo "movt r0, #$s" ;;
    thumb2/blx | thumb2/bl | thumb2/b) echo "$2 $s" ;;
    thumb2/.word-.) echo ".word $s-." ;;
    */.*) echo "$2 $s" ;;
    *) return 1 ;;
  esac
}

# relocations TEXT-FILE ASSEMBLER...: their names, offsets and symbols; "error" if it is not taken
relocations() {
  local text=$1
  shift
  rm -f made.o
  if "$@" "$text" -o made.o 2> /dev/null && [ -e made.o ]; then
    llvm-readobj-22 -r --sd made.o | grep -E '^ *0x' | tr -s ' ' | tr '\n' ';'
    llvm-readobj-22 -x .text made.o | tail -n +4 | cksum | cut -d' ' -f1
  else
    echo error
  fi
}

# The modifier has no meaning in this context: what the reference assembler makes of it is another field's relocation.
is_lost() {  # is_lost ROW CONTEXT
  case "$1 $2" in
    *@IMGREL\ *) [[ $2 =~ ^(data8|imm64|moffs64|data4-\.|call|jmp|jcc|.*rip.*)$ ]] ;;
    *@SECREL32\ *) [[ $2 =~ ^(data8|imm64|moffs64|data4-\.|call|jmp|jcc|.*rip.*)$ ]] ;;
    *:secrel_hi12:\ *) [[ $2 = ldr* || $2 = str* ]] ;;
    *:lower16:\ movt | *:upper16:\ movw) true ;;
    *) false ;;
  esac
}

check() {  # check ROW CONTEXT TEXT PROFILE RESULT TRIPLE ASSEMBLER...
  local row=$1 context=$2 text=$3 profile=$4 expected=$5 triple=$6 ours theirs
  shift 6
  printf '%s\n' '.syntax unified' > "$profile.s"
  [[ $triple = thumb* ]] || : > "$profile.s"
  printf ' %s\n' "$text" >> "$profile.s"
  theirs=$(relocations "$profile.s" "$@")
  ours=$(relocations "$profile.s" "$xas" --compat="$profile" --target="$triple")
  if is_lost "$row" "$context"; then
    if [ "$ours" = error ]; then passed=$((passed + 1)) lost=$((lost + 1)); return; fi
    failed=$((failed + 1))
    echo "FAIL: $profile: $row: $text: not an error"
  elif [ "$ours" = "$theirs" ]; then
    passed=$((passed + 1))
    # What the row says, for the reader: it may be of another form than the one tried.
    if [[ $expected = IMAGE_REL* && $ours != *"$expected"* ]]; then echo "row: $row: $context ($text): $ours"; fi
  elif [ "$theirs" = error ] || [[ $expected = "(symbol named"* ]]; then
    union=$((union + 1))  # taken by the other assembler, and so by xas
  else
    failed=$((failed + 1))
    echo "FAIL: $profile: $row: $text"
    echo "  reference: $theirs"
    echo "  xas:       $ours"
  fi
}

union=0 lost=0
while IFS=$'\t' read -r target format modifier _ contexts gas llvm _; do
  [ "$format" = coff ] || continue
  row="$target $modifier"
  case $modifier in
    '(none)') symbol=foo ;;
    @*) symbol=foo$modifier ;;
    :*) symbol=${modifier}foo ;;
    .rva) symbol=foo ;;
    .*) symbol=foo ;;
  esac
  case $target in
    x86-64) gnu="x86_64-w64-mingw32" triple=x86_64-pc-windows-msvc ;;
    i386) gnu="i686-w64-mingw32" triple=i686-pc-windows-msvc ;;
    x86) gnu="x86_64-w64-mingw32" triple=x86_64-pc-windows-msvc ;;
    aarch64) gnu= triple=aarch64-pc-windows-msvc ;;
    thumb2) gnu= triple=thumbv7-pc-windows-msvc ;;
  esac
  for context in $contexts; do
    if [ "$target" = x86 ]; then
      # The three directives of the row.
      text="$(printf '%s foo; ' $modifier)"
    else
      text=$(text_of "$target" "$context" "$symbol") || { echo "FAIL: no text for $row: $context"; failed=$((failed + 1)); continue; }
    fi
    [ -z "$gnu" ] || check "$row" "$context" "$text" gnu "$gas" "$gnu" "$gnu-as"
    check "$row" "$context" "$text" llvm "$llvm" "$triple" llvm-mc-22 -filetype=obj -triple "$triple"
  done
done < "$inventory/modifiers.tsv"

echo "$lost are refused, because the modifier would be lost"
echo "$union more are taken by the other assembler alone"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
