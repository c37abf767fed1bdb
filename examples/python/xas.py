# SPDX-License-Identifier: Apache-2.0
"""Instructions to bytes, to code that runs, and to objects, in Python (3.9 and later), by libxas.so.

    import ctypes
    from xas import HERE, Xas
    code, count = Xas("x86", 64).asm("inc eax; ret")
    print(bytes(code).hex(), count)                      # ffc0c3 2

    a64 = Xas("aarch64")
    a64.asm("bl f", address=0x1000, symbols={"f": 0x2000})

    Xas("x86", 64).object(".globl f\\nf: ret")             # an ELF object

    with Xas("x86", 64).load("f: lea eax, [rdi + rsi]; ret") as code:  # runs on this machine
        f = code.function("f", ctypes.c_int, ctypes.c_int, ctypes.c_int)
        print(f(40, 2))                                  # 42

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

The library is looked for in $XAS_LIBRARY, then as libxas.so.0 where the system has libraries. What it refuses raises
XasError, whose `diagnostics` have file, line, column and message; numbers that have no room raise OverflowError, other
arguments that make no sense ValueError or TypeError. What a callback raises comes out of the call that called it.

Warnings are XasWarnings of the module `warnings`, at the place in the assembly: by default Python prints them, and
`warnings.simplefilter("error", XasWarning)` makes exceptions of them.

Threads may share an Xas: its calls wait for each other.
"""
from __future__ import annotations

import ctypes as c
import dataclasses
import functools
import operator
import os
import threading
import warnings
import weakref
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Optional, Union

__all__ = [
    "HERE",
    "Code",
    "Diagnostic",
    "Encoding",
    "Operand",
    "Relocation",
    "Stream",
    "Value",
    "Xas",
    "XasError",
    "XasWarning",
]

_Bytes = bytes  # where a method has that name
Symbols = Union[Mapping[str, int], Callable[[str], Optional[int]]]
Files = Union[Mapping[str, Union[str, bytes]], Callable[[str], Union[str, bytes, None]]]


def _integer(value, low, high, what):
    number = operator.index(value)
    if not low <= number <= high:
        raise OverflowError(f"{what} {number} is not within {low} to {high}")
    return number


def _unsigned(value, bits, what):
    return _integer(value, 0, (1 << bits) - 1, what)


def _signed(value, bits, what):
    return _integer(value, -(1 << bits - 1), (1 << bits - 1) - 1, what)


def _bits64(value, what):
    """The 64 bits of a number, with or without a sign."""
    return _integer(value, -(1 << 63), (1 << 64) - 1, what) & 0xFFFFFFFFFFFFFFFF


# Text is bytes to the library. Those that are no UTF-8 are in a str as Python has them in the names of files.
def _encoded(text):
    return text.encode("utf-8", "surrogateescape")


def _decoded(text):
    return text.decode("utf-8", "surrogateescape")


def _terminated(text):
    encoded = _encoded(text)
    if b"\0" in encoded:
        raise ValueError("embedded null character")
    return encoded


class _NotCopied:
    """Has something of the library, which a copy would free a second time."""

    def __reduce_ex__(self, _protocol):
        raise TypeError(f"cannot copy or pickle {type(self).__name__!r} object")


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


@dataclasses.dataclass(frozen=True)
class Value:
    """A symbol of a Stream, or what is counted from it: `f`, `f + 8`, `end - begin`, `f - HERE`."""

    constant: int = 0
    add: int = 0
    subtract: int = 0
    modifier: int = 0

    def __post_init__(self):
        _bits64(self.constant, "value")
        for handle in (self.add, self.subtract, self.modifier):
            _unsigned(handle, 32, "handle")

    def __add__(self, number: int) -> Value:
        if not isinstance(number, int):
            return NotImplemented
        return dataclasses.replace(self, constant=self.constant + number)

    __radd__ = __add__

    def __sub__(self, other: Union[int, Value]) -> Value:
        if isinstance(other, int):
            return self + -other
        if not isinstance(other, Value):
            return NotImplemented
        if self.subtract or other.subtract or self.modifier or other.modifier:
            raise ValueError("a value has at most two symbols: one, less another")
        return Value(self.constant - other.constant, self.add, other.add)


HERE = Value(add=0xFFFFFFFF)  # the place where the field stands
Symbol = Union[Value, str]


def _value(v):
    if not isinstance(v, Value):
        return _Value(constant=_bits64(v, "value"))
    return _Value(v.constant, v.add, v.subtract, v.modifier)


class _Argument(c.Structure):
    _fields_ = (
        [("kind", c.c_int)]
        + [(name, c.c_uint32) for name in ("reg", "index", "segment", "mask")]
        + [(name, c.c_uint8) for name in ("scale", "size", "broadcast", "count", "element", "flags")]
        + [("value", _Value), ("text", c.c_char_p)]
    )

    _REGISTER, _VALUE, _TARGET, _MEMORY, _LIST, _WORD = range(6)
    _ZEROING, _WRITE_BACK, _ELEMENT, _MINUS = 1, 2, 4, 8


