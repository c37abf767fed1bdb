# SPDX-License-Identifier: Apache-2.0
"""Instructions to bytes in Python, by libxas.so.

    from xas import Xas
    code, count = Xas("x86", 64).asm("inc eax; ret")
    print(bytes(code).hex(), count)                      # ffc0c3 2

    a64 = Xas("aarch64")
    a64.asm("bl f", address=0x1000, symbols={"f": 0x2000})

    Xas("x86", 64).object(".globl f\\nf: ret")             # an ELF object

    x86 = Xas("x86", 64)
    x86.instruction("add", x86.reg("eax"), 1)            # bytes, of values in place of text
    x86.instruction("mov", x86.reg("ecx"), x86.mem("rdi", 8, index="rax", scale=4))

The library is looked for in $XAS_LIBRARY, then as libxas.so.0 where the system has libraries. Mistakes raise XasError,
whose `diagnostics` have file, line, column and message.
"""
import ctypes as c
import os

__all__ = ["Xas", "XasError", "Diagnostic", "Operand", "Relocation"]


class _Statement(c.Structure):
    _fields_ = [("text_offset", c.c_size_t), ("offset", c.c_size_t), ("size", c.c_size_t)]


class _Relocation(c.Structure):
    _fields_ = [("offset", c.c_uint64), ("symbol", c.c_char_p), ("addend", c.c_int64), ("type", c.c_uint32)]


class _Encoding(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("bytes", c.POINTER(c.c_ubyte)),
        ("size", c.c_size_t),
        ("statements", c.POINTER(_Statement)),
        ("statement_count", c.c_size_t),
        ("relocations", c.POINTER(_Relocation)),
        ("relocation_count", c.c_size_t),
    ]


class _Value(c.Structure):
    _fields_ = [("constant", c.c_int64), ("add", c.c_uint32), ("subtract", c.c_uint32), ("modifier", c.c_uint32)]


class Operand(c.Structure):
    """An operand of Xas.instruction, made by Xas.reg, Xas.mem, Xas.word; a number is one, too."""

    _fields_ = (
        [("kind", c.c_int)]
        + [(name, c.c_uint32) for name in ("reg", "index", "segment", "mask")]
        + [(name, c.c_uint8) for name in ("scale", "size", "broadcast", "count", "element", "flags")]
        + [("value", _Value), ("text", c.c_char_p)]
    )


_REGISTER, _VALUE, _MEMORY, _WORD = 0, 1, 3, 5

_Resolver = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_char_p, c.c_uint64, c.c_int, c.POINTER(c.c_uint64))


class _Options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("flags", c.c_uint),
        ("resolver", _Resolver),
        ("user", c.c_void_p),
    ]


class _Diagnostic(c.Structure):
    _fields_ = [
        ("severity", c.c_int),
        ("file", c.c_char_p),
        ("line", c.c_uint32),
        ("column", c.c_uint32),
        ("length", c.c_uint32),
        ("message", c.c_char_p),
        ("source_line", c.c_void_p),
        ("source_line_size", c.c_size_t),
        ("notes", c.c_void_p),
        ("note_count", c.c_size_t),
    ]


