#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh [FOLDER]: builds the playground (build.sh) and opens it in Chromium without a window; with --pictures, pictures of
# it go into FOLDER. Bytes are GNU as's of the same text. The last line is "N passed, N failed"; without Emscripten or Chromium
# nothing is tested.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$root/tests/lib.sh"
pictures=no
[ "${1:-}" != --pictures ] || { pictures=yes; shift; }
out=$(realpath -m "${1:-$root/build/playground}")
for program in em++ chromium; do
  command -v $program > /dev/null || { echo "test.sh: $program is missing"; finish; }
done
"$here/build.sh" "$out" > "$out.log" 2>&1 || { tail -n 20 "$out.log"; fail "building"; finish; }
tail -n 1 "$out.log"
# same WHAT GOT WANTED
same() { if [ "$2" = "$3" ]; then pass; else fail "$1: $2, not $3"; fi; }

# page TARGET PROFILE TEXT [PICTURE]: the page's document with this text in it. On a busy machine Chromium can end before the
# module is compiled, which it tells by a page that has no time in it; then it is asked again.
page() {
  local state document try
  state=$(jq -cn --arg t "$3" --arg g "$1" --arg p "$2" '{t: $t, g: $g, s: "", p: $p, o: ""}' | base64 -w0 | tr '+/' '-_' | tr -d =)
  for try in {1..5}; do
    document=$(timeout 120 chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=20000 --window-size=1280,800 \
      ${4:+--screenshot="$4"} --dump-dom "file://$out/xas.html#$state" 2> /dev/null | sed '/<script/,/<\/script/d')
    ! grep -qE 'id="state"[^>]*>[^<]* ms<' <<< "$document" || break
  done
  printf '%s\n' "$document"
}
# What the page shows beside the lines, without blanks.
gutter() { grep -o 'class="bytes">[^<]*<' | sed 's/.*>//; s/<//; s/ //g' | grep . | tr '\n' ' '; }
# What GNU as makes of the text, line by line, as its listing has it.
listed() {
  printf '%s' "$2" | "$1" -aln --listing-lhs-width=4 -o /dev/null - | sed -nE 's/^ *[0-9]+ [0-9a-f]{4} (([0-9A-F]+ )+).*/\L\1/p' | tr -d ' ' | tr '\n' ' '
}

text=$'\tmovl $1, %eax\n1:\tvaddps %zmm1, %zmm2, %zmm3\n\tjne 1b\n\tcall f\n'
for profile in gnu llvm; do same "bytes, $profile" "$(page x86_64-linux-gnu $profile "$text" | gutter)" "$(listed as "$text")"; done
if command -v aarch64-linux-gnu-as > /dev/null; then
  text=$'\tadd x0, x1, x2\n\tstp x29, x30, [sp, -16]!\n\tldr x0, [x1, #8]\n'
  same "bytes, AArch64" "$(page aarch64-linux-gnu gnu "$text" | gutter)" "$(listed aarch64-linux-gnu-as "$text")"
fi
document=$(page x86_64-linux-gnu gnu $'\tmvo %eax, %ebx\n\tnop\n')
same "an error" "$(grep -c 'class="problem error"' <<< "$document")" 1
same "no object" "$(grep -c 'Symbols (' <<< "$document")" 0
document=$(page x86_64-linux-gnu gnu $'\t.globl f\nf:\tcall g@PLT\n')
same "a symbol" "$(grep -o '<td>f</td><td>0x0</td>' <<< "$document" | wc -l)" 1
same "a relocation" "$(grep -o 'R_X86_64_PLT32' <<< "$document" | sort -u)" R_X86_64_PLT32
document=$(page x86_64-linux-gnu both $'\tmovl $1, %eax\n\txchg %rax, %r8\n\tfsubp\n')
same "both profiles" "$(grep -o '<h2>[^<]*</h2>' <<< "$document" | head -n 1)" "<h2>GNU as and llvm-mc: the same code and data</h2>"
size=$(gzip -9 < "$out/xas.html" | wc -c)
same "below 2.5 MB" "$((size < 2500000))" 1
if [ $pictures = yes ]; then
  page x86_64-linux-gnu gnu $'\t.globl f\nf:\tpush %rbx\n\tcall g@PLT\n\tpop %rbx\n\tret\n' "$out/page.png" > /dev/null
  page x86_64-linux-gnu gnu $'\tmovl $1\n\tmvo %eax, %ebx\n\tmovl %eax, %rbx\n\tret\n' "$out/mistakes.png" > /dev/null
  page x86_64-linux-gnu both $'\tmovq %rax, %rbx\n\timul $8, %eax\n\tjmp far_away\n\t.p2align 4\n\ttest %eax, (%rbx)\n' "$out/both.png" > /dev/null
fi
finish
