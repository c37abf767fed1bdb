// SPDX-License-Identifier: Apache-2.0
// What the Program does with its own data: it starts, makes symbols that the text does not name, and resolves names at
// the end of the text.
#include "asm/program/program.h"

#include <fmt/format.h>

#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas {

UnwindMachine unwind_machine(u16 coff_machine) {
  switch (coff_machine) {
    case coff::IMAGE_FILE_MACHINE_AMD64: return UnwindMachine::x64;
    case coff::IMAGE_FILE_MACHINE_ARM64:
    case coff::IMAGE_FILE_MACHINE_ARM64EC: return UnwindMachine::arm64;
    case coff::IMAGE_FILE_MACHINE_ARMNT: return UnwindMachine::arm;
    default: return UnwindMachine::none;
  }
}

Program::Program(const Options& o, Target& t)
    : options(o),
      profile(o.profile),
      target(t),
      info(t.info()),
      is_coff(o.target.format == ObjectFormat::coff),
      chars(t.info()) {
  symbols.dot_l_temporary = info.names.dot_l_temporary;
  symbols.numbers_are_listed = o.keep_locals || o.save_temp_labels || !info.names.dot_l_temporary;
  symbols.plain_l_temporary = info.names.plain_l_temporary;
  symbols.bfd_temporary = profile.bfd_local_names && !is_coff;
  symbols.dot_x_temporary = info.names.dot_x_temporary;
  symbols.dollar_m_temporary = info.names.dollar_m_temporary;
  if (profile.question_names && !chars.wide_names) {
    chars.wide_names = true;
    chars.of[u8('?')] = char_name_start | char_name;
  }
  if (o.motorola_integers) chars.of[u8('$')] &= u8(~char_name_start);
  diags.no_warnings = o.no_warnings;
  diags.fatal_warnings = o.fatal_warnings;
  diags.limit = o.max_errors;
  sources.set_limits(o.sources);
  line_bytes.on = o.output == Options::Output::lines;
  listing.on = o.listing.parts != 0 || o.output == Options::Output::hex || line_bytes.on;
  encodings.on = o.output == Options::Output::encodings;
  unwind.machine = unwind_machine(info.coff.machine);
  lines.start(*this);
  padding.start(target.padding(), o.profile);
}

SymbolId Program::symbol_for(u32 node) {
  const SymbolId id = symbols.make_anonymous();
  Symbol& s = symbols[id];
  s.kind = SymbolKind::expression;
  s.value = node;
  s.loc = exprs[node].loc;
  return id;
}

SymbolId Program::symbol_of_number(i64 number) {
  const SymbolId id = symbols.intern_copy(fmt::format("*ABS*{:#x}", u64(number)));
  Symbol& s = symbols[id];
  if (s.kind == SymbolKind::undefined) {
    s.kind = SymbolKind::absolute;
    s.value = u64(number);
  }
  return id;
}

void Program::report_redefinition(const Symbol& s, SourceLoc loc) {
  diags.error(loc, fmt::format("symbol '{}' is already defined", s.text()));
  if (s.loc) diags.note(s.loc, "it was defined here");
}

void Program::note_temporary(SymbolId id) {
  Symbol& s = symbols[id];
  if (!s.has(symbol_temporary) || s.has(symbol_operand)) return;
  s.flags |= symbol_operand;
  order.operand_temporaries.push_back({id, symbols.size()});
}

MeetingOrder::MeetingOrder(const Program& program) : program_(program) {
  for (const OperandTemporary& t : program.order.operand_temporaries)
    temporaries_.try_emplace(t.symbol, t.before, temporaries_.size() + 1);
}

MeetingOrder::Place MeetingOrder::place(SymbolId id) const {
  if (!program_.symbols[id].has(symbol_temporary)) return {id + 1, 0};
  const auto found = temporaries_.find(id);
  return found == temporaries_.end() ? Place(no_symbol, 0) : found->second;
}

