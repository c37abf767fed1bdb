// SPDX-License-Identifier: Apache-2.0
// Verbs of include/xas/stream.h: see stream_verbs.h.
#include "asm/stream_verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "asm/directives/debug.h"
#include "asm/program/frame_text.h"
#include "asm/text/append.h"

namespace xas {

constexpr std::string_view got_name = "_GLOBAL_OFFSET_TABLE_";

StreamVerbs::StreamVerbs(Reader& reader, const FirstHandles& first) : reader_(reader), first_(first) {
  file_ = *files_.emplace("<memory>").first;
}

FirstHandles StreamVerbs::handles_behind() const {
  // From the start again long before there are no more, and far from XAS_HERE.
  const auto behind = [](u32 first, std::size_t count) { return first + count < 1u << 31 ? u32(first + count) : 1; };
  return {behind(first_.symbol, names_.size()), behind(first_.section, program().sections.subsections())};
}

void StreamVerbs::place(const char* file, u32 line) {
  if (file && file != file_) {
    auto known = files_.find(std::string_view(file));
    if (known == files_.end()) known = files_.emplace(file).first;
    file_ = *known;
  }
  line_ = line;
  stands_ = nullptr;
}

/// Line tables of stabs begin with the first file.
void StreamVerbs::begin_stabs(const SourceBuffer& first) {
  StabLines& stabs = program().stab_lines;
  if (stabs.on && program().sources.statement == nullptr) stabs.begin(reader_.out, first);
}

bool StreamVerbs::make_place() {
  std::string error;
  stands_ = program().sources.add_place(file_, line_, error);
  if (!stands_) return program().diags.error(0, std::move(error)), false;
  begin_stabs(*stands_);
  return true;
}

void StreamVerbs::feed(std::string_view text) {
  std::string error;
  const SourceBuffer* const piece = program().sources.add_piece(file_, line_, text, error);
  if (!piece) return program().diags.error(0, std::move(error));
  begin_stabs(*piece);
  reader_.read_piece(*piece);
}

// Names

xas_symbol StreamVerbs::name(std::string_view text) {
  names_.push_back(
      {Name{program().symbols.keep(text).data(), u32(text.size()), hash_name(text)}, no_symbol, text == got_name});
  return last_handle();
}

xas_symbol StreamVerbs::label() {
  names_.push_back({{}, program().symbols.make_anonymous()});
  return last_handle();
}

SymbolId StreamVerbs::id_of_name(Handle& h) {
  if (h.id == no_symbol || program().symbols[h.id].has(symbol_anonymous)) h.id = program().symbols.intern(h.name);
  return h.id;
}

void StreamVerbs::define(xas_symbol s) {
  const SymbolId id = id_of(s);
  const Symbol& label = program().symbols[id];
  if (!has_name(s) && label.kind != SymbolKind::undefined) return reader_.error("this label stands elsewhere already");
  reader_.out.define_label(id, here());
}

void StreamVerbs::check_labels() {
  for (const Handle& h : names_) {
    if (h.name.size || h.id == no_symbol) continue;
    const Symbol& label = program().symbols[h.id];
    if (label.has(symbol_anonymous) && label.kind == SymbolKind::undefined && label.loc)
      program().diags.error(label.loc, "a label without a name is used here, and stands nowhere (xas_label)");
  }
}

const char* StreamVerbs::wrong_value(const xas_value& v) const {
  for (const xas_symbol s : {v.add, v.subtract})
    if (s && s != XAS_HERE && !is_symbol(s)) return "a value's symbol is no handle that this assembly has given";
  if (v.modifier == XAS_NO_MODIFIER) return "a value's modifier is XAS_NO_MODIFIER: the target has none of that name";
  if (v.modifier && (v.modifier > 0xFFFF || program().target.modifier_name(u16(v.modifier)).empty()))
    return "a value's modifier is no number from xas_modifier";
  return v.modifier && !v.add ? "a value has a modifier, and no symbol" : nullptr;
}

/// What is wrong with operands and what else their kinds ask for; null: nothing.
const char* StreamVerbs::wrong_arg(std::span<const xas_arg> args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    const char* wrong = wrong_value(args[i].value);
    if (!wrong) wrong = wrong_typed_arg(program().target, args[i]);
    if (wrong) return (wrong_ = of_operand(i, wrong)).c_str();
  }
  return nullptr;
}

std::string of_operand(std::size_t i, const char* wrong) { return fmt::format("operand {}: {}", i + 1, wrong); }

