// SPDX-License-Identifier: Apache-2.0
// The .cfi_* directives: their operands. What they say is recorded by asm/program/frames.h.
#include <fmt/format.h>

#include <vector>

#include "asm/directives/debug.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

/// The frame that is open in the current section; null, and the statement is skipped, if there is none.
CfiFrame* open_frame(Reader& reader) {
  CfiFrame* const frame = open_frame(reader.out);
  if (!frame) reader.skip_statement();
  return frame;
}

/// register := [ '%' ] ( number | name ); a name may be one that the text has given to a register (.req, .set)
bool parse_register(Reader& reader, u32& reg) {
  if (at_end_of_statement(reader) || *reader.p == ',') return reader.expected("a register"), false;
  const Target& target = reader.program().target;
  if (*reader.p == '%' && !reader.program().info.syntax.registers_are_values) {  // else it is part of the name
    ++reader.p;
    skip_blanks(reader);
  }
  if (u8(*reader.p - '0') > 9) {
    const char* q = reader.p;
    int number = target.dwarf_register(q);
    if (number < 0 && reader.out.has_register_aliases) {
      const int named = parse_any_register(reader, q);
      if (named >= 0) number = target.dwarf_number(named);
    }
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

/// A list of registers, of each of which the same is said.
void for_registers(Reader& reader, CfiFrame& frame, CfiDirective directive) {
  do {
    u32 reg;
    if (!parse_register(reader, reg)) return;
    say_of_frame(reader.out, frame, directive, {.reg = reg}, reader.p);
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
  reader.expected(at, "a symbol, or a symbol and a constant offset to it");
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
  if (reader.program().profile.eh_frame_asked_first && cfi.in_use && (sections & cfi_eh_frame) &&
      !(cfi.sections & cfi_eh_frame)) {
    return reader.error(".eh_frame can't be asked for after a frame description that goes elsewhere");
  }
  cfi.sections = sections;
}

// .cfi_startproc [ simple ]
void directive_cfi_startproc(Reader& reader, u32) {
  if (reader.out.frame_synthesis) return reader.out.frame_synthesis->ignore(reader.out), reader.skip_statement();
  if (const u32 open = frame_open_in(reader.program().cfi, reader.out.current->id)) {
    // llvm-mc has read the end of the line when it looks.
    const char* where = reader.program().sources.statement;
    reader.skip_statement();
    if (reader.program().profile.reports_open_at_end && *reader.p == '\n' &&
        (reader.p + 1 < reader.program().sources.current->end || reader.program().sources.wait_for_more()))
      where = reader.p + 1;
    return report_open_frame(reader.out, open, where, "; .cfi_endproc closes it");
  }
  bool simple = false;
  if (!at_end_of_statement(reader)) {
    Name name;
    const char* at = reader.p;
    if (!parse_name(reader, name, "'simple'")) return;
    if (name.text() != "simple") return reader.error(at, fmt::format("expected 'simple', found '{}'", name.text()));
    simple = true;
  }
  begin_frame(reader.out, simple);
}

void directive_cfi_endproc(Reader& reader, u32) {
  if (CfiFrame* frame = open_frame(reader)) end_frame(reader.out, *frame);
}

void directive_cfi(Reader& reader, u32 directive) {
  const CfiDirective said = CfiDirective(directive);
  CfiFrame* const open = frame_for(reader.out, said);
  if (!open) return reader.skip_statement();
  CfiOperands o;
  const char* const at = reader.p;
  bool read = true;
  switch (form_of(said)) {
    case CfiForm::none: break;
    case CfiForm::offset: read = parse_integer(reader, o.offset, "offset"); break;
    case CfiForm::reg: read = parse_register(reader, o.reg); break;
    case CfiForm::registers: return for_registers(reader, *open, said);
    case CfiForm::register_and_offset: read = parse_register_and_offset(reader, o.reg, o.offset); break;
    case CfiForm::register_offset_and_space:
      read = parse_register_and_offset(reader, o.reg, o.offset) && expect_comma(reader, "the offset") &&
             parse_integer(reader, o.space, "address space");
      break;
    case CfiForm::two_registers:
      read = parse_register(reader, o.reg) && expect_comma(reader, "the register") && parse_register(reader, o.other);
      break;
  }
  if (read) say_of_frame(reader.out, *open, said, o, at);
}

namespace {

/// value | form [ ' ' ] '(' value ')'
bool parse_escape(Reader& reader, EscapeItem& item) {
  static constexpr std::pair<std::string_view, EscapeForm> forms[] = {
      {"data2", EscapeForm::data2},     {"data4", EscapeForm::data4},     {"data8", EscapeForm::data8},
      {"uleb128", EscapeForm::uleb128}, {"sleb128", EscapeForm::sleb128},
  };
  const Program& program = reader.program();
  const Name word = scan_name(program.chars, reader.p);
  const char* const behind = skip_blanks(program.chars, reader.p + word.size);
  if (word.size == 0 || *behind != '(') return value_or_zero(reader, item.value);
  const auto* form = std::ranges::find(forms, word.text(), &std::pair<std::string_view, EscapeForm>::first);
  if (form != std::end(forms)) item.form = form->second;
  else if (word.text() == "addr") item.form = program.info.address_size == 8 ? EscapeForm::data8 : EscapeForm::data4;
  else return value_or_zero(reader, item.value);
  reader.p = behind + 1;
  skip_blanks(reader);
  if (!reader.expression_value(item.value)) return false;
  skip_blanks(reader);
  if (*reader.p != ')') return reader.expected("')'"), false;
  ++reader.p;
  skip_blanks(reader);
  return true;
}

}  // namespace

// .cfi_escape value { ',' value }, each a byte or one of the forms data2, data4, data8, addr, uleb128, sleb128
void directive_cfi_escape(Reader& reader, u32) {
  CfiFrame* frame = open_frame(reader);
  if (!frame) return;
  std::vector<EscapeItem> items;
  do {
    if (!parse_escape(reader, items.emplace_back())) return;
  } while (accept_comma(reader));
  say_escape(reader.out, *frame, items);
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
    if (reader.program().profile.cfi_omit_takes_back) pointer = {};
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
    const char* const start = reader.p;
    const Name name = scan_name(start);
    reader.p += name.size;
    if (at_end_of_statement(reader) && name.text() != "." && reader.program().symbols.find(name) == no_symbol) {
      pointer = {.encoding = u8(encoding), .late_name = name.text()};
      return;
    }
    reader.p = start;
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
  say_encoded_address(reader.out, *frame, reg, u32(encoding), value);
}

// .cfi_label symbol
void directive_cfi_label(Reader& reader, u32) {
  FrameSynthesis* const synthesis = reader.out.frame_synthesis.get();
  CfiFrame* const frame = synthesis ? nullptr : open_frame(reader);
  if (!synthesis && !frame) return;
  Name name;
  skip_blanks(reader);
  if (!parse_name(reader, name, "label")) return;
  std::vector<CfiTable::Label>& labels = reader.program().cfi.labels;
  labels.push_back({.name = name, .loc = reader.loc_of(name.p)});
  const u32 label = u32(labels.size() - 1);
  if (synthesis) synthesis->note_cfi_label(reader.out, label);
  else say_label(reader.out, *frame, label);
}

void directive_cfi_compact(Reader& reader, u32) {
  reader.error("compact unwind tables do not exist for this target");
  reader.skip_statement();
}

}  // namespace xas
