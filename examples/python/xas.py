# SPDX-License-Identifier: Apache-2.0
"""Instructions to bytes, and to objects, in Python, by libxas.so.

    from xas import Xas
    code, count = Xas("x86", 64).asm("inc eax; ret")
    print(bytes(code).hex(), count)                      # ffc0c3 2

    a64 = Xas("aarch64")
    a64.asm("bl f", address=0x1000, symbols={"f": 0x2000})

    Xas("x86", 64).object(".globl f\\nf: ret")             # an ELF object

    x86 = Xas("x86", 64)
    x86.instruction("add", x86.reg("eax"), 1)            # bytes, of values in place of text
    x86.instruction("mov", x86.reg("ecx"), x86.mem("rdi", 8, index="rax", scale=4))

    x86 = Xas("x86", 64, syntax="att")
    with x86.stream() as s:                              # an object by functions, without text
        f = s.symbol("f")
        s.place("a.toy", 7)                              # what goes wrong from here on is about this line
        s.declare(f, "global", "function")
        s.label(f)
        s.emit("movl", 1, x86.reg("eax"))
        s.emit("jmp", s.symbol("g"))
        s.size(f, HERE - f)
    write(s.object)

The library is looked for in $XAS_LIBRARY, then as libxas.so.0 where the system has libraries. Mistakes raise XasError,
whose `diagnostics` have file, line, column and message.
"""
import ctypes as c
import os

__all__ = ["HERE", "Xas", "XasError", "Diagnostic", "Operand", "Relocation", "Stream", "Value"]


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


class Value(c.Structure):
    """A symbol of a Stream, or what is counted from it: `f`, `f + 8`, `end - begin`, `f - HERE`."""

    _fields_ = [("constant", c.c_int64), ("add", c.c_uint32), ("subtract", c.c_uint32), ("modifier", c.c_uint32)]

    def __add__(self, number):
        if not isinstance(number, int):
            return NotImplemented
        return Value(self.constant + number, self.add, self.subtract, self.modifier)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, int):
            return self + -other
        if not isinstance(other, Value):
            return NotImplemented
        if self.subtract or other.subtract or self.modifier or other.modifier:
            raise ValueError("a value has at most two symbols: one, less another")
        return Value(self.constant - other.constant, self.add, other.add)

    def __repr__(self):
        return f"Value(constant={self.constant}, add={self.add}, subtract={self.subtract}, modifier={self.modifier})"


HERE = Value(add=0xFFFFFFFF)  # the place where the field stands


def _value(v):
    return v if isinstance(v, Value) else Value(constant=v)


class Operand(c.Structure):
    """An operand of an instruction, made by Xas.reg, Xas.mem, Xas.imm, Xas.word.

    A number is one, too: as an immediate; and a Value, as where a branch goes (x86: or as data at an address).
    """

    _fields_ = (
        [("kind", c.c_int)]
        + [(name, c.c_uint32) for name in ("reg", "index", "segment", "mask")]
        + [(name, c.c_uint8) for name in ("scale", "size", "broadcast", "count", "element", "flags")]
        + [("value", Value), ("text", c.c_char_p)]
    )


_REGISTER, _VALUE, _TARGET, _MEMORY, _WORD = 0, 1, 2, 3, 5


def _operands(operands):
    def operand(o):
        if isinstance(o, Operand):
            return o
        return Operand(kind=_TARGET if isinstance(o, Value) else _VALUE, value=_value(o))

    return (Operand * len(operands))(*map(operand, operands))


class _SectionRequest(c.Structure):
    _fields_ = (
        [("struct_size", c.c_size_t), ("name", c.c_char_p), ("name_size", c.c_size_t), ("flags", c.c_char_p)]
        + [(name, c.c_uint32) for name in ("type", "entry_size", "group", "selection", "linked_to", "unique")]
        + [("subsection", c.c_int32)]
    )


class _DirectiveOperand(c.Structure):
    _fields_ = [("kind", c.c_int), ("value", Value), ("text", c.c_char_p), ("text_size", c.c_size_t)]

    _VALUE, _STRING, _WORD = range(3)