/// The symbol as an operand; no_symbol if it is a number by now, which is added to `number`.
SymbolId StreamVerbs::refer(xas_symbol symbol, bool has_modifier, i64& number) {
  if (symbol == 0) return no_symbol;
  if (symbol == XAS_HERE) return dot_symbol;
  const SymbolId id = id_of(symbol);
  Symbol& s = program().symbols[id];
  s.flags |= reader_.reference_flag;
  if (s.loc == 0) {
    s.loc = here();
    if (reader_.out.first_named) first_named_.push_back(id);
  }
  if (has_modifier) return id;  // the linker is asked for it
  Value value{.add = id};
  if (s.kind == SymbolKind::absolute) {
    value = {.constant = i64(s.value)};
  } else if (s.kind == SymbolKind::register_) {
    reader_.error(fmt::format("'{}' stands for a register and can't be part of an expression", s.text()));
    value = {};
  } else if (s.has(symbol_equation)) {
    value = {};
    reader_.equation_value(id, value);
    if (!value.is_constant()) {
      reader_.out.pin_dot(value);
      value = {.add = program().symbol_for(program().exprs.leaf(value, here()))};
    }
  } else if (s.kind == SymbolKind::expression && s.has(symbol_redefinable)) {
    const ExprNode& node = program().exprs[u32(s.value)];
    if (node.op == ExprOp::leaf && node.value.is_constant()) value = node.value;
  }
  number = i64(u64(number) + u64(value.constant));
  return value.add;
}

Value StreamVerbs::value(const xas_value& v) {
  Value result{.constant = v.constant, .modifier = u16(v.modifier)};
  if (v.modifier && program().profile.got_symbol_from_modifier && program().target.uses_got(u16(v.modifier))) {
    Symbol& got = program().symbols[program().symbols.intern_copy("_GLOBAL_OFFSET_TABLE_")];
    got.flags |= symbol_referenced;
    if (got.loc == 0) got.loc = here();
  }
  result.add = refer(v.add, v.modifier != 0, result.constant);
  i64 less = 0;
  result.sub = refer(v.subtract, false, less);
  result.constant = i64(u64(result.constant) - u64(less));
  if (!reader_.out.stays_open(result)) reader_.out.fold(result);
  return result;
}

/// In sizes and LEB128 numbers, where llvm-mc does not list what it has not met yet.
Value StreamVerbs::quiet_value(const xas_value& v) {
  const SymbolId first = program().symbols.size();
  const Value result = value(v);
  reader_.out.referenced_quietly(first);
  for (xas_symbol s : {v.add, v.subtract}) {
    if (is_symbol(s) && handle(s).name.size && handle(s).id >= first) handle(s).id = no_symbol;
  }
  return result;
}

void StreamVerbs::expression(std::string_view text, xas_value& result) {
  std::string error;
  const SourceBuffer* const piece = program().sources.add_piece(file_, line_, text, error);
  if (!piece) return program().diags.error(0, std::move(error));
  reader_.begin(*piece);
  program().sources.statement = ++reader_.p;
  Value v;
  if (!reader_.expression_value(v)) return;
  const u32 errors = program().diags.errors();
  reader_.end_statement();
  if (program().diags.errors() != errors) return;
  while (program().chars.is(*reader_.p, char_blank) || *reader_.p == '\n') ++reader_.p;
  if (reader_.p < piece->end) return reader_.error_here("this stands behind the expression");
  reader_.out.pin_dot(v);
  const auto handle_for = [&](SymbolId id) -> xas_symbol {
    if (id == no_symbol) return 0;
    names_.push_back({{}, id, program().symbols[id].text() == got_name});
    return last_handle();
  };
  result = {v.constant, handle_for(v.add), handle_for(v.sub), v.modifier};
}

// Instructions

xas_register register_named(Target& target, std::string_view name) {
  // With and without the character that x86's registers have in front of them.
  std::string text = "%";
  text.append(name) += '\n';
  for (const char* const begin : {text.c_str() + 1, text.c_str()}) {
    const char* p = begin;
    const int number = target.parse_register(p);
    if (number >= 0 && p == &text.back()) return xas_register(number) + 1;
  }
  return 0;
}

/// Its symbol is one that targets know by its name.
bool StreamVerbs::is_got(const xas_arg& a) const {
  return is_symbol(a.value.add) && !a.value.modifier && handle(a.value.add).is_got;
}

