// SPDX-License-Identifier: Apache-2.0
// .sframe (SFrame): for each function, at which addresses the stack's frame is where. GNU as 2.40 writes version 1 of
// the format, 2.44 and llvm-mc version 2, GNU as 2.47 version 3; the specification is "The SFrame Stack Trace Format" of
// binutils.
//
// A function's row (FRE) says where the CFA is counted from, the stack or the frame pointer, how far away it is, and
// where the return address and the frame pointer have been saved. What the format has no words for, an expression or
// another base register, makes it unusable for the function, which is then left out; a warning says so.
//
// The two differ in what makes a row: to GNU as an instruction of interest does, to LLVM a changed state. In GNU as,
// .cfi_remember_state and .cfi_def_cfa_register look at the row before, and there is one remembered state and no stack.
#include "asm/unwind/unwind.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/program/program.h"
#include "asm/program/section_writer.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

enum : u8 {
  SFRAME_VERSION_1 = 1,
  SFRAME_VERSION_3 = 3,
  SFRAME_F_FDE_FUNC_START_PCREL = 4,
  SFRAME_FRE_TYPE_ADDR1 = 0,
  SFRAME_FRE_TYPE_ADDR2 = 1,
  SFRAME_FRE_TYPE_ADDR4 = 2,
};
constexpr u32 SFRAME_MAGIC = 0xdee2;
constexpr unsigned attributes_size = 5;  ///< of a function, in front of its rows
constexpr u8 DW_CFA_GNU_args_size = 0x2e;

struct Row {
  u64 start = 0;  ///< from the function's start
  u32 base = ~u32(0);
  i64 cfa = 0;
  bool saves_frame = false, saves_return = false, mangled = false;
  i64 frame = 0, return_address = 0;

  bool same_state(const Row& o) const {
    return base == o.base && cfa == o.cfa && saves_frame == o.saves_frame && saves_return == o.saves_return &&
           mangled == o.mangled && frame == o.frame && return_address == o.return_address;
  }
};

struct Function {
  const CfiFrame* frame;
  u64 start, size;
  std::vector<Row> rows;
};

class SframeWriter {
 public:
  SframeWriter(Program& program, Section& section, const TargetInfo::Sframe& abi)
      : program_(program),
        abi_(abi),
        version_(program.profile.sframe_version),
        by_directive_(program.profile.sframe_rows_by_directive),
        w_(program, section),
        defaults_(program.target.cfi_defaults()) {
    section.type = program.profile.sframe_own_type ? elf::SHT_GNU_SFRAME : elf::SHT_PROGBITS;
    section.flags = elf::SHF_ALLOC;
    section.log2_align = 3;
  }

  void write() {
    for (const CfiFrame& f : program_.cfi.frames) {
      if (!program_.options.gsframe && !(sections_of(program_, f) & cfi_sframe)) continue;
      const Subsection& code = program_.sections.sub(f.subsection);
      Function function{.frame = &f, .start = code.offset(f.start_pos, f.start_fragment)};
      function.size = code.offset(f.end_pos, f.end_fragment) - function.start;
      if (function.size == 0 && !by_directive_) continue;
      if (const char* why = translate(f, function)) {
        if (left_out_++ == 0) first_left_out_ = {f.loc, why};
      } else {
        functions_.push_back(std::move(function));
      }
    }
    if (left_out_) {
      program_.diags.warning(first_left_out_.first,
                             fmt::format("{} of {} functions have no SFrame data; this one because of {}", left_out_,
                                         left_out_ + functions_.size(), first_left_out_.second));
    }
    put_header();
    u64 rows_at = 0;
    for (const Function& f : functions_) {
      put_function(f, rows_at);
      rows_at += rows_size(f);
    }
    for (const Function& f : functions_) {
      if (version_ >= SFRAME_VERSION_3) put_attributes(f);
      for (const Row& row : f.rows) put_row(f, row);
    }
  }

 private:
  // Rows

  bool is_base(u32 reg) const { return reg == abi_.stack || reg == abi_.frame; }

  /// Fills the function's rows, or says what has no words in this format.
  const char* translate(const CfiFrame& f, Function& out) const {
    if (f.return_column != ~u32(0) && f.return_column != defaults_.return_column) return "its return column";
    const Subsection& code = program_.sections.sub(f.subsection);
    Row now;
    bool of_interest = false;  // in GNU as's way, what came since the last row makes one
    std::vector<Row> remembered;
    if (!by_directive_) {
      now.base = f.flags & cfi_simple ? ~u32(0) : defaults_.cfa_register;
      now.cfa = f.flags & cfi_simple ? 0 : defaults_.cfa_offset;
      out.rows.push_back(now);
    } else if (f.first_insn == no_insn) {
      return f.flags & cfi_simple ? "it has no rules" : nullptr;
    }
    for (u32 n = f.first_insn; n != no_insn; n = program_.cfi.insns[n].next) {
      const CfiInsn& insn = program_.cfi.insns[n];
      const u64 place = code.offset(insn.pos, insn.fragment) - out.start;
      if (place != now.start) {
        if (by_directive_ && of_interest) out.rows.push_back(now);
        if (by_directive_ && of_interest) of_interest = false;
        now.start = place;
      }
      // LLVM counts the row that each function begins with.
      if (insn.op == CfiOp::remember_state && out.rows.size() < (by_directive_ ? 1 : 2))
        return "a .cfi_remember_state before all rows";
      const Row* const last = out.rows.empty() ? nullptr : &out.rows.back();
      if (const char* why = apply(insn, now, last, remembered, of_interest)) return why;
      if (!by_directive_) add_changed(out.rows, now);
    }
    if (by_directive_) out.rows.push_back(now);
    return nullptr;
  }