# What a Stream says, each after the context: all return a status.
_VERBS = {
    "xas_begin": [],
    "xas_finish": [],
    "xas_place": [c.c_char_p, c.c_uint32],
    "xas_feed": [c.c_char_p, c.c_size_t],
    "xas_declare": [c.c_uint32, c.c_int],
    "xas_label": [c.c_uint32],
    "xas_assign": [c.c_uint32, c.POINTER(Value), c.c_int],
    "xas_set_size": [c.c_uint32, c.POINTER(Value)],
    "xas_common": [c.c_uint32, c.c_uint64, c.c_uint],
    "xas_expression": [c.c_char_p, c.c_size_t, c.POINTER(Value)],
    "xas_instruction": [c.c_char_p, c.c_void_p, c.c_size_t],
    "xas_bytes": [c.c_char_p, c.c_size_t],
    "xas_data": [c.POINTER(Value), c.c_uint],
    "xas_leb128": [c.POINTER(Value), c.c_int],
    "xas_fill": [c.POINTER(Value), c.c_uint, c.c_uint64],
    "xas_align": [c.c_uint, c.c_uint32],
    "xas_org": [c.POINTER(Value), c.c_uint8],
    "xas_open_section": [c.POINTER(_SectionRequest), c.POINTER(c.c_uint32)],
    "xas_switch_section": [c.c_uint32],
    "xas_cfi_begin": [c.c_int],
    "xas_cfi_end": [],
    "xas_cfi": [c.c_int, c.c_uint32, c.c_int64],
    "xas_directive": [c.c_char_p, c.c_void_p, c.c_size_t],
}

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
        ("xas_assembly", c.c_uint64, [context]),
        ("xas_symbol_named", c.c_uint32, [context, c.c_char_p, c.c_size_t]),
        ("xas_new_label", c.c_uint32, [context]),
        ("xas_modifier", c.c_uint32, [context, c.c_char_p]),
        ("xas_dwarf_number", c.c_int, [context, c.c_uint32]),
        *((name, c.c_int, [context, *arguments]) for name, arguments in _VERBS.items()),
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

    def _diagnostics(self):
        lib = self._lib
        return [
            Diagnostic(lib.xas_diagnostic_at(self._context, i).contents)
            for i in range(lib.xas_diagnostic_count(self._context))
        ]

    def _raise(self):
        all_of_them = self._diagnostics()
        if self._prefix:
            for d in all_of_them:  # which stood in the first line
                if d.line == 1:
                    d.column = max(1, d.column - len(self._prefix))
        reason = "; ".join(d.message for d in all_of_them) or self._lib.xas_error(self._context).decode()
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
        value = _value(displacement)
        return Operand(kind=_MEMORY, reg=self._register(base), index=index, scale=scale, size=size, value=value)

    def imm(self, value):
        """A number or the address of a symbol, as an immediate."""
        return Operand(kind=_VALUE, value=_value(value))

    def word(self, text):
        """What has no value: a condition, a shift with its amount."""
        return Operand(kind=_WORD, text=text.encode())

    def instruction(self, mnemonic, *operands, address=0, how=0):
        """The bytes of one instruction of values. `how`: prefixes, conditions (XAS_LOCK and its kin of xas/stream.h)."""
        if self._prefix:
            raise XasError("instructions of values are for modes that the target has from the start")
        args = _operands(operands)
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
        return self._object()

    def _object(self):
        size = c.c_size_t()
        pointer = self._lib.xas_object(self._context, c.byref(size))
        return c.string_at(pointer, size.value)

    def stream(self):
        """Begins an assembly by functions: a Stream. There is one at a time."""
        return Stream(self)


_ATTRIBUTES = (
    "global weak local hidden internal protected function object tls_object no_type indirect_function unique_object"
).split()

_CFI_RULES = (
    "def_cfa def_cfa_register def_cfa_offset adjust_cfa_offset offset rel_offset val_offset register return_column"
    " restore undefined same_value remember_state restore_state negate_ra_state negate_ra_state_with_pc signal_frame"
    " b_key_frame mte_tagged_frame"
).split()


