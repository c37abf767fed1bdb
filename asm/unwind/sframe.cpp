// SPDX-License-Identifier: Apache-2.0
// .sframe (SFrame): for each function, at which addresses the stack's frame is where. GNU as 2.40 writes version 1 of
// the format, 2.44 and llvm-mc version 2, GNU as 2.47 version 3; the specification is "The SFrame Stack Trace Format"
// of binutils.
//
// A function's row (FRE) says where the CFA is counted from, the stack or the frame pointer, how far away it is, and
// where the return address and the frame pointer have been saved. Version 3 has flexible rows too, which count from any
// register, and rows that say that there is no return address. What the format has no words for, like most expressions,
// makes it unusable for the function, which is then left out; a warning says so.
//
// The two differ in what makes a row: to GNU as an instruction of interest does, to LLVM a changed state. In GNU as,
// .cfi_def_cfa_register and, up to version 2, .cfi_remember_state look at the row before, .cfi_restore at the first
// one, and there is one remembered state and no stack.
#include "asm/unwind/unwind.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "asm/program/dwarf_cfa.h"
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
  SFRAME_FDE_PAUTH_KEY_B = 0x20,
  SFRAME_FDE_SIGNAL_P = 0x80,
  SFRAME_FDE_TYPE_FLEX = 1,
};
constexpr u32 SFRAME_MAGIC = 0xdee2;
constexpr unsigned attributes_size = 5;  ///< of a function, in front of its rows
constexpr u32 no_register = ~u32(0);

/// Where a register of the caller is to be found.
struct Saved {
  enum Base : u8 { nowhere, cfa, other_register } base = nowhere;
  bool loaded = false;    ///< it is what is stored there
  u32 reg = no_register;  ///< the other register
  i64 offset = 0;
  bool operator==(const Saved&) const = default;
};

struct Row {
  u64 start = 0;  ///< from the function's start
  u32 base = no_register;
  i64 cfa = 0;
  bool cfa_loaded = false;  ///< the CFA is what is stored there
  bool mangled = false;
  bool return_undefined = false;  ///< no function is returned to
  Saved frame, return_address;

  bool same_state(const Row& o) const {
    return base == o.base && cfa == o.cfa && cfa_loaded == o.cfa_loaded && mangled == o.mangled &&
           return_undefined == o.return_undefined && frame == o.frame && return_address == o.return_address;
  }
};

/// What a row writes behind its info byte.
struct RowData {
  i64 values[6];
  unsigned count = 0;
  unsigned size = 0;  ///< of each: 0, 1, 2 for one, two, four bytes
};

struct Function {
  const CfiFrame* frame;
  u64 start, size;
  std::vector<Row> rows;
  bool flexible = false;
};