class Operand:
    """An operand of an instruction, made by Xas.reg, Xas.reg_list, Xas.mem, Xas.imm, Xas.word.

    A number is one, too: as an immediate; and a Value, as where a branch goes (x86: or as data at an address).
    """

    __slots__ = ("_argument",)

    def __init__(self, argument: _Argument):
        self._argument = argument


def _arguments(operands):
    def argument(o):
        if isinstance(o, Operand):
            return o._argument
        return _Argument(kind=_Argument._TARGET if isinstance(o, Value) else _Argument._VALUE, value=_value(o))

    return (_Argument * len(operands))(*map(argument, operands))


class _SectionRequest(c.Structure):
    _fields_ = (
        [("struct_size", c.c_size_t), ("name", c.c_char_p), ("name_size", c.c_size_t), ("flags", c.c_char_p)]
        + [(name, c.c_uint32) for name in ("type", "entry_size", "group", "selection", "linked_to", "unique")]
        + [("subsection", c.c_int32)]
    )


class _DirectiveOperand(c.Structure):
    _fields_ = [("kind", c.c_int), ("value", _Value), ("text", c.c_char_p), ("text_size", c.c_size_t)]

    _VALUE, _STRING, _WORD = range(3)


# What a Stream says, each after the context: all return a status.
_VERBS = {
    "xas_begin": [],
    "xas_finish": [],
    "xas_place": [c.c_char_p, c.c_uint32],
    "xas_feed": [c.c_char_p, c.c_size_t],
    "xas_declare": [c.c_uint32, c.c_int],
    "xas_label": [c.c_uint32],
    "xas_assign": [c.c_uint32, c.POINTER(_Value), c.c_int],
    "xas_set_size": [c.c_uint32, c.POINTER(_Value)],
    "xas_common": [c.c_uint32, c.c_uint64, c.c_uint],
    "xas_expression": [c.c_char_p, c.c_size_t, c.POINTER(_Value)],
    "xas_instruction": [c.c_char_p, c.c_void_p, c.c_size_t],
    "xas_bytes": [c.c_char_p, c.c_size_t],
    "xas_data": [c.POINTER(_Value), c.c_uint],
    "xas_leb128": [c.POINTER(_Value), c.c_int],
    "xas_fill": [c.POINTER(_Value), c.c_uint, c.c_uint64],
    "xas_align": [c.c_uint, c.c_uint32],
    "xas_org": [c.POINTER(_Value), c.c_uint8],
    "xas_open_section": [c.POINTER(_SectionRequest), c.POINTER(c.c_uint32)],
    "xas_switch_section": [c.c_uint32],
    "xas_cfi_begin": [c.c_int],
    "xas_cfi_end": [],
    "xas_cfi": [c.c_int, c.c_uint32, c.c_int64],
    "xas_directive": [c.c_char_p, c.c_void_p, c.c_size_t],
}

_Resolver = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_char_p, c.c_uint64, c.c_int, c.POINTER(c.c_uint64))
_Include = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_char_p, c.POINTER(c.c_char_p), c.POINTER(c.c_size_t))


class _Options(c.Structure):
    _fields_ = [
        ("struct_size", c.c_size_t),
        ("flags", c.c_uint),
        ("resolver", _Resolver),
        ("user", c.c_void_p),
    ]


class _Diagnostic(c.Structure):
    pass


_Diagnostic._fields_ = [
    ("severity", c.c_int),
    ("file", c.c_char_p),
    ("line", c.c_uint32),
    ("column", c.c_uint32),
    ("length", c.c_uint32),
    ("message", c.c_char_p),
    ("source_line", c.c_void_p),
    ("source_line_size", c.c_size_t),
    ("notes", c.POINTER(_Diagnostic)),
    ("note_count", c.c_size_t),
]


