// SPDX-License-Identifier: Apache-2.0
// xas as a C++ library: the functions of xas.h behind a class that frees what it owns. See there for what they do.
//
//     xas::Context context;
//     context.option("--32");
//     if (context.assemble("movl $1, %eax")) use(context.object());
//     else std::fputs(context.text().data(), stderr);
//
//     if (auto code = context.encode("inc %eax; ret", 0x401000)) patch(code.bytes());
//
// Nothing here throws but the constructor (std::bad_alloc). C++20.
#pragma once

#if __cplusplus < 202002L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L)
#error "xas/xas.hpp needs C++20 (-std=c++20); xas/xas.h and xas/stream.h do not"
#endif

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string_view>

#include "xas/xas.h"

namespace xas {

/// What Context::encode has made. It owns nothing: the spans are good until the context's next call of encode, load,
/// option or reset.
struct Encoding {
  xas_status status = XAS_OK;  ///< what xas_encode has returned
  xas_encoding raw = {sizeof(xas_encoding), nullptr, 0, nullptr, 0, nullptr, 0};

  /// There was no mistake. If false, all spans are empty, and the context's diagnostics and error() tell why.
  explicit operator bool() const { return status == XAS_OK; }
  std::span<const std::uint8_t> bytes() const { return {raw.bytes, raw.size}; }
  /// In the order of the text.
  std::span<const xas_statement> statements() const { return {raw.statements, raw.statement_count}; }
  /// Fields that are left to a linker, by their offsets. Empty: the bytes are complete.
  std::span<const xas_relocation> relocations() const { return {raw.relocations, raw.relocation_count}; }
};

/// Code that this process can call; see xas_load. Owns its memory, independently of the context: nothing may run in it
/// when it is destroyed. May be moved. Empty (false) if it could not be made.
class Code {
 public:
  Code() = default;
  /// Takes the code over.
  explicit Code(xas_code* code) : code_(code) {}
  explicit operator bool() const { return code_ != nullptr; }
  /// The code at a label, or at the start, as a function of this type: `code.function<int(int)>("twice")`. Null if
  /// there is no such label.
  template <typename Type>
  Type* function(const char* label = nullptr) const {
    return reinterpret_cast<Type*>(xas_code_label(code_.get(), label));
  }
  /// Good as long as this is.
  std::span<const std::uint8_t> bytes() const {
    std::size_t size = 0;
    const std::uint8_t* bytes = xas_code_bytes(code_.get(), &size);
    return {bytes, size};
  }

 private:
  struct Free {
    void operator()(xas_code* c) const { xas_code_free(c); }
  };
  std::unique_ptr<xas_code, Free> code_;
};

/// A name or label of a Stream; see xas_symbol. Good until the Stream's end. False: none, as Stream::symbol returns
/// after an error.
class SymbolHandle {
 public:
  constexpr SymbolHandle() = default;
  /// The symbol of a handle of stream.h.
  constexpr explicit SymbolHandle(xas_symbol handle) : handle_(handle) {}
  constexpr xas_symbol handle() const { return handle_; }
  constexpr explicit operator bool() const { return handle_ != 0; }

