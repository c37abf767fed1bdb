# SPDX-License-Identifier: Apache-2.0
"""examples/python/xas.py, with the library that XAS_LIBRARY names. Bytes are those of GNU as."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/python"))
from xas import HERE, Xas, XasError  # noqa: E402


class Python(unittest.TestCase):
    def test_x86(self):
        self.assertEqual(Xas("x86", 64).asm("inc eax; ret"), ([0xFF, 0xC0, 0xC3], 2))
        self.assertEqual(Xas("x86", 32).asm("inc eax; ret"), ([0x40, 0xC3], 2))
        self.assertEqual(Xas("x86", 16).asm("mov ax, 1"), ([0xB8, 1, 0], 1))
        self.assertEqual(Xas("x86", 64, syntax="att").asm("inc %eax"), ([0xFF, 0xC0], 1))

    def test_arm(self):
        self.assertEqual(bytes(Xas("aarch64").asm("add x0, x1, #2; ret")[0]).hex(), "20080091c0035fd6")
        self.assertEqual(bytes(Xas("arm", "thumb").asm("movs r0, #1; bx lr")[0]).hex(), "01207047")
        self.assertEqual(bytes(Xas("arm", "arm").asm("bx lr")[0]).hex(), "1eff2fe1")

    def test_symbols(self):
        a64 = Xas("aarch64")
        self.assertEqual(bytes(a64.asm("bl f", 0x1000, {"f": 0x2000})[0]).hex(), "00040094")
        self.assertEqual(bytes(a64.asm("bl f", 0x1000, lambda name: 0x2000)[0]).hex(), "00040094")
        with self.assertRaises(XasError):
            a64.asm("bl f")
        code, relocations, _ = Xas("x86", 64).encode("call f", relocatable=True)
        self.assertEqual((code.hex(), relocations[0].symbol, relocations[0].addend), ("e800000000", "f", -4))

    def test_values(self):
        x86 = Xas("x86", 64)
        self.assertEqual(x86.instruction("add", x86.reg("eax"), 1).hex(), "83c001")
        self.assertEqual(x86.instruction("mov", x86.reg("ecx"), x86.mem("rdi", 8, "rax", 4)).hex(), "8b4c8708")
        self.assertEqual(x86.instruction("inc", x86.mem("rax", size=4), how=64).hex(), "f0ff00")
        a64 = Xas("aarch64")
        add = a64.instruction("add", a64.reg("x0"), a64.reg("x1"), a64.reg("x2"), a64.word("lsl #3"))
        self.assertEqual(add.hex(), "200c028b")
        with self.assertRaises(XasError):
            x86.instruction("add", x86.reg("eax"))
        with self.assertRaises(XasError):
            x86.instruction("ad", x86.reg("eax"), 1)
        with self.assertRaises(XasError):
            x86.reg("ebz")

    def test_mistakes(self):
        with self.assertRaises(XasError) as raised:
            Xas("x86", 64).asm("nop; mov eax, [")
        d = raised.exception.diagnostics[0]
        self.assertEqual((d.severity, d.line), ("error", 1))
        self.assertGreaterEqual(d.column, 6)
        with self.assertRaises(XasError):
            Xas("x86", 7)
        with self.assertRaises(XasError):
            Xas("vax-dec-vms")

    def test_stream(self):
        x86 = Xas("x86", 64, syntax="att")
        with x86.stream() as s:
            f, end = s.symbol("f"), s.new_label()
            text = s.section(".text")
            s.declare(f, "global", "function")
            s.label(f)
            s.cfi_begin()
            s.emit("pushq", x86.reg("rbp"))
            s.cfi("def_cfa_offset", value=16)
            s.cfi("offset", "rbp", -16)
            s.emit("leaq", x86.mem("rip", s.symbol("t") + 8), x86.reg("rax"))
            s.emit("movl", x86.imm(f), x86.reg("ecx"))
            s.emit("lock incl", x86.mem("rax"))
            s.emit("jmp", end)
            s.section(".data", flags="aw")
            s.label("t")
            s.align(3)
            s.data(f - 4, 8)
            s.data(end - f, 4)
            s.data(s.modifier(f, "GOTPCREL"), 4)
            s.leb128(-200, signed=True)
            s.fill(3, 2, 0xABCD)
            s.bytes(b"text")
            s.directive(".ascii", b'a"b')
            s.directive(".long", s.expression("1 + 2"), 4)
            s.switch(text)
            s.label(end)
            s.feed("popq %rbp; ret")
            s.cfi_end()
            s.size(f, HERE - f)
            s.assign("g", f + 1)
        self.assertEqual(
            s.object,
            x86.object(
                """ .globl f
                    .type f, @function
