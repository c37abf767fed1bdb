// SPDX-License-Identifier: Apache-2.0
// xas_encode: see encode.h.
#include "asm/encode.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/layout/layout.h"
#include "asm/read/cond.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

/// Beyond it, distances are not left to layout, which counts the bytes of a section in 32 bits.
constexpr i64 near_distance = i64(1) << 30;

bool is_within(i64 distance, i64 reach) { return distance > -reach && distance < reach; }

/// A statement that leaves nothing behind but bytes, fixups and symbols: an instruction, or a label.
bool is_plain(const char* p) { return u8((*p | 0x20) - 'a') <= 25 || *p == '_' || *p == '{'; }

}  // namespace

Encoder::Encoder(const Options& options) : options_(options) {
  options_.listing = {};
  options_.debug_lines = options_.stabs = options_.stabs_gnu = options_.codeview_lines = false;
  options_.no_initial_section = false;
}

void Encoder::set_includes(Sources::Reader includes, void* user) {
  includes_ = includes;
  includes_user_ = user;
  if (reader_) program().sources.set_reader(includes, user);
}

/// Everything anew.
void Encoder::start() {
  fixups_.reset();
  reader_.reset();
  OptionProblems problems;  // none: the options have been tried
  target_ = make_target(options_.target, problems);
  Reader& reader = reader_.emplace(options_, *target_);
  program().sources.set_reader(includes_, includes_user_);
  Streamer& out = reader.out;
  out.mapping = Mapping::off;
  zero_ = program().symbols.make_anonymous();
  program().symbols[zero_].become_label(out.current->id, 0, 0);
  fixups_.emplace(program());
  storage_.program = &program();
  storage_.keeps_contents = true;
  symbols_ = program().symbols.size();
  sections_ = program().sections.size();
  subsections_ = program().sections.subsections();
  used_up_ = false;
}

/// Takes back what the last text has said.
void Encoder::rewind() {
  Program& p = program();
  Subsection& code = *reader_->out.current;
  p.symbols.truncate(symbols_);
  p.exprs.clear();
  p.order.operand_temporaries.clear();
  p.order.listed_late.clear();
  if (!p.order.named_by_data.empty()) p.order.named_by_data.clear();
  code.size = code.base = code.growth = 0;
  code.fragments.clear();
  code.fixups.clear();
  code.before.clear();
  code.final_size = ~u64(0);
  fixups_->restart();
}

/// Makes ready for a text; null, reported, if it is too long.
const SourceBuffer* Encoder::begin_text(std::string_view text, u64 address) {
  if (used_up_) {
    start();
  } else {
    rewind();
  }
  used_up_ = true;  // unless all goes well
  address_ = address;
  begins_.clear();
  outside_.clear();
  relocs_.clear();
  statements_.clear();
  relocations_.clear();
  std::string error;
  const SourceBuffer* const buffer = program().sources.set_text("<text>", text, error);
  if (!buffer) program().diags.error(0, std::move(error));
  return buffer;
}

xas_status Encoder::finish(const xas_encode_options& how, xas_encoding& result, Report& report) {
  if (program().diags.errors() == 0) settle(how);
  if (program().diags.errors() == 0) {
    collect_bytes(result);
    collect_relocations(result);
  }
  const bool silent = program().diags.list().empty();
  if (!silent) report.fill(program().diags, program().sources);
  if (program().diags.errors()) return XAS_ERRORS;
  used_up_ = !silent || has_numeric_labels_ || program().sections.size() != sections_ ||
             program().sections.subsections() != subsections_ || reader_->out.block != 0 || !target_->is_context_free();
  return XAS_OK;
}

xas_status Encoder::encode(std::string_view text, u64 address, const xas_encode_options& how, xas_encoding& result,
                           Report& report) {
  if (const SourceBuffer* buffer = begin_text(text, address)) read(*buffer);
  return finish(how, result, report);
}