@functools.lru_cache(maxsize=None)
def _library():
    name = os.environ.get("XAS_LIBRARY", "libxas.so.0")
    try:
        lib = c.CDLL(name)
    except OSError as error:
        raise OSError(f"{error}; XAS_LIBRARY=PATH names the library, which is built with -DXAS_SHARED=ON") from None
    lib.xas_api_version.restype = c.c_uint32
    if lib.xas_api_version() < 3:
        raise OSError(f"{name} is too old: version {lib.xas_api_version()} of its interface, not 3")
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
        ("xas_set_include_callback", None, [context, _Include, c.c_void_p]),
        (
            "xas_encode",
            c.c_int,
            [context, c.c_char_p, c.c_size_t, c.c_uint64, c.POINTER(_Options), c.POINTER(_Encoding)],
        ),
        ("xas_encoded_label", c.c_int, [context, c.c_char_p, c.POINTER(c.c_uint64)]),
        (
            "xas_load",
            c.c_int,
            [context, c.c_char_p, c.c_size_t, _Resolver, c.c_void_p, c.POINTER(c.c_void_p)],
        ),
        ("xas_code_label", c.c_void_p, [c.c_void_p, c.c_char_p]),
        ("xas_code_bytes", c.c_void_p, [c.c_void_p, c.POINTER(c.c_size_t)]),
        ("xas_code_free", None, [c.c_void_p]),
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


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """A mistake or a warning, or one of the notes that explain it. Lines and columns, in bytes, count from 1.

    severity: "note", "warning" or "error"; file: "" if it concerns no place; length: how many bytes it concerns.
    """

    severity: str
    file: str
    line: int
    column: int
    length: int
    message: str
    notes: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {self.message}"


def _diagnostic(d, name, prefix):
    """Without the prefix in front of the first line of the text of this name."""
    file, column = _decoded(d.file), d.column
    if prefix and d.line == 1 and file == name:
        column = max(1, column - len(prefix))
    notes = tuple(_diagnostic(d.notes[i], name, prefix) for i in range(d.note_count))
    severity = ("note", "warning", "error")[d.severity]
    return Diagnostic(severity, file, d.line, column, d.length, d.message.decode("utf-8", "backslashreplace"), notes)


@dataclasses.dataclass(frozen=True)
class Relocation:
    """A field that is left to a linker. type: the format's number (R_*, IMAGE_REL_*)."""

    offset: int
    symbol: Optional[str]
    addend: int
    type: int


class Encoding(NamedTuple):
    """What Xas.encode has made. statements: how many of them have bytes; labels: addresses of those asked for."""

    code: bytes
    relocations: list[Relocation]
    statements: int
    labels: dict[str, int]


class XasError(Exception):
    """What the library refuses. `diagnostics`: of the text, if it is to blame, its warnings too."""

    def __init__(self, text: str, diagnostics: Iterable[Diagnostic] = ()):
        super().__init__(text)
        self.diagnostics = list(diagnostics)


class XasWarning(UserWarning):
    """A warning about a text, or what a Stream has been told, that is assembled all the same: see `diagnostic`."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return self.diagnostic.message


def _warn(diagnostics):
    for d in diagnostics:
        warnings.warn_explicit(XasWarning(d), XasWarning, d.file or "<options>", d.line)


_ERRORS, _BAD_ARGUMENT, _OUT_OF_MEMORY = 1, 3, 4  # of xas_status


class _Context:
    """An xas_context, used in a `with` block, by one thread at a time and not by its own callbacks."""

    def __init__(self, files):
        self.lib = _library()
        self._pointer = self.lib.xas_create()
        if not self._pointer:
            raise MemoryError
        self._destroy = weakref.finalize(self, self.lib.xas_destroy, self._pointer)
        self._destroy.atexit = False
        self._lock = threading.RLock()
        self._is_used = False
        self._warnings = ()
        self._raised = []  # by a callback
        self._texts = []  # of included files, as long as they are read
        self._stream = None
        if files is not None:
            self._include = _include(files, self._texts, self._raised)
            self.lib.xas_set_include_callback(self._pointer, self._include, None)

    def __enter__(self):
        self._lock.acquire()
        try:
            if self._is_used:
                raise XasError("a callback can't use the assembler that it is called from")
            if self.is_closed():
                raise XasError("the assembler is closed")
            if self._stream is not None and self._stream() is None:  # given up, and gone
                self.lib.xas_finish(self._pointer)
                self._stream = None
            self._is_used = True
        except BaseException:
            self._lock.release()
            raise
        return self._pointer

    def __exit__(self, kind, _error, _trace):
        found, self._warnings = self._warnings, ()
        if self._texts and not self.lib.xas_assembly(self._pointer):
            self._texts.clear()
        self._is_used = False
        self._lock.release()
        if found and kind is None:
            _warn(found)

    def close(self):
        with self._lock:
            if self._is_used:
                raise XasError("a callback can't close the assembler that it is called from")
            self._destroy()
            self._pointer = None

    def is_closed(self):
        return self._pointer is None

    def owner_is(self, stream):
        """The next assembly that begins is this Stream's."""
        self._stream = weakref.ref(stream)

    # All that follows is for the `with` block.

    def resolver(self, symbols):
        return _resolver(symbols, self._raised)

    def error(self):
        return self.lib.xas_error(self._pointer).decode("utf-8", "backslashreplace")

    def has_raised(self):
        return bool(self._raised)

    def check(self, status, name="", prefix="", mnemonic=None):
        """Raises what has gone wrong, first of all in a callback. There may be warnings.

        name, prefix: of the text; mnemonic: of an instruction that is none of a text.
        """
        if self._raised:
            raise self._raised.pop()
        if status == _OUT_OF_MEMORY:
            raise MemoryError
        if status == _BAD_ARGUMENT:  # the diagnostics are of a call before
            raise XasError(self.error())
        lib, pointer = self.lib, self._pointer
        count = lib.xas_diagnostic_count(pointer)
        if not status and not count:
            return
        found = [_diagnostic(lib.xas_diagnostic_at(pointer, i).contents, name, prefix) for i in range(count)]
        if status:
            errors = [d for d in found if d.severity == "error"]
            texts = [f"'{mnemonic}': {d.message}" if mnemonic else str(d) for d in errors]
            raise XasError("\n".join(texts) or self.error(), found)
        self._warnings = found

    def object(self):
        size = c.c_size_t()
        pointer = self.lib.xas_object(self._pointer, c.byref(size))
        return c.string_at(pointer, size.value)