def _number_of(name, names, what):
    if name not in names:
        raise ValueError(f"{name!r} is no {what}; these are: {', '.join(names)}")
    return names.index(name)


class Stream:
    """An assembly by functions in place of a text (xas/stream.h), from Xas.stream.

    As a context manager it ends the assembly, and `object` has the object's bytes then; an exception gives it up. What
    is said wrong raises XasError at once, which has the place that `place` has said; the assembly is over then. Symbols
    and sections are good until the end. Where a symbol is expected, its name will do.
    """

    def __init__(self, xas):
        self.object = None
        self._xas, self._lib, self._number = xas, xas._lib, 0
        if self._lib.xas_begin(xas._context):
            raise XasError(self._lib.xas_error(xas._context).decode())
        self._number = self._lib.xas_assembly(xas._context)
        if xas._prefix:
            self.feed(xas._prefix)

    def __enter__(self):
        return self

    def __exit__(self, kind, _error, _trace):
        if kind is None and self._is_open():
            self.finish()
        self.close()

    def __del__(self):
        if getattr(self, "_number", 0):
            self.close()

    def _is_open(self):
        return self._number != 0 and self._lib.xas_assembly(self._xas._context) == self._number

    def close(self):
        """Gives the assembly up if it has not ended."""
        if self._is_open():
            self._lib.xas_finish(self._xas._context)
        self._number = 0

    def _call(self, name, *arguments):
        if not self._is_open():
            raise XasError("the assembly is over")
        return getattr(self._lib, name)(self._xas._context, *arguments)

    def _say(self, name, *arguments):
        if self._call(name, *arguments):
            self._raise()

    def _raise(self):
        """What has gone wrong is among the diagnostics, known at the end; there are none for lack of memory."""
        self.close()
        diagnostics = self._xas._diagnostics()
        if not diagnostics:
            raise MemoryError
        raise XasError("\n".join(repr(d) for d in diagnostics if d.severity == "error"), diagnostics)

    def finish(self):
        """Ends the assembly. Returns the object's bytes, which `object` is from then on."""
        self._say("xas_finish")
        self._number = 0
        self.object = self._xas._object()
        return self.object

    def place(self, file, line):
        """What is said from here on stands in this line of this file (None: the one before)."""
        self._say("xas_place", None if file is None else file.encode(), line)

    def feed(self, text):
        """Statements as text."""
        encoded = text.encode()
        self._say("xas_feed", encoded, len(encoded))

    def symbol(self, name):
        """The symbol of this name: a Value."""
        encoded = name.encode()
        return self._handle(self._call("xas_symbol_named", encoded, len(encoded)))

    def new_label(self):
        """A label without a name, for `label`: a Value."""
        return self._handle(self._call("xas_new_label"))

    def _handle(self, number):
        return Value(add=number) if number else self._raise()

    def _symbol(self, symbol):
        if isinstance(symbol, str):
            symbol = self.symbol(symbol)
        if symbol.constant or symbol.subtract or symbol.modifier:
            raise ValueError("a symbol is expected, not what is counted from one")
        return symbol.add

    def declare(self, symbol, *attributes):
        """The symbol has these attributes: "global", "weak", "hidden", "function", "object", ... (xas_attribute)."""
        handle = self._symbol(symbol)
        for attribute in attributes:
            self._say("xas_declare", handle, _number_of(attribute, _ATTRIBUTES, "attribute"))

    def label(self, symbol=None):
        """The label stands here; without one, a new one without a name. Returns it."""
        label = self.new_label() if symbol is None else self.symbol(symbol) if isinstance(symbol, str) else symbol
        self._say("xas_label", self._symbol(label))
        return label

    def assign(self, symbol, value, again=False):
        """The symbol stands for a value; `again`: for the last of several (.set)."""
        self._say("xas_assign", self._symbol(symbol), c.byref(_value(value)), again)

    def size(self, symbol, value):
        """The symbol's size (ELF): `s.size(f, HERE - f)`."""
        self._say("xas_set_size", self._symbol(symbol), c.byref(_value(value)))

    def common(self, symbol, size, log2_align=0):
        """The linker provides `size` bytes for it."""
        self._say("xas_common", self._symbol(symbol), size, log2_align)

    def modifier(self, value, name):
        """The value with a relocation modifier: "GOTPCREL", "lo12"."""
        number = self._call("xas_modifier", name.encode())
        if number == 0xFFFFFFFF:
            raise XasError(self._lib.xas_error(self._xas._context).decode())
        return Value(value.constant, value.add, value.subtract, number)

    def expression(self, text):
        """Text as a Value."""
        encoded, value = text.encode(), Value()
        self._say("xas_expression", encoded, len(encoded), c.byref(value))
        return value

    def emit(self, mnemonic, *operands):
        """An instruction of values, with prefixes in front of its mnemonic ("lock incl")."""
        self._say("xas_instruction", mnemonic.encode(), _operands(operands), len(operands))

    def bytes(self, contents):
        """Bytes as they are."""
        contents = bytes(contents)
        self._say("xas_bytes", contents, len(contents))

    def data(self, value, size):
        """A number, a symbol, or what is counted from it, in 1, 2, 4 or 8 bytes."""
        self._say("xas_data", c.byref(_value(value)), size)

    def leb128(self, value, signed=False):
        """A value as LEB128."""
        self._say("xas_leb128", c.byref(_value(value)), signed)

    def fill(self, count, size=1, pattern=0):
        """A pattern of `size` bytes, so many times."""
        self._say("xas_fill", c.byref(_value(count)), size, pattern)

    def align(self, log2, most=0):
        """To a multiple of 1 << log2; not if it takes more than `most` bytes (0: any number)."""
        self._say("xas_align", log2, most)

    def org(self, place, fill=0):
        """On to a place in the section."""
        self._say("xas_org", c.byref(_value(place)), fill)

    def section(self, name, flags=None, group=None, linked_to=None, **more):
        """Goes on in a section, which is made if there is none: a number for `switch`.

        flags: as .section has them. more: type, entry_size, selection, unique, subsection (xas_section_request).
        """
        encoded, section = name.encode(), c.c_uint32()
        request = _SectionRequest(
            struct_size=c.sizeof(_SectionRequest),
            name=encoded,
            name_size=len(encoded),
            flags=None if flags is None else flags.encode(),
            group=0 if group is None else self._symbol(group),
            linked_to=0 if linked_to is None else self._symbol(linked_to),
            **more,
        )
        self._say("xas_open_section", c.byref(request), c.byref(section))
        return section.value

    def switch(self, section):
        """Goes on in a section that was the current one before."""
        self._say("xas_switch_section", section)

    def cfi_begin(self, simple=False):
        """A function's frame begins here."""
        self._say("xas_cfi_begin", simple)

    def cfi_end(self):
        """It ends here."""
        self._say("xas_cfi_end")

    def cfi(self, rule, reg=0, value=0):
        """From here on a rule holds: `s.cfi("offset", "rbp", -16)`. reg: a register's name, or its number in DWARF."""
        if isinstance(reg, str):
            reg = self._call("xas_dwarf_number", self._xas._register(reg))
            if reg < 0:
                raise XasError(self._lib.xas_error(self._xas._context).decode())
        self._say("xas_cfi", _number_of(rule, _CFI_RULES, "rule"), reg, value)

    def directive(self, name, *operands):
        """Any directive. Of its operands, bytes become a string in quotes, and a str is a word as it stands."""

        def operand(o):
            if isinstance(o, (Value, int)):
                return _DirectiveOperand(_DirectiveOperand._VALUE, _value(o))
            if isinstance(o, bytes):
                return _DirectiveOperand(_DirectiveOperand._STRING, Value(), o, len(o))
            encoded = o.encode()
            return _DirectiveOperand(_DirectiveOperand._WORD, Value(), encoded, len(encoded))

        args = (_DirectiveOperand * len(operands))(*map(operand, operands))
        self._say("xas_directive", name.encode(), args, len(operands))
