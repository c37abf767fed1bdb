// SPDX-License-Identifier: Apache-2.0
// What the assembler offers a target that reads an instruction: `OperandText` answers what the text of operands means,
// `Emitter` takes the bytes, the fields to be filled in and the instructions whose size depends on a distance. A target
// knows nothing else of the assembler.
#pragma once

#include <string>
#include <string_view>

#include "targets/value.h"
#include "xas/types.hpp"

namespace xas {

struct FrameStep;  // targets/frame_step.h

/// Whether an operand makes GNU as list the .L symbol that it names, if relocations need it: never (immediates); if the
/// operand begins with the name and it has stood before, which is when GNU as looks for registers of that name; if it
/// has not stood before; always.
enum class LabelListing : u8 { never, known, unknown, always };

/// An operand field that must be patched or relocated. `at` counts from the start of the instruction. `addend` is added
/// to the value: where distances count from the end of a four-byte field, it is -4.
struct FieldFixup {
  u16 kind;
  u8 at;
  i8 addend = 0;
  LabelListing lists = LabelListing::never;
};

/// An instruction as padding sees it (asm/program/branch_padding.h).
struct PaddedInstruction {
  bool branch = false;        ///< of a kind that is kept within boundaries
  bool relaxable = false;     ///< a jump that has a short and a long form
  bool has_forms = false;     ///< it, or something else of which this is true (llvm-mc)
  bool lone_prefix = false;   ///< a prefix that is a statement
  bool takes_prefix = false;  ///< more prefixes would not change its meaning
  bool fixed = false;         ///< nothing may be put before it either (llvm-mc)
  bool shadows = false;       ///< the instruction behind it must follow at once (llvm-mc)
  u8 fuses = 0;               ///< a bit for each pair of conditions: those it is fused with, or, of a jcc, its own
};

/// What the text of operands means: expressions, and names that stand for registers.
class OperandText {
 public:
  /// Reads an expression at `p` (blanks skipped) up to the first character that cannot continue it.
  /// False when there was an error; it has been reported.
  virtual bool expression(const char*& p, Value& value) = 0;

  /// Reads one name, number or character at `p`, with its relocation modifier: what operators join. For syntaxes whose
  /// operators are the target's own.
  virtual bool term(const char*& p, Value& value) = 0;

  /// Applies an operator, which stands at `where`, to `v`. False when there was an error, as above.
  virtual bool apply(ExprOp op, Value& v, const char* where) = 0;

  /// The same of an operator with two operands: `l` becomes what it makes of `l` and `r`.
  virtual bool apply(ExprOp op, Value& l, const Value& r, const char* where) = 0;

  /// Looks a name up without making a symbol of it: the register that `.set name, %reg` or `.req` bound it to,
  /// else -1. Registers are numbered by the target.
  virtual int register_alias(std::string_view name) = 0;

  /// `name .req register`: name, number and where it stands; -1 takes the name back. False (reported) if the name
  /// stands for something else.
  virtual bool bind_register(std::string_view name, int number, const char* where) = 0;

  /// A symbol's name at p, p moved behind it; sets bits of its st_other. False: there is none, which has been reported.
  virtual bool mark_symbol(const char*& p, u8 other) = 0;

 protected:
  ~OperandText() = default;
};

/// The assembler's side of the conversation. One object lives for one assembly.
class Emitter {
 public:
  /// Reads what operands say; null where instructions come without text.
  OperandText* text = nullptr;
  bool expression(const char*& p, Value& value) { return text->expression(p, value); }
  bool term(const char*& p, Value& value) { return text->term(p, value); }
  bool apply(ExprOp op, Value& v, const char* where) { return text->apply(op, v, where); }
  bool apply(ExprOp op, Value& l, const Value& r, const char* where) { return text->apply(op, l, r, where); }
  int register_alias(std::string_view name) { return text->register_alias(name); }
  bool bind_register(std::string_view name, int number, const char* where) {
    return text->bind_register(name, number, where);
  }
  bool mark_symbol(const char*& p, u8 other) { return text->mark_symbol(p, other); }

  /// Where the bytes of the current instruction go: at least `max_instruction` bytes can be written.
  /// The target writes from here and then calls `advance`.
  u8* out = nullptr;
  static constexpr unsigned max_instruction = 64;

  /// `n` bytes at `out` are final. Fixups given before count from the old `out`.
  virtual void advance(unsigned n) = 0;

  /// The field at `out + field.at` takes `value`. The field's bytes must have been written as zero.
  virtual void fixup(FieldFixup field, const Value& value, const char* where) = 0;