def _finder(source, what):
    find = getattr(source, "get", source)
    if not callable(find):
        raise TypeError(f"{what} is a dictionary or a function, not {type(source).__name__!r}")
    return find


def _keeping(raised, function):
    """The function as a callback: what it raises is kept, and the library told 0. Then it is asked nothing more."""

    def call(*arguments):
        if raised:
            return 0
        try:
            return function(*arguments)
        except BaseException as error:
            raised.append(error)
            return 0

    return call


def _resolver(symbols, raised):
    if symbols is None:
        return _Resolver()
    find = _finder(symbols, "`symbols`")

    def resolve(_user, name, _address, _use, value):
        symbol = _decoded(name)
        found = find(symbol)
        if found is None:
            return 0
        value[0] = _bits64(found, f"'{symbol}' =")
        return 1

    return _Resolver(_keeping(raised, resolve))


def _include(files, texts, raised):
    find = _finder(files, "`files`")

    def include(_user, path, text, size):
        found = find(_decoded(path))
        if found is None:
            return 0
        contents = _encoded(found) if isinstance(found, str) else memoryview(found).tobytes()
        texts.append(contents)
        text[0], size[0] = contents, len(contents)
        return 1

    return _Include(_keeping(raised, include))


class Code(_NotCopied):
    """Code that this process can call, from Xas.load.

    It stays until `close`, the end of a `with` block, or as long as somebody has it or one of its functions.
    """

    def __init__(self, lib, pointer):
        self._lib, self._pointer = lib, pointer
        self._free = weakref.finalize(self, lib.xas_code_free, pointer)
        self._free.atexit = False

    def __enter__(self) -> Code:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Frees it: nothing may run in it, and nothing calls its functions any more."""
        self._free()

    def _open(self):
        if not self._free.alive:
            raise XasError("the code is closed")
        return self._pointer

    @property
    def bytes(self) -> _Bytes:
        """The code's bytes."""
        size = c.c_size_t()
        return c.string_at(self._lib.xas_code_bytes(self._open(), c.byref(size)), size.value)

    def address(self, label: Optional[str] = None) -> int:
        """The address of a label; None: of the first byte."""
        name = None if label is None else _terminated(label)
        address = self._lib.xas_code_label(self._open(), name)
        if not address:
            raise XasError(f"there is no label '{label}'")
        return address

    def function(self, label: Optional[str] = None, result: Any = None, *arguments: Any) -> Callable[..., Any]:
        """What stands at a label, to be called, with ctypes' types: `code.function("f", c_int, c_int, c_int)`."""
        function = c.CFUNCTYPE(result, *arguments)(self.address(label))
        function.code = self  # stays as long as the function
        return function


_MODES = {None: "", 16: ".code16;", "thumb": ".syntax unified;.thumb;"}  # what a text begins with
_TARGETS = {
    ("x86", 64): ("x86_64-linux-gnu", None),
    ("x86", 32): ("i386-linux-gnu", None),
    ("x86", 16): ("i386-linux-gnu", 16),
    ("aarch64", None): ("aarch64-linux-gnu", None),
    ("arm", None): ("arm-linux-gnueabihf", None),
    ("arm", "arm"): ("arm-linux-gnueabihf", None),
    ("arm", "thumb"): ("arm-linux-gnueabihf", "thumb"),
}
_SYNTAXES = {"intel": ["-msyntax=intel", "-mnaked-reg"], "att": []}


