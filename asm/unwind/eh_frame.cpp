// SPDX-License-Identifier: Apache-2.0
// .eh_frame and .debug_frame: common information entries (CIE) and frame descriptions (FDE) made of the records of the
// .cfi_* directives. Specifications: DWARF 5, section 6.4; Linux Standard Base, "Exception Frames", for .eh_frame.
//
// The two assemblers agree on every entry's bytes but for a few cases, and disagree on which CIEs there are:
//
// - GNU as keeps the order of the source. The target's initial rules are instructions like others, and whatever rules
//   hold from a function's first byte are taken into the CIE with them. A description uses the newest CIE whose rules
//   are a prefix of its own; so one without any rules of its own may refer to a CIE made for a simpler function.
// - LLVM sorts descriptions by what their CIE must say and starts a new one whenever that changes; the CIE holds the
//   target's rules and no more. In .debug_frame LLVM 22 makes one CIE, for the first description, and uses it for all;
//   from 23 on, what .debug_frame does not show is not looked at.
#include "asm/unwind/unwind.h"

#include "objwriter/elf_constants.h"

#include <algorithm>
#include <utility>
#include <unordered_map>

#include <fmt/format.h>

#include "asm/program/coff.h"
#include "asm/program/dwarf_cfa.h"
#include "asm/program/section_writer.h"
#include "asm/program/win_unwind.h"

namespace xas {

namespace {

/// A CIE that was written.
struct Cie {
  u64 offset;      ///< of its length field, in the section
  u32 frame;       ///< the frame that it was made for
  u32 rules;       ///< how many of that frame's first instructions it holds
  u32 same_hash;   ///< index of the CIE before it of the same hash, or no_cie
};
constexpr u32 no_cie = ~u32(0);

class FrameWriter {
 public:
  FrameWriter(Program& program, Section& section, bool eh)
      : program_(program),
        cfi_(program.cfi),
        w_(program, section),
        section_(section),
        eh_(eh),
        defaults_(program.target.cfi_defaults()) {
    address_size_ = program.info.address_size;
    dwarf64_ = program.options.dwarf64 && !eh;
    absolute_ = eh && program.is_coff && program.profile.coff_absolute_frames;
    const bool large_eh = program.options.large_eh_encoding && program.info.elf.rela;
    const bool large = program.options.large_code_model || large_eh;
    pc_size_ = eh && !absolute_ ? (large ? 8 : 4) : address_size_;
    if (eh) section.flags |= 2;  // SHF_ALLOC, also where a .section directive did not say so
    section.log2_align = std::max(section.log2_align, u8(address_size_ == 8 ? 3 : 2));
    cie_version_ = program.options.cie_version ? program.options.cie_version : 1;
    if (program.profile.cie_version_by_dwarf) cie_version_ = eh ? 1 : dwarf_cie_version(program.lines.version());
  }

  void write(std::vector<u32>& frames) {
    w_.subsection().reserve(frames.size() * 48 + 64);
    w_.subsection().fixups.reserve(w_.subsection().fixups.size() + frames.size() * 2);
    if (program_.profile.sort_frames) {
      write_sorted(frames);
    } else {
      write_in_order(frames);
    }
  }

 private:
  static u8 dwarf_cie_version(unsigned dwarf_version) {
    return dwarf_version <= 2 ? 1 : dwarf_version == 3 ? 3 : 4;
  }

  u32 column(const CfiFrame& f) const {
    return f.return_column != ~u32(0) ? f.return_column : defaults_.return_column;
  }

  // Which CIE: LLVM's way

  auto sort_key(const CfiFrame& f) const {
    const u32 return_column = std::min(f.return_column, u32(0x7FFFFFFF));
    if (!eh_ && program_.profile.debug_frame_own_order)
      return std::make_tuple(std::string_view{}, return_column, u32(0), 0, f.flags & cfi_simple, u32(0), 0, 0);
    const std::string_view name = f.personality.encoding == DW_EH_PE_omit ? std::string_view{}
                                  : f.personality.late_name.empty() ? program_.symbols[f.personality.symbol].text()
                                                                    : f.personality.late_name;
    const u32 personality_encoding = f.personality.encoding == DW_EH_PE_omit ? 0 : f.personality.encoding;
    const u32 lsda_encoding = f.lsda.encoding == DW_EH_PE_omit ? 0 : f.lsda.encoding;
    return std::make_tuple(name, personality_encoding, lsda_encoding, f.flags & cfi_signal_frame, f.flags & cfi_simple,
                           return_column, f.flags & cfi_b_key, f.flags & cfi_mte_tagged);
  }