 private:
  xas_symbol handle_ = 0;
};

/// In an Expression: the place where the field stands.
inline constexpr SymbolHandle here{XAS_HERE};

/// A number, a symbol, or what is counted from them: `7`, `f`, `f + 8`, `end - begin`, `f - xas::here`.
struct Expression : xas_value {
  constexpr Expression() : xas_value{0, 0, 0, 0} {}
  constexpr Expression(std::integral auto number) : xas_value{static_cast<std::int64_t>(number), 0, 0, 0} {}
  constexpr Expression(SymbolHandle symbol) : xas_value{0, symbol.handle(), 0, 0} {}
  constexpr Expression(const xas_value& value) : xas_value(value) {}
  /// With a relocation modifier, of Stream::modifier.
  constexpr Expression with(std::uint32_t relocation_modifier) const {
    Expression v = *this;
    v.modifier = relocation_modifier;
    return v;
  }
};
constexpr Expression operator+(Expression v, std::integral auto number) { return v.constant += number, v; }
constexpr Expression operator-(Expression v, std::integral auto number) { return v.constant -= number, v; }
constexpr Expression operator+(SymbolHandle symbol, std::integral auto number) { return Expression(symbol) + number; }
constexpr Expression operator-(SymbolHandle symbol, std::integral auto number) { return Expression(symbol) - number; }
constexpr Expression operator-(SymbolHandle to, SymbolHandle from) {
  return xas_value{0, to.handle(), from.handle(), 0};
}

/// A mnemonic as a number: `xas::x86::addl` of xas/x86.h.
enum class Mnemonic : xas_mnemonic {};

/// A register by name: `xas::x86::eax` of xas/x86.h.
struct RegisterNumber {
  xas_register number;
  constexpr operator xas_register() const { return number; }
};

/// An operand of an instruction, made by the functions of xas::operands; a RegisterNumber is one. Borrows the text that
/// it is given, up to the call that gets it.
struct Arg : xas_arg {
  Arg(xas_arg_kind what) : xas_arg{what, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0, 0, 0}, nullptr} {}
  Arg(RegisterNumber r) : Arg(XAS_ARG_REGISTER) { reg = r; }

  // What some instructions add: `mem(rax).broadcast_to(8)`, `reg(zmm1).masked(k1)`, `mem(x0, 16).write_back()`. Each
  // returns a changed copy.

  /// x86 in Intel syntax: memory of so many bytes, as `dword ptr` says 4.
  Arg sized(unsigned bytes) const {
    return with([&](Arg& a) { a.size = std::uint8_t(bytes); });
  }
  /// x86: memory in this segment.
  Arg in_segment(xas_register r) const {
    return with([&](Arg& a) { a.segment = r; });
  }
  /// x86: elements that the mask `k` (k1 to k7) leaves out are kept, or become 0.
  Arg masked(xas_register k, bool zeroing = false) const {
    return with([&](Arg& a) { a.mask = k, a.flags |= zeroing ? XAS_ARG_ZEROING : 0; });
  }
  /// x86: one element of memory, for all n: {1ton}.
  Arg broadcast_to(unsigned n) const {
    return with([&](Arg& a) { a.broadcast = std::uint8_t(n); });
  }
  /// AArch64, ARM: the base gets the address, `!`.
  Arg write_back() const {
    return with([](Arg& a) { a.flags |= XAS_ARG_WRITE_BACK; });
  }
  /// ARM: memory whose index is subtracted.
  Arg subtracted() const {
    return with([](Arg& a) { a.flags |= XAS_ARG_MINUS; });
  }
  /// AArch64, ARM: element number n of the register or list.
  Arg at(unsigned n) const {
    return with([&](Arg& a) { a.element = std::uint8_t(n), a.flags |= XAS_ARG_ELEMENT; });
  }

 private:
  template <class Change>
  Arg with(const Change& change) const {
    Arg a = *this;
    change(a);
    return a;
  }
};

