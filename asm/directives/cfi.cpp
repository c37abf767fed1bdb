// The .cfi_* directives: records into CfiTable, nothing else. Each instruction notes the place in the code where it
// takes effect; .eh_frame and .debug_frame are written at the end (asm/cfi.cpp).
//
// Frames are opened and closed for each subsection on its own: a frame may stay open while another section is filled.
// Relative offsets (.cfi_adjust_cfa_offset, .cfi_rel_offset) are made absolute here. What they count from after
// .cfi_restore_state is one of the places where the two assemblers differ (Profile::restore_cfa_offset).
#include <fmt/format.h>

#include "asm/directives/debug.h"
#include "asm/parse.h"

namespace xas {

namespace {

CfiFrame* open_frame(Assembler& a) {
  const CfiTable& cfi = a.cfi;
  const u32 id = a.current->id;
  const u32 entry = id < cfi.open_in.size() ? cfi.open_in[id] : 0;
  if (entry) return &a.cfi.frames[entry - 1];
  a.error(a.statement_start, fmt::format("there is no open frame description in section {}; .cfi_startproc begins one",
                                         a.current_section().name));
  a.skip_statement();
  return nullptr;
}

/// register := number | name
bool parse_register(Assembler& a, u32& reg) {
  if (at_end_of_statement(a) || *a.p == ',') return a.error_here("expected a register"), false;
  if (u8(*a.p - '0') > 9) {
    const char* q = a.p;
    const int number = a.target.dwarf_register(q);
    if (number >= 0) {
      a.p = q;
      reg = u32(number);
      return true;
    }
  }
  const char* at = a.p;
  i64 number;
  if (!parse_integer(a, number, "register number")) return false;
  if (number < 0 || number > 0xFFFFFFFF) {
    a.error(at, fmt::format("register number {} is out of range", number));
    return false;
  }
  reg = u32(number);
  return true;
}

bool parse_register_and_offset(Assembler& a, u32& reg, i64& offset) {
  return parse_register(a, reg) && expect_comma(a, "the register") && parse_integer(a, offset, "offset");
}

void save_at(Assembler& a, CfiFrame& frame, CfiOp op, u32 reg, i64 offset, const char* at, u32 extra = 0) {
  const i64 unit = a.target.cfi_defaults().data_align;
  if (offset % unit && !a.profile.round_save_offset) {
    return a.error(
        at, fmt::format("offset {} of a saved register is not a multiple of {}", offset, unit < 0 ? -unit : unit));
  }
  add_cfi_insn(a, frame, op, reg, offset, extra);
}

void remember_state(Assembler& a, CfiFrame& frame) {
  a.cfi.remembered.push_back({u32(&frame - a.cfi.frames.data()), frame.cfa_offset});
  add_cfi_insn(a, frame, CfiOp::remember_state);
}

void restore_state(Assembler& a, CfiFrame& frame) {
  auto& remembered = a.cfi.remembered;
  const u32 index = u32(&frame - a.cfi.frames.data());
  auto last = remembered.end();
  while (last != remembered.begin() && std::prev(last)->first != index) --last;
  if (last == remembered.begin()) {
    if (a.profile.restore_cfa_offset)
      a.error(a.statement_start, ".cfi_restore_state without a .cfi_remember_state before it");
  } else {
    --last;
    if (a.profile.restore_cfa_offset) frame.cfa_offset = last->second;
    remembered.erase(last);
  }
  add_cfi_insn(a, frame, CfiOp::restore_state);
}

void define_cfa(Assembler& a, CfiFrame& frame, CfiOp op, u32 reg, i64 offset, u32 extra = 0) {
  frame.cfa_offset = offset;
  frame.cfa_known = op != CfiOp::def_cfa_offset || !(extra & cfi_from_start);
  add_cfi_insn(a, frame, op, reg, offset, extra);
}

/// GNU as advances to where such a directive stands.
void note_place(Assembler& a, CfiFrame& frame) {
  if (!a.profile.rules_in_cie || (a.current->size == frame.start_pos && a.current->flexes.size() == frame.start_flex))
    return;
  add_cfi_insn(a, frame, CfiOp::place);
}

/// A list of registers, each of which gets `op`.
void for_registers(Assembler& a, CfiFrame& frame, CfiOp op) {
  do {
    u32 reg;
    if (!parse_register(a, reg)) return;
    add_cfi_insn(a, frame, op, reg);
  } while (accept_comma(a));
}

bool valid_encoding(i64 encoding) {
  const i64 format = encoding & 7, application = encoding & 0x70;
  return (encoding & ~i64(0xff)) == 0 && format != DW_EH_PE_uleb128 && format <= DW_EH_PE_udata8 &&
         (application == DW_EH_PE_absptr || application == DW_EH_PE_pcrel);
}

/// symbol := symbol + constant | constant
bool parse_address(Assembler& a, i64 encoding, Value& value) {
  const char* at = a.p;
  if (!a.expression_value(value)) return false;
  a.pin_dot(value);
  a.fold(value);
  const bool fits = value.is_symbol_plus_constant() || (value.is_constant() && (encoding & 0x70) != DW_EH_PE_pcrel);
  if (fits && value.modifier == 0) return true;
  a.error(at, "expected a symbol, or a symbol and a constant offset to it");
  return false;
}

}  // namespace

// .cfi_sections [ section { ',' section } ]
void directive_cfi_sections(Assembler& a, u32) {
  u8 sections = 0;
  if (!at_end_of_statement(a)) {
    do {
      Name name;
      const char* at = a.p;
      if (!parse_name(a, name, "section name")) return;
      const std::string_view text = name.text();
      if (text == ".eh_frame")
        sections |= cfi_eh_frame;
      else if (text == ".debug_frame")
        sections |= cfi_debug_frame;
      else if (text == ".sframe")
        sections |= cfi_sframe;
      else
        return a.error(
            at, fmt::format("'{}' can't hold frame descriptions; .eh_frame, .debug_frame and .sframe can", text));
    } while (accept_comma(a));
  }
  CfiTable& cfi = a.cfi;
  if (a.profile.sections_of_frame && cfi.in_use && (sections & cfi_eh_frame) && !(cfi.sections & cfi_eh_frame)) {
    return a.error(a.statement_start, ".eh_frame can't be asked for after a frame description that goes elsewhere");
  }
  cfi.sections = sections;
}

// .cfi_startproc [ simple ]
void directive_cfi_startproc(Assembler& a, u32) {
  CfiTable& cfi = a.cfi;
  const u32 id = a.current->id;
  if (id >= cfi.open_in.size()) cfi.open_in.resize(std::max<std::size_t>(id + 1, a.sections.subsections()), 0);
  if (cfi.open_in[id]) {
    // llvm-mc has read the end of the line when it looks.
    const char* where = a.statement_start;
    a.skip_statement();
    if (a.profile.reports_open_at_end && *a.p == '\n' && a.p + 1 < a.source->end) where = a.p + 1;
    a.error(where, "the previous frame description is still open; .cfi_endproc closes it");
    a.diags.note(cfi.frames[cfi.open_in[id] - 1].loc, "it was opened here");
    return;
  }
  CfiFrame frame{.subsection = id, .start_pos = u32(a.current->size), .start_flex = u32(a.current->flexes.size())};
  if (!at_end_of_statement(a)) {
    Name name;
    const char* at = a.p;
    if (!parse_name(a, name, "'simple'")) return;
    if (name.text() != "simple") return a.error(at, fmt::format("expected 'simple', found '{}'", name.text()));
    frame.flags = cfi_simple;
  }
  const Target::CfiDefaults defaults = a.target.cfi_defaults();
  frame.loc = a.loc_of(a.statement_start);
  frame.sections = cfi.all_sections |= cfi.sections;
  if (!(frame.flags & cfi_simple)) frame.cfa_offset = defaults.cfa_offset;
  frame.cfa_known = a.profile.rules_in_cie;
  cfi.in_use = true;
  // On ARM a distance to code is left to the linker by a symbol, never by a section.
  if (a.info.arm_labels && a.profile.maps_all_data) {
    frame.start_label = a.symbols.make_anonymous();
    Symbol& label = a.symbols[frame.start_label];
    label.kind = SymbolKind::label;
    label.where = a.current->id;
    label.value = frame.start_pos;
    label.flex = frame.start_flex;
  }
  make_room(cfi.frames);
  cfi.frames.push_back(frame);
  cfi.open_in[id] = u32(cfi.frames.size());
  if (a.profile.rules_in_cie && !(frame.flags & cfi_simple)) {
    // The target's initial rules are ordinary instructions here, so that others can join them in the CIE.
    CfiFrame& f = cfi.frames.back();
    add_cfi_insn(a, f, CfiOp::def_cfa, defaults.cfa_register, defaults.cfa_offset);
    if (defaults.has_return_rule) add_cfi_insn(a, f, CfiOp::offset, defaults.return_column, defaults.return_offset);
  }
}

void directive_cfi_endproc(Assembler& a, u32) {
  CfiFrame* frame = open_frame(a);
  if (!frame) return;
  frame->end_pos = u32(a.current->size);
  frame->end_flex = u32(a.current->flexes.size());
  frame->closed = true;
  a.cfi.open_in[a.current->id] = 0;
  const u32 index = u32(frame - a.cfi.frames.data());
  auto& remembered = a.cfi.remembered;
  while (!remembered.empty() && remembered.back().first == index) remembered.pop_back();
}

void directive_cfi(Assembler& a, u32 directive) {
  CfiFrame* open = open_frame(a);
  if (!open) return;
  CfiFrame& frame = *open;
  u32 reg = 0, other = 0;
  i64 offset = 0;
  const char* at = a.p;
  switch (directive) {
    case cfi_dir_def_cfa:
      if (parse_register_and_offset(a, reg, offset)) define_cfa(a, frame, CfiOp::def_cfa, reg, offset);
      return;
    case cfi_dir_def_cfa_register:
      if (parse_register(a, reg)) add_cfi_insn(a, frame, CfiOp::def_cfa_register, reg);
      return;
    case cfi_dir_def_cfa_offset:
      if (parse_integer(a, offset, "offset")) define_cfa(a, frame, CfiOp::def_cfa_offset, 0, offset);
      return;
    case cfi_dir_adjust_cfa_offset:
      if (!parse_integer(a, offset, "offset")) return;
      return define_cfa(a, frame, CfiOp::def_cfa_offset, a.profile.rules_in_cie ? 0 : u32(offset),
                        i64(u64(offset) + u64(frame.cfa_offset)),
                        (frame.cfa_known ? 0 : cfi_from_start) | (a.profile.rules_in_cie ? 0 : cfi_adjusts));
    case cfi_dir_def_aspace_cfa: {
      i64 space;
      if (!parse_register_and_offset(a, reg, offset) || !expect_comma(a, "the offset") ||
          !parse_integer(a, space, "address space")) {
        return;
      }
      return define_cfa(a, frame, CfiOp::def_aspace_cfa, reg, offset, u32(space));
    }
    case cfi_dir_offset:
      if (parse_register_and_offset(a, reg, offset)) save_at(a, frame, CfiOp::offset, reg, offset, at);
      return;
    case cfi_dir_rel_offset:
      if (!parse_register_and_offset(a, reg, offset)) return;
      return save_at(a, frame, CfiOp::offset, reg, i64(u64(offset) - u64(frame.cfa_offset)), at,
                     cfi_relative | (frame.cfa_known ? 0 : cfi_from_start));
    case cfi_dir_val_offset:
      if (parse_register_and_offset(a, reg, offset)) save_at(a, frame, CfiOp::val_offset, reg, offset, at);
      return;
    case cfi_dir_register:
      if (parse_register(a, reg) && expect_comma(a, "the register") && parse_register(a, other)) {
        add_cfi_insn(a, frame, CfiOp::register_, reg, other);
      }
      return;
    case cfi_dir_return_column:
      if (!parse_register(a, reg)) return;
      frame.return_column = reg;
      return note_place(a, frame);
    case cfi_dir_restore: return for_registers(a, frame, CfiOp::restore);
    case cfi_dir_undefined: return for_registers(a, frame, CfiOp::undefined);
    case cfi_dir_same_value:
      if (parse_register(a, reg)) add_cfi_insn(a, frame, CfiOp::same_value, reg);
      return;
    case cfi_dir_remember_state: return remember_state(a, frame);
    case cfi_dir_restore_state: return restore_state(a, frame);
    case cfi_dir_window_save: add_cfi_insn(a, frame, CfiOp::window_save); return;
    case cfi_dir_negate_ra_state_with_pc: add_cfi_insn(a, frame, CfiOp::negate_ra_state_with_pc); return;
    case cfi_dir_signal_frame: frame.flags |= cfi_signal_frame; return note_place(a, frame);
    case cfi_dir_b_key_frame: frame.flags |= cfi_b_key; return;
    case cfi_dir_mte_tagged_frame: frame.flags |= cfi_mte_tagged; return;
  }
}

// .cfi_escape byte { ',' byte }
void directive_cfi_escape(Assembler& a, u32) {
  CfiFrame* frame = open_frame(a);
  if (!frame) return;
  CfiTable& cfi = a.cfi;
  u32 index = no_insn;  // the instruction that the bytes so far belong to
  do {
    Value value;
    if (!value_or_zero(a, value)) return;
    a.fold(value);
    if (value.is_constant() && value.modifier == 0) {
      if (index == no_insn) {
        index = u32(cfi.insns.size());
        add_cfi_insn(a, *frame, CfiOp::escape, 0, i64(cfi.escape_bytes.size()));
      }
      cfi.escape_bytes.push_back(u8(value.constant));
      ++cfi.insns[index].extra;
    } else {
      a.pin_dot(value);
      add_cfi_insn(a, *frame, CfiOp::escape_value, 0, i64(cfi.values.size()));
      cfi.values.push_back(value);
      index = no_insn;
    }
  } while (accept_comma(a));
}

// .cfi_personality encoding [ ',' symbol ]
// .cfi_lsda encoding [ ',' symbol ]
void directive_cfi_pointer(Assembler& a, u32 is_lsda) {
  CfiFrame* frame = open_frame(a);
  if (!frame) return;
  CfiPointer& pointer = is_lsda ? frame->lsda : frame->personality;
  const char* at = a.p;
  i64 encoding;
  if (!parse_integer(a, encoding, "pointer encoding")) return;
  if (encoding == DW_EH_PE_omit) {
    pointer = {};
    return;
  }
  if (!valid_encoding(encoding)) {
    return a.error(
        at,
        fmt::format("pointer encoding {:#x} is not supported; absolute and PC-relative ones are, of 2, 4 or 8 bytes",
                    encoding));
  }
  Value value;
  if (!expect_comma(a, "the encoding")) return;
  if (a.profile.late_cfi_symbols && a.chars.is(*a.p, char_name_start)) {
    const Name name = scan_name(a.p);
    const char* after = skip_blanks(a.chars, a.p + name.size);
    if (*after == '\n' && name.text() != "." && a.symbols.find(name) == no_symbol) {
      a.p = after;
      pointer = {.encoding = u8(encoding), .late_name = name.text()};
      return;
    }
  }
  if (!parse_address(a, encoding, value)) return;
  pointer = {.symbol = value.add, .encoding = u8(encoding), .constant = value.constant};
}

// .cfi_val_encoded_addr register ',' encoding ',' symbol
void directive_cfi_val_encoded_addr(Assembler& a, u32) {
  CfiFrame* frame = open_frame(a);
  if (!frame) return;
  u32 reg;
  i64 encoding;
  Value value;
  if (!parse_register(a, reg) || !expect_comma(a, "the register")) return;
  const char* at = a.p;
  if (!parse_integer(a, encoding, "pointer encoding")) return;
  if (!valid_encoding(encoding)) return a.error(at, fmt::format("pointer encoding {:#x} is not supported", encoding));
  if (!expect_comma(a, "the encoding") || !parse_address(a, encoding, value)) return;
  add_cfi_insn(a, *frame, CfiOp::encoded_address, reg, i64(a.cfi.values.size()), u32(encoding));
  a.cfi.values.push_back(value);
}

// .cfi_label symbol
void directive_cfi_label(Assembler& a, u32) {
  CfiFrame* frame = open_frame(a);
  if (!frame) return;
  SymbolId id;
  if (!parse_symbol(a, id, "label")) return;
  if (a.symbols[id].is_defined() || !a.cfi.labels.insert(id).second) {
    return a.error(a.statement_start, fmt::format("symbol '{}' is already defined", a.symbols[id].text()));
  }
  a.listed_late.emplace_back(no_symbol, id);
  add_cfi_insn(a, *frame, CfiOp::label, id);
}

void directive_cfi_compact(Assembler& a, u32) {
  a.error(a.statement_start, "compact unwind tables do not exist for this target");
  a.skip_statement();
}

}  // namespace xas
