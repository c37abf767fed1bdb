// SPDX-License-Identifier: Apache-2.0
// Macros and loops: .macro, .rept, .irp, .irpc and what belongs to them. All of it is text: a call writes the body with
// its arguments in place into a new source buffer, and reading goes on there.
//
// GNU as and LLVM differ in nearly everything but the names: how a call's text is split into arguments (macro_gnu.cpp,
// macro_llvm.cpp), what of a body is replaced, and when. Profile::scrubs_macros chooses.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/text/source.h"
#include "targets/hash.h"
#include "targets/nearest_name.h"

namespace xas {

class Program;
class Reader;

/// In MRI mode, \1 to \9 and \A to \Z are a macro's arguments, whether they have names or not, and NARG is their
/// number.
inline constexpr std::size_t mri_arguments = 35;

/// A piece of a body: literal text, and what stands behind it.
struct BodyPiece {
  u32 begin, size;
  i32 what;  ///< a parameter's number; from the number of parameters on: a LOCAL name; or one of piece_*
};
enum : i32 {
  piece_none = -1,
  piece_invocation = -2,  ///< \@: how many macros were called before
  piece_iteration = -3,   ///< \+: how often this body was used before
};

/// The text between .macro and .endm, cut at what is to be replaced. The cuts depend on .altmacro and .mri, and are
/// made again when these change.
struct Body {
  std::string_view text;  ///< whole lines
  SourceLoc loc = 0;      ///< where it was written
  std::vector<BodyPiece> pieces;
  u32 locals = 0;  ///< names declared by LOCAL
  bool cut = false;
  bool cut_alternate = false, cut_mri = false;
};

struct MacroParameter {
  std::string_view name;
  std::string fallback;  ///< what it stands for if nothing is given
  bool required = false;
  bool vararg = false;  ///< takes all the rest of the call
};

/// The parameters of a macro or a loop, by number and by name.
class MacroParameters {
 public:
  void add(MacroParameter p);
  /// The number of the one with that name; piece_none if there is none.
  i32 find(std::string_view name) const {
    if (!by_name_.empty()) return find_in_table(name);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].name == name) return i32(i);
    }
    return piece_none;
  }

  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  const MacroParameter& operator[](std::size_t i) const { return all_[i]; }
  const MacroParameter& back() const { return all_.back(); }

 private:
  static constexpr std::size_t few = 8;  ///< up to here the names are looked through
  i32 find_in_table(std::string_view name) const;

  std::vector<MacroParameter> all_;
  std::unordered_map<std::string_view, i32> by_name_;  ///< empty where there are few
};

struct Macro {
  std::string_view name;
  std::string_view title;  ///< macro 'name'
  SourceLoc loc = 0;
  MacroParameters parameters;
  Body body;
  u64 uses = 0;
  bool mri = false;  ///< the last parameters are unnamed ones up to \Z, and NARG
};

/// A loop as it is written, its head and its body.
struct LoopText {
  Body body;
  MacroParameters parameters;       ///< none or one
  std::vector<std::string> values;  ///< of the parameter
  bool constant = true;             ///< all rounds have the same text
  // Of a loop within another one whose text is read again
  const char* at = nullptr;                 ///< its first statement
  const char* end = nullptr;                ///< where its last one ends
  std::vector<const SourceBuffer*> rounds;  ///< their expansions, as far as they have been made
  // Of any
  std::vector<std::unique_ptr<LoopText>> inner;  ///< loops in it that will be met again
};

/// A loop that is being read: its text again and again, or, if something is to be replaced in it, one expansion for
/// each round.
struct Loop {
  LoopText* text;
  std::unique_ptr<LoopText> own;  ///< that text, unless another loop has it as an inner one
  bool keeps;                     ///< its expansions, which are the same when it is met again
  u64 rounds, next = 0;
  u64 calls;  ///< of macros before it: its \@
  SourceLoc call;
  std::string_view name;

  /// What stands in it is read again, in the same place.
  bool is_read_again() const { return keeps || text->constant; }
};

/// The arguments of a call, by parameter.
using MacroArguments = std::vector<std::string>;

class Macros {
 public:
  bool alternate = false;                             ///< .altmacro
  bool enabled = true;                                ///< .macros_off clears it
  bool mri = false;                                   ///< --mri, .mri 1
  bool after_bytes = false, after_odd_bytes = false;  ///< MRI mode: what is no byte comes next at an even address
  u32 depth = 0;                                      ///< expansions that are open
  u64 calls = 0;                                      ///< \@
  u64 expanded = 0;                                   ///< bytes, against Options::max_expansion_bytes
  u32 locals = 0;                                     ///< LOCAL names made
  std::vector<Loop> loops;                            ///< that are open, innermost last

  /// False if there is certainly no macro of this name: the one test that every statement pays.
  bool any() const { return filter_ != 0; }
  /// From now on call_macro is asked about every statement.
  void set_mri(bool on) {
    mri = on;
    if (on) filter_ = ~u64(0);
  }
  bool may_be(const Name& name) const { return filter_ != 0 && (filter_ >> slot(name) & 1); }
  Macro* find(const Name& name, bool fold_case) const;
  /// Null if there is one of that name already.
  Macro* define(std::string_view name);
  bool purge(std::string_view name);
  /// Offers the names of all macros, for messages.
  void offer(NearestName& nearest) const {
    for (const auto& [name, macro] : table_) nearest.offer(name);
  }