  /// A symbol that is listed when it is written.
  void resolve_name(CfiPointer& pointer) {
    if (eh_ && !pointer.late_name.empty())
      pointer.symbol = program_.symbols.intern_copy(std::exchange(pointer.late_name, {}));
  }

  void write_sorted(std::vector<u32>& frames) {
    const auto less = [&](u32 x, u32 y) { return sort_key(cfi_.frames[x]) < sort_key(cfi_.frames[y]); };
    if (!std::is_sorted(frames.begin(), frames.end(), less)) std::stable_sort(frames.begin(), frames.end(), less);
    const CfiFrame* last = nullptr;
    u64 cie = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      CfiFrame& f = program_.cfi.frames[frames[i]];
      const bool one = last && !eh_ && program_.profile.one_debug_frame_cie;
      if (!last || (!one && sort_key(f) != sort_key(*last))) {
        resolve_name(f.personality);
        cie = write_cie(f, 0);
      }
      last = &f;
      resolve_name(f.lsda);
      write_fde(f, f.first_insn, cie, i + 1 == frames.size());
    }
  }

  // Which CIE: GNU as's way

  bool is_newest(u32 frame) const { return frame + 1 == cfi_.frames.size(); }

  /// A rule that can be in a CIE.
  static bool can_be_initial(const CfiInsn& i) {
    switch (i.op) {
      case CfiOp::def_cfa:
      case CfiOp::def_cfa_register:
      case CfiOp::def_cfa_offset:
      case CfiOp::offset:
      case CfiOp::val_offset:
      case CfiOp::register_:
      case CfiOp::restore:
      case CfiOp::undefined:
      case CfiOp::same_value: return true;
      default: return false;
    }
  }
  static bool is_initial(const CfiFrame& f, const CfiInsn& i) {
    return i.pos == f.start_pos && i.fragment == f.start_fragment && can_be_initial(i);
  }
  static bool same_rule(const CfiInsn& x, const CfiInsn& y) {
    return x.op == y.op && x.reg == y.reg && x.offset == y.offset;
  }
  bool same_key(const CfiFrame& x, const CfiFrame& y) const {
    constexpr u8 in_cie = cfi_signal_frame | cfi_b_key | cfi_mte_tagged;
    return column(x) == column(y) && (x.flags & in_cie) == (y.flags & in_cie) &&
           (!eh_ || (x.personality == y.personality && x.lsda.encoding == y.lsda.encoding));
  }
  static u64 mix(u64 h, u64 v) { return hash_step(h, v); }

  u64 key_hash(const CfiFrame& f) const {
    u64 h = mix(column(f), f.flags & ~cfi_simple);
    if (eh_) {
      h = mix(h, u64(f.personality.symbol) << 16 | u64(f.personality.encoding) << 8 | f.lsda.encoding);
      h = mix(h, u64(f.personality.constant));
    }
    return h;
  }
  static u64 rule_hash(u64 h, const CfiInsn& i) { return mix(mix(h, u64(i.op) << 32 | i.reg), u64(i.offset)); }

  /// The rules of the CIE are the first ones of `f`; `rest` becomes the first instruction behind them.
  bool matches(const Cie& cie, const CfiFrame& f, u32& rest) const {
    const CfiFrame& made_for = cfi_.frames[cie.frame];
    if (!same_key(made_for, f)) return false;
    u32 i = made_for.first_insn, j = f.first_insn;
    for (u32 n = 0; n < cie.rules; ++n) {
      // That it holds from the first byte is known of the CIE's rules only; behind an advance none would be equal.
      if (j == no_insn || !is_initial(f, cfi_.insns[j]) || !same_rule(cfi_.insns[i], cfi_.insns[j])) return false;
      i = cfi_.insns[i].next;
      j = cfi_.insns[j].next;
    }
    rest = j;
    return true;
  }