/// Operands of instructions: `using namespace xas::operands;`
namespace operands {

/// A register.
inline Arg reg(xas_register r) {
  Arg a(XAS_ARG_REGISTER);
  a.reg = r;
  return a;
}
/// A number, or the address of a symbol, as an immediate.
inline Arg imm(const Expression& v) {
  Arg a(XAS_ARG_VALUE);
  a.value = v;
  return a;
}
/// Where a branch goes, a symbol or (xas_encode_instruction) an address; in x86 also data at an address without
/// registers.
inline Arg to(const Expression& v) {
  Arg a(XAS_ARG_TARGET);
  a.value = v;
  return a;
}
/// Memory at base + displacement: `mem(rsp, 8)`, `mem(rip, table)`.
inline Arg mem(xas_register base, const Expression& displacement = {}) {
  Arg a(XAS_ARG_MEMORY);
  a.reg = base, a.value = displacement;
  return a;
}
/// x86: memory at base + index * scale + displacement.
inline Arg mem(xas_register base, xas_register index, unsigned scale, const Expression& displacement = {}) {
  Arg a = mem(base, displacement);
  a.index = index, a.scale = std::uint8_t(scale);
  return a;
}
/// The same of names of registers. `scale` is 1, 2, 4 or 8.
inline Arg mem(RegisterNumber base, RegisterNumber index, unsigned scale = 1) {
  return mem(base.number, index.number, scale);
}
/// AArch64, ARM: memory at base + index, which is shifted or extended as `how` says: "lsl #3".
inline Arg mem(xas_register base, xas_register index, const char* how) {
  Arg a = mem(base);
  a.index = index, a.text = how;
  return a;
}
/// AArch64: `count` vector registers (1 to 4) from the first on.
inline Arg list(xas_register first, unsigned count) {
  Arg a(XAS_ARG_LIST);
  a.reg = first, a.count = std::uint8_t(count);
  return a;
}
/// An operand as it is written: a condition, a shift, a name. The text ends with 0.
inline Arg word(const char* text) {
  Arg a(XAS_ARG_WORD);
  a.text = text;
  return a;
}

}  // namespace operands

/// One assembler. May be moved; what it has returned stays good then.
class Context {
 public:
  Context() : context_(xas_create()) {
    if (!context_) throw std::bad_alloc();
  }

  /// Sets an option by its spelling on the command line; false, and the reason in error(), if it is not accepted.
  bool option(const char* option, const char* value = nullptr) {
    return xas_set_option(context_.get(), option, value) == XAS_OK;
  }
  /// Back to the default options.
  void reset() { xas_reset(context_.get()); }
  /// Where included files come from; see xas_set_include_callback.
  void include_callback(xas_include_callback callback, void* user) {
    xas_set_include_callback(context_.get(), callback, user);
  }

  /// True if there is an object now; if not, the diagnostics tell why. `name` is what they call the text.
  bool assemble(std::string_view text, const char* name = nullptr) {
    return xas_assemble(context_.get(), text.data(), text.size(), name) == XAS_OK;
  }
  /// The same of files, as if they were one.
  bool assemble_files(std::span<const char* const> paths) {
    return xas_assemble_files(context_.get(), paths.data(), paths.size()) == XAS_OK;
  }

  /// The object's bytes, good until the next assembly; empty if there is none.
  std::span<const std::uint8_t> object() const {
    std::size_t size = 0;
    const std::uint8_t* bytes = xas_object(context_.get(), &size);
    return {bytes, size};
  }
  /// Errors and warnings of the last assembly, up to the limit; they are good until the next one.
  std::size_t diagnostic_count() const { return xas_diagnostic_count(context_.get()); }
  /// `index` must be less than diagnostic_count().
  const xas_diagnostic& diagnostic(std::size_t index) const { return *xas_diagnostic_at(context_.get(), index); }
  /// How many there were, those beyond the limit included.
  std::size_t error_count() const { return xas_error_count(context_.get()); }
  std::size_t warning_count() const { return xas_warning_count(context_.get()); }

  /// All diagnostics as text; `flags` is a sum of XAS_TEXT_*.
  std::string_view text(unsigned flags = 0) {
    std::size_t size = 0;
    const char* text = xas_diagnostics_text(context_.get(), flags, &size);
    return {text, size};
  }
  /// What .print directives say.
  std::string_view printed() const {
    std::size_t size;
    const char* text = xas_printed(context_.get(), &size);
    return {text, size};
  }