/// The place of an instruction. What is text, operands and the mnemonic `name` if it has prefixes, becomes a piece in
/// which the target reads it; `name` is there then, at the end, and `texts` are the operands' texts. False, reported:
/// there is no room for it.
bool StreamVerbs::stand_at_texts(std::string_view& name, std::span<const xas_arg> args, const char*& texts) {
  const bool has_prefixes = name.find_first_of(" {") != name.npos;
  text_.clear();
  if (!has_prefixes) text_ = name;  // as it would be written, for messages
  text_ += ' ';                     // operands that are texts do not stand where those of values do
  const std::size_t operands = text_.size();
  append_texts(args, text_);
  if (std::ranges::any_of(args, [this](const xas_arg& a) { return is_got(a); })) (text_ += got_name) += ',';
  if (!has_prefixes && text_.size() == operands) {
    texts = nullptr;
    return stand();
  }
  std::string error;
  if (has_prefixes) text_ += name;
  const SourceBuffer* const piece = program().sources.add_piece(file_, line_, text_, error);
  if (!piece) return program().diags.error(0, std::move(error)), false;
  begin_stabs(*piece);
  program().sources.current = piece;
  program().sources.statement = piece->begin;
  if (has_prefixes) name = {piece->end - 1 - name.size(), name.size()};
  texts = piece->begin + operands;
  return true;
}

/// Where a text's instruction would do it: before the symbols that it names, or not here.
void StreamVerbs::mark_code() {
  Streamer& out = reader_.out;
  if (out.mapping >= Mapping::code || out.holds_nothing() || out.bundles.log2 || out.reserved.watching) return;
  if (!program().info.mapping.after_operands || program().profile.maps_all_data) out.map_code();
}

/// The operands of an instruction that stands here, with their `texts`.
void StreamVerbs::take_operands(std::span<const xas_arg> args, const char* texts) {
  mark_code();
  operands_.clear();
  first_named_.clear();
  reader_.out.first_named.emplace();
  for (const xas_arg& a : args) operands_.push_back(typed_operand(a, value(a.value), texts));
  reader_.out.first_named = first_named_;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (is_got(args[i])) operands_[i].name = texts;
}

void StreamVerbs::say(const TypedInstruction& instruction) {
  reader_.typed_instruction(instruction);
  reader_.out.first_named.reset();
}

const char* StreamVerbs::instruction(std::string_view mnemonic, std::span<const xas_arg> any_args) {
  if (mnemonic.empty() || program().chars.is(mnemonic[0], char_blank))
    return "`mnemonic` is empty, or begins with a blank";
  if (mnemonic[0] == '.') return "`mnemonic` is a directive's name; xas_directive takes those";
  const KindsOfArgs args(any_args);
  if (const char* const wrong = wrong_arg(args)) return wrong;
  const char* texts;
  if (!stand_at_texts(mnemonic, args, texts)) return nullptr;
  take_operands(args, texts);
  const std::size_t word = std::min(mnemonic.find_first_of(" {"), mnemonic.size());
  const Name name{mnemonic.data(), u32(word), hash_name(mnemonic.substr(0, word))};
  say({name, mnemonic.data() + word, program().sources.statement, operands_});
  return nullptr;
}

template <class Shape>
const char* StreamVerbs::emit_and_learn(xas_mnemonic mnemonic, std::span<const xas_arg> args) {
  Shape shape;
  if (!program().target.typed_shape(mnemonic, args, shape) ||
      (shape.symbol.handle && !may_be_taken_out(shape.symbol.handle)))
    return emit_unknown(mnemonic, 0, args, false);
  reader_.line_cache.instructions.begin_values();
  const u32 meanings = reader_.counts.meanings;
  if (const char* const wrong = emit_unknown(mnemonic, 0, args, true)) return wrong;
  if (shape.symbol.handle) shape.symbol.id = handle(shape.symbol.handle).id;
  reader_.line_cache.instructions.learn_values(mnemonic, args, shape, reader_.counts.meanings - meanings);
  return nullptr;
}

/// One that is matched.
const char* StreamVerbs::emit_unknown(xas_mnemonic mnemonic, u32 how, std::span<const xas_arg> args, bool has_shape) {
  if (const char* const wrong = wrong_arg(args)) return wrong;
  std::string_view name;
  const char* texts;
  if (!stand_at_texts(name, args, texts)) return nullptr;
  take_operands(args, texts);
  const char* const where = program().sources.statement;
  say({{}, where, where, operands_, mnemonic, how, has_shape});
  return nullptr;
}

