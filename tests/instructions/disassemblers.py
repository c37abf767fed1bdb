#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""disassemblers.py XAS_CORPUS [TARGET...]: llvm-mc's disassembler and GNU objdump on the lines of xas-corpus.

Each encoding of `xas-corpus instructions --values=edges` that GNU as and llvm-mc both make has to be one instruction to both
disassemblers. Where one of them thinks otherwise, the fault is the disassembler's, and CAUSES says which: a row for each cause.
A row that explains nothing fails too. The last line is "N passed, N failed".
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

# Of each target, the machines whose instructions llvm-mc can tell apart: an encoding has to be known to one of them.
MACHINES = {
    "x86_64": ["-triple=x86_64"],
    "i386": ["-triple=i386"],
    "aarch64": ["-triple=aarch64 -mattr=+all"],
    "arm": [
        "-triple=armv9.5a -mattr=+neon,+fullfp16,+fp16fml,+dotprod,+crypto,+bf16,+i8mm,+sb",
        "-triple=armv7ve -mattr=+neon",
        "-triple=armv4t",
    ],
    "thumb": [
        "-triple=thumbv9.5a -mattr=+neon,+fullfp16,+fp16fml,+dotprod,+crypto,+bf16,+i8mm,+sb",
        "-triple=thumbv8.1m.main -mattr=+mve.fp,+fp64,+fullfp16,+lob,+8msecext",
        "-triple=thumbv8.1m.main -mattr=+mve.fp,+pacbti,+" + ",+".join(f"cdecp{n}" for n in range(8)),
        "-triple=thumbv7em",
    ],
}
OBJDUMP = {
    "x86_64": ("as --64", "objdump"),
    "i386": ("as --32", "objdump"),
    "aarch64": ("aarch64-linux-gnu-as", "aarch64-linux-gnu-objdump"),
    "arm": ("arm-linux-gnueabihf-as", "arm-linux-gnueabihf-objdump"),
    "thumb": ("arm-linux-gnueabihf-as", "arm-linux-gnueabihf-objdump"),
}
# Disassembler, targets, lines, cause.
CAUSES = [
    ("llvm-mc", "i386", r"^bound ", "62 /r with the operand size 66 is taken for an EVEX prefix"),
    ("llvm-mc", "aarch64", r"^ld\w+ (\w+), \1, \[", "both registers of a load of a pair are the same"),
    ("llvm-mc", "arm", r"\bpc\b", "pc where the architecture calls the result unpredictable"),
    ("llvm-mc", "arm", r"^(ldr|str)d ", "the register of the index is one of the pair"),
    ("llvm-mc", "thumb", r"^(add|sub)s?\.w sp, r", "sp as the result of what does not begin with sp"),
    ("objdump", "aarch64", r"^ldpsw (\w+), \1, \[", "both registers of a load of a pair are the same"),
    ("objdump", "arm", r"\bpc\b", "pc where the architecture calls the result unpredictable"),
    ("objdump", "arm", r"^(ldr|str)d ", "the register of the index is one of the pair"),
]


def lines(corpus, target):
    """Of each encoding on which both references agree, one line."""
    told = subprocess.run([corpus, "instructions", f"--target={target}", "--values=edges", "--format=jsonl"],
                          stdout=subprocess.PIPE, check=True, text=True).stdout
    found = {}
    for line in map(json.loads, told.splitlines()):
        if line["preferred"] and not line["relocations"] and set(line["agree"]) >= {"gnu", "llvm"} and ";" not in line["text"]:
            found.setdefault(line["bytes"], line["text"])
    return list(found.items())


def llvm_refuses(target, cases):
    """The cases that no machine of llvm-mc knows, with what it says."""
    said = {}
    for machine in MACHINES[target]:
        text = "\n".join("[" + " ".join("0x" + code[i:i + 2] for i in range(0, len(code), 2)) + "]" for code, _ in cases)
        done = subprocess.run(["llvm-mc-22", "-disassemble", *machine.split()], input=text, capture_output=True, text=True)
        said = {cases[int(n) - 1]: what for n, what in re.findall(r"<stdin>:(\d+):\d+: (?:warning|error): (.*)", done.stderr)}
        cases = list(said)
    return said


def data(target, code):
    """The directive that puts these bytes where objdump takes them for code."""
    b = bytes.fromhex(code)
    if target in ("x86_64", "i386"):
        return ".byte " + ",".join(map(str, b))
    if target != "thumb":
        return f".inst {int.from_bytes(b, 'little')}"
    halves = [int.from_bytes(b[i:i + 2], "little") for i in range(0, len(b), 2)]
    return f".inst.n {halves[0]}" if len(halves) == 1 else f".inst.w {halves[0] << 16 | halves[1]}"


def objdump_refuses(target, cases):
    """The cases that are not one instruction to objdump, with what it prints."""
    assembler, objdump = OBJDUMP[target]
    with tempfile.TemporaryDirectory() as folder:
        source, made = os.path.join(folder, "a.s"), os.path.join(folder, "a.o")
        with open(source, "w", encoding="ascii") as out:
            if target == "thumb":
                out.write(".syntax unified\n.thumb\n")
            for n, (code, _) in enumerate(cases):
                out.write(f"case{n}: {data(target, code)}\n")
        subprocess.run([*assembler.split(), source, "-o", made], check=True)
        listing = subprocess.run([objdump, "-d", "-z", "--insn-width=16", made], capture_output=True, check=True, text=True).stdout
    printed, case = collections.defaultdict(list), None
    for line in listing.splitlines():
        if begin := re.match(r"[0-9a-f]+ <case(\d+)>:", line):
            case = int(begin[1])
        elif case is not None and line.count("\t") >= 2:
            printed[case].append(line.split("\t", 2)[2])
    wrong = re.compile(r"\(bad\)|undefined|UNDEFINED|UNPREDICTABLE|\.inst|\.byte")
    return {cases[n]: " | ".join(printed[n]) for n in range(len(cases)) if len(printed[n]) != 1 or wrong.search(printed[n][0])}


def main():
    corpus, targets = sys.argv[1], sys.argv[2:] or list(MACHINES)
    passed = failed = 0
    used = collections.Counter()
    for target in targets:
        cases = lines(corpus, target)
        for tool, ask in (("llvm-mc", llvm_refuses), ("objdump", objdump_refuses)):
            refused = ask(target, cases)
            passed += len(cases) - len(refused)
            for (code, text), what in refused.items():
                cause = next((row for row in CAUSES if row[:2] == (tool, target) and re.search(row[2], text)), None)
                if cause:
                    used[cause] += 1
                    passed += 1
                else:
                    failed += 1
                    print(f"{tool} {target}: {text} ({code}): {what}")
    for row in CAUSES:
        if row[1] in targets:
            print(f"{used[row]:5} {row[0]:8} {row[1]:8} {row[3]}")
            if not used[row]:
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
