#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""-show-encoding: the bytes and fields that xas shows are those that llvm-mc shows.

    show_encoding.py XAS            every kind of field
    show_encoding.py XAS CORPUS     compiler output (../corpus/make.sh): CORPUS/**/*.s, a few files of each setting

Compared is what stands behind "encoding:" and "fixup"; instructions themselves are written as in the text, where llvm-mc
writes them anew. A label that has no name is `.Ltmp`, which llvm-mc numbers; numbers that are added to a symbol are told
as one, and differences of labels that are known as a number. The last line is "N passed, N failed", in instructions.
"""

import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FILES_OF_SETTING = 3

# Instructions with fields, by triple.
FIELDS = {
    "x86_64-linux-gnu": """
 foo: jmp foo; jmp bar; jne bar; call bar; call bar@PLT; loop bar; jrcxz bar; jmp *bar(%rip)
 mov bar(%rip), %rax; mov bar@GOTPCREL(%rip), %rax; movl bar@GOTPCREL(%rip), %eax; lea bar+4(%rip), %rax
 movl $bar, bar(%rip); movb $1, bar(%rip); mov $bar, %rax; movabs $bar, %rax; movb bar, %al; push $bar; add $bar, %al
 addl $bar, (%rax); addq $bar-4, %rcx; imul $bar, %eax, %ecx; cmpw $bar, 8(%rax); mov bar@tpoff(%rax), %rcx
 call *bar@GOTPCREL(%rip); addq bar@GOTTPOFF(%rip), %rax; leaq bar@TLSGD(%rip), %rdi; movw $bar, %ax
 lock; incl bar(%rip)
 mov bar+3(,%rcx,4), %eax; vaddps bar(%rip), %ymm1, %ymm2; pshufd $3, bar(%rip), %xmm1; mov %r16, bar(%rip)
 """,
    "i386-linux-gnu": """
 jmp bar; je bar; call bar; call bar@PLT; mov bar, %eax; mov bar, %ecx; mov bar@GOT(%ebx), %eax; mov $bar, %eax
 lea bar@GOTOFF(%ebx), %eax; add $bar, %ecx; movl $bar, 4(%esp); push $bar; movb bar(%ecx), %dl; jecxz bar
 call *bar; jmp *bar(,%eax,4); movl bar@NTPOFF, %eax; lea bar@TLSGD(,%ebx,1), %eax; mov $bar-1f, %eax; 1:
 """,
    "aarch64-linux-gnu": """
 b foo; bl foo; b.eq foo; cbz x0, foo; tbz x0, #1, foo; adr x0, foo; adrp x0, foo; adrp x0, :got:foo
 add x0, x0, :lo12:foo; ldrb w0, [x1, :lo12:foo]; ldrh w0, [x1, :lo12:foo]; ldr w0, [x1, :lo12:foo+4]
 ldr x0, [x1, :lo12:foo]; ldr q0, [x1, :lo12:foo]; ldr x0, [x0, :got_lo12:foo]; ldr x0, foo; ldr x0, =0x123456789
 movz x0, #:abs_g1:foo; movk x0, #:abs_g0_nc:foo; add x0, x1, :tprel_hi12:foo; ldrsw x0, foo
 adrp x0, :tlsdesc:foo; ldr x1, [x0, :tlsdesc_lo12:foo]; add x0, x0, :tprel_lo12_nc:foo
 """,
    "armv7a-linux-gnueabihf": """
 .arm
 b foo; bl foo; beq foo; bleq foo; blx foo; bl foo(PLT); ldr r0, foo; ldrd r0, r1, foo; ldr r0, =0x12345678
 movw r0, #:lower16:foo; movt r0, #:upper16:foo; adr r0, foo; ldrh r0, foo; movw r0, #:lower16:(foo-4)
 .thumb
 b foo; bl foo; beq foo; blx foo; ldr r0, foo; cbz r0, foo; movw r0, #:lower16:foo; movt r0, #:upper16:foo; adr r0, foo
 b.w foo; beq.w foo; ldr.w r0, foo; adr.w r0, foo; ldrd r0, r1, foo; ldr r0, =foo
 """,
}
SYNTAX = {"aarch64-linux-gnu": "", "armv7a-linux-gnueabihf": ".syntax unified\n"}


# What llvm-mc tells otherwise: it names the relocation of a distance to the GOT, which has 64 bits, in place of a kind; and
# it has set bits that say of which part of an address a field is, which xas sets with the field's value.
KNOWN = re.compile(r"relocation type: |:secrel_hi12:")


def ask(command, text):
    run = subprocess.run(command, input=text.encode("latin-1"), capture_output=True, check=False)
    return run.stdout.decode("latin-1"), run.stderr.decode("latin-1")


def field(text):
    """What is told of a field, with numbers added up."""
    text = re.sub(r"\.Ltmp\d*", ".Ltmp", text)
    text = re.sub(r"[+-]\([^)]*\)|[+-]\d+(?=[+-]\(|.*[+-]\()", "+N", text)
    return re.sub(r"((?:[+-]\d+)+)(?=,)", lambda m: f"{sum(map(int, re.findall(r'[+-][0-9]+', m[1]))):+}", text)


def encodings(output):
    """Bytes with their fields, instruction by instruction."""
    shown = []
    for line in output.splitlines():
        if match := re.search(r"encoding: \[(.*)\]", line):
            shown.append([match[1]])
        elif match := re.search(r"fixup ([A-Z]) - (.*)", line):
            shown[-1].append(match[1] + " " + field(match[2]))
    return shown


def compare(xas, triple, options, text):
    """Instructions that are the same, and the first differences."""
    ours, error = ask([xas, "--compat=llvm", "-triple=" + triple, "-show-encoding", *options, "-"], text)
    theirs, _ = ask(["llvm-mc-22", "-triple=" + triple, "-show-encoding", *options], text)
    if "error:" in error and not ours:
        return 0, 1, [error.splitlines()[0]]
    ours, theirs = encodings(ours), [each for each in encodings(theirs) if each[0]]
    for a, b in zip(ours, theirs):
        for k in range(min(len(a), len(b))):
            if "+N" in b[k]:  # a difference of labels
                a[k] = re.sub(r"[+-]\d+,", "+N,", a[k])
    pairs = [(a, b) for a, b in zip(ours, theirs) if not any(map(KNOWN.search, b))]
    differences = [f"{a} is {b} in llvm-mc" for a, b in pairs if a != b]
    if len(ours) != len(theirs):
        differences.append(f"{len(ours)} instructions, {len(theirs)} in llvm-mc")
    return sum(a == b for a, b in pairs), len(differences), differences


def corpus(folder):
    for options in sorted(glob.glob(os.path.join(folder, "**", "options"), recursive=True)):
        words = open(options, encoding="latin-1").read().split()
        triple = next((w.split("=", 1)[1] for w in words if w.startswith("-triple=")), None)
        if not triple:
            continue
        files = sorted(glob.glob(os.path.join(os.path.dirname(options), "*", "*.s")), key=os.path.getsize)
        step = max(1, len(files) // FILES_OF_SETTING)
        for path in files[::step][:FILES_OF_SETTING]:
            yield triple, [w for w in words if not w.startswith("-triple=")], open(path, encoding="latin-1").read()


def main():
    xas = os.path.abspath(sys.argv[1])
    if len(sys.argv) > 2:
        jobs = list(corpus(sys.argv[2]))
    else:
        jobs = [(triple, [], SYNTAX.get(triple, "") + text) for triple, text in FIELDS.items()]
    passed, failed, causes = 0, 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (triple, _, _), (same, other, differences) in zip(jobs, pool.map(lambda job: compare(xas, *job), jobs)):
            passed, failed = passed + same, failed + other
            causes.update(f"{triple}: {each}" for each in differences)
    for cause, count in causes.most_common(40):
        print(f"{count:6} {cause}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