  /// The newest CIE that serves `f`, made if there is none. `rest` becomes the first instruction that is not in it.
  u64 cie_for(u32 index, u32& rest) {
    const CfiFrame& f = cfi_.frames[index];
    if (!cies_.empty() && matches(cies_.back(), f, rest)) return cies_.back().offset;
    // Look for each prefix of the frame's own initial rules, from none to all.
    u64 hash = key_hash(f);
    u32 best = no_cie, rules = 0;
    u32 i = f.first_insn;
    for (;;) {
      if (const auto found = newest_.find(hash); found != newest_.end()) {
        for (u32 c = found->second; c != no_cie && (best == no_cie || c > best); c = cies_[c].same_hash) {
          if (cies_[c].rules == rules && matches(cies_[c], f, rest)) {
            best = c;
            break;
          }
        }
      }
      if (i == no_insn || !is_initial(f, cfi_.insns[i])) break;
      hash = rule_hash(hash, cfi_.insns[i]);
      i = cfi_.insns[i].next;
      ++rules;
    }
    if (best != no_cie) {
      matches(cies_[best], f, rest);
      return cies_[best].offset;
    }
    const auto [slot, fresh] = newest_.try_emplace(hash, no_cie);
    cies_.push_back({.offset = write_cie(f, rules), .frame = index, .rules = rules, .same_hash = slot->second});
    slot->second = u32(cies_.size() - 1);
    rest = i;
    return cies_.back().offset;
  }

