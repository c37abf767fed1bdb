// The .cfi_* directives: records into CfiTable, nothing else. Each instruction notes the place in the code where it
// takes effect; .eh_frame and .debug_frame are written at the end (asm/unwind/eh_frame.cpp).
//
// Frames are opened and closed for each subsection on its own: a frame may stay open while another section is filled.
// Relative offsets (.cfi_adjust_cfa_offset, .cfi_rel_offset) are made absolute here. What they count from after
// .cfi_restore_state is one of the places where the two assemblers differ (Profile::restore_cfa_offset).
#include <fmt/format.h>

#include "asm/directives/debug.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

CfiFrame* open_frame(Reader& reader) {
  const CfiTable& cfi = reader.program().cfi;
  const u32 id = reader.out.current->id;
  const u32 entry = id < cfi.open_in.size() ? cfi.open_in[id] : 0;
  if (entry) return &reader.program().cfi.frames[entry - 1];
  reader.error(fmt::format("there is no open frame description in section {}; .cfi_startproc begins one",
                       reader.out.current_section().name));
  reader.skip_statement();
  return nullptr;
}

/// register := number | name
bool parse_register(Reader& reader, u32& reg) {
  if (at_end_of_statement(reader) || *reader.p == ',') return reader.error_here("expected a register"), false;
  if (u8(*reader.p - '0') > 9) {
    const char* q = reader.p;
    const int number = reader.program().target.dwarf_register(q);
    if (number >= 0) {
      reader.p = q;
      reg = u32(number);
      return true;
    }
  }
  const char* at = reader.p;
  i64 number;
  if (!parse_integer(reader, number, "register number")) return false;
  if (number < 0 || number > 0xFFFFFFFF) {
    reader.error(at, fmt::format("register number {} is out of range", number));
    return false;
  }
  reg = u32(number);
  return true;
}

bool parse_register_and_offset(Reader& reader, u32& reg, i64& offset) {
  return parse_register(reader, reg) && expect_comma(reader, "the register") && parse_integer(reader, offset, "offset");
}

void save_at(Streamer& out, CfiFrame& frame, CfiOp op, u32 reg, i64 offset, const char* at, u32 extra = 0) {
  const i64 unit = out.program.target.cfi_defaults().data_align;
  if (offset % unit && !out.program.profile.round_save_offset) {
    return out.error(
        at, fmt::format("offset {} of a saved register is not a multiple of {}", offset, unit < 0 ? -unit : unit));
  }
  add_cfi_insn(out, frame, op, reg, offset, extra);
}

void remember_state(Streamer& out, CfiFrame& frame) {
  out.program.cfi.remembered.push_back({u32(&frame - out.program.cfi.frames.data()), frame.cfa_offset});
  add_cfi_insn(out, frame, CfiOp::remember_state);
}

void restore_state(Streamer& out, CfiFrame& frame) {
  auto& remembered = out.program.cfi.remembered;
  const u32 index = u32(&frame - out.program.cfi.frames.data());
  auto last = remembered.end();
  while (last != remembered.begin() && std::prev(last)->first != index) --last;
  if (last == remembered.begin()) {
    if (out.program.profile.restore_cfa_offset)
      out.error(out.program.sources.statement, ".cfi_restore_state without a .cfi_remember_state before it");
  } else {
    --last;
    if (out.program.profile.restore_cfa_offset) frame.cfa_offset = last->second;
    remembered.erase(last);
  }
  add_cfi_insn(out, frame, CfiOp::restore_state);
}

void define_cfa(Streamer& out, CfiFrame& frame, CfiOp op, u32 reg, i64 offset, u32 extra = 0) {
  frame.cfa_offset = offset;
  frame.cfa_known = op != CfiOp::def_cfa_offset || !(extra & cfi_from_start);
  add_cfi_insn(out, frame, op, reg, offset, extra);
}

/// GNU as advances to where such a directive stands.
void note_place(Streamer& out, CfiFrame& frame) {
  if (!out.program.profile.rules_in_cie ||
      (out.current->size == frame.start_pos && out.current->fragments.size() == frame.start_fragment))
    return;
  add_cfi_insn(out, frame, CfiOp::place);
}

/// A list of registers, each of which gets `op`.
void for_registers(Reader& reader, CfiFrame& frame, CfiOp op) {
  do {
    u32 reg;
    if (!parse_register(reader, reg)) return;
    add_cfi_insn(reader.out, frame, op, reg);
  } while (accept_comma(reader));
}

