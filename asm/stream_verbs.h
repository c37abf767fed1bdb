// SPDX-License-Identifier: Apache-2.0
// An assembly that is said by functions and pieces of text (include/xas/stream.h). Data, places and frames go to the
// Streamer; what is rare, or means something else in each format, becomes a directive's text.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asm/program/frames.h"
#include "asm/program/pc_section.h"
#include "asm/read/reader.h"
#include "asm/typed_args.h"
#include "xas/stream.h"

namespace xas {

/// What the handles of an assembly begin with: those of the assemblies before are none of its own.
struct FirstHandles {
  xas_symbol symbol = 1;
  xas_section section = 1;
};

/// Not named as the class of xas.hpp is: its inline functions would be taken for this one's.
class StreamVerbs {
 public:
  StreamVerbs(Reader& reader, const FirstHandles& first);
  /// Those of the next assembly.
  FirstHandles handles_behind() const;

  /// What follows stands in this line; a null name: of the file before.
  void place(const char* file, u32 line);
  /// Where a verb stands that has no text: makes it the current statement. False, reported, if there is no more room.
  [[gnu::always_inline]] bool stand() {
    if (!stands_ && !make_place()) return false;
    Sources& sources = program().sources;
    sources.current = stands_;
    sources.statement = reader_.p = stands_->begin;
    return true;
  }
  void feed(std::string_view text);

  xas_symbol name(std::string_view text);
  xas_symbol label();
  bool is_symbol(xas_symbol s) const { return xas_symbol(s - first_.symbol) < names_.size(); }
  /// What is wrong with the handles of a value; null: nothing.
  const char* wrong_value(const xas_value& v) const;
  bool is_section(xas_section s) const { return xas_section(s - first_.section) < program().sections.subsections(); }

  bool has_name(xas_symbol s) const { return is_symbol(s) && handle(s).name.size != 0; }
  /// A label of xas_new_label. Handles from xas_expression keep no name, and may be of a symbol that has one.
  bool is_unnamed(xas_symbol s) const {
    return !has_name(s) && program().symbols[handle(s).id].has(symbol_anonymous);
  }

  void define(xas_symbol s);
  /// At the end: labels without a name that are used stand somewhere.
  void check_labels();
  void declare(xas_symbol s, xas_attribute attribute);
  void assign(xas_symbol s, const xas_value& v, bool again);
  void size(xas_symbol s, const xas_value& v);
  void common(xas_symbol s, u64 size, unsigned log2_align);
  void expression(std::string_view text, xas_value& value);
  const char* instruction(std::string_view mnemonic, std::span<const xas_arg> args);
  enum class Emitted : u8 { no, yes, wrong };
  /// Puts an instruction together from what is known of its shape (stream_emit.h). Template: TypedWord or TypedBytes,
  /// as the target's are. no: nothing is done, it is not known; wrong: an error has been reported.
  template <class Template>
  Emitted emit_known(xas_mnemonic mnemonic, std::span<const xas_arg> args);
  /// One that is not known is matched. What is wrong with an operand, or null.
  const char* emit(xas_mnemonic mnemonic, u32 how, std::span<const xas_arg> args);
  void data(const xas_value& v, unsigned size);
  void integer(u64 number, unsigned size);
  void leb128(const xas_value& v, bool is_signed);
  void fill(const xas_value& count, unsigned size, u64 pattern);
  /// fill < 0: with no-ops, or zeros.
  void align(unsigned log2, int fill, u32 most);
  void org(const xas_value& to, u8 fill);
  /// False: an error has been reported.
  bool open_section(const xas_section_request& r);
  xas_section section() const { return reader_.out.current->id + first_.section; }
  void switch_to(xas_section s) { reader_.out.switch_to(program().sections.sub(s - first_.section)); }
  void push_section() { reader_.out.push_section(); }
  void pop_section();
  bool offset(u64& bytes) const;
  void loc(const xas_line& line);
  void begin_frame(bool simple);
  void end_frame();
  void frame_rule(xas_cfi_rule rule, u32 reg, i64 value);
  // Unwinding on Windows (stream_unwind.cpp)
  void begin_unwinding();
  void end_unwinding();
  void unwind_rule(xas_seh_rule rule, xas_register reg, i64 value);
  void unwind_handler(const xas_value& handler, unsigned when);
  /// begin null: the next instruction; end null: a single place.
  void tag(const xas_value* begin, const xas_value* end, std::span<const xas_pc_tag> tags);
  void pc_offset_size(unsigned bytes);
  /// False if an operand has no text.
  bool directive(std::string_view name, std::span<const xas_operand> operands);