class Xas(_NotCopied):
    """An assembler. arch: "x86" (mode 16, 32, 64), "aarch64", "arm" (mode "arm", "thumb"), or a triple.

    mode: of a triple, 16, "thumb", or none: what it begins with. syntax: "intel" or "att", of x86; other targets have
    one. options: further ones, as on the command line (["--compat=llvm"]). files: where .include and .incbin find
    files, in place of the file system: a dictionary, or a function of the path (None: there is none).

    As a context manager it is closed at the end; otherwise by `close`, or when nobody has it any more.
    """

    def __init__(
        self,
        arch: str,
        mode: Union[int, str, None] = None,
        syntax: str = "intel",
        options: Iterable[str] = (),
        files: Optional[Files] = None,
    ):
        if syntax not in _SYNTAXES:
            raise ValueError(f"there is no syntax {syntax!r}; these are: {', '.join(_SYNTAXES)}")
        if "-" in arch and mode in _MODES:
            triple = arch
        elif (arch, mode) in _TARGETS:
            triple, mode = _TARGETS[arch, mode]
        else:
            raise XasError(f"there is no architecture {arch!r} with mode {mode!r}")
        self._prefix = _MODES[mode]
        self._context = _Context(files)
        self._lib = self._context.lib
        with self._context as context:
            # Targets that have one syntax accept the options, too.
            for option in [*options, "--target=" + triple, *_SYNTAXES[syntax]]:
                if self._lib.xas_set_option(context, _terminated(option), None):
                    raise XasError(self._context.error())
        self.encode("")  # do the options make sense together?

    def __enter__(self) -> Xas:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Frees what it has. What is called then, of its Stream too, raises XasError."""
        self._context.close()

    def encode(
        self,
        text: str,
        address: int = 0,
        symbols: Optional[Symbols] = None,
        relocatable: bool = False,
        stubs: bool = False,
        labels: Iterable[str] = (),
    ) -> Encoding:
        """The bytes of `text` at `address`, and its relocations.

        symbols: what names stand for, a dictionary or a function of the name (None: not known, a relocation).
        relocatable: where the code will stand is not known, either. stubs: what is out of a call's reach is called by
        way of a jump behind the code. labels: those whose addresses are wanted.
        """
        encoded = _encoded(self._prefix + text)
        names = {label: _terminated(label) for label in labels}
        address = _unsigned(address, 64, "address")
        resolver = self._context.resolver(symbols)
        how = _Options(c.sizeof(_Options), (1 if relocatable else 0) | (2 if stubs else 0), resolver, None)
        e = _Encoding(struct_size=c.sizeof(_Encoding))
        with self._context as context:
            status = self._lib.xas_encode(context, encoded, len(encoded), address, c.byref(how), c.byref(e))
            self._context.check(status, "<text>", self._prefix)
            return Encoding(
                c.string_at(e.bytes, e.size) if e.size else b"",
                [_relocation(r) for r in e.relocations[: e.relocation_count]],
                sum(1 for s in e.statements[: e.statement_count] if s.size),
                {label: self._label(context, name) for label, name in names.items()},
            )

    def _label(self, context, name):
        address = c.c_uint64()
        if not self._lib.xas_encoded_label(context, name, c.byref(address)):
            raise XasError(f"there is no label '{_decoded(name)}'")
        return address.value

    def asm(self, text: str, address: int = 0, symbols: Optional[Symbols] = None) -> tuple[list[int], int]:
        """As Keystone's: a list of the bytes of `text`, and how many statements made some."""
        code, relocations, count, _ = self.encode(text, address, symbols)
        for r in relocations:
            if r.symbol is not None:  # ARM marks 'bx' with one that has none
                raise XasError(f"'{r.symbol}' is not known")
        return list(code), count

    def load(self, text: str, symbols: Optional[Symbols] = None) -> Code:
        """Code that runs at once: on this machine, which has to be the target (x86-64 or AArch64 Linux).

        symbols: as of `encode`; whoever gives addresses, as `ctypes.cast(function, ctypes.c_void_p).value`, keeps what
        stands there. Names that are not known are errors.
        """
        encoded = _encoded(self._prefix + text)
        resolver, pointer = self._context.resolver(symbols), c.c_void_p()
        with self._context as context:
            status = self._lib.xas_load(context, encoded, len(encoded), resolver, None, c.byref(pointer))
            code = Code(self._lib, pointer.value) if pointer else None
            self._context.check(status, "<text>", self._prefix)
        return code

    def reg(
        self,
        name: str,
        *,
        element: Optional[int] = None,
        mask: Optional[str] = None,
        zeroing: bool = False,
        write_back: bool = False,
    ) -> Operand:
        """A register as an operand: "eax", "x0", "v1.4s".

        element: of a vector, its number. mask, zeroing: of x86, {k1}, {z}. write_back: of ARM, `!`.
        """
        flags = _flags(zeroing, write_back, element)
        element = _unsigned(element or 0, 8, "element")
        reg, mask = self._register(name), self._register(mask) if mask else 0
        return Operand(_Argument(kind=_Argument._REGISTER, reg=reg, mask=mask, element=element, flags=flags))

    def reg_list(self, first: str, count: int, *, element: Optional[int] = None) -> Operand:
        """`count` vector registers, of AArch64: `reg_list("v0.4s", 2)`."""
        reg, count = self._register(first), _unsigned(count, 8, "count")
        flags, element = _flags(element=element), _unsigned(element or 0, 8, "element")
        return Operand(_Argument(kind=_Argument._LIST, reg=reg, count=count, element=element, flags=flags))

    def mem(
        self,
        base: Optional[str],
        displacement: Union[int, Value] = 0,
        index: Optional[str] = None,
        scale: int = 0,
        size: int = 0,
        *,
        shift: Optional[str] = None,
        minus: bool = False,
        write_back: bool = False,
        segment: Optional[str] = None,
        mask: Optional[str] = None,
        zeroing: bool = False,
        broadcast: int = 0,
    ) -> Operand:
        """Memory at base + index * scale + displacement.

        size: of x86, bytes, where no register tells; segment, mask, zeroing, broadcast: {1ton}. Of ARM and AArch64,
        shift: the index's ("lsl #3"); minus: it is subtracted; write_back: `!`.
        """
        base, index, segment, mask = (self._register(r) if r else 0 for r in (base, index, segment, mask))
        argument = _Argument(
            kind=_Argument._MEMORY,
            reg=base,
            index=index,
            segment=segment,
            mask=mask,
            scale=_unsigned(scale, 8, "scale"),
            size=_unsigned(size, 8, "size"),
            broadcast=_unsigned(broadcast, 8, "broadcast"),
            flags=_flags(zeroing, write_back) | (_Argument._MINUS if minus else 0),
            value=_value(displacement),
            text=None if shift is None else _terminated(shift),
        )
        return Operand(argument)

    def imm(self, value: Union[int, Value]) -> Operand:
        """A number or the address of a symbol, as an immediate."""
        return Operand(_Argument(kind=_Argument._VALUE, value=_value(value)))

    def word(self, text: str) -> Operand:
        """What has no value: a condition, a shift with its amount."""
        return Operand(_Argument(kind=_Argument._WORD, text=_terminated(text)))

    def instruction(
        self, mnemonic: str, *operands: Union[Operand, Value, int], address: int = 0, how: int = 0
    ) -> bytes:
        """The bytes of one instruction of values. `how`: prefixes, conditions (XAS_LOCK and its kin of xas/stream.h).

        An immediate that is too wide is cut where the text's is, with an XasWarning, or refused.
        """
        if self._prefix:
            raise XasError("instructions of values are for modes that the target has from the start")
        args, address, how = _arguments(operands), _unsigned(address, 64, "address"), _unsigned(how, 32, "how")
        e = _Encoding(struct_size=c.sizeof(_Encoding))
        number = self._lib.xas_mnemonic_named(_terminated(mnemonic))
        if not number:
            raise XasError(f"there is no mnemonic '{mnemonic}'")
        with self._context as context:
            status = self._lib.xas_encode_instruction(context, number, how, args, len(args), address, c.byref(e))
            self._context.check(status, mnemonic=mnemonic)
            return c.string_at(e.bytes, e.size)

    def _register(self, name):
        encoded = _terminated(name)
        with self._context as context:
            number = self._lib.xas_register_named(context, encoded)
        if not number:
            raise XasError(f"there is no register '{name}'")
        return number

    def object(self, text: str, name: str = "<memory>") -> bytes:
        """The object file of a whole text. It ends a Stream that is open."""
        encoded, encoded_name = _encoded(self._prefix + text), _terminated(name)
        with self._context as context:
            status = self._lib.xas_assemble(context, encoded, len(encoded), encoded_name)
            self._context.check(status, name, self._prefix)
            return self._context.object()

    def stream(self) -> Stream:
        """Begins an assembly by functions: a Stream. There is one at a time."""
        return Stream(self)