xas_status Encoder::encode(xas_mnemonic mnemonic, u32 how, std::span<const xas_arg> args, u64 address,
                           xas_encoding& result, Report& report) {
  texts_.clear();
  append_texts(args, texts_);
  if (const SourceBuffer* buffer = begin_text(texts_, address)) {
    Sources& sources = program().sources;
    sources.current = buffer;
    sources.statement = reader_->p = buffer->begin;
    begins_.push_back({buffer->begin, 0, 0});
    const char* text = buffer->begin;
    operands_.clear();
    for (const xas_arg& a : args) operands_.push_back(typed_operand(a, {.constant = a.value.constant}, text));
    reader_->typed_instruction({{}, buffer->begin, buffer->begin, operands_, mnemonic, how});
    reader_->out.finish_text();
    has_numeric_labels_ = false;
  }
  return finish({sizeof(xas_encode_options), 0, nullptr, nullptr}, result, report);
}

/// Where the statement begins that is read next; null: nothing but a comment stands here, or the end.
const char* Encoder::statement_at(const SourceBuffer& buffer) {
  const CharTable& chars = program().chars;
  const char* at = skip_blanks(chars, reader_->p);
  while (at[0] == '/' && at[1] == '*') {
    const std::string_view rest(at, std::size_t(buffer.end - at));
    const std::size_t end = rest.find("*/", 2);
    if (end == rest.npos) return nullptr;
    at = skip_blanks(chars, at + end + 2);
  }
  const bool is_comment = *at == chars.line_comment || at_comment(program(), at) ||
                          (*at == '/' && program().info.syntax.slash_line_comment);
  return at >= buffer.end || *at == '\n' || *at == chars.separator || is_comment ? nullptr : at;
}

void Encoder::read(const SourceBuffer& buffer) {
  Reader& reader = *reader_;
  const Subsection* const code = reader.out.current;
  reader.begin(buffer);
  bool plain = true;
  for (bool more = true; more;) {
    const Sources& sources = program().sources;
    while (reader.p >= sources.current->end && reader.next_source(0)) {}
    const char* const at = sources.current == &buffer ? statement_at(buffer) : nullptr;
    if (at) {
      plain &= is_plain(at);
      begins_.push_back({at, reader.out.current->size, u32(reader.out.current->fragments.size())});
    }
    more = reader.read_statement();
    if (reader.out.current != code) {
      program().diags.error(buffer.loc(begins_.back().text), "all of the text has to stay in one section");
      return;
    }
  }
  finish_conditionals(reader);
  reader.out.finish_text();
  reader.out.report_undefined_numeric_labels();
  has_numeric_labels_ = !plain || reader.macros.any();
}

/// Who names what is not defined, and where first.
void Encoder::note_uses() {
  outside_.assign(program().symbols.size() - symbols_, {});
  const auto note = [&](SymbolId id, u64 pos, xas_use use, Target::BranchReach reach) {
    if (id == no_symbol || id < symbols_) return;
    Outside& o = outside_[id - symbols_];
    o.stub = o.used && o.stub != reach.stub ? 0 : reach.stub;
    o.reach = std::min(o.reach, reach.bytes);
    o.last = std::max(o.last, pos);
    if (o.used && o.pos <= pos) return;
    o.used = true;
    o.pos = pos;
    o.use = use;
  };
  const auto note_branch = [&](SymbolId id, u64 pos, u16 kind) {
    note(id, pos, XAS_USE_BRANCH, target_->branch_reach(kind));
  };
  const Subsection& code = *reader_->out.current;
  for (const Fixup& f : code.fixups) {
    const FixupInfo info = f.kind < first_target_kind ? FixupInfo{.size = 0, .pcrel = f.kind >= fixup_pcrel1}
                                                      : target_->fixup_info(f.kind);
    if (info.branch)
      note_branch(f.add, f.pos, f.kind);
    else
      note(f.add, f.pos, info.pcrel ? XAS_USE_DISTANCE : XAS_USE_VALUE, {});
    note(f.sub, f.pos, XAS_USE_VALUE, {});
  }
  for (const Fragment& f : code.fragments) {
    if (f.kind != FragmentKind::insn) continue;
    const InsnFragment& insn = f.as<InsnFragment>();
    u8 written[Emitter::max_instruction];
    if (target_->relax_pcrel(insn.form))
      note_branch(insn.target, f.pos,
                  target_->relax_write(insn.form, target_->relax_unresolved_state(insn.form), written).kind);
    else
      note(insn.target, f.pos, XAS_USE_VALUE, {});
  }
}