  void write_in_order(const std::vector<u32>& frames) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      u32 rest = no_insn;
      const u64 cie = cie_for(frames[i], rest);
      write_fde(cfi_.frames[frames[i]], rest, cie,
                i + 1 == frames.size() && (!program_.is_coff || is_newest(frames[i])));
    }
  }

  // Entries

  SectionWriter::Length begin_entry() {
    if (dwarf64_) w_.put4(0xFFFFFFFF);
    return w_.begin_length(dwarf64_ ? 8 : 4);
  }

  unsigned encoded_size(u8 encoding) const {
    switch (encoding & 7) {
      case DW_EH_PE_udata2: return 2;
      case DW_EH_PE_udata4: return 4;
      case DW_EH_PE_udata8: return 8;
      default: return address_size_;
    }
  }
  void put_pointer(const CfiPointer& p, SourceLoc loc) {
    const Value value{.constant = p.constant, .add = p.symbol};
    w_.put_value(encoded_size(p.encoding), value, (p.encoding & 0x70) == DW_EH_PE_pcrel, loc);
  }

  /// The CIE for `f`, with the first `rules` instructions of it (none: the target's own initial rules, unless it is
  /// simple). Returns its offset.
  u64 write_cie(const CfiFrame& f, u32 rules) {
    const u64 start = w_.offset();
    const SectionWriter::Length length = begin_entry();
    const bool personality = eh_ && f.personality.encoding != DW_EH_PE_omit;
    const bool lsda = eh_ && f.lsda.encoding != DW_EH_PE_omit;
    w_.put(eh_ ? 0 : ~u64(0), dwarf64_ ? 8 : 4);
    w_.put1(cie_version_);
    if (eh_) w_.put_bytes(personality ? (lsda ? "zPLR" : "zPR") : (lsda ? "zLR" : "zR"));
    const bool signal = f.flags & cfi_signal_frame && (eh_ || program_.profile.debug_frame_signal);
    if (signal && !program_.profile.signal_letter_last) w_.put1('S');
    if (f.flags & cfi_b_key && eh_) w_.put1('B');
    if (f.flags & cfi_mte_tagged && eh_) w_.put1('G');
    if (signal && program_.profile.signal_letter_last) w_.put1('S');
    w_.put1(0);
    if (cie_version_ >= 4) {
      w_.put1(program_.profile.cie_address_size_8 ? 8 : address_size_);
      w_.put1(0);  // no segment selectors
    }
    w_.put_uleb(defaults_.code_align);
    w_.put_sleb(defaults_.data_align);
    const u32 return_column = column(f);
    if (cie_version_ == 1) {
      if (return_column > 255) {
        program_.diags.error(f.loc, fmt::format("return column {} does not fit in a CIE of version 1", return_column));
      }
      w_.put1(return_column);
    } else {
      w_.put_uleb(return_column);
    }
    if (eh_) {
      w_.put_uleb(1 + lsda + (personality ? 1 + encoded_size(f.personality.encoding) : 0));
      if (personality) {
        w_.put1(f.personality.encoding);
        put_pointer(f.personality, f.loc);
      }
      if (lsda) w_.put1(f.lsda.encoding);
      if (absolute_) w_.put1(DW_EH_PE_absptr);
      else w_.put1(DW_EH_PE_pcrel | (pc_size_ == 8 ? DW_EH_PE_sdata8 : DW_EH_PE_sdata4));
    }
    u32 i = f.first_insn;
    for (u32 n = 0; n < rules; ++n, i = cfi_.insns[i].next) put_insn(cfi_.insns[i]);
    if (!program_.profile.rules_in_cie && !(f.flags & cfi_simple)) {
      put_insn({.reg = defaults_.cfa_register, .offset = defaults_.cfa_offset, .op = CfiOp::def_cfa});
      if (defaults_.has_return_rule) {
        put_insn({.reg = defaults_.return_column, .offset = defaults_.return_offset, .op = CfiOp::offset});
      }
      cfa_offset_ = defaults_.cfa_offset;
    }
    first_cfa_offset_ = cfa_offset_;
    w_.pad(eh_ ? 4 : address_size_);
    w_.end_length(length);
    if (!program_.relocs.empty() && !program_.profile.branch_relocations_last)  // LLVM aligns here
      program_.fragment_ends.push_back({w_.subsection().id, u32(w_.subsection().size), f.loc});
    return start;
  }

  /// As llvm-mc names it.
  static void name_label(Symbol& label) {
    label.name = ".L0 ";
    label.name_size = 4;
    label.flags = 0;
    label.binding = Binding::local;
  }

  void write_fde(const CfiFrame& f, u32 insn, u64 cie, bool last) {
    const SectionWriter::Length length = begin_entry();
    if (eh_) {
      w_.put4(w_.offset() - cie);
    } else {
      w_.put_reference(dwarf64_ ? 8 : 4, section_, cie);
    }
    const Subsection& code = program_.sections.sub(f.subsection);
    const u64 start = code.offset(f.start_pos, f.start_fragment);
    if (f.start_label != no_symbol && eh_) {
      if (!program_.profile.label_names_hold_numbers) name_label(program_.symbols[f.start_label]);
      w_.put_reference(pc_size_, f.start_label, 0, true, f.loc);
    } else {
      w_.put_reference(pc_size_, program_.sections[code.section], start, eh_ && !absolute_);
    }
    w_.put(code.offset(f.end_pos, f.end_fragment) - start, pc_size_);
    if (eh_) {
      w_.put_uleb(f.lsda.encoding == DW_EH_PE_omit ? 0 : encoded_size(f.lsda.encoding));
      if (f.lsda.encoding != DW_EH_PE_omit) put_pointer(f.lsda, f.loc);
    }
    u64 at = start;
    const i64 assumed = f.flags & cfi_simple ? 0 : defaults_.cfa_offset;
    cfa_offset_ = first_cfa_offset_;
    for (; insn != no_insn; insn = cfi_.insns[insn].next) {
      const CfiInsn& i = cfi_.insns[insn];
      const u64 place = code.offset(i.pos, i.fragment);
      if (place != at) put_advance((place - at) / defaults_.code_align);
      at = place;
      const i64 shift = i.extra & cfi_from_start ? first_cfa_offset_ - assumed : 0;
      if (shift != 0 && i.op == CfiOp::offset) {
        put_insn({.reg = i.reg, .offset = i.offset - shift, .op = i.op});
      } else if (shift != 0 && i.op == CfiOp::def_cfa_offset) {
        put_insn({.offset = i.offset + shift, .op = i.op});
      } else {
        put_insn(i);
      }
      if (i.op == CfiOp::def_cfa || i.op == CfiOp::def_cfa_offset || i.op == CfiOp::def_aspace_cfa)
        cfa_offset_ = i.offset + (i.op == CfiOp::def_cfa_offset ? shift : 0);
    }
    w_.pad(last ? std::max(address_size_, pc_size_) : pc_size_);
    w_.end_length(length);
  }

  void put_advance(u64 units) {
    if (units == 0) return;
    if (units <= 0x3f) return w_.put1(DW_CFA_advance_loc | units);
    const unsigned size = units <= 0xff ? 1 : units <= 0xffff ? 2 : 4;
    w_.put1(size == 1 ? DW_CFA_advance_loc1 : size == 2 ? DW_CFA_advance_loc2 : DW_CFA_advance_loc4);
    w_.put(units, size);
  }

  void put_reg_uleb(u8 opcode, u32 reg, u64 operand) {
    w_.put1(opcode);
    w_.put_uleb(reg);
    w_.put_uleb(operand);
  }
  void put_reg_sleb(u8 opcode, u32 reg, i64 operand) {
    w_.put1(opcode);
    w_.put_uleb(reg);
    w_.put_sleb(operand);
  }

  void put_insn(const CfiInsn& i) {
    const i64 factored = i.offset / defaults_.data_align;
    const bool signed_cfa = i.offset < 0 && program_.profile.signed_cfa_offset;
    switch (i.op) {
      case CfiOp::def_cfa:
        if (signed_cfa) return put_reg_sleb(DW_CFA_def_cfa_sf, i.reg, factored);
        return put_reg_uleb(DW_CFA_def_cfa, i.reg, u64(i.offset));
      case CfiOp::def_cfa_offset:
        w_.put1(signed_cfa ? DW_CFA_def_cfa_offset_sf : DW_CFA_def_cfa_offset);
        return signed_cfa ? w_.put_sleb(factored) : w_.put_uleb(u64(i.offset));
      case CfiOp::def_aspace_cfa:
        put_reg_uleb(DW_CFA_LLVM_def_aspace_cfa, i.reg, u64(i.offset));
        return w_.put_uleb(i.extra);
      case CfiOp::offset:
        if (factored < 0) return put_reg_sleb(DW_CFA_offset_extended_sf, i.reg, factored);
        if (i.reg > 0x3f) return put_reg_uleb(DW_CFA_offset_extended, i.reg, u64(factored));
        w_.put1(DW_CFA_offset | i.reg);
        return w_.put_uleb(u64(factored));
      case CfiOp::val_offset:
        if (factored < 0) return put_reg_sleb(DW_CFA_val_offset_sf, i.reg, factored);
        return put_reg_uleb(DW_CFA_val_offset, i.reg, u64(factored));
      case CfiOp::register_: return put_reg_uleb(DW_CFA_register, i.reg, u64(i.offset));
      case CfiOp::restore:
        if (i.reg <= 0x3f) return w_.put1(DW_CFA_restore | i.reg);
        return put_reg(DW_CFA_restore_extended, i.reg);
      case CfiOp::def_cfa_register: return put_reg(DW_CFA_def_cfa_register, i.reg);
      case CfiOp::undefined: return put_reg(DW_CFA_undefined, i.reg);
      case CfiOp::same_value: return put_reg(DW_CFA_same_value, i.reg);
      case CfiOp::remember_state: return w_.put1(DW_CFA_remember_state);
      case CfiOp::restore_state: return w_.put1(DW_CFA_restore_state);
      case CfiOp::window_save: return w_.put1(DW_CFA_GNU_window_save);
      case CfiOp::negate_ra_state_with_pc: return w_.put1(DW_CFA_AARCH64_negate_ra_state_with_pc);
      case CfiOp::escape:
        return w_.put_bytes({reinterpret_cast<const char*>(cfi_.escape_bytes.data()) + i.offset, i.extra});
      case CfiOp::escape_value: return put_escape(EscapeForm(i.reg), cfi_.values[u64(i.offset)]);
      case CfiOp::encoded_address: return put_encoded_address(i);
      case CfiOp::label: return define_label(cfi_.labels[i.reg]);
      case CfiOp::place: return;
    }
  }
  void put_reg(u8 opcode, u32 reg) {
    w_.put1(opcode);
    w_.put_uleb(reg);
  }

  /// Frames are written when the places of all labels but those within them are known.
  void put_escape(EscapeForm form, Value value) {
    if (form != EscapeForm::uleb128 && form != EscapeForm::sleb128)
      return w_.put_value(1u << unsigned(form), value, false, 0);
    const char* why = nullptr;
    if (program_.reduce(value, why) && value.is_constant())
      return form == EscapeForm::uleb128 ? w_.put_uleb(u64(value.constant)) : w_.put_sleb(value.constant);
    program_.diags.error(0, "a LEB128 number of .cfi_escape must be known, and is not");
  }

  void put_encoded_address(const CfiInsn& i) {
    const u8 encoding = u8(i.extra);
    const unsigned size = encoded_size(encoding);
    put_reg(DW_CFA_val_expression, i.reg);
    if (encoding == DW_EH_PE_absptr) {
      w_.put_uleb(1 + size);
      w_.put1(DW_OP_addr);
    } else {
      w_.put_uleb(2 + size);
      w_.put1(DW_OP_GNU_encoded_addr);
      w_.put1(encoding);
    }
    w_.put_value(size, cfi_.values[u64(i.offset)], (encoding & 0x70) == DW_EH_PE_pcrel, 0);
  }

  void define_label(const CfiTable::Label& label) {
    const SymbolId known = program_.symbols.size();
    const SymbolId id = program_.symbols.intern(label.name);
    Symbol& s = program_.symbols[id];
    if (s.is_defined())  // also in the section that was written first
      return program_.diags.error(label.loc, fmt::format("symbol '{}' is already defined", s.text()));
    if (id >= known && program_.profile.sizes_are_no_reference) list_before_lines(id);
    const Subsection& sub = w_.subsection();
    s.become_label(sub.id, sub.size, u32(sub.fragments.size()));
  }

  /// llvm-mc lists what it meets in frames behind all but what it meets in line tables.
  void list_before_lines(SymbolId id) {
    auto& late = program_.order.listed_late;
    const auto of_lines = [&](SymbolId listed) {
      return std::ranges::find(program_.lines.table_labels, listed, &DwarfLines::TableLabel::symbol) !=
             program_.lines.table_labels.end();
    };
    late.insert(std::ranges::find_if(late, of_lines, &std::pair<SymbolId, SymbolId>::second), {no_symbol, id});
  }

  Program& program_;
  const CfiTable& cfi_;
  SectionWriter w_;
  Section& section_;
  const bool eh_;
  const Target::CfiDefaults defaults_;
  unsigned address_size_;
  unsigned pc_size_;
  bool absolute_;  ///< .eh_frame has addresses in place of distances
  bool dwarf64_;
  u8 cie_version_;
  /// llvm-mc lets a frame begin with the CFA of its CIE, and a CIE of `simple` frames with that of the frame before.
  i64 first_cfa_offset_ = 0, cfa_offset_ = 0;
  std::vector<Cie> cies_;
  std::unordered_map<u64, u32> newest_;  ///< by hash of key and rules: the newest CIE
};

