#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py XAS_CORPUS: writes docs/coverage.md to standard output, from what `xas-corpus instructions --coverage` counts."""
import collections
import subprocess
import sys

TARGETS = {
    "x86_64": "x86-64",
    "i386": "x86, 32 bits",
    "x86_16": "x86, 16 bits",
    "aarch64": "AArch64",
    "arm": "ARM (A32)",
    "thumb": "Thumb (T32)",
}

HEAD = """# Instructions: what xas takes, and what the reference assemblers make of it

Every mnemonic of xas with the features it needs, and whether GNU as 2.40 and llvm-mc 22 make the same bytes of its lines:
*all* of them, *some*, or *none*. The lines are those of `xas-corpus instructions --values=edges`: each operand in turn at the limits
of what it takes. *Some* is most often an operand that one assembler does not take, such as registers of APX for GNU as 2.40.
x86 is in AT&T syntax. For a line a form, with counts:

    xas-corpus instructions --target=x86_64 --values=edges --coverage > x86_64.tsv

This page is made by `tests/instructions/coverage.py`, and a test compares it with the tables.
"""


def word(agreed, lines):
    return "all" if agreed == lines else "some" if agreed else "none"


def section(corpus, target, title):
    output = subprocess.run([corpus, "instructions", f"--target={target}", "--values=edges", "--coverage"],
                            check=True, capture_output=True, text=True).stdout
    counts = collections.defaultdict(lambda: [0, 0, 0])
    forms = 0
    for line in output.splitlines():
        mnemonic, _, features, *numbers = line.split("\t")
        forms += 1
        for i, number in enumerate(numbers):
            counts[features, mnemonic][i] += int(number)
    rows = collections.defaultdict(list)
    for (features, mnemonic), (lines, gnu, llvm) in counts.items():
        rows[features, word(gnu, lines), word(llvm, lines)].append(mnemonic)
    total = [sum(column) for column in zip(*counts.values())]
    mnemonics = len({mnemonic for _, mnemonic in counts})
    print(f"\n## {title}\n")
    print(f"{mnemonics:,} mnemonics, {forms:,} forms, {total[0]:,} lines; GNU as makes the same of {total[1]:,}, "
          f"llvm-mc of {total[2]:,}.\n")
    print("| feature | GNU as | llvm-mc | mnemonics |")
    print("|---|---|---|---|")
    for (features, gnu, llvm), names in sorted(rows.items()):
        print(f"| {features.replace(',', ', ') or '-'} | {gnu} | {llvm} | {' '.join(sorted(names))} |")


print(HEAD, end="")
for target, title in TARGETS.items():
    section(sys.argv[1], target, title)