  std::string scratch;       ///< text of the expansion that is being made
  MacroArguments arguments;  ///< of the call that is being read
  std::vector<std::size_t> given_empty;  ///< numbers of those that are given and have no text (llvm)

 private:
  static unsigned slot(const Name& name) { return ((name.p[0] | 0x20) + 7 * name.size) & 63; }
  u64 filter_ = 0;  ///< one bit for each first letter and length that a macro has
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return hash_name(name); }
    std::size_t operator()(const Name& name) const { return name.hash; }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const { return a == b; }
    bool operator()(const Name& a, std::string_view b) const { return a.text() == b; }
    bool operator()(std::string_view a, const Name& b) const { return a == b.text(); }
  };
  std::unordered_map<std::string_view, Macro*, Hash, Equal> table_;
  std::deque<Macro> macros_;
};

/// A call of a macro, if there is one of this name: `after` is the text behind it. Moves the cursor over the call and
/// opens the expansion.
bool call_macro(Reader& reader, const Name& name, const char* after);
/// The same of one that has been found.
bool call_macro(Reader& reader, Macro& m, const Name& name, const char* after);

/// The name of a label before the statement, in the same line; empty if there is none.
Name label_before(const Program& program);

// MRI mode (macro_mri.cpp)

/// Before a statement of this name: what aligns, and what may leave an odd number of bytes.
void before_mri_statement(Reader& reader, const Name& name, const char* after);
/// Behind an odd number of bytes, what is not bytes is aligned; and so is each expansion.
void align_in_mri_mode(Reader& reader);

// Loops and blocks (macro_loops.cpp, macro_blocks.cpp)

/// The innermost loop's next round; false if it has none.
bool next_round(Reader& reader);

enum class BlockKind : u8 { macro, loop };
/// Reads lines up to the .endm or .endr that belongs to the block. The cursor stands at the start of the first line,
/// and is left behind the closing directive. False if there is none (reported).
bool read_block(Reader& reader, BlockKind kind, std::string_view& text, SourceLoc opened);

/// Goes over lines that hold no directive with i, e, m or r behind the dot, no string, no comment of several lines and
/// no line marker: what skipping and collecting need not look at. Returns the start of the first other line, or end.
const char* skip_plain_lines(const char* p, const char* end);

// The two macro processors

namespace gnu_macro {

/// A letter or a digit, which neither separates nor means anything, wherever it stands.
inline bool is_word(char c) { return u8((c | 0x20) - 'a') <= 'z' - 'a' || u8(c - '0') <= 9 || c == '_'; }

/// What GNU as's preprocessor makes of text: comments go, blanks are reduced to those that separate something,
/// 'c becomes a number. In operands, or in whole lines.
void scrub(const Program& program, std::string_view text, std::string& out, bool operands);
/// The rest of the statement as the preprocessor sees it, to be scrubbed: on x86 it goes on behind //. Moves the cursor
/// to its end.
std::string_view take_operands(Reader& reader);
/// `name[,] parameter[:req|:vararg][=default][,] ...`, scrubbed; without the name if there is one already.
bool parse_header(Reader& reader, std::string_view text, std::string_view& name, MacroParameters& parameters);
bool parse_arguments(Reader& reader, const Macro& m, std::string_view text, MacroArguments& out);
/// The arguments of a call at the cursor that reads the same without `scrub`: words, numbers, registers, addresses,
/// with commas between. Moves the cursor to the end of the statement; false, and nothing is done: it is another.
bool take_plain_call(Reader& reader, const Macro& m, MacroArguments& out);
/// Of .irp and .irpc: `name[,] value[,] ...`, scrubbed.
bool parse_values(Reader& reader, bool characters, std::string_view text, std::string& name,
                  std::vector<std::string>& out);
/// LOCAL and \@ belong to macros and, \@ too, to loops with a parameter; .rept replaces nothing (but \+).
enum class BodyOf : u8 { macro, loop, plain_loop };
void cut(const Reader& reader, Body& body, const MacroParameters& parameters, BodyOf what);

}  // namespace gnu_macro

namespace llvm_macro {

// These read at the cursor.
bool parse_header(Reader& reader, std::string_view& name, MacroParameters& parameters);
bool parse_arguments(Reader& reader, const Macro& m, MacroArguments& out);
bool parse_values(Reader& reader, bool characters, std::string& name, std::vector<std::string>& out);
void cut(const Reader& reader, Body& body, const MacroParameters& parameters, bool invocations);

}  // namespace llvm_macro

// Directives. `on`: .altmacro or .noaltmacro, .macros_on or .macros_off; `characters`: .irpc.

void directive_macro(Reader& reader, u32);
void directive_endm(Reader& reader, u32);
void directive_exitm(Reader& reader, u32);
void directive_purgem(Reader& reader, u32);
void directive_altmacro(Reader& reader, u32 on);
void directive_macros_enabled(Reader& reader, u32 on);
void directive_rept(Reader& reader, u32);
void directive_irp(Reader& reader, u32 characters);
void directive_endr(Reader& reader, u32);

}  // namespace xas