  /// LLVM's way: a row where the state is another than that of the row before.
  static void add_changed(std::vector<Row>& rows, const Row& now) {
    if (rows.back().start == now.start) {
      rows.back() = now;
      if (rows.size() > 1 && rows[rows.size() - 2].same_state(now)) rows.pop_back();
    } else if (!rows.back().same_state(now)) {
      rows.push_back(now);
    }
  }

  const char* apply(const CfiInsn& i, Row& now, const Row* last, std::vector<Row>& remembered,
                    bool& of_interest) const {
    switch (i.op) {
      case CfiOp::def_cfa:
        if (!by_directive_ && !is_base(i.reg))
          return "a CFA that neither the stack nor the frame pointer is the base of";
        now.base = i.reg;
        now.cfa = i.offset;
        of_interest = true;
        return nullptr;
      case CfiOp::def_cfa_register:
        if (!by_directive_ && !is_base(i.reg))
          return "a CFA that neither the stack nor the frame pointer is the base of";
        now.base = i.reg;
        if (by_directive_) now.cfa = last ? last->cfa : 0;
        of_interest = true;
        return nullptr;
      case CfiOp::def_cfa_offset:
        if (!is_base(now.base)) return "a CFA that neither the stack nor the frame pointer is the base of";
        // LLVM's SFrame restores what adjustments count from; its DWARF does not.
        now.cfa = i.extra & cfi_adjusts ? now.cfa + i32(i.reg) : i.offset;
        of_interest = true;
        return nullptr;
      case CfiOp::offset:  // LLVM does not see .cfi_rel_offset here
        if (by_directive_ || !(i.extra & cfi_relative)) save(i.reg, i.offset, now, of_interest);
        return nullptr;
      case CfiOp::restore:
        if (i.reg == abi_.frame) now.saves_frame = false, now.frame = 0, of_interest = true;
        if (i.reg == abi_.return_address && !abi_.fixed_return)
          now.saves_return = false, now.return_address = 0, of_interest = true;
        return nullptr;
      case CfiOp::remember_state:
        if (by_directive_) remembered.clear();
        remembered.push_back(by_directive_ && last ? *last : now);
        return nullptr;
      case CfiOp::restore_state: {
        if (remembered.empty()) return "a state that was not remembered";
        const u64 start = now.start;
        now = remembered.back();
        now.start = start;
        if (!by_directive_) remembered.pop_back();
        of_interest = true;
        return nullptr;
      }
      case CfiOp::window_save:
        if (!by_directive_ && !abi_.signs_return) return nullptr;
        now.mangled = !now.mangled;
        of_interest = true;
        return nullptr;
      case CfiOp::undefined:
      case CfiOp::same_value:
      case CfiOp::place: return nullptr;
      case CfiOp::val_offset:
        if (!by_directive_ || (i.reg != abi_.frame && (i.reg != abi_.return_address || abi_.fixed_return)))
          return nullptr;
        return "a .cfi_val_offset";
      case CfiOp::register_: return by_directive_ ? "a .cfi_register" : nullptr;
      case CfiOp::label: return by_directive_ ? "a .cfi_label" : nullptr;
      case CfiOp::escape: return by_directive_ || !is_harmless(i, now) ? "a .cfi_escape" : nullptr;
      case CfiOp::escape_value: return "a .cfi_escape";
      case CfiOp::def_aspace_cfa: return "a .cfi_llvm_def_aspace_cfa";
      case CfiOp::encoded_address: return "a .cfi_val_encoded_addr";
      case CfiOp::negate_ra_state_with_pc: return "a .cfi_negate_ra_state_with_pc";
    }
    return nullptr;
  }

  void save(u32 reg, i64 offset, Row& now, bool& of_interest) const {
    if (reg == abi_.frame) {
      now.saves_frame = true;
      now.frame = offset;
      of_interest = true;
    } else if (reg == abi_.return_address && !abi_.fixed_return) {
      now.saves_return = true;
      now.return_address = offset;
      of_interest = true;
    }
  }

  /// An escape that is only DW_CFA_GNU_args_size changes nothing that a row says where the frame pointer is the base.
  bool is_harmless(const CfiInsn& i, const Row& now) const {
    const u8* bytes = program_.cfi.escape_bytes.data() + i.offset;
    if (i.extra < 2 || bytes[0] != DW_CFA_GNU_args_size) return false;
    u32 n = 1;
    bool zero = true;
    for (; n < i.extra; ++n) {
      zero &= (bytes[n] & 0x7f) == 0;
      if (!(bytes[n] & 0x80)) break;
    }
    return n + 1 == i.extra && (zero || now.base == abi_.frame);
  }