  /// The listing, if one was asked for (option "-a"); empty if not.
  std::string_view listing() const {
    std::size_t size = 0;
    const char* text = xas_listing(context_.get(), &size);
    return text ? std::string_view(text, size) : std::string_view();
  }
  /// The bytes of instructions that stand at `address`; see xas_encode.
  Encoding encode(std::string_view text, std::uint64_t address = 0, unsigned flags = 0, xas_resolver resolver = nullptr,
                  void* user = nullptr) {
    const xas_encode_options how = {sizeof how, flags, resolver, user};
    Encoding e;
    e.status = xas_encode(context_.get(), text.data(), text.size(), address, &how, &e.raw);
    return e;
  }
  /// The bytes of an instruction of numbers; see xas_encode_instruction.
  Encoding encode(Mnemonic mnemonic, std::initializer_list<Arg> args, std::uint64_t address = 0,
                  std::uint32_t how = 0) {
    return encode(mnemonic, std::span(args.begin(), args.size()), address, how);
  }
  Encoding encode(Mnemonic mnemonic, std::span<const Arg> args, std::uint64_t address = 0, std::uint32_t how = 0) {
    Encoding e;
    e.status =
        xas_encode_instruction(context_.get(), xas_mnemonic(mnemonic), how, args.data(), args.size(), address, &e.raw);
    return e;
  }
  /// Code that can be called at once; see xas_load.
  Code load(std::string_view text, xas_resolver resolver = nullptr, void* user = nullptr) {
    xas_code* code = nullptr;
    xas_load(context_.get(), text.data(), text.size(), resolver, user, &code);
    return Code(code);
  }
  /// The address of a label of the last encode(); nothing if it has none of that name.
  std::optional<std::uint64_t> label(const char* name) const {
    std::uint64_t address;
    if (!xas_encoded_label(context_.get(), name, &address)) return {};
    return address;
  }

  /// Why the last call of this or of a Stream was refused, if it was not for errors in the input; "" if it was not.
  const char* error() const { return xas_error(context_.get()); }
  /// File number `index` of those that were read; null if there are not so many.
  const char* dependency(std::size_t index) const { return xas_dependency_at(context_.get(), index); }

  /// For functions of xas.h that have no counterpart here.
  xas_context* get() const { return context_.get(); }

 private:
  struct Destroy {
    void operator()(xas_context* c) const { xas_destroy(c); }
  };
  std::unique_ptr<xas_context, Destroy> context_;
};

/// An operand of Stream::directive: a number or value, a "quoted" string, or a word as it stands. Borrows its text.
struct Operand : xas_operand {
  Operand(const Expression& v) : xas_operand{XAS_OPERAND_VALUE, v, nullptr, 0} {}
  Operand(SymbolHandle symbol) : Operand(Expression(symbol)) {}
  Operand(std::integral auto number) : Operand(Expression(number)) {}
  static Operand string(std::string_view text) { return {XAS_OPERAND_STRING, text}; }
  static Operand word(std::string_view text) { return {XAS_OPERAND_WORD, text}; }

 private:
  Operand(xas_operand_kind kind, std::string_view text) : xas_operand{kind, {}, text.data(), text.size()} {}
};

/// What is said of a section beside its name: see xas_section_request. Borrows `flags`.
struct SectionRequest {
  const char* flags = nullptr;   ///< letters as .section has them; null: what the name stands for, or the section has
  std::uint32_t type = 0;        ///< ELF, with flags: SHT_*; 0: of the name, or SHT_PROGBITS
  std::uint32_t entry_size = 0;  ///< ELF: bytes, of sections that are merged ("M")
  xas_symbol group = 0;          ///< ELF: the group's signature; COFF: the COMDAT's symbol; 0: none. It has a name
  std::uint32_t selection = 0;   ///< of `group`: ELF 1: a COMDAT, 0: a group that stays; COFF: IMAGE_COMDAT_SELECT_*
  xas_symbol linked_to = 0;      ///< ELF: a symbol in the section that this one goes with ("o"); 0: none
  std::uint32_t unique = 0;      ///< tells sections of one name apart; n: `unique, n - 1`; 0: nothing does
  std::int32_t subsection = 0;   ///< of ELF
};

/// A table of PCs that gets an entry; borrows name and constants. `compress`: they are written as ULEB128.
struct PcTag : xas_pc_tag {
  PcTag(std::string_view section, std::span<const xas_pc_constant> constants = {}, bool compress = false)
      : xas_pc_tag{sizeof(xas_pc_tag), section.data(), section.size(), compress, constants.data(), constants.size()} {}
};