bool valid_encoding(i64 encoding) {
  const i64 format = encoding & 7, application = encoding & 0x70;
  return (encoding & ~i64(0xff)) == 0 && format != DW_EH_PE_uleb128 && format <= DW_EH_PE_udata8 &&
         (application == DW_EH_PE_absptr || application == DW_EH_PE_pcrel);
}

/// symbol := symbol + constant | constant
bool parse_address(Reader& reader, i64 encoding, Value& value) {
  const char* at = reader.p;
  if (!reader.expression_value(value)) return false;
  reader.out.pin_dot(value);
  reader.out.fold(value);
  const bool fits = value.is_symbol_plus_constant() || (value.is_constant() && (encoding & 0x70) != DW_EH_PE_pcrel);
  if (fits && value.modifier == 0) return true;
  reader.error(at, "expected a symbol, or a symbol and a constant offset to it");
  return false;
}

}  // namespace

// .cfi_sections [ section { ',' section } ]
void directive_cfi_sections(Reader& reader, u32) {
  u8 sections = 0;
  if (!at_end_of_statement(reader)) {
    do {
      Name name;
      const char* at = reader.p;
      if (!parse_name(reader, name, "section name")) return;
      const std::string_view text = name.text();
      if (text == ".eh_frame")
        sections |= cfi_eh_frame;
      else if (text == ".debug_frame")
        sections |= cfi_debug_frame;
      else if (text == ".sframe")
        sections |= cfi_sframe;
      else
        return reader.error(
            at, fmt::format("'{}' can't hold frame descriptions; .eh_frame, .debug_frame and .sframe can", text));
    } while (accept_comma(reader));
  }
  CfiTable& cfi = reader.program().cfi;
  if (reader.program().profile.sections_of_frame && cfi.in_use && (sections & cfi_eh_frame) &&
      !(cfi.sections & cfi_eh_frame)) {
    return reader.error(".eh_frame can't be asked for after a frame description that goes elsewhere");
  }
  cfi.sections = sections;
}

// .cfi_startproc [ simple ]
void directive_cfi_startproc(Reader& reader, u32) {
  CfiTable& cfi = reader.program().cfi;
  const u32 id = reader.out.current->id;
  if (id >= cfi.open_in.size())
    cfi.open_in.resize(std::max<std::size_t>(id + 1, reader.program().sections.subsections()), 0);
  if (cfi.open_in[id]) {
    // llvm-mc has read the end of the line when it looks.
    const char* where = reader.program().sources.statement;
    reader.skip_statement();
    if (reader.program().profile.reports_open_at_end && *reader.p == '\n' &&
        reader.p + 1 < reader.program().sources.current->end)
      where = reader.p + 1;
    reader.error(where, "the previous frame description is still open; .cfi_endproc closes it");
    reader.program().diags.note(cfi.frames[cfi.open_in[id] - 1].loc, "it was opened here");
    return;
  }
  CfiFrame frame{.subsection = id,
                 .start_pos = u32(reader.out.current->size),
                 .start_fragment = u32(reader.out.current->fragments.size())};
  if (!at_end_of_statement(reader)) {
    Name name;
    const char* at = reader.p;
    if (!parse_name(reader, name, "'simple'")) return;
    if (name.text() != "simple") return reader.error(at, fmt::format("expected 'simple', found '{}'", name.text()));
    frame.flags = cfi_simple;
  }
  const Target::CfiDefaults defaults = reader.program().target.cfi_defaults();
  frame.loc = reader.program().sources.statement_loc();
  frame.sections = cfi.all_sections |= cfi.sections;
  if (!(frame.flags & cfi_simple)) frame.cfa_offset = defaults.cfa_offset;
  frame.cfa_known = reader.program().profile.rules_in_cie;
  cfi.in_use = true;
  // On ARM a distance to code is left to the linker by a symbol, never by a section.
  if (reader.program().info.relocations.data_keeps_symbol && reader.program().profile.maps_all_data) {
    frame.start_label = reader.program().symbols.make_anonymous();
    Symbol& label = reader.program().symbols[frame.start_label];
    label.kind = SymbolKind::label;
    label.where = reader.out.current->id;
    label.value = frame.start_pos;
    label.fragment = frame.start_fragment;
  }
  make_room(cfi.frames);
  cfi.frames.push_back(frame);
  cfi.open_in[id] = u32(cfi.frames.size());
  if (reader.program().profile.rules_in_cie && !(frame.flags & cfi_simple)) {
    // The target's initial rules are ordinary instructions here, so that others can join them in the CIE.
    CfiFrame& f = cfi.frames.back();
    add_cfi_insn(reader.out, f, CfiOp::def_cfa, defaults.cfa_register, defaults.cfa_offset);
    if (defaults.has_return_rule)
      add_cfi_insn(reader.out, f, CfiOp::offset, defaults.return_column, defaults.return_offset);
  }
}