  /// An instruction whose size depends on the distance to `value` stands at `out`; nothing has been written there.
  /// `form` is the target's own number for it; see Target::relax_*.
  virtual void relaxable(u16 form, const Value& value, const char* where) = 0;

  /// The value of an expression as far as it is known now, for choosing between forms: a constant if it folds.
  virtual bool known_constant(const Value& value, i64& constant) = 0;

  /// Set by the target: what the next instruction depends on, beside its line. 0: on nothing. `other_block`: on more
  /// than can be said here; else on this, which is ARM's open IT block.
  u8 block = 0;
  static constexpr u8 other_block = 0xFF;
  /// Set by the target around a value behind which a '!' may stand: at the end of the statement it is no operator then.
  bool bang_may_follow = false;
  /// Some name has been bound to a register, so that it is worth asking `register_alias`.
  bool has_register_aliases = false;
  /// Around each instruction, if Target::padding says that there is any. How many prefixes may be added is known in the
  /// end.
  virtual void begin_padded(const PaddedInstruction&) {}
  virtual void end_padded(const PaddedInstruction&, u8 /*prefix*/, unsigned /*room*/) {}
  /// `.` in the value is this place.
  virtual void pin(Value&) {}

  // For targets with directives of their own; an emitter of instructions alone need not have them.

  /// Where code stands: the same place if neither a byte nor a label has been added since.
  struct Place {
    u32 section = 0, labels = 0;
    u64 bytes = 0, fragments = 0;
    bool operator==(const Place&) const = default;
  };
  virtual Place place() const { return {}; }
  /// How many places have been marked so far, in any section: by labels (if TargetInfo::Labels::watched), and as
  /// llvm-mc has labels for mapping symbols, steps of frames and rows of line tables; but for a row of this place.
  virtual u64 places() const { return 0; }

  /// An instruction that a directive writes (.inst): makes ready as for one of the text, `out` included.
  virtual bool start_instruction() { return false; }
  /// A statement has another instruction, for which -g makes a row of its own.
  virtual void next_instruction() {}
  /// The `n` bytes before this place have been put before the statement's instruction: its row is of what follows.
  virtual void begins_behind(unsigned /*n*/) {}
  /// A directive gives a fixup to the instruction behind it: whether one can stand here, else why not has been
  /// reported.
  virtual bool start_fixup() { return false; }

  /// The place in the section's literal pool where the value will be; its size in bytes.
  virtual SymbolId literal(const Value&, unsigned, const char*) { return no_symbol; }
  /// The same of a number of 128 bits that does not fit in 64.
  virtual SymbolId wide_literal(u64 /*low*/, u64 /*high*/, const char* /*where*/) { return no_symbol; }
  /// A local symbol that is this number, by which relocations name it: `*ABS*0x100`.
  virtual SymbolId number_symbol(i64) { return no_symbol; }
  /// Whether `stands_alone` is of use: there are line tables, or layout begins with everything narrow.
  bool wants_fragments = false;
  /// GNU as keeps the instruction of `n` bytes before this place in a fragment of its own, which begins narrow.
  virtual void stands_alone(unsigned /*n*/) {}

  /// Frames are made of what instructions do (--scfi): the steps of each are said behind its bytes
  /// (targets/frame_step.h).
  bool wants_frame_steps = false;
  virtual void frame_step(const FrameStep&, const char* /*where*/) {}
  /// What stands there can't be told in steps: an error in a function.
  virtual void no_frame_steps(const char* /*where*/, std::string /*why*/) {}

  /// Puts the section's literal pool here (.ltorg).
  virtual void flush_literals() {}

  /// What has been put here is data to no-ops behind it (TargetInfo::mapping.notes_data), whatever it is.
  virtual void ends_in_data() {}
  /// Only the size of what is written counts: it is in a .struct.
  virtual bool only_counts() const { return false; }
  /// What stands before is data, or counts as such.
  virtual bool is_behind_data() const { return false; }

  /// A directive has chosen an encoding; Target::thumb() may have changed. What follows is aligned to 1 << log2_align.
  virtual void mode_selected(bool /*changed*/, unsigned /*log2_align*/) {}

  /// What is wrong with the text; `where` is the place that it concerns.
  [[gnu::cold]] virtual void error(const char* where, std::string message) = 0;
  [[gnu::cold]] virtual void warning(const char* where, std::string message) = 0;
  /// Adds a note to the error or warning reported last.
  [[gnu::cold]] virtual void note(const char* where, std::string message) = 0;

 protected:
  ~Emitter() = default;
};

}  // namespace xas
