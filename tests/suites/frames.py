#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""frames.py XAS [COUNT [FIRST]]: random functions with --scfi, against GNU as 2.44 and 2.47: the whole objects.

For x86-64 and AArch64: saves and restores in several styles, branches and early returns, and now and then something that
can't be followed. Where GNU as takes a text, xas has to make its object; where it refuses one, so must xas. What is not
as in GNU as on purpose (docs/differences.md) does not occur. The assemblers are as-2.44-TRIPLE and as-2.47-TRIPLE on the
PATH; one that is missing is left out, and said. The last line is "N passed, N failed".
"""
import filecmp
import os
import random
import shutil
import subprocess
import sys
import tempfile


class Function:
    """The lines of a random function; a subclass knows a machine."""

    def __init__(self, rng, name):
        self.rng, self.lines, self.labels, self.name = rng, [], 0, name

    def label(self):
        self.labels += 1
        return f".L{self.name}_{self.labels}"

    def fill(self, most):
        for _ in range(self.rng.randrange(most)):
            self.lines.append(self.some_instruction())

    def body(self, leave):
        """Branches of all kinds; `leave` gives the lines that return."""
        ways, end = self.rng.choice([1, 1, 2, 3]), self.label()
        for _ in range(ways):
            self.fill(6)
            label, kind = self.label(), self.rng.randrange(7)
            if kind == 0:
                self.lines.append(f"{self.branch()} {label}")
                self.fill(4)
            elif kind == 1:
                self.lines.append(f"{label}:")
                self.fill(3)
                self.lines.append(f"{self.branch()} {label}")
                continue
            elif kind == 2:
                self.lines += [f"{self.branch()} {label}", *leave(), self.rng.choice(self.returns)]
            elif kind == 3:
                self.lines.append(f"{self.jump} {label}")
            elif kind == 4:
                self.lines.append(f"{self.branch()} 1f")
                self.fill(3)
                self.lines.append("1:")
            elif kind == 5:
                self.lines += [f"{self.branch()} {label}", "nop"]
            else:
                self.lines.append(f"{self.branch()} {end}")
            self.lines.append(f"{label}:")
        self.lines += [f"{end}:", *leave(), self.rng.choice(self.returns)]

    def text(self):
        self.make()
        size = f".size {self.name}, .-{self.name}\n" if self.rng.random() < 0.9 else ""
        lines = "".join(line + "\n" if line.endswith(":") else f" {line}\n" for line in self.lines)
        return f".globl {self.name}\n.type {self.name}, @function\n{self.name}:\n{lines}{size}"

    def begin(self, lines):
        for line in lines:
            self.lines.append(line)
            if self.rng.random() < 0.15:
                self.fill(2)


class X86(Function):
    triple, start = "x86_64-linux-gnu", ""
    jump, returns = "jmp", ["ret", "ret", "ret $8", "jmp other", "ud2"]
    untraceable = ["addq %rax, %rsp", "xorl %ebp, %ebp", "movq %rax, %rsp", "movl %ebx, %esp", "jmp *%rax",
                   "addq $foo, %rsp", "cmovz %rax, %rsp", "movzbl %al, %ebp", "lea 4(%rsp,%rax), %rsp"]

    def branch(self):
        return self.rng.choice(["jz", "jne", "ja", "jl"])

    def some_instruction(self):
        choice = self.rng.choice
        a, b = choice(["rax", "rcx", "rdx", "r8", "r11"]), choice(["rax", "rsi", "rdi", "r9"])
        return choice([
            f"addq %{a}, %{b}", f"movq %{a}, %{b}", "movl $3, %ecx", f"leaq 8(%{a},%{b}), %rdx", "call foo", "nop",
            "xorl %eax, %eax", f"movq %{a}, -8(%rsp)", f"movq 8(%rsp), %{a}", "addq $5, -16(%rbp)", "testq %rbp, %rbp",
            f"cmpq %rsp, %{a}", f"subq 8(%{a}), %{b}", f"movq %{a}, -24(%rbp)", "syscall", "pushq %rax\n popq %rcx",
            "pushq $3\n popq %rdx", "pushfq\n popfq", "pushw %ax\n popw %cx", "pushq 8(%rax)\n popq 8(%rcx)"])

    def make(self):
        rng = self.rng
        saved = [r for r in ["rbx", "r12", "r13", "r14", "r15"] if rng.random() < 0.5]
        rng.shuffle(saved)
        style, room = rng.randrange(6), 8 * rng.randrange(5)
        pops = [f"popq %{r}" for r in reversed(saved)]
        if style == 0:
            begin = [f"pushq %{r}" for r in saved] + [f"subq ${room}, %rsp"]
            end = [f"addq ${room}, %rsp"] + pops
        elif style == 1:
            begin = ["pushq %rbp", "movq %rsp, %rbp"] + [f"pushq %{r}" for r in saved] + [f"subq ${room}, %rsp"]
            end = [f"leaq -{8 * len(saved)}(%rbp), %rsp"] + pops + ["popq %rbp"]
            if not saved:
                begin += rng.choice([[], ["andq $-32, %rsp"]])
                end = rng.choice([["leave"], ["movq %rbp, %rsp", "popq %rbp"]])
        elif style == 2:
            room += 8 * len(saved)
            begin = [f"subq ${room}, %rsp"] + [f"movq %{r}, {8 * i}(%rsp)" for i, r in enumerate(saved)]
            end = [f"movq {8 * i}(%rsp), %{r}" for i, r in enumerate(saved)] + [f"addq ${room}, %rsp"]
        elif style == 3:
            begin = ["enter $0, $0", "subq $64, %rsp"] + [f"movq %{r}, -{8 * i + 8}(%rbp)" for i, r in enumerate(saved)]
            end = [f"movq -{8 * i + 8}(%rbp), %{r}" for i, r in enumerate(saved)] + ["leave"]
        elif style == 4:
            begin = ["pushq %rbp", "movq %rsp, %rbp", "movq %rsp, %r10", "subq $40, %rsp"]
            end = [rng.choice(["movq %r10, %rsp", "addq $40, %rsp"]), "popq %rbp"]
        else:
            begin, end = ["leaq -48(%rsp), %rsp"], ["leaq 48(%rsp), %rsp"]
        if rng.random() < 0.05:
            begin.append(rng.choice(self.untraceable))
        self.fill(3)
        self.begin(begin)
        self.body(lambda: end)


class A64(Function):
    triple, start = "aarch64-linux-gnu", ".arch armv9-a\n"
    jump, returns = "b", ["ret", "ret", "ret x3", "b other"]
    untraceable = ["add sp, sp, x3", "mov sp, x3", "mov x29, x3", "and sp, x3, #-16", "br x3", "b foo+4",
                   "add x29, x3, x4", "sub sp, x29, #16", "ldr x19, [sp, x3]", "str x19, [x29, 16]"]

    def branch(self):
        return self.rng.choice(["b.eq", "cbz x0,", "tbnz x0, #3,", "cbnz w3,"])

    def some_instruction(self):
        choice = self.rng.choice
        a, b, c = (f"x{self.rng.randrange(16)}" for _ in range(3))
        return choice([
            f"add {a}, {b}, {c}", f"mov {a}, {b}", f"mov {a}, sp", "mov w3, #5", "bl foo", "nop", f"ldr {a}, [sp, 8]",
            f"str {a}, [sp, 16]", "str w20, [sp, 16]", f"cmp {a}, #3", f"cmp sp, {a}", f"add {a}, sp, #16",
            f"sub {a}, {b}, #4096", f"ldp {a}, x17, [sp, 16]", f"stp {a}, xzr, [sp, 16]", "ldr q3, [sp, 16]",
            "stur x19, [sp, -8]", f"ldr {a}, [{b}, {c}]", f"str {a}, [x29, 24]", f"add {a}, {b}, :lo12:foo",
            "fmov d3, #1.0", f"ldr {a}, [sp], 16\n str {a}, [sp, -16]!", "ldpsw x2, x16, [sp, 8]", "ldr s9, [sp, 8]",
            "str h8, [sp]", "paciasp", f"blr {a}", "adds x3, sp, #16", "subs xzr, x3, x4"])

    def make(self):
        rng = self.rng
        wide = rng.choice(["d", "q"])
        width = 16 if wide == "q" else 8
        saved = [f"x{i}" for i in range(19, 29) if rng.random() < 0.4]
        saved += [f"{wide}{i}" for i in range(8, 16) if rng.random() < 0.2]
        size = (16 + width * len(saved) + 15) // 16 * 16 + 16 * rng.randrange(3)
        saves, restores, i = [], [], 0
        while i < len(saved):
            at, register = 16 + width * i, saved[i]
            pair = i + 1 < len(saved) and saved[i + 1][0] == register[0] and rng.random() < 0.7
            registers = f"{register}, {saved[i + 1]}" if pair and (register[0] != "x" or width == 8) else register
            step = 2 if "," in registers else 1
            kind = "p" if step == 2 else "r"
            saves.append(f"st{kind} {registers}, [sp, {at}]")
            restores.append(f"ld{kind} {registers}, [sp, {at}]")
            i += step
        if rng.random() < 0.6 and size <= 504:
            begin, end = [f"stp x29, x30, [sp, -{size}]!"], [f"ldp x29, x30, [sp], {size}"]
            if rng.random() < 0.6:
                begin.append("mov x29, sp")
                end = rng.choice([[], ["mov sp, x29"]]) + restores + end
                restores = []
        else:
            begin, end = [f"sub sp, sp, #{size}", "stp x29, x30, [sp]"], ["ldp x29, x30, [sp]", f"add sp, sp, #{size}"]
        if rng.random() < 0.05:
            saves.append(rng.choice(self.untraceable))
        self.begin(begin + saves)
        self.body(lambda: restores + end)


def text_of(machine, seed):
    rng = random.Random(seed)
    return machine.start + "".join(machine(rng, f"f{i}").text() for i in range(rng.randrange(1, 4)))


def main():
    xas = os.path.realpath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for machine in (X86, A64):
            for release in ("2.44", "2.47"):
                assembler = f"as-{release}-{machine.triple}"
                if not shutil.which(assembler):
                    print(f"frames.py: {assembler} is not installed, and left out")
                    continue
                taken = 0
                for seed in range(first, first + count):
                    source = os.path.join(folder, "in.s")
                    with open(source, "w") as file:
                        file.write(text_of(machine, seed))
                    outputs = [os.path.join(folder, name) for name in ("as.o", "xas.o")]
                    for output in outputs:
                        if os.path.exists(output):
                            os.remove(output)
                    for command, output in zip(
                        ([assembler], [xas, f"--target={machine.triple}", f"--compat=gnu-{release}"]), outputs):
                        subprocess.run(command + ["--scfi=experimental", source, "-o", output], capture_output=True)
                    there = [os.path.exists(output) for output in outputs]
                    taken += there[0]
                    if there[0] == there[1] and (not there[0] or filecmp.cmp(*outputs, shallow=False)):
                        passed += 1
                        continue
                    failed += 1
                    what = "objects differ" if all(there) else "taken by one alone"
                    print(f"{machine.__name__} {seed}, GNU as {release}: {what}")
                print(f"frames.py: {machine.__name__}, GNU as {release}: {taken} of {count} texts are taken")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