/// An assembly by functions in place of a text: those of stream.h, which see. Borrows the context, which has the object
/// after finish(). A context has one at a time: one that could not begin says nothing, and one whose assembly has been
/// ended by other means (Context::assemble, reset) does not end another's.
///
/// Functions that return bool return false if what is said is wrong: an error of the assembly at the place where it
/// stands, so that finish() makes no object and Context::diagnostic tells why. Going on finds more errors. They return
/// false, too, outside of an assembly and without memory (Context::error). Handles are good until the end. What is
/// handed in is copied; sizes, offsets and alignments are in bytes.
class Stream {
 public:
  /// Begins the assembly; false (and Context::error) if the context's options make no sense, or if it has a Stream that
  /// has not been finished.
  explicit Stream(Context& context)
      : context_(xas_begin(context.get()) == XAS_OK ? context.get() : nullptr), assembly_(xas_assembly(context_)) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  /// Gives the assembly up if it has not been finished.
  ~Stream() { finish(); }
  /// It has begun.
  explicit operator bool() const { return context_ != nullptr; }
  /// Ends it: true if there is an object. False, too, if it has ended already.
  bool finish() { return context_ && xas_assembly(context_) == assembly_ && xas_finish(context_) == XAS_OK; }

  /// What is said from here on stands in this line of this file, for diagnostics and line tables. `line` is not 0; a
  /// null `file` is the one before.
  bool place(const char* file, std::uint32_t line) { return good(xas_place(context_, file, line)); }
  /// Assembles statements. No line, conditional, macro or loop may be cut in two.
  bool feed(std::string_view text) { return good(xas_feed(context_, text.data(), text.size())); }
  /// The handle of a name; false if it is none. A symbol comes of it when it is used.
  SymbolHandle symbol(std::string_view name) {
    return SymbolHandle(xas_symbol_named(context_, name.data(), name.size()));
  }
  /// A label without a name, which is in no symbol table. It must be put somewhere by label() if it is used.
  SymbolHandle new_label() { return SymbolHandle(xas_new_label(context_)); }
  /// The symbol has this attribute. False for labels without names.
  bool declare(SymbolHandle symbol, xas_attribute attribute) {
    return good(xas_declare(context_, symbol.handle(), attribute));
  }
  /// The symbol stands for this value, and for no other (.equiv); `again`: for the last of several (.set).
  bool assign(SymbolHandle symbol, const Expression& value, bool again = false) {
    return good(xas_assign(context_, symbol.handle(), &value, again));
  }
  /// The symbol's size in bytes (.size). Only ELF has it.
  bool size(SymbolHandle symbol, const Expression& value) {
    return good(xas_set_size(context_, symbol.handle(), &value));
  }
  /// The same: from its label to here.
  bool size_to_here(SymbolHandle symbol) { return size(symbol, here - symbol); }
  /// The linker provides `size` bytes for the symbol (.comm), at a multiple of 1 << log2_align.
  bool common(SymbolHandle symbol, std::uint64_t size, unsigned log2_align) {
    return good(xas_common(context_, symbol.handle(), size, log2_align));
  }
  /// The label stands here. False if it stands somewhere already.
  bool label(SymbolHandle symbol) { return good(xas_label(context_, symbol.handle())); }
  /// The number of a relocation modifier, for Expression::with: "GOTPCREL", ":lo12:". XAS_NO_MODIFIER if the target has
  /// none of this name.
  std::uint32_t modifier(const char* name) { return xas_modifier(context_, name); }
  /// Text as a value: one expression, and nothing behind it. Nothing if it is wrong.
  std::optional<Expression> expression(std::string_view text) {
    xas_value value;
    if (!good(xas_expression(context_, text.data(), text.size(), &value))) return {};
    return value;
  }