const char* StreamVerbs::emit(xas_mnemonic mnemonic, u32 how, std::span<const xas_arg> any_args) {
  if (!stand()) return nullptr;
  const KindsOfArgs kinds(any_args);
  const std::span<const xas_arg> args = kinds;
  if (how || args.size() > TypedShape::max_operands) return emit_unknown(mnemonic, how, args, false);
  return program().info.lines.words ? emit_and_learn<TypedWordShape>(mnemonic, args)
                                    : emit_and_learn<TypedBytesShape>(mnemonic, args);
}

// Bytes

void StreamVerbs::data(const xas_value& v, unsigned size) {
  Streamer& out = reader_.out;
  if (!out.current->nobits) out.data_follows();  // its symbol comes before those of the value
  const Value known = value(v);
  if (!out.frame_text || !shorten_advance(out, known, size)) out.emit_value(known, size, here());
}

void StreamVerbs::integer(u64 number, unsigned size) {
  Streamer& out = reader_.out;
  if (!out.frame_text || !shorten_advance(out, {.constant = i64(number)}, size)) out.emit_int(number, size);
}

void StreamVerbs::leb128(const xas_value& v, bool is_signed) {
  Streamer& out = reader_.out;
  const Value known = quiet_value(v);
  if (!out.frame_text || !shorten_advance(out, known, 0)) out.emit_leb(known, is_signed, here());
}

void StreamVerbs::fill(const xas_value& count, unsigned size, u64 pattern) {
  Value times = quiet_value(count);
  reader_.out.fold(times);
  if (times.is_constant() && times.constant < 0)
    return reader_.error(fmt::format("the pattern can't be repeated {} times", times.constant));
  reader_.out.emit_fill(times, size, fill_pattern(pattern, size), here());
}

void StreamVerbs::align(unsigned log2, int fill, u32 most) {
  Streamer& out = reader_.out;
  const unsigned largest = program().largest_log2_align();
  if (log2 > largest) return reader_.error(beyond_alignment(log2, largest));
  const bool code = out.current_section().is_code() && fill < 0;
  out.emit_align(log2, code ? 0 : 1, fill < 0 ? 0 : u64(fill), most, here());
}

void StreamVerbs::org(const xas_value& to, u8 fill) {
  const Value place = quiet_value(to);
  if (place.is_constant() && place.constant < 0 && !reader_.out.in_absolute_space())
    return reader_.error(fmt::format("the place {} is before the section's start", place.constant));
  if (fill && reader_.out.ignores_fill(here())) fill = 0;
  reader_.out.emit_org(place, fill, here());
}

// Sections

void StreamVerbs::pop_section() {
  if (reader_.out.pop_section()) return;
  constexpr const char* text = "no section has been pushed";
  program().profile.popsection_of_none_warns ? reader_.warning(text) : reader_.error(text);
}

bool StreamVerbs::offset(u64& bytes) const {
  const Subsection& s = *reader_.out.current;
  bytes = s.size;
  return s.fragments.empty();
}

// Lines and frames

void StreamVerbs::loc(const xas_line& line) {
  const LineFiles& files = program().lines.files;
  if (!files.defined(line.file))
    return reader_.error(fmt::format("file number {} is not defined; .file defines it", line.file));
  LocDirective said{.file = line.file, .line = line.line, .column = line.column, .discriminator = line.discriminator};
  said.has_column = line.column != 0;
  said.has_is_stmt = line.flags & (XAS_LINE_NO_STATEMENT | XAS_LINE_STATEMENT);
  const auto add = [&](unsigned flag, u32 meaning) { said.set |= line.flags & flag ? meaning : 0; };
  add(XAS_LINE_STATEMENT, line_is_stmt);
  add(XAS_LINE_BASIC_BLOCK, line_basic_block);
  add(XAS_LINE_PROLOGUE_END, line_prologue_end);
  add(XAS_LINE_EPILOGUE_BEGIN, line_epilogue_begin);
  record_loc(reader_.out, said, program().sources.statement);
}

void StreamVerbs::begin_frame(bool simple) {
  if (const u32 open = frame_open_in(program().cfi, reader_.out.current->id))
    return report_open_frame(reader_.out, open, program().sources.statement, "");
  xas::begin_frame(reader_.out, simple);
}

void StreamVerbs::end_frame() {
  if (CfiFrame* const frame = open_frame(reader_.out)) xas::end_frame(reader_.out, *frame);
}