  Reader& reader() { return reader_; }
  Streamer& out() { return reader_.out; }

 private:
  struct Handle {
    Name name;                ///< empty: a label without one
    SymbolId id = no_symbol;  ///< not met yet
    bool is_got = false;      ///< _GLOBAL_OFFSET_TABLE_: one that targets know by its name
  };

  Handle& handle(xas_symbol s) { return names_[s - first_.symbol]; }
  const Handle& handle(xas_symbol s) const { return names_[s - first_.symbol]; }
  /// Of the one that has been added last.
  xas_symbol last_handle() const { return xas_symbol(first_.symbol + names_.size() - 1); }

  Program& program() { return reader_.program(); }
  const Program& program() const { return reader_.program(); }
  SourceLoc here() const { return program().sources.statement_loc(); }
  bool make_place();
  void begin_stabs(const SourceBuffer& first);
  /// The symbol that the name stands for by now: .set gives a name another one each time.
  SymbolId id_of(xas_symbol s) {
    Handle& h = handle(s);
    return h.name.size ? id_of_name(h) : h.id;
  }
  SymbolId id_of_name(Handle& h);
  SymbolId named(xas_symbol s);
  void declare_in_coff(xas_symbol s, xas_attribute attribute);
  void open_elf_section(const xas_section_request& r);
  void open_coff_section(const xas_section_request& r);
  SymbolId refer(xas_symbol symbol, bool has_modifier, i64& number);
  Value value(const xas_value& v);
  /// The symbol may be any other in its place.
  bool may_be_taken_out(xas_symbol s) const { return is_symbol(s) && !handle(s).is_got; }
  template <class Instruction>
  Emitted take_known(const Instruction& instruction, std::span<const xas_arg> args);
  template <class Instruction>
  [[gnu::noinline]] Emitted take_here(const Instruction& instruction, std::span<const xas_arg> args);
  /// Matches an instruction of no known shape, and learns it.
  template <class Shape>
  const char* emit_and_learn(xas_mnemonic mnemonic, std::span<const xas_arg> args);
  const char* emit_unknown(xas_mnemonic mnemonic, u32 how, std::span<const xas_arg> args, bool has_shape);
  const char* wrong_arg(std::span<const xas_arg> args);
  bool is_got(const xas_arg& a) const;
  bool stand_at_texts(std::string_view& name, std::span<const xas_arg> args, const char*& texts);
  void mark_code();
  void take_operands(std::span<const xas_arg> args, const char* texts);
  void say(const TypedInstruction& instruction);
  Value quiet_value(const xas_value& v);
  bool pc_address(const xas_value& v, PcAddress& address);
  void tag(const PcSubject& subject, const xas_pc_tag& tag);
  bool has_unwinding();
  bool append_symbol(xas_symbol s);
  bool append_value(const xas_value& v);
  void append_string(std::string_view text);

  Reader& reader_;
  const FirstHandles first_;
  std::vector<Handle> names_;
  std::vector<TypedOperand> operands_;  ///< of the last instruction
  std::vector<SymbolId> first_named_;   ///< by them
  std::set<std::string, std::less<>> files_;
  std::string_view file_;
  u32 line_ = 1;
  const SourceBuffer* stands_ = nullptr;  ///< made for file_ and line_
  std::string text_;                      ///< of the directive, or of operands
  std::string wrong_;                     ///< with an operand
};

}  // namespace xas