class SframeWriter {
 public:
  SframeWriter(Program& program, Section& section, const TargetInfo::Sframe& abi)
      : program_(program),
        abi_(abi),
        version_(program.profile.sframe_version),
        by_directive_(program.profile.sframe_rows_by_directive),
        checks_registers_(program.profile.sframe_checks_registers),
        other_registers_(version_ >= SFRAME_VERSION_3 && abi.flexible),
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
      if (const char* why = translate(f, function); why && !says_signal(f)) {
        if (left_out_++ == 0) first_left_out_ = {f.loc, why};
      } else {
        if (why) function.rows.clear(), function.flexible = false;
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
  bool tracks_return(u32 reg) const { return reg == abi_.return_address && !abi_.fixed_return; }

  static constexpr const char* no_rules = "a lack of rules";

  /// From version 3 on, of a frame that a signal makes it is told that it is one, if nothing else.
  bool says_signal(const CfiFrame& f) const {
    return by_directive_ && version_ >= SFRAME_VERSION_3 && f.flags & cfi_signal_frame;
  }

  /// Rows have offsets of 32 bits at most.
  static bool is_too_large(i64 offset) { return offset != i32(offset); }
  static constexpr const char* too_large = "an offset of more than 32 bits";

  /// Fills the function's rows, or says what has no words in this format.
  const char* translate(const CfiFrame& f, Function& out) const {
    if (f.return_column != ~u32(0) && f.return_column != defaults_.return_column) return "its return column";
    const Subsection& code = program_.sections.sub(f.subsection);
    Row now;
    bool of_interest = false;  // in GNU as's way, what came since the last row makes one
    std::vector<Row> remembered;
    if (!by_directive_) {
      now.base = f.flags & cfi_simple ? no_register : defaults_.cfa_register;
      now.cfa = f.flags & cfi_simple ? 0 : defaults_.cfa_offset;
      out.rows.push_back(now);
    } else if (f.first_insn == no_insn) {
      return f.flags & cfi_simple && version_ < SFRAME_VERSION_3 ? no_rules : nullptr;
    }
    for (u32 n = f.first_insn; n != no_insn; n = program_.cfi.insns[n].next) {
      const CfiInsn& insn = program_.cfi.insns[n];
      const u64 place = code.offset(insn.pos, insn.fragment) - out.start;
      if (place != now.start) {
        if (by_directive_ && of_interest) out.rows.push_back(now);
        if (by_directive_ && of_interest) of_interest = false;
        now.start = place;
      }
      if (const char* why = apply(insn, now, out.rows, remembered, of_interest)) return why;
      if (!by_directive_) add_changed(out.rows, now);
    }
    if (by_directive_ && out.rows.empty() && !of_interest && version_ < SFRAME_VERSION_3) return no_rules;
    if (by_directive_) out.rows.push_back(now);
    for (const Row& row : out.rows) {
      if (checks_registers_ && !abi_.fixed_return && row.frame.base == Saved::cfa &&
          row.return_address.base == Saved::nowhere)
        return "a frame pointer that is saved without the return address";
      out.flexible |= version_ >= SFRAME_VERSION_3 && by_directive_ && needs_flexible_row(row);
    }
    return nullptr;
  }

  bool needs_flexible_row(const Row& row) const {
    return !is_base(row.base) || row.cfa_loaded || row.frame.base == Saved::other_register ||
           row.return_address.base == Saved::other_register ||
           (abi_.fixed_return && row.return_address.base != Saved::nowhere);
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

  const char* apply(const CfiInsn& i, Row& now, const std::vector<Row>& rows, std::vector<Row>& remembered,
                    bool& of_interest) const {
    switch (i.op) {
      case CfiOp::def_cfa:
      case CfiOp::def_cfa_register:
        if (!is_base(i.reg) && (!by_directive_ || checks_registers_) && !other_registers_) return other_base;
        if (i.op == CfiOp::def_cfa && by_directive_ && is_too_large(i.offset)) return too_large;
        if (i.op == CfiOp::def_cfa) now.cfa = i.offset;
        else if (by_directive_ && !rows.empty()) now.cfa = rows.back().cfa;
        else if (by_directive_ && version_ < SFRAME_VERSION_3) now.cfa = 0;
        now.base = i.reg;
        now.cfa_loaded = false;
        of_interest = true;
        return nullptr;
      case CfiOp::def_cfa_offset:
        if (now.base == no_register || (!is_base(now.base) && !other_registers_)) return other_base;
        if (by_directive_ && is_too_large(i.offset)) return too_large;
        // LLVM's SFrame restores what adjustments count from; its DWARF does not.
        now.cfa = i.extra & cfi_adjusts ? now.cfa + i32(i.reg) : i.offset;
        of_interest = true;
        return nullptr;
      case CfiOp::offset:  // LLVM does not see .cfi_rel_offset here
        if (by_directive_ && is_too_large(i.offset) && (i.reg == abi_.frame || i.reg == abi_.return_address))
          return too_large;
        if (by_directive_ || !(i.extra & cfi_relative)) save(i.reg, i.offset, now, of_interest);
        return nullptr;
      case CfiOp::restore: return restore(i.reg, now, rows, of_interest), nullptr;
      case CfiOp::remember_state: return remember(now, rows, remembered);
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
        if (checks_registers_ && !abi_.signs_return) return "a .cfi_window_save";
        now.mangled = !now.mangled;
        of_interest = true;
        return nullptr;
      case CfiOp::undefined: return undefine(i.reg, now, of_interest);
      case CfiOp::same_value: return same_value(i.reg, now, of_interest), nullptr;
      case CfiOp::place: return nullptr;
      case CfiOp::val_offset: return moves_value(i.reg, i.offset) ? "a .cfi_val_offset" : nullptr;
      case CfiOp::register_: return move(i, now, of_interest);
      case CfiOp::label: return by_directive_ ? "a .cfi_label" : nullptr;
      case CfiOp::escape: return escape(i, now, of_interest);
      case CfiOp::escape_value: return "a .cfi_escape";
      case CfiOp::def_aspace_cfa: return "a .cfi_llvm_def_aspace_cfa";
      case CfiOp::encoded_address: return "a .cfi_val_encoded_addr";
      case CfiOp::negate_ra_state_with_pc: return "a .cfi_negate_ra_state_with_pc";
    }
    return nullptr;
  }
  static constexpr const char* other_base = "a CFA that neither the stack nor the frame pointer is the base of";

  /// From version 3 on, GNU as looks at what is said of the stack pointer.
  bool moves_stack(u32 reg) const { return by_directive_ && version_ >= SFRAME_VERSION_3 && reg == abi_.stack; }

  /// Of .cfi_val_offset: it says something of a register of which rows tell.
  bool moves_value(u32 reg, i64 offset) const {
    if (by_directive_ && (reg == abi_.frame || tracks_return(reg))) return true;
    return moves_stack(reg) && offset != 0;
  }

  void save(u32 reg, i64 offset, Row& now, bool& of_interest) const {
    const Saved saved{.base = Saved::cfa, .loaded = true, .offset = offset};
    if (reg == abi_.frame) {
      now.frame = saved;
    } else if (tracks_return(reg)) {
      now.return_address = saved;
      now.return_undefined = false;
    } else if (reg == abi_.return_address && other_registers_) {
      // At its fixed place it needs no words, nor does GNU as then take back that it is undefined.
      if (offset == i64(abi_.fixed_return)) {
        now.return_address.base = Saved::nowhere;
      } else {
        now.return_address = saved;
        now.return_undefined = false;
      }
    } else {
      return;
    }
    of_interest = true;
  }

  /// GNU as goes back to the base and the offset of the first row; what else was said last stays.
  void restore(u32 reg, Row& now, const std::vector<Row>& rows, bool& of_interest) const {
    if (reg != abi_.frame && !tracks_return(reg)) return;
    of_interest = true;
    if (by_directive_ && rows.empty()) return;
    const Row initial = by_directive_ ? rows.front() : Row{};
    Saved& saved = reg == abi_.frame ? now.frame : now.return_address;
    const Saved& first = reg == abi_.frame ? initial.frame : initial.return_address;
    saved.base = first.base;
    saved.offset = first.offset;
    if (reg == abi_.return_address) now.return_undefined = initial.return_undefined;
  }

  const char* remember(const Row& now, const std::vector<Row>& rows, std::vector<Row>& remembered) const {
    const char* const none = "a .cfi_remember_state before all rows";
    if (by_directive_ && version_ >= SFRAME_VERSION_3) {
      if (now.base == no_register) return none;
      remembered = {now};
    } else if (by_directive_) {
      if (rows.empty()) return none;
      remembered = {rows.back()};
    } else {
      if (rows.size() < 2) return none;  // LLVM counts the row that each function begins with
      remembered.push_back(now);
    }
    return nullptr;
  }

  const char* undefine(u32 reg, Row& now, bool& of_interest) const {
    if (!by_directive_ || version_ < SFRAME_VERSION_3) return nullptr;
    if (is_base(reg)) return "a .cfi_undefined";
    if (reg == abi_.return_address) now.return_undefined = of_interest = true;
    return nullptr;
  }

  void same_value(u32 reg, Row& now, bool& of_interest) const {
    if (!by_directive_ || version_ < SFRAME_VERSION_3) return;
    if (reg == abi_.frame) {
      now.frame.base = Saved::nowhere;
    } else if (tracks_return(reg)) {
      now.return_address.base = Saved::nowhere;
      now.return_undefined = false;
    } else {
      return;
    }
    of_interest = true;
  }

  /// .cfi_register
  const char* move(const CfiInsn& i, Row& now, bool& of_interest) const {
    if (!by_directive_) return nullptr;
    const bool is_frame = i.reg == abi_.frame, is_return = i.reg == abi_.return_address;
    if (other_registers_ && (is_frame || is_return)) {
      (is_frame ? now.frame : now.return_address) = {.base = Saved::other_register, .reg = u32(i.offset)};
      if (is_return) now.return_undefined = false;
      of_interest = true;
      return nullptr;
    }
    const bool matters = is_frame || tracks_return(i.reg) || moves_stack(i.reg);
    return matters || !checks_registers_ ? "a .cfi_register" : nullptr;
  }

  const char* escape(const CfiInsn& i, Row& now, bool& of_interest) const {
    const std::span bytes(program_.cfi.escape_bytes.data() + i.offset, i.extra);
    if (!by_directive_) return is_harmless(bytes, now) ? nullptr : unknown_escape;
    return version_ >= SFRAME_VERSION_3 ? apply_expression(bytes, i.reg, now, of_interest) : unknown_escape;
  }
  static constexpr const char* unknown_escape = "a .cfi_escape";

  /// An offset that ends the bytes: sleb128(...), which begins at `leb_at`, or one byte.
  static bool final_offset(std::span<const u8> bytes, u32 leb_at, i64& offset) {
    if (bytes.empty() || bytes.back() >= 0x80 || (leb_at == cfi_no_sleb && bytes.size() != 1)) return false;
    offset = i8(bytes.back() << 1) >> 1;
    for (std::size_t n = bytes.size() - 1; n-- > 0;) offset = i64(u64(offset) << 7) | (bytes[n] & 0x7f);
    return !is_too_large(offset);
  }

  /// GNU as knows, besides what changes nothing, the two forms with which GCC describes frames that it realigns. All
  /// is written as bytes, but for an offset, which may be a sleb128(...), then at `leb_at`.
  const char* apply_expression(std::span<const u8> bytes, u32 leb_at, Row& now, bool& of_interest) const {
    i64 offset;
    const auto sleb_only_at = [&](u32 at) { return leb_at == cfi_no_sleb || leb_at == at; };
    if (std::ranges::all_of(bytes, [](u8 byte) { return byte == DW_CFA_nop; })) return nullptr;
    switch (bytes[0]) {
      case DW_CFA_GNU_args_size:
        if (bytes.size() != 2 || !sleb_only_at(cfi_no_sleb)) return unknown_escape;
        return bytes[1] == 0 || now.base == abi_.frame ? nullptr : unknown_escape;
      case DW_CFA_def_cfa_expression:  // 3, DW_OP_breg6 offset, DW_OP_deref
        if (!other_registers_ || bytes.size() < 5 || bytes[1] != 3 || bytes[2] != DW_OP_breg6 || !sleb_only_at(3) ||
            bytes.back() != DW_OP_deref || !final_offset(bytes.subspan(3, bytes.size() - 4), leb_at, offset))
          return unknown_escape;
        now.base = abi_.frame;
        now.cfa = offset;
        now.cfa_loaded = of_interest = true;
        return nullptr;
      case DW_CFA_expression:  // register, 2, DW_OP_breg6 offset
        if (bytes.size() < 5 || bytes[2] != 2 || !sleb_only_at(4) || !final_offset(bytes.subspan(4), leb_at, offset))
          return unknown_escape;
        if (bytes[1] == abi_.stack || tracks_return(bytes[1])) return unknown_escape;
        if (bytes[1] != abi_.frame) return nullptr;
        // Any other operation counts as one of no register.
        now.frame = {.base = Saved::other_register,
                     .loaded = true,
                     .reg = other_registers_ && bytes[3] == DW_OP_breg6 ? abi_.frame : no_register,
                     .offset = offset};
        of_interest = true;
        return nullptr;
      case DW_CFA_val_offset:  // register, scaled offset
        if (bytes.size() != 3 || !sleb_only_at(cfi_no_sleb)) return unknown_escape;
        return moves_value(bytes[1], bytes[2]) ? unknown_escape : nullptr;
      default: return unknown_escape;
    }
  }

  /// LLVM: an escape that is only DW_CFA_GNU_args_size changes nothing that a row says where the frame pointer is the
  /// base.
  bool is_harmless(std::span<const u8> bytes, const Row& now) const {
    if (bytes.size() < 2 || bytes[0] != DW_CFA_GNU_args_size) return false;
    std::size_t n = 1;
    bool zero = true;
    for (; n < bytes.size(); ++n) {
      zero &= (bytes[n] & 0x7f) == 0;
      if (!(bytes[n] & 0x80)) break;
    }
    return n + 1 == bytes.size() && (zero || now.base == abi_.frame);
  }

  // The section

  unsigned address_type(const Function& f) const {
    const u64 largest = by_directive_ ? f.size : f.rows.empty() ? 0 : f.rows.back().start;
    return largest <= 0xff ? SFRAME_FRE_TYPE_ADDR1 : largest <= 0xffff ? SFRAME_FRE_TYPE_ADDR2 : SFRAME_FRE_TYPE_ADDR4;
  }

  /// In the format's order. A flexible row has two values for each: how to get at it, and an offset.
  RowData row_data(const Function& f, const Row& row) const {
    RowData data;
    if (row.return_undefined) return data;
    if (f.flexible) {
      add_control(data, row.base << 3 | u32(row.cfa_loaded) << 1 | 1);
      add_value(data, row.cfa);
      // GNU as does not make room for the place of a return address that the ABI has a fixed one for.
      if (row.return_address.base != Saved::nowhere) add_flexible(data, row.return_address, !abi_.fixed_return);
      else if (row.frame.base != Saved::nowhere) add_value(data, 0);
      if (row.frame.base != Saved::nowhere) add_flexible(data, row.frame, row.frame.base == Saved::cfa);
      return data;
    }
    add_value(data, row.cfa);
    if (row.return_address.base != Saved::nowhere) add_value(data, row.return_address.offset);
    if (row.frame.base != Saved::nowhere) add_value(data, row.frame.offset);
    return data;
  }

  void add_flexible(RowData& data, const Saved& saved, bool makes_room) const {
    const u32 loaded = u32(saved.loaded) << 1;
    add_control(data, saved.base == Saved::cfa ? loaded : saved.reg << 3 | loaded | 1);
    if (makes_room) add_value(data, saved.offset);
    else data.values[data.count++] = saved.offset;
  }
  static void add_control(RowData& data, u32 control) {
    data.values[data.count++] = control;
    data.size = std::max(data.size, control <= UINT8_MAX ? 0u : control <= UINT16_MAX ? 1u : 2u);
  }
  /// Up to version 2, GNU as does not use the least value of a size.
  void add_value(RowData& data, i64 value) const {
    const int unused = by_directive_ && version_ < SFRAME_VERSION_3;
    const bool one = value >= INT8_MIN + unused && value <= INT8_MAX;
    const bool two = value >= INT16_MIN + unused && value <= INT16_MAX;
    data.values[data.count++] = value;
    data.size = std::max(data.size, one ? 0u : two ? 1u : 2u);
  }

  u64 rows_size(const Function& f) const {
    u64 size = version_ >= SFRAME_VERSION_3 ? attributes_size : 0;
    for (const Row& row : f.rows) {
      const RowData data = row_data(f, row);
      size += (1u << address_type(f)) + 1 + (data.count << data.size);
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
    const bool signal = version_ >= SFRAME_VERSION_3 && f.frame->flags & cfi_signal_frame;
    return u8(address_type(f) | (f.frame->flags & cfi_b_key ? SFRAME_FDE_PAUTH_KEY_B : 0) |
              (signal ? SFRAME_FDE_SIGNAL_P : 0));
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
    w_.put1(f.flexible ? SFRAME_FDE_TYPE_FLEX : 0);
    w_.put1(0);  // the size of repeated blocks
  }

  void put_row(const Function& f, const Row& row) {
    const RowData data = row_data(f, row);
    w_.put(row.start, 1u << address_type(f));
    if (row.return_undefined) return w_.put1(0);
    const bool on_stack = !f.flexible && (by_directive_ ? row.base != abi_.frame : row.base == abi_.stack);
    w_.put1(u8(on_stack) | data.count << 1 | data.size << 5 | unsigned(row.mangled) << 7);
    for (unsigned i = 0; i < data.count; ++i) w_.put(u64(data.values[i]), 1u << data.size);
  }

  Program& program_;
  const TargetInfo::Sframe& abi_;
  const u8 version_;
  const bool by_directive_;      ///< rows, and what is refused, as GNU as has them
  const bool checks_registers_;  ///< GNU as refuses what a row can't say of other registers
  const bool other_registers_;   ///< rows can be said to count from any register
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
    if (program.profile.sframe_target_checked && (program.options.gsframe || program.profile.sframe_sections_checked))
      program.diags.error(0, ".sframe is known for x86-64 and AArch64 only, in 64-bit ELF objects");
    return;
  }
  const u8 version = program.profile.sframe_version;
  if (program.options.sframe_version && program.options.sframe_version != version) {
    return program.diags.error(0, fmt::format("--gsframe-{}: this release writes version {} of .sframe",
                                              program.options.sframe_version, version));
  }
  SframeWriter(program, program.section_named(".sframe"), abi).write();
}

}  // namespace xas