  // The section

  unsigned address_type(const Function& f) const {
    const u64 largest = by_directive_ ? f.size : f.rows.empty() ? 0 : f.rows.back().start;
    return largest <= 0xff ? SFRAME_FRE_TYPE_ADDR1 : largest <= 0xffff ? SFRAME_FRE_TYPE_ADDR2 : SFRAME_FRE_TYPE_ADDR4;
  }

  /// What a row writes behind its info byte, in the format's order; how many.
  unsigned offsets(const Row& row, i64 (&out)[3]) const {
    unsigned n = 0;
    out[n++] = row.cfa;
    if (row.saves_return) out[n++] = row.return_address;
    if (row.saves_frame) out[n++] = row.frame;
    return n;
  }

  /// 0, 1, 2: one, two, four bytes. GNU as does not use the least value of a size.
  unsigned offset_size(const i64* offsets, unsigned n) const {
    i64 low = 0, high = 0;
    for (unsigned i = 0; i < n; ++i) {
      low = std::min(low, by_directive_ ? offsets[i] - 1 : offsets[i]);
      high = std::max(high, offsets[i]);
    }
    return low >= INT8_MIN && high <= INT8_MAX ? 0 : low >= INT16_MIN && high <= INT16_MAX ? 1 : 2;
  }

  u64 rows_size(const Function& f) const {
    u64 size = version_ >= SFRAME_VERSION_3 ? attributes_size : 0;
    for (const Row& row : f.rows) {
      i64 values[3];
      const unsigned n = offsets(row, values);
      size += (1u << address_type(f)) + 1 + (n << offset_size(values, n));
    }
    return size;
  }

  void put_header() {
    u64 rows = 0, size = 0;
    for (const Function& f : functions_) rows += f.rows.size(), size += rows_size(f);
    w_.put2(SFRAME_MAGIC);
    w_.put1(version_);
    w_.put1(program_.profile.sframe_own_type ? SFRAME_F_FDE_FUNC_START_PCREL : 0);
    w_.put1(abi_.abi);
    w_.put1(0);  // the frame pointer has no fixed place
    w_.put1(u8(abi_.fixed_return));
    w_.put1(0);  // no auxiliary header
    w_.put4(functions_.size());
    w_.put4(rows);
    w_.put4(size);
    w_.put4(0);
    w_.put4(functions_.size() * (version_ == SFRAME_VERSION_1 ? 17 : version_ >= SFRAME_VERSION_3 ? 16 : 20));
  }

  u8 function_info(const Function& f) const {
    return u8(address_type(f) | (f.frame->flags & cfi_b_key ? 0x20u : 0u));
  }

  void put_function(const Function& f, u64 rows_at) {
    const Subsection& code = program_.sections.sub(f.frame->subsection);
    w_.put_reference(version_ >= SFRAME_VERSION_3 ? 8 : 4, program_.sections[code.section], f.start, true);
    w_.put4(f.size);
    w_.put4(rows_at);
    if (version_ >= SFRAME_VERSION_3) return;
    w_.put4(f.rows.size());
    w_.put1(function_info(f));
    if (version_ != SFRAME_VERSION_1) w_.put_zeros(3);  // the size of repeated blocks, and padding
  }

  /// From version 3 on, what is said of the function in front of its rows.
  void put_attributes(const Function& f) {
    w_.put2(f.rows.size());
    w_.put1(function_info(f));
    w_.put_zeros(2);  // the kind of its rows, the size of repeated blocks
  }

  void put_row(const Function& f, const Row& row) {
    i64 values[3];
    const unsigned n = offsets(row, values), size = offset_size(values, n);
    w_.put(row.start, 1u << address_type(f));
    const bool on_frame = by_directive_ ? row.base == abi_.frame : row.base != abi_.stack;
    w_.put1(u8(!on_frame) | n << 1 | size << 5 | unsigned(row.mangled) << 7);
    for (unsigned i = 0; i < n; ++i) w_.put(u64(values[i]), 1u << size);
  }

  Program& program_;
  const TargetInfo::Sframe& abi_;
  const u8 version_;
  const bool by_directive_;  ///< rows, and what is refused, as GNU as has them
  SectionWriter w_;
  const Target::CfiDefaults defaults_;
  std::vector<Function> functions_;
  std::size_t left_out_ = 0;
  std::pair<SourceLoc, const char*> first_left_out_;
};

}  // namespace

void generate_sframe(Program& program) {
  if (program.cfi.frames.empty() || !(program.options.gsframe || sections_of_frames(program) & cfi_sframe)) return;
  const TargetInfo::Sframe& abi = program.info.sframe;
  if (program.is_coff || !program.info.elf.is_64 || abi.abi == 0) {
    if (program.profile.sframe_target_checked)
      program.diags.error(0, ".sframe is known for x86-64 and AArch64 only, in 64-bit ELF objects");
    return;
  }
  SframeWriter(program, program.section_named(".sframe"), abi).write();
}

}  // namespace xas