/// Asks for the values of names. What lies near becomes a label of the code, so that layout sees how far it is.
void Encoder::find_outside(const xas_encode_options& how) {
  note_uses();
  const u32 end = program().symbols.size();
  for (SymbolId id = symbols_; id < end; ++id) {
    const Symbol& s = program().symbols[id];
    Outside& o = outside_[id - symbols_];
    if (s.kind != SymbolKind::undefined || s.has(symbol_anonymous)) continue;
    auto next =
        std::upper_bound(begins_.begin(), begins_.end(), o.pos, [](u64 pos, const Begin& b) { return pos < b.pos; });
    const u64 at = next == begins_.begin() ? 0 : std::prev(next)->pos;
    name_.assign(s.text());
    o.known = how.resolver(how.user, name_.c_str(), address_ + at, o.use, &o.value) != 0;
    if (!o.known) continue;
    Symbol& known = program().symbols[id];
    const i64 distance = distance_of(o.value);
    if (o.stub && (how.flags & XAS_ENCODE_STUBS) && !is_reached(o)) {
      call_by_stub(id, o);
    } else if (is_near(distance)) {
      known.become_label(reader_->out.current->id, u64(distance), 0);
    } else {
      known.kind = SymbolKind::absolute;
      known.value = o.value;
    }
  }
}

/// From where the code stands to an address. Addresses of 32 bits wrap around.
i64 Encoder::distance_of(u64 address) const {
  const i64 distance = i64(address - address_);
  return has_wide_addresses() ? distance : i32(distance);
}

bool Encoder::has_wide_addresses() const { return target_->info().address_size == 8 || options_.target.x32; }

bool Encoder::is_near(i64 distance) const { return !has_wide_addresses() || is_within(distance, near_distance); }

/// All of its branches go that far by themselves, even if some more bytes come to stand before or between them.
bool Encoder::is_reached(const Outside& o) const {
  const i64 distance = distance_of(o.value), reach = o.reach - o.reach / 32;
  return is_near(distance) && is_within(distance - i64(o.pos), reach) && is_within(distance - i64(o.last), reach);
}

/// The symbol becomes a jump behind the code that reaches any address.
void Encoder::call_by_stub(SymbolId id, const Outside& o) {
  reader_->out.define_label(id, 0);
  u8 jump[Target::max_stub];
  reader_->out.emit_bytes(jump, target_->write_stub(o.stub, o.value, jump));
}

/// Numbers that branches go to are addresses.
void Encoder::place_number_targets() {
  program().symbols[zero_].value = 0 - address_;
  for (Fragment& f : reader_->out.current->fragments) {
    if (f.kind != FragmentKind::insn) continue;
    InsnFragment& insn = f.as<InsnFragment>();
    if (!target_->relax_pcrel(insn.form)) continue;
    const Symbol& s = program().symbols[insn.target];
    u64 target = s.value + u64(insn.constant);
    if (s.kind == SymbolKind::expression) {
      const ExprNode& node = program().exprs[u32(s.value)];
      if (node.op != ExprOp::leaf || !node.value.is_constant()) continue;
      target = u64(node.value.constant + insn.constant);
    } else if (s.kind != SymbolKind::absolute) {
      continue;
    }
    const i64 distance = distance_of(target);
    if (is_near(distance)) {
      insn.target = zero_;
      insn.constant = distance + i64(address_);
    } else {
      program().diags.error(f.loc, fmt::format("the target is {} bytes away: out of reach", distance));
    }
  }
}