void directive_cfi_endproc(Reader& reader, u32) {
  CfiFrame* frame = open_frame(reader);
  if (!frame) return;
  reader.out.reserved.close_shadow(reader.out, "'.cfi_endproc'", reader.program().sources.statement_loc());
  frame->end_pos = u32(reader.out.current->size);
  frame->end_fragment = u32(reader.out.current->fragments.size());
  frame->closed = true;
  reader.program().cfi.open_in[reader.out.current->id] = 0;
  const u32 index = u32(frame - reader.program().cfi.frames.data());
  auto& remembered = reader.program().cfi.remembered;
  while (!remembered.empty() && remembered.back().first == index) remembered.pop_back();
}

void directive_cfi(Reader& reader, u32 directive) {
  CfiFrame* open = open_frame(reader);
  if (!open) return;
  CfiFrame& frame = *open;
  u32 reg = 0, other = 0;
  i64 offset = 0;
  const char* at = reader.p;
  switch (directive) {
    case cfi_dir_def_cfa:
      if (parse_register_and_offset(reader, reg, offset)) define_cfa(reader.out, frame, CfiOp::def_cfa, reg, offset);
      return;
    case cfi_dir_def_cfa_register:
      if (parse_register(reader, reg)) add_cfi_insn(reader.out, frame, CfiOp::def_cfa_register, reg);
      return;
    case cfi_dir_def_cfa_offset:
      if (parse_integer(reader, offset, "offset")) define_cfa(reader.out, frame, CfiOp::def_cfa_offset, 0, offset);
      return;
    case cfi_dir_adjust_cfa_offset:
      if (!parse_integer(reader, offset, "offset")) return;
      return define_cfa(
          reader.out, frame, CfiOp::def_cfa_offset, reader.program().profile.rules_in_cie ? 0 : u32(offset),
          i64(u64(offset) + u64(frame.cfa_offset)),
          (frame.cfa_known ? 0 : cfi_from_start) | (reader.program().profile.rules_in_cie ? 0 : cfi_adjusts));
    case cfi_dir_def_aspace_cfa: {
      i64 space;
      if (!parse_register_and_offset(reader, reg, offset) || !expect_comma(reader, "the offset") ||
          !parse_integer(reader, space, "address space")) {
        return;
      }
      return define_cfa(reader.out, frame, CfiOp::def_aspace_cfa, reg, offset, u32(space));
    }
    case cfi_dir_offset:
      if (parse_register_and_offset(reader, reg, offset)) save_at(reader.out, frame, CfiOp::offset, reg, offset, at);
      return;
    case cfi_dir_rel_offset:
      if (!parse_register_and_offset(reader, reg, offset)) return;
      return save_at(reader.out, frame, CfiOp::offset, reg, i64(u64(offset) - u64(frame.cfa_offset)), at,
                     cfi_relative | (frame.cfa_known ? 0 : cfi_from_start));
    case cfi_dir_val_offset:
      if (parse_register_and_offset(reader, reg, offset))
        save_at(reader.out, frame, CfiOp::val_offset, reg, offset, at);
      return;
    case cfi_dir_register:
      if (parse_register(reader, reg) && expect_comma(reader, "the register") && parse_register(reader, other)) {
        add_cfi_insn(reader.out, frame, CfiOp::register_, reg, other);
      }
      return;
    case cfi_dir_return_column:
      if (!parse_register(reader, reg)) return;
      frame.return_column = reg;
      return note_place(reader.out, frame);
    case cfi_dir_restore: return for_registers(reader, frame, CfiOp::restore);
    case cfi_dir_undefined: return for_registers(reader, frame, CfiOp::undefined);
    case cfi_dir_same_value:
      if (parse_register(reader, reg)) add_cfi_insn(reader.out, frame, CfiOp::same_value, reg);
      return;
    case cfi_dir_remember_state: return remember_state(reader.out, frame);
    case cfi_dir_restore_state: return restore_state(reader.out, frame);
    case cfi_dir_window_save: add_cfi_insn(reader.out, frame, CfiOp::window_save); return;
    case cfi_dir_negate_ra_state_with_pc: add_cfi_insn(reader.out, frame, CfiOp::negate_ra_state_with_pc); return;
    case cfi_dir_signal_frame: frame.flags |= cfi_signal_frame; return note_place(reader.out, frame);
    case cfi_dir_b_key_frame: frame.flags |= cfi_b_key; return;
    case cfi_dir_mte_tagged_frame: frame.flags |= cfi_mte_tagged; return;
  }
}

