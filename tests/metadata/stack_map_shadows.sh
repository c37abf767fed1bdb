#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stack_map_shadows.sh BUILD [COUNT]: COUNT (default 400) random functions for x86-64 and AArch64. In no shadow of a record is
# a label, the end of a call, another record or the end of the code, as nm, objdump and xas-dump tell where these are. The
# last line is "N passed, N failed".
set -u
build=$(realpath "$1")
count=${2:-400}
. "$(dirname "$0")/../lib.sh"
temporary_folder
cd "$tmp" || exit 1
per_file=100

# text MACHINE SEED: the shadow of a record is its ID / 10^6.
text() {
  awk -v arm="$([ "$1" = aarch64 ] && echo 1)" -v seed="$2" -v count=$per_file '
  function pick(n) { return int(rand() * n) }
  BEGIN {
    srand(seed)
    plain = split(arm ? "mov x0, x1|add x2, x3, #4|ldr x4, [sp, #8]|nop|str x5, [x6]|.inst 0xd503201f" : \
                  "movq %rax, %rbx|nop|addl $1000000, 8(%rcx,%rdx,4)|pushq %rbp|movabsq $1, %rax|.byte 0x90|xorl %eax, %eax", insn, "|")
    calls = split(arm ? "bl other|blr x3" : "call other|callq *%rax|call *8(%rax,%rbx)|call other@PLT", call, "|")
    for (f = 0; f < count; ++f) {
      printf "\t.globl f%d\n\t.type f%d, %%function\n\t.stackmap_function f%d, 32\nf%d:\n", f, f, f, f
      n = 1 + pick(30)
      for (i = 0; i < n; ++i) {
        k = pick(16)
        if (k < 7) print "\t" insn[1 + pick(plain)]
        else if (k == 7) print "\t" call[1 + pick(calls)]
        else if (k == 8) printf "l%d_%d:\n", f, i
        else if (k == 9) print (arm ? "\tb other" : pick(2) ? "\tjmp other" : "\tjne f" f)
        else if (k == 10) print "\t.p2align " (2 + pick(4))
        else if (k == 11) print "\t.pushsection .data\n\t.byte 1\n\t.popsection"
        else if (k == 12) printf "%d:\n", pick(9)
        else if (k == 13) printf "\t.patchpoint %d, %d\n", id++, 4 * pick(9)
        else {
          shadow = 4 * pick(17)
          if (!arm) shadow += pick(4)
          printf "\t.stackmap %d, %d\n", shadow * 1000000 + id++, shadow
        }
      }
      printf "\t.size f%d, . - f%d\n", f, f
    }
    print "end_of_code:"
  }'
}

for ((first = 0; first < count; first += per_file)); do
  for machine in x86_64 aarch64; do
    text $machine $((first + 1)) > text.s
    if ! "$build/xas" -triple=$machine-linux-gnu text.s -o text.o 2> errors.txt; then
      fail "seed $((first + 1)) for $machine: $(head -n 1 errors.txt)"
      continue
    fi
    {
      llvm-nm-22 -n --format=posix text.o | awk '$2 ~ /[tT]/ && $1 !~ /^\$/ { print "label", $3 }'
      llvm-objdump-22 -d --no-show-raw-insn text.o |
        awk '/^ *[0-9a-f]+:/ { at = $1; sub(/:/, "", at); if (was) print "label", at; was = $2 ~ /^(callq?|blr?)$/ }'
      "$build/xas-dump" --stackmaps --json text.o | jq -r '"record \(.id) \(.address)"'
    } > places.txt
    if awk '
      function hex(text,   i, value) {
        value = 0
        for (i = 1; i <= length(text); ++i) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
        return value
      }
      BEGIN { n = 0 }
      $1 == "label" { place[hex($2)] = 1 }
      $1 == "record" { place[$3] = 1; at[n] = $3; id[n++] = $2 }
      END {
        for (i = 0; i < n; ++i) {
          shadow = int(id[i] / 1000000)
          for (b = at[i] + 1; b < at[i] + shadow; ++b)
            if (b in place) { print "record " id[i] " at " at[i] ": something is at " b; bad = 1; break }
        }
        exit bad || n == 0
      }' places.txt > bad.txt; then
      pass $per_file
    else
      fail "seed $((first + 1)) for $machine: $(head -n 2 bad.txt)"
    fi
  done
done
finish