  /// The register of this name, in lower case and without `%`; 0 if there is none.
  xas_register reg(const char* name) { return xas_register_named(context_, name); }
  /// Its number in DWARF: `s.cfi(XAS_CFI_OFFSET, s.dwarf(rbp), -16)`; -1 if it has none.
  int dwarf(xas_register r) { return xas_dwarf_number(context_, r); }
  /// `s.instruction("movl", {imm(1), reg(eax)})`: a mnemonic in lower case, with prefixes if there are any, and
  /// operands in the order of the text.
  bool instruction(const char* mnemonic, std::initializer_list<Arg> args = {}) {
    return instruction(mnemonic, std::span(args.begin(), args.size()));
  }
  bool instruction(const char* mnemonic, std::span<const Arg> args) {
    static_assert(sizeof(Arg) == sizeof(xas_arg));
    return good(xas_instruction(context_, mnemonic, args.data(), args.size()));
  }

  /// `s.emit(movl, {imm(1), eax})` with the names of xas/x86.h; `how` is a sum of XAS_LOCK and its kin.
  bool emit(Mnemonic mnemonic, std::initializer_list<Arg> args = {}, std::uint32_t how = 0) {
    return emit(mnemonic, std::span(args.begin(), args.size()), how);
  }
  bool emit(Mnemonic mnemonic, std::span<const Arg> args, std::uint32_t how = 0) {
    return good(xas_emit(context_, xas_mnemonic(mnemonic), how, args.data(), args.size()));
  }

  /// Bytes as they are.
  bool bytes(std::span<const std::uint8_t> bytes) { return good(xas_bytes(context_, bytes.data(), bytes.size())); }
  bool bytes(std::string_view text) { return good(xas_bytes(context_, text.data(), text.size())); }
  /// A number in `size` bytes, 1 to 8, in the target's byte order; what does not fit is cut off.
  bool integer(std::uint64_t value, unsigned size) { return good(xas_integer(context_, value, size)); }
  /// A value in 1, 2, 4 or 8 bytes: a number, or what the linker makes of it.
  bool data(const Expression& value, unsigned size) { return good(xas_data(context_, &value, size)); }
  /// A value as LEB128.
  bool leb128(const Expression& value, bool is_signed) { return good(xas_leb128(context_, &value, is_signed)); }
  /// `pattern`, of `size` bytes (1 to 8, of which four count), so many times. In sections without contents it
  /// reserves.
  bool fill(const Expression& count, unsigned size = 1, std::uint64_t pattern = 0) {
    return good(xas_fill(context_, &count, size, pattern));
  }
  /// To a multiple of 1 << log2, with no-ops in code and zeros in data; not if it takes more than `most` bytes (0: any
  /// number of them).
  bool align(unsigned log2, std::uint32_t most = 0) { return good(xas_align(context_, log2, most)); }
  /// The same, filled with a byte.
  bool align_filled(unsigned log2, std::uint8_t fill, std::uint32_t most = 0) {
    return good(xas_align_filled(context_, log2, fill, most));
  }
  /// On to a place in the section: a number from its start, or a label and a constant. What lies between is filled.
  bool org(const Expression& place, std::uint8_t fill = 0) { return good(xas_org(context_, &place, fill)); }

  /// The current section and subsection; 0: there is no assembly.
  xas_section section() { return xas_current_section(context_); }
  /// Goes on in a section, which is made if there is none: `s.open_section(".text")`,
  /// `s.open_section(".rodata.str1.1", {.flags = "aMS", .entry_size = 1})`. Returns its handle; 0: an error.
  xas_section open_section(std::string_view name, const SectionRequest& r = {}) {
    const xas_section_request request = {sizeof request, name.data(), name.size(), r.flags,  r.type,      r.entry_size,
                                         r.group,        r.selection, r.linked_to, r.unique, r.subsection};
    xas_section section = 0;
    return good(xas_open_section(context_, &request, &section)) ? section : 0;
  }
  /// Goes on in one that was current before.
  bool switch_section(xas_section section) { return good(xas_switch_section(context_, section)); }
  /// Remembers the current section.
  bool push_section() { return good(xas_push_section(context_)); }
  /// Goes back to the one remembered last. False if there is none.
  bool pop_section() { return good(xas_pop_section(context_)); }
  /// Bytes before this place in the section; nothing while branches or alignments before it can still grow.
  std::optional<std::uint64_t> offset() {
    std::uint64_t bytes;
    if (!xas_offset(context_, &bytes)) return {};
    return bytes;
  }

