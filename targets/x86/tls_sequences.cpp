// SPDX-License-Identifier: Apache-2.0
// The instructions by which code finds thread-local variables. Linkers make others of them, and know them byte by byte,
// so that GNU as takes the relocations from 2.44 on in these alone (the psABIs have them as code sequences):
//
//   i386      tlsgd        lea x@tlsgd(,%ebx,1), %eax     lea x@tlsgd(%reg), %eax
//             tlsldm       lea x@tlsldm(%reg), %eax
//             tlsdesc      lea x@tlsdesc(%ebx), %reg
//             indntpoff    mov/add x@indntpoff, %reg
//             gotntpoff    mov/add/sub x@gotntpoff(%reg), %reg
//             gottpoff     mov/add/sub x@gottpoff(%reg), %reg
//   x86-64    tlsgd tlsld  lea x@tlsgd(%rip), %rdi
//             tlsdesc      lea x@tlsdesc(%rip), %reg
//             gottpoff     mov/add x@gottpoff(%rip), %reg, with APX's destination too
//   both      tlscall      call *x@tlscall(%rax)
//
// 2.40 refuses some of them in vector instructions only.
#include <fmt/format.h>

#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

constexpr u8 number_of_ax = 0, number_of_bx = 3, number_of_di = 7;

/// An instruction with a relocation for thread-local variables in the operand `o`.
class TlsSequence {
 public:
  TlsSequence(const Row& row, const Statement& s, const Operand& o, bool wide, bool x32)
      : row_(row), facts_(facts_of(row)), s_(s), o_(o), wide_(wide), x32_(x32) {}

  /// What is wrong, empty if nothing is.
  std::string_view problem() const {
    switch (o_.value.modifier) {
      case mod_tlsgd: return wide_ ? argument() : general_dynamic();
      case mod_tlsld: return argument();
      case mod_tlsldm: return local_dynamic();
      case mod_tlsdesc: return descriptor();
      case mod_gottpoff: return wide_ ? initial_exec() : offset_in_table();
      case mod_gotntpoff: return offset_in_table();
      case mod_indntpoff: return offset_at_address();
      case mod_tlscall: return call();
      default: return "";
    }
  }

 private:
  static constexpr std::string_view not_lea = "it belongs to `lea`",
                                    bad_result = "the result belongs into another register",
                                    bad_base = "the address has another base register",
                                    bad_index = "the address takes no index",
                                    bad_form = "it belongs to memory that is read into a register";

  bool is_lea() const { return facts_.has(trait_lea); }
  bool is_mov() const { return facts_.has(trait_mov) || row_.target == target_moffs; }
  const Operand& last() const { return s_.ops[s_.count - 1]; }
  bool has_base(u8 number) const { return o_.has_base && o_.regs < AddressRegs::rip && o_.base == number; }
  bool is_plain_base() const { return o_.has_base && !o_.has_index && o_.regs < AddressRegs::rip; }

  /// The last operand is a register of the size of addresses; x32 has two sizes for them.
  bool has_wide_result() const {
    if (last().space != space_register) return false;
    const RegClass cls = last().reg->cls;
    return wide_ ? cls == RegClass::r64 || (x32_ && cls == RegClass::r32) : cls == RegClass::r32;
  }

  /// It is memory, no operand is a number, and the last is a register.
  bool reads_into_register() const {
    for (unsigned i = 0; i < s_.count; ++i)
      if (s_.ops[i].is_immediate) return false;
    return s_.count >= 2 && last().space == space_register && last().reg->cls <= RegClass::r64;
  }

  /// x86-64: the argument of __tls_get_addr.
  std::string_view argument() const {
    if (!is_lea()) return not_lea;
    if (o_.regs != AddressRegs::rip) return bad_base;
    return last().reg->cls == RegClass::r64 && last().number == number_of_di ? "" : bad_result;
  }

  /// The same on i386, which has it in %eax.
  std::string_view argument_386() const { return has_wide_result() && last().number == number_of_ax ? "" : bad_result; }

  std::string_view general_dynamic() const {
    if (!is_lea()) return not_lea;
    if (o_.has_index) {
      if (o_.has_base || o_.index != number_of_bx || o_.scale != 0) return "the address is one in %reg or (,%ebx,1)";
    } else if (!is_plain_base() || o_.base == number_of_ax) {
      return bad_base;
    }
    return argument_386();
  }

  std::string_view local_dynamic() const {
    if (!is_lea()) return not_lea;
    if (o_.has_index) return bad_index;
    if (!is_plain_base() || o_.base == number_of_ax) return bad_base;
    return argument_386();
  }

  std::string_view descriptor() const {
    if (!is_lea()) return not_lea;
    if (wide_ ? o_.regs != AddressRegs::rip : o_.has_index || !has_base(number_of_bx)) return bad_base;
    return has_wide_result() ? "" : bad_result;
  }

  std::string_view initial_exec() const {
    if (!is_mov() && !facts_.has(trait_sum)) return "it belongs to `mov` and `add`";
    if (!reads_into_register()) return bad_form;
    if (o_.regs != AddressRegs::rip) return bad_base;
    return has_wide_result() ? "" : bad_result;
  }

  std::string_view offset_in_table() const {
    if (!is_mov() && !facts_.has(trait_sum) && !facts_.has(trait_difference))
      return "it belongs to `mov`, `add` and `sub`";
    if (!reads_into_register()) return bad_form;
    if (!is_plain_base()) return bad_base;
    return has_wide_result() ? "" : bad_result;
  }

  std::string_view offset_at_address() const {
    if (!is_mov() && !facts_.has(trait_sum)) return "it belongs to `mov` and `add`";
    if (!reads_into_register()) return bad_form;
    if (o_.has_base || o_.has_index) return "the address takes no registers";
    return has_wide_result() ? "" : bad_result;
  }

  std::string_view call() const {
    if (facts_.branch != Branch::call_indirect) return "it belongs to `call`";
    return is_plain_base() && has_base(number_of_ax) ? "" : bad_base;
  }

  const Row& row_;
  const Facts& facts_;
  const Statement& s_;
  const Operand& o_;
  const bool wide_, x32_;
};

}  // namespace

/// GNU as: the relocation stands in an instruction that linkers know. What registers there are is a part of that, so
/// the line cache is not to put in others.
bool X86Target::fits_tls_sequence(const Row& row, Statement& s, const Operand& o, Emitter& out) const {
  const bool wide = options_.bits == 64;
  if (!is_tls(o.value.modifier)) return true;
  std::string_view problem;
  if (options_.gnu_since(244)) {
    s.shapeless = true;
    if (x86_options_.tls_check) problem = TlsSequence(row, s, o, wide, options_.x32).problem();
  } else {
    constexpr u32 of_64 = 1u << mod_gottpoff | 1u << mod_tlsld, of_32 = 1u << mod_gotntpoff | 1u << mod_tpoff;
    if (((wide ? of_64 : of_32) >> o.value.modifier & 1) && is_simd(row, s)) problem = "no vector instruction takes it";
  }
  if (problem.empty()) return true;
  out.error(o.where, fmt::format("@{} cannot be used here: {}", modifier_name(o.value.modifier), problem));
  return false;
}

}  // namespace xas::x86
