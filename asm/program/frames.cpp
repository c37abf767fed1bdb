// SPDX-License-Identifier: Apache-2.0
// Call frame information while it is collected: records into CfiTable, nothing else. Each instruction notes the place
// in the code where it takes effect; .eh_frame and .debug_frame are written at the end (asm/unwind/eh_frame.cpp).
//
// Frames are opened and closed for each subsection on its own: a frame may stay open while another section is filled.
// Relative offsets (.cfi_adjust_cfa_offset, .cfi_rel_offset) are made absolute here. What they count from after
// .cfi_restore_state is one of the places where the two assemblers differ (Profile::restore_cfa_offset).
#include "asm/program/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "asm/program/streamer.h"
#include "objwriter/endian.h"
#include "xas/leb128.hpp"

namespace xas {

CfiInsn& add_cfi_insn(Streamer& out, CfiFrame& frame, CfiOp op, u32 reg, i64 offset, u32 extra) {
  BigVector<CfiInsn>& insns = out.program.cfi.insns;
  const u32 index = u32(insns.size());
  (frame.last_insn == no_insn ? frame.first_insn : insns[frame.last_insn].next) = index;
  frame.last_insn = index;
  make_room(insns);
  return insns.emplace_back(CfiInsn{.pos = u32(out.current->size),
                                    .fragment = u32(out.current->fragments.size()),
                                    .next = no_insn,
                                    .reg = reg,
                                    .offset = offset,
                                    .extra = extra,
                                    .op = op});
}

namespace {

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

}  // namespace

CfiFrame* open_frame(Streamer& out) {
  if (out.frame_synthesis) return out.frame_synthesis->ignore(out), nullptr;
  if (const u32 open = frame_open_in(out.program.cfi, out.current->id)) return &out.program.cfi.frames[open - 1];
  out.error(out.program.sources.statement,
            fmt::format("there is no open frame description in section {}; .cfi_startproc begins one",
                        out.current_section().name));
  return nullptr;
}

CfiFrame* frame_for(Streamer& out, CfiDirective directive) {
  if (!out.frame_synthesis || directive != cfi_dir_signal_frame) return open_frame(out);
  out.frame_synthesis->note_signal_frame(out);
  return nullptr;
}

void report_open_frame(Streamer& out, u32 open, const char* where, std::string_view advice) {
  out.error(where, fmt::format("the previous frame description is still open{}", advice));
  out.program.diags.note(out.program.cfi.frames[open - 1].loc, "it was opened here");
}

void begin_frame(Streamer& out, bool simple) {
  if (out.frame_synthesis) return out.frame_synthesis->ignore(out);
  begin_frame_at(out, u32(out.current->size), u32(out.current->fragments.size()), simple);
}

u8 sections_of(const Program& program, const CfiFrame& frame) {
  return program.profile.sections_of_frame ? frame.sections : program.cfi.sections;
}

u8 sections_of_frames(const Program& program) {
  return program.profile.sections_of_frame ? program.cfi.all_sections : program.cfi.sections;
}

namespace {

/// The linker finds a frame's code by a label: LLVM on ARM, where a distance to code is never told by a section, and
/// where --reloc-section-sym keeps relocations from naming it.
bool is_found_by_label(const Program& program) {
  using enum Options::SectionSymbols;
  if (program.options.section_symbols == none) return true;
  if (!program.profile.maps_all_data) return false;
  return program.options.section_symbols == internal || program.info.relocations.data_keeps_symbol;
}

}  // namespace

CfiFrame& begin_frame_at(Streamer& out, u32 pos, u32 fragment, bool simple) {
  CfiTable& cfi = out.program.cfi;
  const u32 id = out.current->id;
  if (id >= cfi.open_in.size())
    cfi.open_in.resize(std::max<std::size_t>(id + 1, out.program.sections.subsections()), 0);
  CfiFrame frame{.subsection = id, .start_pos = pos, .start_fragment = fragment};
  if (simple) frame.flags = cfi_simple;
  const Target::CfiDefaults defaults = out.program.target.cfi_defaults();
  frame.loc = out.program.sources.statement_loc();
  frame.sections = cfi.all_sections |= cfi.sections;
  if (!(frame.flags & cfi_simple)) frame.cfa_offset = defaults.cfa_offset;
  frame.cfa_known = out.program.profile.rules_in_cie;
  cfi.in_use = true;
  if (is_found_by_label(out.program)) {
    frame.start_label = out.program.symbols.make_anonymous();
    out.program.symbols[frame.start_label].become_label(out.current->id, frame.start_pos, frame.start_fragment);
  }
  make_room(cfi.frames);
  cfi.frames.push_back(frame);
  cfi.open_in[id] = u32(cfi.frames.size());
  if (out.program.profile.rules_in_cie && !(frame.flags & cfi_simple)) {
    // The target's initial rules are ordinary instructions here, so that others can join them in the CIE.
    CfiFrame& f = cfi.frames.back();
    add_cfi_insn(out, f, CfiOp::def_cfa, defaults.cfa_register, defaults.cfa_offset);
    if (defaults.has_return_rule) add_cfi_insn(out, f, CfiOp::offset, defaults.return_column, defaults.return_offset);
  }
  return cfi.frames.back();
}

void end_frame(Streamer& out, CfiFrame& frame) {
  CfiTable& cfi = out.program.cfi;
  out.reserved.close_shadow(out, "'.cfi_endproc'", out.program.sources.statement_loc());
  frame.end_pos = u32(out.current->size);
  frame.end_fragment = u32(out.current->fragments.size());
  frame.closed = true;
  cfi.open_in[out.current->id] = 0;
  const u32 index = u32(&frame - cfi.frames.data());
  while (!cfi.remembered.empty() && cfi.remembered.back().first == index) cfi.remembered.pop_back();
}

void say_of_frame(Streamer& out, CfiFrame& frame, CfiDirective directive, const CfiOperands& o, const char* at) {
  const bool in_cie = out.program.profile.rules_in_cie;
  switch (directive) {
    case cfi_dir_def_cfa: return define_cfa(out, frame, CfiOp::def_cfa, o.reg, o.offset);
    case cfi_dir_def_cfa_register: add_cfi_insn(out, frame, CfiOp::def_cfa_register, o.reg); return;
    case cfi_dir_def_cfa_offset: return define_cfa(out, frame, CfiOp::def_cfa_offset, 0, o.offset);
    case cfi_dir_adjust_cfa_offset:
      return define_cfa(out, frame, CfiOp::def_cfa_offset, in_cie ? 0 : u32(o.offset),
                        i64(u64(o.offset) + u64(frame.cfa_offset)),
                        (frame.cfa_known ? 0 : cfi_from_start) | (in_cie ? 0 : cfi_adjusts));
    case cfi_dir_def_aspace_cfa: return define_cfa(out, frame, CfiOp::def_aspace_cfa, o.reg, o.offset, u32(o.space));
    case cfi_dir_offset: return save_at(out, frame, CfiOp::offset, o.reg, o.offset, at);
    case cfi_dir_rel_offset:
      return save_at(out, frame, CfiOp::offset, o.reg, i64(u64(o.offset) - u64(frame.cfa_offset)), at,
                     cfi_relative | (frame.cfa_known ? 0 : cfi_from_start));
    case cfi_dir_val_offset: return save_at(out, frame, CfiOp::val_offset, o.reg, o.offset, at);
    case cfi_dir_register: add_cfi_insn(out, frame, CfiOp::register_, o.reg, o.other); return;
    case cfi_dir_return_column: frame.return_column = o.reg; return note_place(out, frame);
    case cfi_dir_restore: add_cfi_insn(out, frame, CfiOp::restore, o.reg); return;
    case cfi_dir_undefined: add_cfi_insn(out, frame, CfiOp::undefined, o.reg); return;
    case cfi_dir_same_value: add_cfi_insn(out, frame, CfiOp::same_value, o.reg); return;
    case cfi_dir_remember_state: return remember_state(out, frame);
    case cfi_dir_restore_state: return restore_state(out, frame);
    case cfi_dir_window_save: add_cfi_insn(out, frame, CfiOp::window_save); return;
    case cfi_dir_negate_ra_state_with_pc: add_cfi_insn(out, frame, CfiOp::negate_ra_state_with_pc); return;
    case cfi_dir_signal_frame: frame.flags |= cfi_signal_frame; return note_place(out, frame);
    case cfi_dir_b_key_frame: frame.flags |= cfi_b_key; return;
    case cfi_dir_mte_tagged_frame: frame.flags |= cfi_mte_tagged; return;
  }
}

namespace {

void append_escape(const Program& program, std::vector<u8>& bytes, const EscapeItem& item) {
  const u64 number = u64(item.value.constant);
  if (item.form == EscapeForm::uleb128) return append_uleb128(bytes, number);
  if (item.form == EscapeForm::sleb128) return append_sleb128(bytes, i64(number));
  const unsigned size = 1u << unsigned(item.form);
  append_int(bytes, number, size, program.info.big_endian);
}

}  // namespace

void say_escape(Streamer& out, CfiFrame& frame, std::span<const EscapeItem> items) {
  CfiTable& cfi = out.program.cfi;
  u32 index = no_insn;  // the instruction that the bytes so far belong to
  for (EscapeItem item : items) {
    out.fold(item.value);
    if (item.value.is_constant() && item.value.modifier == 0) {
      if (index == no_insn) {
        index = u32(cfi.insns.size());
        add_cfi_insn(out, frame, CfiOp::escape, cfi_no_sleb, i64(cfi.escape_bytes.size()));
      }
      CfiInsn& insn = cfi.insns[index];
      if (item.form != EscapeForm::byte)
        insn.reg = item.form == EscapeForm::sleb128 && insn.reg == cfi_no_sleb ? insn.extra : cfi_other_forms;
      append_escape(out.program, cfi.escape_bytes, item);
      insn.extra = u32(cfi.escape_bytes.size() - std::size_t(insn.offset));
    } else {
      out.pin_dot(item.value);
      add_cfi_insn(out, frame, CfiOp::escape_value, u32(item.form), i64(cfi.values.size()));
      cfi.values.push_back(item.value);
      index = no_insn;
    }
  }
}

void say_encoded_address(Streamer& out, CfiFrame& frame, u32 reg, u32 encoding, const Value& value) {
  add_cfi_insn(out, frame, CfiOp::encoded_address, reg, i64(out.program.cfi.values.size()), encoding);
  out.program.cfi.values.push_back(value);
}

void say_label(Streamer& out, CfiFrame& frame, u32 label) { add_cfi_insn(out, frame, CfiOp::label, label); }

void end_initial_rules(Streamer& out) {
  const u32 id = out.current->id;
  const u32 open = id < out.program.cfi.open_in.size() ? out.program.cfi.open_in[id] : 0;
  if (!open || !out.program.profile.rules_in_cie) return;
  const CfiFrame& frame = out.program.cfi.frames[open - 1];
  if (out.current->size == frame.start_pos && out.current->fragments.size() == frame.start_fragment)
    add_cfi_insn(out, out.program.cfi.frames[open - 1], CfiOp::place);
}

void check_frames(Streamer& out, SourceLoc end) {
  std::unordered_set<std::string_view> named;
  for (const CfiTable::Label& label : out.program.cfi.labels) {
    const SymbolId id = out.program.symbols.find(label.name);
    const bool is_defined = id != no_symbol && out.program.symbols[id].is_defined();
    if (is_defined || !named.insert(label.name.text()).second)
      out.program.diags.error(label.loc, fmt::format("symbol '{}' is already defined", label.name.text()));
  }
  for (const CfiFrame& f : out.program.cfi.frames) {
    if (f.closed) continue;
    out.program.diags.error(out.program.profile.reports_open_at_end ? end : f.loc,
                            "this frame description is never closed; .cfi_endproc closes it");
  }
}

}  // namespace xas