/// Sizes, then fields: known ones are filled in, the others are left to relocs_.
void Encoder::settle(const xas_encode_options& how) {
  Subsection& code = *reader_->out.current;
  const bool is_final = code.fragments.empty() && code.fixups.empty();
  const bool placed = !(how.flags & XAS_ENCODE_RELOCATABLE);
  if (is_final) return;
  if (placed && how.resolver && program().symbols.size() != symbols_) find_outside(how);
  if (placed && !code.fragments.empty()) place_number_targets();
  if (program().diags.errors()) return;
  if (!code.fragments.empty() || program().sections.subsections() != subsections_) layout(program());
  if (program().diags.errors()) return;
  if (placed) fixups_->stand_at(address_);
  fixups_->decide(reader_->out.current_section(), relocs_);
}

void Encoder::collect_bytes(xas_encoding& result) {
  const Subsection& code = *reader_->out.current;
  const Section& section = reader_->out.current_section();
  const bool one_piece = code.fragments.empty() && program().sections.sub(section.first).next == ~u32(0);
  result.bytes = code.data;
  result.size = code.size;
  if (!one_piece) {
    bytes_.resize(section.size);
    write_contents(&storage_, code.section, bytes_.data());
    storage_.errors.report(program().diags);
    result.bytes = bytes_.data();
    result.size = bytes_.size();
  }
  const char* const text = program().sources.buffers().front().begin;
  for (std::size_t i = 0; i < begins_.size(); ++i) {
    const u64 at = one_piece ? begins_[i].pos : code.offset(begins_[i].pos, begins_[i].fragment);
    if (i) statements_.back().size = at - statements_.back().offset;
    statements_.push_back({std::size_t(begins_[i].text - text), std::size_t(at), std::size_t(result.size - at)});
  }
  result.statements = statements_.data();
  result.statement_count = statements_.size();
}

void Encoder::collect_relocations(xas_encoding& result) {
  if (relocs_.empty()) return;
  names_.clear();
  for (const obj::Reloc& r : relocs_) {
    if (r.symbol == obj::none) continue;
    const Symbol& s = program().symbols[r.symbol];
    const std::string_view name = s.has(symbol_section) ? reader_->out.current_section().name : s.text();
    names_.insert(names_.end(), name.begin(), name.end());
    names_.push_back('\0');
  }
  const char* name = names_.data();  // which stay where they are now
  for (const obj::Reloc& r : relocs_) {
    relocations_.push_back({r.offset, r.symbol == obj::none ? nullptr : name, r.addend, r.type});
    if (r.symbol != obj::none) name += std::char_traits<char>::length(name) + 1;
  }
  result.relocations = relocations_.data();
  result.relocation_count = relocations_.size();
}

/// The text defines it as a place in the code.
bool Encoder::is_label(SymbolId id) const {
  const Symbol& s = reader_->program().symbols[id];
  const bool outside = id - symbols_ < outside_.size() && outside_[id - symbols_].known;
  return s.kind == SymbolKind::label && s.where == reader_->out.current->id && !outside;
}

u64 Encoder::label_offset(SymbolId id) const { return reader_->program().label_offset(reader_->program().symbols[id]); }

bool Encoder::label(std::string_view name, u64& address) const {
  if (!reader_) return false;
  const SymbolId id = reader_->program().symbols.find(name);
  if (id == no_symbol || id < symbols_ || !is_label(id)) return false;
  address = address_ + label_offset(id);
  return true;
}

void Encoder::report_unknown(Report& report) {
  for (const obj::Reloc& r : relocs_) {
    if (r.symbol == obj::none) {
      program().diags.error(0, fmt::format("a field at {} bytes from the start is left to the linker", r.offset));
      continue;
    }
    const Symbol& s = program().symbols[r.symbol];
    program().diags.error(s.loc, fmt::format("'{}' is not known, or takes a linker here", s.text()));
  }
  report.fill(program().diags, program().sources);
  used_up_ = true;
}

}  // namespace xas