def _library():
    name = os.environ.get("XAS_LIBRARY", "libxas.so.0")
    try:
        lib = c.CDLL(name)
    except OSError as error:
        raise OSError(f"{error}; XAS_LIBRARY=PATH names the library, which is built with -DXAS_SHARED=ON") from None
    context = c.c_void_p
    for name, result, arguments in (
        ("xas_create", context, []),
        ("xas_destroy", None, [context]),
        ("xas_set_option", c.c_int, [context, c.c_char_p, c.c_char_p]),
        ("xas_error", c.c_char_p, [context]),
        ("xas_assemble", c.c_int, [context, c.c_char_p, c.c_size_t, c.c_char_p]),
        ("xas_object", c.POINTER(c.c_ubyte), [context, c.POINTER(c.c_size_t)]),
        ("xas_diagnostic_count", c.c_size_t, [context]),
        ("xas_diagnostic_at", c.POINTER(_Diagnostic), [context, c.c_size_t]),
        ("xas_diagnostics_text", c.c_char_p, [context, c.c_uint, c.c_void_p]),
        (
            "xas_encode",
            c.c_int,
            [context, c.c_char_p, c.c_size_t, c.c_uint64, c.POINTER(_Options), c.POINTER(_Encoding)],
        ),
        ("xas_register_named", c.c_uint32, [context, c.c_char_p]),
        ("xas_mnemonic_named", c.c_uint32, [c.c_char_p]),
        (
            "xas_encode_instruction",
            c.c_int,
            [context, c.c_uint32, c.c_uint32, c.c_void_p, c.c_size_t, c.c_uint64, c.POINTER(_Encoding)],
        ),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Diagnostic:
    """A mistake or a warning: severity ("note", "warning", "error"), file, line, column, message."""

    def __init__(self, d):
        self.severity = ("note", "warning", "error")[d.severity]
        self.file, self.line, self.column = d.file.decode(), d.line, d.column
        self.message = d.message.decode()

    def __repr__(self):
        return f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.message}"


class Relocation:
    """A field that is left to a linker: offset, symbol (or None), addend, type (R_*, IMAGE_REL_*)."""

    def __init__(self, r):
        self.offset, self.addend, self.type = r.offset, r.addend, r.type
        self.symbol = r.symbol.decode() if r.symbol is not None else None

    def __repr__(self):
        return f"Relocation(offset={self.offset}, symbol={self.symbol!r}, addend={self.addend}, type={self.type})"


class XasError(Exception):
    """`diagnostics` is a list of Diagnostic; empty if options were refused."""

    def __init__(self, text, diagnostics=()):
        super().__init__(text)
        self.diagnostics = list(diagnostics)


_TARGETS = {
    ("x86", 64): "x86_64-linux-gnu",
    ("x86", 32): "i386-linux-gnu",
    ("x86", 16): "i386-linux-gnu",
    ("aarch64", None): "aarch64-linux-gnu",
    ("arm", None): "arm-linux-gnueabihf",
    ("arm", "arm"): "arm-linux-gnueabihf",
    ("arm", "thumb"): "arm-linux-gnueabihf",
}