void Program::resolve_quiet_references() {
  symbols.recall_all();
  if (symbols.recalled.empty()) return;
  std::unordered_map<SymbolId, SymbolId> now;
  for (auto r = symbols.recalled.rbegin(); r != symbols.recalled.rend(); ++r) {
    const auto further = now.find(r->second);  // it has been forgotten again
    now.emplace(r->first, further == now.end() ? r->second : further->second);
  }
  for (const auto& [before, id] : symbols.recalled) {
    symbols[id].flags |= symbols[before].flags & (symbol_sized | symbol_weakly_referenced);
    Symbol& s = symbols[before];
    s.kind = SymbolKind::expression;
    s.value = exprs.leaf({.add = id}, s.loc);
    s.flags |= symbol_anonymous | symbol_temporary;
  }
  const auto follow = [&](SymbolId& id) {
    if (const auto known = now.find(id); known != now.end()) id = known->second;
  };
  for (SizeRecord& record : records.sizes) follow(record.symbol);
  for (SymbolId& id : records.address_significant) follow(id);
  for (SymbolVersion& version : records.versions) follow(version.symbol);
}

void Program::resolve_texts() {
  if (records.texts.empty()) return;
  for (u32 i = 0; i < sections.size(); ++i) {
    for (SymbolId* id : {&sections[i].group, &sections[i].link_order}) {
      if (*id == no_symbol || !symbols[*id].has(symbol_anonymous)) continue;
      const auto text = records.texts.find(symbols[*id].text());
      if (text == records.texts.end() || text->second != *id) continue;
      const SymbolId named = symbols.find(text->first);
      if (named != no_symbol) *id = named;
    }
  }
  for (const auto& [name, id] : records.texts) {
    if (symbols.find(name) == no_symbol) symbols[id].flags &= u16(~u32(symbol_anonymous | symbol_temporary));
  }
}

namespace {

/// A section that GNU as makes has the symbol of its name, unless another section has it: what was said of that symbol
/// is forgotten. One that was set is another symbol from 2.47 on.
SymbolId take_name(Program& program, SymbolId id) {
  const Symbol& named = program.symbols[id];
  if (named.has(symbol_section)) return id;
  if (named.is_defined() && program.profile.set_symbols_outlive_name) {
    const bool temporary = named.has(symbol_temporary);
    const SymbolId fresh = program.symbols.rebind(id);
    program.symbols[id].flags &= u16(~(symbol_anonymous | (temporary ? 0 : symbol_temporary)));
    id = fresh;
  }
  Symbol& s = program.symbols[id];
  if (s.has(symbol_sized)) std::erase_if(program.records.sizes, [&](const SizeRecord& r) { return r.symbol == id; });
  s.kind = SymbolKind::undefined;
  s.binding = Binding::unset;
  s.other = 0;
  s.flags &= symbol_referenced | symbol_in_relocation | symbol_redefinable | symbol_operand;
  return id;
}

}  // namespace

SymbolId Program::section_symbol(Section& section) {
  if (section.symbol != no_symbol) return section.symbol;
  SymbolId id = symbols.intern(section.name.data(), u32(section.name.size()));
  if (profile.sections_take_names) id = take_name(*this, id);
  if (symbols[id].kind != SymbolKind::undefined) {
    // Another section of that name has it, or it is a label.
    id = symbols.make_anonymous();
    symbols[id].name = section.name.data();
    symbols[id].name_size = u32(section.name.size());
  }
  Symbol& s = symbols[id];
  if (s.has(symbol_anonymous) && profile.repeated_sections_last) s.flags |= symbol_operand;
  s.become_label(section.first, 0, 0);
  s.binding = Binding::local;
  s.type = elf::STT_SECTION;
  s.loc = section.loc;
  s.flags = u16((s.flags & ~u32(symbol_anonymous | symbol_temporary)) | symbol_section);
  return section.symbol = id;
}

}  // namespace xas