// .cfi_escape byte { ',' byte }
void directive_cfi_escape(Reader& reader, u32) {
  CfiFrame* frame = open_frame(reader);
  if (!frame) return;
  CfiTable& cfi = reader.program().cfi;
  u32 index = no_insn;  // the instruction that the bytes so far belong to
  do {
    Value value;
    if (!value_or_zero(reader, value)) return;
    reader.out.fold(value);
    if (value.is_constant() && value.modifier == 0) {
      if (index == no_insn) {
        index = u32(cfi.insns.size());
        add_cfi_insn(reader.out, *frame, CfiOp::escape, 0, i64(cfi.escape_bytes.size()));
      }
      cfi.escape_bytes.push_back(u8(value.constant));
      ++cfi.insns[index].extra;
    } else {
      reader.out.pin_dot(value);
      add_cfi_insn(reader.out, *frame, CfiOp::escape_value, 0, i64(cfi.values.size()));
      cfi.values.push_back(value);
      index = no_insn;
    }
  } while (accept_comma(reader));
}

// .cfi_personality encoding [ ',' symbol ]
// .cfi_lsda encoding [ ',' symbol ]
void directive_cfi_pointer(Reader& reader, u32 is_lsda) {
  CfiFrame* frame = open_frame(reader);
  if (!frame) return;
  CfiPointer& pointer = is_lsda ? frame->lsda : frame->personality;
  const char* at = reader.p;
  i64 encoding;
  if (!parse_integer(reader, encoding, "pointer encoding")) return;
  if (encoding == DW_EH_PE_omit) {
    pointer = {};
    return;
  }
  if (!valid_encoding(encoding)) {
    return reader.error(
        at,
        fmt::format("pointer encoding {:#x} is not supported; absolute and PC-relative ones are, of 2, 4 or 8 bytes",
                    encoding));
  }
  Value value;
  if (!expect_comma(reader, "the encoding")) return;
  if (reader.program().profile.late_cfi_symbols && reader.program().chars.is(*reader.p, char_name_start)) {
    const Name name = scan_name(reader.p);
    const char* after = skip_blanks(reader.program().chars, reader.p + name.size);
    if (*after == '\n' && name.text() != "." && reader.program().symbols.find(name) == no_symbol) {
      reader.p = after;
      pointer = {.encoding = u8(encoding), .late_name = name.text()};
      return;
    }
  }
  if (!parse_address(reader, encoding, value)) return;
  pointer = {.symbol = value.add, .encoding = u8(encoding), .constant = value.constant};
}

// .cfi_val_encoded_addr register ',' encoding ',' symbol
void directive_cfi_val_encoded_addr(Reader& reader, u32) {
  CfiFrame* frame = open_frame(reader);
  if (!frame) return;
  u32 reg;
  i64 encoding;
  Value value;
  if (!parse_register(reader, reg) || !expect_comma(reader, "the register")) return;
  const char* at = reader.p;
  if (!parse_integer(reader, encoding, "pointer encoding")) return;
  if (!valid_encoding(encoding))
    return reader.error(at, fmt::format("pointer encoding {:#x} is not supported", encoding));
  if (!expect_comma(reader, "the encoding") || !parse_address(reader, encoding, value)) return;
  add_cfi_insn(reader.out, *frame, CfiOp::encoded_address, reg, i64(reader.program().cfi.values.size()), u32(encoding));
  reader.program().cfi.values.push_back(value);
}

// .cfi_label symbol
void directive_cfi_label(Reader& reader, u32) {
  CfiFrame* frame = open_frame(reader);
  if (!frame) return;
  SymbolId id;
  if (!parse_symbol(reader, id, "label")) return;
  if (reader.program().symbols[id].is_defined() || !reader.program().cfi.labels.insert(id).second) {
    return reader.error(fmt::format("symbol '{}' is already defined", reader.program().symbols[id].text()));
  }
  reader.program().order.listed_late.emplace_back(no_symbol, id);
  add_cfi_insn(reader.out, *frame, CfiOp::label, id);
}

void directive_cfi_compact(Reader& reader, u32) {
  reader.error("compact unwind tables do not exist for this target");
  reader.skip_statement();
}

}  // namespace xas
