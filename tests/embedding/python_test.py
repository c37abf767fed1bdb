# SPDX-License-Identifier: Apache-2.0
"""examples/python/xas.py, with the library that XAS_LIBRARY names. Bytes are those of GNU as."""
import copy
import ctypes
import gc
import os
import pickle
import platform
import sys
import threading
import unittest
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/python"))
from xas import HERE, Value, Xas, XasError, XasWarning  # noqa: E402


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
        e = Xas("x86", 64).encode("call f", relocatable=True)
        self.assertEqual((e.code.hex(), e.relocations[0].symbol, e.relocations[0].addend), ("e800000000", "f", -4))
        x86 = Xas("x86", 64)
        self.assertEqual(x86.encode("nop; f: nop; g:", 16, labels=["f", "g"]).labels, {"f": 17, "g": 18})
        with self.assertRaises(XasError) as raised:
            x86.encode("nop", labels=["f"])
        self.assertIn("'f'", str(raised.exception))
        far = x86.encode("call f", symbols={"f": 1 << 40}, stubs=True)
        self.assertGreater(len(far.code), 5)
        self.assertEqual(far.relocations, [])

    def test_callbacks(self):
        x86 = Xas("x86", 64)
        for wrong, error in (
            (lambda name: 1 // 0, ZeroDivisionError),
            (lambda name: "a", TypeError),
            (lambda name: 1.5, TypeError),
            (lambda name: 1 << 70, OverflowError),
            (lambda name: sys.exit(3), SystemExit),
            (lambda name: x86.asm("nop"), XasError),
            (lambda name: x86.close(), XasError),
            ({"f": 1 << 64}, OverflowError),
            (7, TypeError),
        ):
            for call in (x86.asm, x86.encode, x86.load):
                with self.assertRaises(error):
                    call("jmp f; jmp g", symbols=wrong)
        self.assertEqual(x86.asm("jmp f", symbols={"f": -2})[0], [0xEB, 0xFC])
        self.assertEqual(x86.asm("mov rax, f", symbols={"f": (1 << 64) - 1})[0][-4:], [0xFF] * 4)

    def test_files(self):
        files = {"a.inc": "inc eax", "b.bin": b"\0\1", "c.inc": '.include "a.inc"'}
        x86 = Xas("x86", 64, files=files)
        text = '.include "c.inc"; .incbin "b.bin"'
        self.assertEqual(x86.asm(text)[0], [0xFF, 0xC0, 0, 1])
        self.assertEqual(Xas("x86", 64, files=files.get).object(text), x86.object("inc eax; .byte 0, 1"))
        with x86.stream() as s:
            for _ in range(3):
                s.feed(text)
                gc.collect()
        self.assertEqual(s.object, x86.object(3 * "inc eax; .byte 0, 1;"))
        with self.assertRaises(XasError):
            x86.asm('.include "d.inc"')
        for wrong, error in ((lambda path: 1 // 0, ZeroDivisionError), (lambda path: 7, TypeError)):
            x86 = Xas("x86", 64, files=wrong)
            for call in (x86.asm, x86.object, lambda text: x86.stream().feed(text)):
                with self.assertRaises(error):
                    call('.include "a.inc"')
            self.assertEqual(x86.asm("nop"), ([0x90], 1))

    def test_load(self):
        triple = {"x86_64": "x86_64-linux-gnu", "aarch64": "aarch64-linux-gnu"}.get(platform.machine())
        if triple is None:
            with self.assertRaises(XasError):
                Xas("x86", 64).load("nop")
            return
        add = "lea eax, [rdi + rsi]; ret" if platform.machine() == "x86_64" else "add w0, w0, w1; ret"
        here = Xas(triple)
        with here.load("g: nop; f: " + add) as code:
            f = code.function("f", ctypes.c_int, ctypes.c_int, ctypes.c_int)
            self.assertEqual(f(40, 2), 42)
            self.assertEqual(code.address(), code.address("g"))
            self.assertEqual(code.bytes, ctypes.string_at(code.address(), len(code.bytes)))
            with self.assertRaises(XasError):
                code.address("h")
            with self.assertRaises(TypeError):
                copy.copy(code)
        with self.assertRaises(XasError):
            code.address("f")
        with self.assertRaises(XasError):
            code.bytes
        f = here.load("f: " + add).function("f", ctypes.c_int, ctypes.c_int, ctypes.c_int)
        here.close()
        gc.collect()
        self.assertEqual(f(-1, 2), 1)  # keeps its code
        callback = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)
        address = ctypes.cast(callback, ctypes.c_void_p).value
        branch = "jmp g" if platform.machine() == "x86_64" else "b g"
        self.assertEqual(Xas(triple).load(branch, {"g": address}).function(None, ctypes.c_int)(), 7)
        with self.assertRaises(XasError) as raised:
            Xas(triple).load(branch)
        self.assertIn("g", str(raised.exception))
        with self.assertRaises(XasError):
            Xas("arm").load("nop")

    def test_warnings(self):
        x86 = Xas("x86", 64)
        calls = (
            lambda: x86.asm("nop; .byte 300"),
            lambda: x86.object("\n.byte 300", "a.s"),
            lambda: x86.instruction("mov", x86.reg("eax"), 1 << 33),
            lambda: Xas("x86", 16).asm("nop; .byte 300"),
        )
        places = [("<text>", 1, 12), ("a.s", 2, 7), ("<text>", 1, 1), ("<text>", 1, 12)]
        if platform.machine() == "x86_64":
            calls += (lambda: x86.load("nop; .byte 300"),)
            places.append(("<text>", 1, 12))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            for call in calls:
                call()
            with x86.stream() as s:
                s.place("a.toy", 7)
                s.feed(".byte 300")
            x86.asm("nop")
        self.assertEqual({w.category for w in caught}, {XasWarning})
        diagnostics = [w.message.diagnostic for w in caught]
        self.assertEqual([(d.file, d.line, d.column) for d in diagnostics], [*places, ("a.toy", 7, 7)])
        self.assertEqual({d.severity for d in diagnostics}, {"warning"})
        self.assertEqual((caught[-1].filename, caught[-1].lineno), ("a.toy", 7))
        self.assertIn("300 does not fit", str(caught[0].message))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for call in calls:
                with self.assertRaises(XasWarning):
                    call()
            warnings.simplefilter("error", UserWarning)
            with self.assertRaises(XasError) as raised:  # a mistake has its warnings with it
                x86.asm(".byte 300; mov eax, [")
        self.assertEqual([d.severity for d in raised.exception.diagnostics], ["warning", "error"])
        self.assertNotIn("300", str(raised.exception))

    def test_numbers(self):
        x86 = Xas("x86", 64)
        rax = x86.reg("rax")
        self.assertEqual(x86.instruction("mov", rax, (1 << 64) - 1), x86.instruction("mov", rax, -1))
        self.assertEqual(x86.instruction("nop", address=(1 << 64) - 1).hex(), "90")
        stream = x86.stream()
        for wrong in (
            lambda: x86.instruction("mov", rax, 1 << 64),
            lambda: x86.instruction("mov", rax, -(1 << 63) - 1),
            lambda: x86.instruction("nop", address=1 << 64),
            lambda: x86.instruction("nop", address=-1),
            lambda: x86.instruction("nop", how=1 << 32),
            lambda: x86.encode("nop", 1 << 64),
            lambda: x86.imm(1 << 64),
            lambda: x86.mem("rax", 1 << 64),
            lambda: x86.mem("rax", size=264),
            lambda: x86.mem("rax", scale=260),
            lambda: x86.mem("rax", broadcast=256),
            lambda: x86.reg("eax", element=-1),
            lambda: Value(1 << 64),
            lambda: Value(add=1 << 32),
            lambda: HERE + (1 << 64),
            lambda: stream.place("a", 1 << 32),
            lambda: stream.data(1 << 64, 8),
            lambda: stream.data(1, (1 << 32) + 1),
            lambda: stream.align(1 << 32),
            lambda: stream.align(2, -1),
            lambda: stream.fill(1, 1, 1 << 64),
            lambda: stream.fill(1, (1 << 32) + 1),
            lambda: stream.org(0, 256),
            lambda: stream.common("f", 1 << 64),
            lambda: stream.common("f", 8, (1 << 32) + 3),
            lambda: stream.section("a", flags="a", type=(1 << 32) + 1),
            lambda: stream.section("a", flags="a", subsection=1 << 31),
            lambda: stream.switch(1 << 32),
            lambda: stream.cfi("offset", 1 << 32, 0),
            lambda: stream.cfi("offset", "rbp", 1 << 63),
            lambda: stream.bytes([256]),
        ):
            with self.assertRaises((OverflowError, ValueError)):
                wrong()
        for wrong in (
            lambda: x86.imm(1.5),
            lambda: x86.mem("rax", "8"),
            lambda: stream.bytes(1000),
            lambda: stream.label(7),
            lambda: stream.section("a", entry=1),
        ):
            with self.assertRaises(TypeError):
                wrong()
        for wrong in (lambda: x86.reg("eax\0"), lambda: x86.object("nop", "a\0"), lambda: stream.place("a\0", 1)):
            with self.assertRaises(ValueError):
                wrong()
        self.assertEqual(stream.finish(), x86.object(""))  # nothing of all this has reached it
        self.assertEqual(Value(1) + 2, Value(3))
        self.assertEqual(copy.copy(HERE), HERE)

    def test_closing(self):
        with Xas("x86", 64) as x86:
            stream = x86.stream()
            eax = x86.reg("eax")
        for call in (
            lambda: x86.asm("nop"),
            lambda: x86.object("nop"),
            lambda: x86.load("nop"),
            lambda: x86.instruction("inc", eax),
            lambda: x86.reg("eax"),
            lambda: x86.stream(),
            lambda: stream.feed("nop"),
            lambda: stream.finish(),
        ):
            with self.assertRaises(XasError) as raised:
                call()
            self.assertEqual(str(raised.exception), "the assembler is closed")
        stream.close()
        x86.close()
        x86 = Xas("x86", 64)
        for thing in (x86, x86.stream()):
            for do in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaises(TypeError):
                    do(thing)
        del thing  # with it, its assembly
        self.assertEqual(x86.asm("nop"), ([0x90], 1))
        with self.assertRaises(XasError) as raised:
            x86.asm("nop; mov eax, [")
        again = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual(again.diagnostics, raised.exception.diagnostics)

    def test_syntax(self):
        for triple in ("x86_64-linux-gnu", "amd64-linux-gnu", "i386-linux-gnu", "i486-linux-gnu", "i586-linux-gnu",
                       "i686-w64-mingw32", "x86_64-linux-gnux32"):
            self.assertEqual(Xas(triple).asm("mov eax, 1")[0][0], 0xB8)
            self.assertEqual(Xas(triple, syntax="att").asm("mov $1, %eax")[0][0], 0xB8)
        for arch in ("aarch64", "arm"):
            for syntax in ("intel", "att"):
                self.assertEqual(len(Xas(arch, syntax=syntax).asm("add r0, r1, #2" if arch == "arm" else "ret")[0]), 4)
        for wrong in ("foo", "", None, "Intel"):
            with self.assertRaises(ValueError):
                Xas("x86", 64, syntax=wrong)
        self.assertEqual(Xas("i686-linux-gnu", 16).asm("mov ax, 1"), ([0xB8, 1, 0], 1))
        with self.assertRaises(XasError):
            Xas("x86_64-linux-gnu", 32)

    def test_threads(self):
        x86, wrong = Xas("x86", 64), []

        def work(number):
            for i in range(200):
                value = number << 16 | i
                expected = b"\xb8" + value.to_bytes(4, "little")
                try:
                    code = x86.encode("mov eax, offset f", symbols=lambda name: value).code
                    if code != expected or x86.instruction("mov", x86.reg("eax"), value) != expected:
                        wrong.append(code)
                    with self.assertRaises(XasError) as raised:
                        x86.asm(f"mov eax, [{value}")
                    if len(raised.exception.diagnostics) != 1:
                        wrong.append(raised.exception)
                except BaseException as error:
                    wrong.append(error)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_values(self):
        x86 = Xas("x86", 64)
        self.assertEqual(x86.instruction("add", x86.reg("eax"), 1).hex(), "83c001")
        self.assertEqual(x86.instruction("mov", x86.reg("ecx"), x86.mem("rdi", 8, "rax", 4)).hex(), "8b4c8708")
        self.assertEqual(x86.instruction("inc", x86.mem("rax", size=4), how=64).hex(), "f0ff00")
        a64 = Xas("aarch64")
        add = a64.instruction("add", a64.reg("x0"), a64.reg("x1"), a64.reg("x2"), a64.word("lsl #3"))
        self.assertEqual(add.hex(), "200c028b")
        arm = Xas("arm")
        masked = x86.reg("zmm2", mask="k1", zeroing=True)
        for xas, code, mnemonic, *operands in (
            (a64, "00a8404c", "ld1", a64.reg_list("v0.4s", 2), a64.mem("x0")),
            (a64, "0090400d", "ld1", a64.reg_list("v0.s", 1, element=1), a64.mem("x0")),
            (a64, "207862f8", "ldr", a64.reg("x0"), a64.mem("x1", index="x2", shift="lsl #3")),
            (a64, "208c40f8", "ldr", a64.reg("x0"), a64.mem("x1", 8, write_back=True)),
            (a64, "203c140e", "mov", a64.reg("w0"), a64.reg("v1.s", element=2)),
            (arm, "020011e7", "ldr", arm.reg("r0"), arm.mem("r1", index="r2", minus=True)),
            (x86, "62f174d95810", "vaddps", masked, x86.reg("zmm1"), x86.mem("rax", broadcast=16)),
            (x86, "648b042500000000", "mov", x86.reg("eax"), x86.mem(None, segment="fs")),
        ):
            self.assertEqual(xas.instruction(mnemonic, *operands).hex(), code)
        with self.assertRaises(XasError):
            x86.instruction("add", x86.reg("eax"))
        with self.assertRaises(XasError) as raised:
            x86.instruction("ad", x86.reg("eax"), 1)
        self.assertTrue(str(raised.exception).startswith("'ad': the target has no instruction"))
        with self.assertRaises(XasError):
            x86.instruction("")
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
