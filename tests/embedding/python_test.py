# SPDX-License-Identifier: Apache-2.0
"""examples/python/xas.py, with the library that XAS_LIBRARY names. Bytes are those of GNU as."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/python"))
from xas import Xas, XasError  # noqa: E402


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

    def test_object(self):
        self.assertEqual(Xas("x86", 64).object("nop")[:4], b"\x7fELF")
        self.assertEqual(Xas("x86_64-w64-mingw32", syntax="att").object("nop")[:2], b"\x64\x86")


unittest.main()