constexpr u32 no_comdat = ~u32(0);

/// The section for frames of this code. GNU as for COFF has sections of their own for those of COMDATs, which go with
/// these, and have CIEs of their own.
Section& frame_section(Program& program, u32 code, std::string_view name) {
  if (code == no_comdat) {
    const bool is_new = program.symbols.find(name) == no_symbol;
    Section& section = program.section_named(name);
    // GNU as makes its symbol when it comes upon the relocations that name it.
    if (is_new && program.profile.kept_temporaries_last && !program.info.elf.all_section_symbols)
      program.symbols[program.section_symbol(section)].flags |= symbol_operand;
    return section;
  }
  return companion_section(program, program.sections[code], name, coff_default_characteristics(program, name));
}

void write_frames(Program& program, std::string_view name, CfiSections kind) {
  std::vector<std::pair<u32, std::vector<u32>>> groups;
  std::unordered_map<u32, std::size_t> known;
  std::size_t last = 0;  ///< the group of the frame before: nearly always this one's too
  for (u32 i = 0; i < program.cfi.frames.size(); ++i) {
    const CfiFrame& f = program.cfi.frames[i];
    if (!(sections_of(program, f) & kind)) continue;
    u32 code = no_comdat;
    if (program.is_coff && program.profile.coff_tables_by_name) code = program.sections.sub(f.subsection).section;
    if (code != no_comdat && (!program.sections[code].comdat || has_llvm_form(program.sections[code])))
      code = no_comdat;
    if (groups.empty() || groups[last].first != code) {
      const auto [group, first] = known.emplace(code, groups.size());
      if (first) groups.emplace_back(code, std::vector<u32>{});
      last = group->second;
    }
    groups[last].second.push_back(i);
  }
  for (auto& [code, frames] : groups)
    FrameWriter(program, frame_section(program, code, name), kind == cfi_eh_frame).write(frames);
}

}  // namespace

void generate_frame_sections(Program& program) {
  if (program.cfi.frames.empty()) return;
  const u8 sections = sections_of_frames(program);
  if (sections & cfi_eh_frame) write_frames(program, ".eh_frame", cfi_eh_frame);
  generate_sframe(program);
  if (sections & cfi_debug_frame) write_frames(program, ".debug_frame", cfi_debug_frame);
}

}  // namespace xas