void StreamVerbs::frame_rule(xas_cfi_rule rule, u32 reg, i64 value) {
  constexpr CfiDirective directives[] = {
      cfi_dir_def_cfa,        cfi_dir_def_cfa_register, cfi_dir_def_cfa_offset,  cfi_dir_adjust_cfa_offset,
      cfi_dir_offset,         cfi_dir_rel_offset,       cfi_dir_val_offset,      cfi_dir_register,
      cfi_dir_return_column,  cfi_dir_restore,          cfi_dir_undefined,       cfi_dir_same_value,
      cfi_dir_remember_state, cfi_dir_restore_state,    cfi_dir_window_save,     cfi_dir_negate_ra_state_with_pc,
      cfi_dir_signal_frame,   cfi_dir_b_key_frame,      cfi_dir_mte_tagged_frame};
  static_assert(std::size(directives) == XAS_CFI_MTE_TAGGED_FRAME + 1);
  if (CfiFrame* const frame = frame_for(reader_.out, directives[rule])) {
    say_of_frame(reader_.out, *frame, directives[rule], {.reg = reg, .other = u32(value), .offset = value},
                 program().sources.statement);
  }
}

// PC sections

void StreamVerbs::pc_offset_size(unsigned bytes) {
  if (std::string problem = set_pc_offset_size(program(), bytes); !problem.empty()) reader_.error(std::move(problem));
}

bool StreamVerbs::pc_address(const xas_value& v, PcAddress& address) {
  address.loc = here();
  if (address.set(reader_.out, value(v))) return true;
  return reader_.error("expected a label, or a label and a number"), false;
}

void StreamVerbs::tag(const PcSubject& subject, const xas_pc_tag& tag) {
  const std::string_view name{tag.section, tag.section_size};
  if (name.find('\0') != name.npos) return reader_.error("a section's name has a zero byte in it");
  const PcEntry entry(reader_.out, subject, {name, tag.compress != 0});
  if (!entry) return;
  for (const xas_pc_constant& c : std::span(tag.constants, tag.constant_count)) {
    const PcField field{8 * c.size, c.size, tag.compress && c.size > 1};
    if (std::string problem = emit_pc_constant(reader_.out, value(c.value), field, here()); !problem.empty())
      reader_.error(std::move(problem));
  }
}

void StreamVerbs::tag(const xas_value* begin, const xas_value* end, std::span<const xas_pc_tag> tags) {
  Streamer& out = reader_.out;
  PcSubject subject;
  if (!begin) {
    if (!out.can_emit()) return;
    subject = next_instruction_as_subject(out);
  } else {
    PcAddress first, last;
    if (!pc_address(*begin, first) || (end && !pc_address(*end, last))) return;
    if (!addresses_as_subject(out, first, end ? &last : nullptr, subject)) return;
  }
  for (const xas_pc_tag& t : tags) tag(subject, t);
}

// Directives as text

bool StreamVerbs::append_symbol(xas_symbol s) {
  if (s == XAS_HERE) return text_ += '.', true;
  const Name& name = handle(s).name;
  if (name.size == 0) return false;
  const std::string_view text = name.text();
  bool plain = program().chars.is(text[0], char_name_start);
  for (char c : text) plain &= program().chars.is(c, char_name);
  plain ? void(text_ += text) : append_string(text);
  return true;
}

bool StreamVerbs::append_value(const xas_value& v) {
  if (v.modifier || (v.add && !append_symbol(v.add))) return false;
  if (v.subtract) {
    text_ += '-';
    if (!append_symbol(v.subtract)) return false;
  }
  const bool alone = !v.add && !v.subtract;
  if (alone) text_ += std::to_string(v.constant);
  if (!alone && v.constant) append(text_, "{:+}", v.constant);
  return true;
}

void StreamVerbs::append_string(std::string_view text) {
  text_ += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') {
      text_ += '\\', text_ += c;
    } else if (u8(c) < ' ' || u8(c) == 0x7F) {
      append(text_, "\\{:03o}", u8(c));
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

bool StreamVerbs::directive(std::string_view name, std::span<const xas_operand> operands) {
  text_ = name;
  for (const xas_operand& o : operands) {
    text_ += &o == operands.data() ? " " : ", ";
    switch (o.kind) {
      case XAS_OPERAND_VALUE:
        if (!append_value(o.value)) return false;
        break;
      case XAS_OPERAND_STRING: append_string({o.text, o.text_size}); break;
      case XAS_OPERAND_WORD: text_.append(o.text, o.text_size); break;
    }
  }
  feed(text_);
  return true;
}

}  // namespace xas