f:                  .cfi_startproc
                    pushq %rbp
                    .cfi_def_cfa_offset 16
                    .cfi_offset 6, -16
                    leaq t+8(%rip), %rax
                    movl $f, %ecx
                    lock incl (%rax)
                    jmp .Lend
                    .data
t:                  .p2align 3
                    .quad f-4
                    .long .Lend-f, f@GOTPCREL
                    .sleb128 -200
                    .fill 3, 2, 0xABCD
                    .ascii "text", "a\\"b"
                    .long 3, 4
                    .text
.Lend:              popq %rbp; ret
                    .cfi_endproc
                    .size f, .-f
                    .set g, f+1"""
            ),
        )
        with Xas("arm", "thumb").stream() as s:
            s.feed("movs r0, #1")
        self.assertEqual(s.object, Xas("arm", "thumb").object("movs r0, #1"))

    def test_mistakes_of_streams(self):
        x86 = Xas("x86", 64, syntax="att")
        with self.assertRaises(XasError) as raised:
            with x86.stream() as s:
                s.place("a.toy", 7)
                s.emit("movb", 1, x86.reg("eax"))
        d = raised.exception.diagnostics[0]
        self.assertEqual((d.file, d.line, d.severity), ("a.toy", 7, "error"))
        self.assertTrue(str(raised.exception).startswith("a.toy:7:1: error: operand 2 is %eax"))
        self.assertIsNone(s.object)
        with self.assertRaises(XasError):  # the assembly is over
            s.feed("nop")
        with self.assertRaises(XasError) as raised:  # shows at the end
            with x86.stream() as s:
                s.place("b.toy", 9)
                s.data(s.new_label(), 8)
        self.assertTrue(str(raised.exception).startswith("b.toy:9:1: error: "))
        with self.assertRaises(ZeroDivisionError):  # gives it up
            with x86.stream() as s:
                s.feed("nop" + str(1 // 0))
        with x86.stream() as first:
            with self.assertRaises(XasError) as raised:
                x86.stream()
            self.assertIn("xas_finish", str(raised.exception))
            old = first.label()
            with self.assertRaises(ValueError):
                first.declare("f", "globl")
            with self.assertRaises(ValueError):
                first.label(old + 1)
            with self.assertRaises(XasError):
                first.modifier(old, "nonesuch")
            first.feed("nop")
        self.assertEqual(first.object, x86.object("nop"))
        with self.assertRaises(XasError) as raised:
            with x86.stream() as s:
                s.data(old, 8)
        self.assertIn("no handle that this assembly has given", str(raised.exception))
        for wrong in (lambda s: s.symbol(""), lambda s: s.org(-1), lambda s: s.switch(1), lambda s: s.cfi_end()):
            with self.assertRaises(XasError):
                with x86.stream() as s:
                    wrong(s)
        s = x86.stream()
        x86.object("nop")  # ends it
        with self.assertRaises(XasError):
            s.finish()
        del s
        self.assertEqual(x86.stream().finish(), x86.object(""))

    def test_object(self):
        self.assertEqual(Xas("x86", 64).object("nop")[:4], b"\x7fELF")
        self.assertEqual(Xas("x86_64-w64-mingw32", syntax="att").object("nop")[:2], b"\x64\x86")


unittest.main()