  /// The next instruction is of this line (.loc). `file` is a number that directive(".file") has made; column 0: not
  /// known; `flags` is a sum of XAS_LINE_*.
  bool loc(std::uint32_t file, std::uint32_t line, std::uint32_t column = 0, std::uint32_t flags = 0) {
    const xas_line row = {sizeof row, file, line, column, 0, flags};
    return good(xas_loc(context_, &row));
  }
  /// A function's frame begins here; `simple`: without the target's initial rules.
  bool cfi_begin(bool simple = false) { return good(xas_cfi_begin(context_, simple)); }
  /// It ends here. False if none has begun.
  bool cfi_end() { return good(xas_cfi_end(context_)); }
  /// From here on a rule holds: `s.cfi(XAS_CFI_OFFSET, rbp, -16)`; a plain number is the register's number in DWARF.
  /// xas_cfi_rule tells what each rule has; the rest is 0.
  bool cfi(xas_cfi_rule rule, std::uint32_t reg = 0, std::int64_t value = 0) {
    return good(xas_cfi(context_, rule, reg, value));
  }
  bool cfi(xas_cfi_rule rule, RegisterNumber reg, std::int64_t value = 0) {
    return cfi(rule, std::uint32_t(dwarf(reg)), value);
  }
  /// A function begins here that has unwind information of Windows. False if the object is not COFF.
  bool seh_begin() { return good(xas_seh_begin(context_)); }
  /// It ends here. False if none has begun.
  bool seh_end() { return good(xas_seh_end(context_)); }
  /// Says it of the function: `s.seh(XAS_SEH_PUSHREG, rbx)`, `s.seh(XAS_SEH_STACKALLOC, 0, 32)`. xas_seh_rule tells
  /// what each rule has; the rest is 0.
  bool seh(xas_seh_rule rule, xas_register reg = 0, std::int64_t value = 0) {
    return good(xas_seh(context_, rule, reg, value));
  }
  /// The function's handler. `when` is a sum of XAS_SEH_EXCEPT and XAS_SEH_UNWIND.
  bool seh_handler(const Expression& handler, unsigned when) { return good(xas_seh_handler(context_, &handler, when)); }
  /// The next instruction gets an entry in each table (.pcsection).
  bool tag_pc(std::initializer_list<PcTag> tags) {
    return good(xas_tag_pc(context_, nullptr, tags.begin(), tags.size()));
  }
  /// A place does: a label, or a label and a number.
  bool tag_pc(const Expression& place, std::initializer_list<PcTag> tags) {
    return good(xas_tag_pc(context_, &place, tags.begin(), tags.size()));
  }
  /// What stands between two places does.
  bool tag_range(const Expression& begin, const Expression& end, std::initializer_list<PcTag> tags) {
    return good(xas_tag_range(context_, &begin, &end, tags.begin(), tags.size()));
  }
  /// Bytes of a PC in the entries that follow: 4, or 8 in ELF objects of 64 bits.
  bool pc_offset_size(unsigned bytes) { return good(xas_pc_offset_size(context_, bytes)); }
  /// Any directive by its name, with the dot: `s.directive(".ident", {Operand::string("me")})`. Labels without names
  /// can't be operands.
  bool directive(const char* name, std::initializer_list<Operand> operands = {}) {
    static_assert(sizeof(Operand) == sizeof(xas_operand));
    return good(xas_directive(context_, name, operands.begin(), operands.size()));
  }

 private:
  static bool good(xas_status status) { return status == XAS_OK; }
  xas_context* context_;  ///< null: it could not begin
  std::uint64_t assembly_;
};

}  // namespace xas