class Xas:
    """An assembler. arch: "x86" (mode 16, 32, 64), "aarch64", "arm" (mode "arm", "thumb"), or a triple.

    syntax: of x86, "intel" or "att". options: further ones, as on the command line (["--compat=llvm"]).
    An object is for one thread at a time.
    """

    _lib = None

    def __init__(self, arch, mode=None, syntax="intel", options=()):
        if Xas._lib is None:
            Xas._lib = _library()
        self._context = None
        if "-" in arch:
            triple = arch
        elif (arch, mode) in _TARGETS:
            triple = _TARGETS[arch, mode]
        else:
            raise XasError(f"there is no architecture {arch!r} with mode {mode!r}")
        self._context = self._lib.xas_create()
        if not self._context:
            raise MemoryError
        self._prefix = ".code16;" if mode == 16 else ".syntax unified;.thumb;" if mode == "thumb" else ""
        is_x86 = arch == "x86" or triple.split("-")[0] in ("x86_64", "i386", "i686")
        intel = ["-msyntax=intel", "-mnaked-reg"] if is_x86 and syntax == "intel" else []
        for option in [*options, "--target=" + triple, *intel]:
            if self._lib.xas_set_option(self._context, option.encode(), None):
                raise XasError(self._lib.xas_error(self._context).decode())
        self.encode("")  # do the options make sense together?

    def __del__(self):
        if getattr(self, "_context", None):
            self._lib.xas_destroy(self._context)
            self._context = None

    def _raise(self):
        lib = self._lib
        all_of_them = [
            Diagnostic(lib.xas_diagnostic_at(self._context, i).contents)
            for i in range(lib.xas_diagnostic_count(self._context))
        ]
        if self._prefix:
            for d in all_of_them:  # which stood in the first line
                if d.line == 1:
                    d.column = max(1, d.column - len(self._prefix))
        reason = "; ".join(d.message for d in all_of_them) or lib.xas_error(self._context).decode()
        raise XasError(reason, all_of_them)

    def encode(self, text, address=0, symbols=None, relocatable=False):
        """The bytes of `text` at `address`, and its relocations: (bytes, [Relocation, ...], number of statements).

        symbols: what names stand for, a dictionary or a function of the name (None: not known).
        """
        lookup = symbols.get if hasattr(symbols, "get") else symbols

        def resolve(_user, name, _address, _use, value):
            found = lookup(name.decode())
            if found is None:
                return 0
            value[0] = found & 0xFFFFFFFFFFFFFFFF
            return 1

        resolver = _Resolver(resolve) if lookup else _Resolver()
        how = _Options(c.sizeof(_Options), 1 if relocatable else 0, resolver, None)
        e = _Encoding(struct_size=c.sizeof(_Encoding))
        encoded = (self._prefix + text).encode()
        if self._lib.xas_encode(self._context, encoded, len(encoded), address, c.byref(how), c.byref(e)):
            self._raise()
        code = c.string_at(e.bytes, e.size) if e.size else b""
        count = sum(1 for s in e.statements[: e.statement_count] if s.size)
        return code, [Relocation(r) for r in e.relocations[: e.relocation_count]], count

    def asm(self, text, address=0, symbols=None):
        """As Keystone's: a list of the bytes of `text`, and how many statements made some."""
        code, relocations, count = self.encode(text, address, symbols)
        for r in relocations:
            if r.symbol is not None:  # ARM marks 'bx' with one that has none
                raise XasError(f"'{r.symbol}' is not known")
        return list(code), count

    def reg(self, name):
        """A register as an operand: "eax", "x0", "v1.4s"."""
        return Operand(kind=_REGISTER, reg=self._register(name))

    def mem(self, base, displacement=0, index=None, scale=0, size=0):
        """Memory at base + index * scale + displacement; `size`: of x86, bytes, where no register tells."""
        index = self._register(index) if index else 0
        value = _Value(constant=displacement)
        return Operand(kind=_MEMORY, reg=self._register(base), index=index, scale=scale, size=size, value=value)

    def word(self, text):
        """What has no value: a condition, a shift with its amount."""
        return Operand(kind=_WORD, text=text.encode())

    def instruction(self, mnemonic, *operands, address=0, how=0):
        """The bytes of one instruction of values. `how`: prefixes, conditions (XAS_LOCK and its kin of xas/stream.h)."""
        if self._prefix:
            raise XasError("instructions of values are for modes that the target has from the start")
        args = (Operand * len(operands))(
            *(o if isinstance(o, Operand) else Operand(kind=_VALUE, value=_Value(constant=o)) for o in operands)
        )
        e = _Encoding(struct_size=c.sizeof(_Encoding))
        number = self._lib.xas_mnemonic_named(mnemonic.encode())
        if self._lib.xas_encode_instruction(self._context, number, how, args, len(operands), address, c.byref(e)):
            self._raise()
        return c.string_at(e.bytes, e.size)

    def _register(self, name):
        number = self._lib.xas_register_named(self._context, name.encode())
        if not number:
            raise XasError(f"there is no register '{name}'")
        return number

    def object(self, text, name="<memory>"):
        """The object file of a whole text."""
        encoded = (self._prefix + text).encode()
        if self._lib.xas_assemble(self._context, encoded, len(encoded), name.encode()):
            self._raise()
        size = c.c_size_t()
        pointer = self._lib.xas_object(self._context, c.byref(size))
        return c.string_at(pointer, size.value)