def _flags(zeroing=False, write_back=False, element=None):
    return (
        (_Argument._ZEROING if zeroing else 0)
        | (_Argument._WRITE_BACK if write_back else 0)
        | (_Argument._ELEMENT if element is not None else 0)
    )


def _relocation(r):
    return Relocation(r.offset, None if r.symbol is None else _decoded(r.symbol), r.addend, r.type)


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


class Stream(_NotCopied):
    """An assembly by functions in place of a text (xas/stream.h), from Xas.stream.

    As a context manager it ends the assembly, and `object` has the object's bytes then; an exception gives it up. What
    is said wrong raises XasError at once, which has the place that `place` has said; the assembly is over then. Symbols
    and sections are good until the end. Where a symbol is expected, its name will do.
    """

    def __init__(self, xas: Xas):
        self.object: Optional[_Bytes] = None
        self._xas, self._context, self._lib, self._number = xas, xas._context, xas._lib, 0
        with self._context as context:
            self._context.check(self._lib.xas_begin(context))
            self._number = self._lib.xas_assembly(context)
            self._context.owner_is(self)
        if xas._prefix:
            self.feed(xas._prefix)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind, _error, _trace) -> None:
        if kind is None and self._number:
            self.finish()
        self.close()

    def _is_open(self, context):
        return self._number and self._lib.xas_assembly(context) == self._number

    def _check_open(self, context):
        if not self._is_open(context):
            raise XasError("the assembly is over")

    def _end(self, context):
        if self._is_open(context):
            self._lib.xas_finish(context)
        self._number = 0

    def close(self) -> None:
        """Gives the assembly up if it has not ended."""
        if self._number and not self._context.is_closed():
            with self._context as context:
                self._end(context)

    def _call(self, is_fine, name, *arguments):
        """Calls a function of the library. If something is wrong, the assembly is over: its end tells what."""
        with self._context as context:
            self._check_open(context)
            result = getattr(self._lib, name)(context, *arguments)
            if not is_fine(result) or self._context.has_raised():
                self._end(context)
                self._context.check(_ERRORS if self._lib.xas_diagnostic_count(context) else _OUT_OF_MEMORY)
        return result

    def _say(self, name, *arguments):
        self._call(operator.not_, name, *arguments)

    def _handle(self, name, *arguments):
        return Value(add=self._call(bool, name, *arguments))

    def _ask(self, none, name, *arguments):
        """A question: the assembly goes on if there is no answer."""
        with self._context as context:
            number = getattr(self._lib, name)(context, *arguments)
            if number == none:
                raise XasError(self._context.error())
        return number

    def finish(self) -> _Bytes:
        """Ends the assembly. Returns the object's bytes, which `object` is from then on."""
        with self._context as context:
            self._check_open(context)
            self._number = 0
            self._context.check(self._lib.xas_finish(context))
            self.object = self._context.object()
        return self.object

    def place(self, file: Optional[str], line: int) -> None:
        """What is said from here on stands in this line of this file (None: the one before)."""
        self._say("xas_place", None if file is None else _terminated(file), _unsigned(line, 32, "line"))

    def feed(self, text: str) -> None:
        """Statements as text."""
        encoded = _encoded(text)
        self._say("xas_feed", encoded, len(encoded))

    def symbol(self, name: str) -> Value:
        """The symbol of this name."""
        encoded = _encoded(name)
        return self._handle("xas_symbol_named", encoded, len(encoded))

    def new_label(self) -> Value:
        """A label without a name, for `label`."""
        return self._handle("xas_new_label")

    def _symbol(self, symbol):
        if isinstance(symbol, str):
            symbol = self.symbol(symbol)
        if not isinstance(symbol, Value):
            raise TypeError(f"a symbol is expected, not {type(symbol).__name__!r}")
        if symbol.constant or symbol.subtract or symbol.modifier:
            raise ValueError("a symbol is expected, not what is counted from one")
        return symbol.add

    def declare(self, symbol: Symbol, *attributes: str) -> None:
        """The symbol has these attributes: "global", "weak", "hidden", "function", "object", ... (xas_attribute)."""
        handle = self._symbol(symbol)
        for attribute in attributes:
            self._say("xas_declare", handle, _number_of(attribute, _ATTRIBUTES, "attribute"))

    def label(self, symbol: Optional[Symbol] = None) -> Value:
        """The label stands here; without one, a new one without a name. Returns it."""
        label = self.new_label() if symbol is None else self.symbol(symbol) if isinstance(symbol, str) else symbol
        self._say("xas_label", self._symbol(label))
        return label

    def assign(self, symbol: Symbol, value: Union[int, Value], again: bool = False) -> None:
        """The symbol stands for a value; `again`: for the last of several (.set)."""
        self._say("xas_assign", self._symbol(symbol), c.byref(_value(value)), bool(again))

    def size(self, symbol: Symbol, value: Union[int, Value]) -> None:
        """The symbol's size (ELF): `s.size(f, HERE - f)`."""
        self._say("xas_set_size", self._symbol(symbol), c.byref(_value(value)))

    def common(self, symbol: Symbol, size: int, log2_align: int = 0) -> None:
        """The linker provides `size` bytes for it."""
        size, log2_align = _unsigned(size, 64, "size"), _unsigned(log2_align, 32, "log2_align")
        self._say("xas_common", self._symbol(symbol), size, log2_align)

    def modifier(self, value: Value, name: str) -> Value:
        """The value with a relocation modifier: "GOTPCREL", "lo12"."""
        return dataclasses.replace(value, modifier=self._ask(0xFFFFFFFF, "xas_modifier", _terminated(name)))

    def expression(self, text: str) -> Value:
        """Text as a Value."""
        encoded, value = _encoded(text), _Value()
        self._say("xas_expression", encoded, len(encoded), c.byref(value))
        return Value(value.constant, value.add, value.subtract, value.modifier)

    def emit(self, mnemonic: str, *operands: Union[Operand, Value, int]) -> None:
        """An instruction of values, with prefixes in front of its mnemonic ("lock incl")."""
        self._say("xas_instruction", _terminated(mnemonic), _arguments(operands), len(operands))

    def bytes(self, contents: Union[_Bytes, bytearray, memoryview, Iterable[int]]) -> None:
        """Bytes as they are."""
        if isinstance(contents, int):  # so many zeros to Python
            raise TypeError("bytes are expected, not a number")
        contents = bytes(contents)
        self._say("xas_bytes", contents, len(contents))

    def data(self, value: Union[int, Value], size: int) -> None:
        """A number, a symbol, or what is counted from it, in 1, 2, 4 or 8 bytes."""
        self._say("xas_data", c.byref(_value(value)), _unsigned(size, 32, "size"))

    def leb128(self, value: Union[int, Value], signed: bool = False) -> None:
        """A value as LEB128."""
        self._say("xas_leb128", c.byref(_value(value)), bool(signed))

    def fill(self, count: Union[int, Value], size: int = 1, pattern: int = 0) -> None:
        """A pattern of `size` bytes, so many times."""
        size, pattern = _unsigned(size, 32, "size"), _bits64(pattern, "pattern")
        self._say("xas_fill", c.byref(_value(count)), size, pattern)

    def align(self, log2: int, most: int = 0) -> None:
        """To a multiple of 1 << log2; not if it takes more than `most` bytes (0: any number)."""
        self._say("xas_align", _unsigned(log2, 32, "log2"), _unsigned(most, 32, "most"))

    def org(self, place: Union[int, Value], fill: int = 0) -> None:
        """On to a place in the section."""
        self._say("xas_org", c.byref(_value(place)), _unsigned(fill, 8, "fill"))

    def section(
        self,
        name: str,
        flags: Optional[str] = None,
        group: Optional[Symbol] = None,
        linked_to: Optional[Symbol] = None,
        *,
        type: int = 0,
        entry_size: int = 0,
        selection: int = 0,
        unique: int = 0,
        subsection: int = 0,
    ) -> int:
        """Goes on in a section, which is made if there is none: a number for `switch`.

        flags: as .section has them; the others: as xas_section_request has them.
        """
        encoded, section = _encoded(name), c.c_uint32()
        request = _SectionRequest(
            struct_size=c.sizeof(_SectionRequest),
            name=encoded,
            name_size=len(encoded),
            flags=None if flags is None else _terminated(flags),
            type=_unsigned(type, 32, "type"),
            entry_size=_unsigned(entry_size, 32, "entry_size"),
            group=0 if group is None else self._symbol(group),
            selection=_unsigned(selection, 32, "selection"),
            linked_to=0 if linked_to is None else self._symbol(linked_to),
            unique=_unsigned(unique, 32, "unique"),
            subsection=_signed(subsection, 32, "subsection"),
        )
        self._say("xas_open_section", c.byref(request), c.byref(section))
        return section.value

    def switch(self, section: int) -> None:
        """Goes on in a section that was the current one before."""
        self._say("xas_switch_section", _unsigned(section, 32, "section"))

    def cfi_begin(self, simple: bool = False) -> None:
        """A function's frame begins here."""
        self._say("xas_cfi_begin", bool(simple))

    def cfi_end(self) -> None:
        """It ends here."""
        self._say("xas_cfi_end")

    def cfi(self, rule: str, reg: Union[str, int] = 0, value: int = 0) -> None:
        """From here on a rule holds: `s.cfi("offset", "rbp", -16)`. reg: a register's name, or its number in DWARF."""
        number = _number_of(rule, _CFI_RULES, "rule")
        if isinstance(reg, str):
            reg = self._ask(-1, "xas_dwarf_number", self._xas._register(reg))
        self._say("xas_cfi", number, _unsigned(reg, 32, "reg"), _signed(value, 64, "value"))

    def directive(self, name: str, *operands: Union[Value, int, _Bytes, str]) -> None:
        """Any directive. Of its operands, bytes become a string in quotes, and a str is a word as it stands."""

        def operand(o):
            if isinstance(o, str):
                encoded = _encoded(o)
                return _DirectiveOperand(_DirectiveOperand._WORD, _Value(), encoded, len(encoded))
            if isinstance(o, bytes):
                return _DirectiveOperand(_DirectiveOperand._STRING, _Value(), o, len(o))
            return _DirectiveOperand(_DirectiveOperand._VALUE, _value(o))

        args = (_DirectiveOperand * len(operands))(*map(operand, operands))
        self._say("xas_directive", _terminated(name), args, len(args))
