// Instructions whose registers must differ, and lists of registers that can't be loaded or stored.
//
// The architecture calls them unpredictable. LLVM's assembler refuses them; GNU as refuses most of Thumb's and warns
// of, or overlooks, the others. Rows that are looked at have the flag `distinct`; what is looked at is the
// instruction's word (of T32 the first halfword on top), because registers have the same places in all that is of one
// kind.
#include <bit>

#include "targets/arm/arm.h"
#include "targets/arm/tables.h"

namespace xas::arm {

namespace {

/// What is wrong, and how GNU as takes it.
struct Clash {
  std::string_view message;
  enum { nothing, warning, error } gnu = nothing;
  bool llvm_takes = false;  ///< LLVM overlooks it
};

constexpr u32 a32_swp = 0x01000090, a32_swp_mask = 0x0FB00FF0;

constexpr std::string_view load_base = "the base register is written back, and is loaded too";
constexpr std::string_view store_base = "the base register is written back, and is stored too";
constexpr std::string_view base_in_list = "the register that is written back can't be in the list";
constexpr std::string_view same_halves = "the two halves of the result must go to different registers";

constexpr std::string_view status_twice = "the register of the result can't be another operand";

unsigned bits(u32 word, unsigned at, unsigned width) { return word >> at & ((1u << width) - 1); }

/// Exclusive stores: where the result goes, and what else stands there.
Clash exclusive(unsigned status, unsigned base, unsigned value, unsigned second) {
  if (status != base && status != value && status != second) return {};
  return {status_twice, Clash::error, true};
}

/// Of coprocessors.
Clash coprocessor(u32 w, bool thumb) {
  const unsigned n = bits(w, 16, 4), t = bits(w, 12, 4);
  if (bits(w, 20, 8) == 0xC5 && n == t) return {same_halves, Clash::error, bits(w, 28, 4) != 15};  // mrrc
  if (!thumb) return {};
  if ((w & 0x0F100010) == 0x0E000010 && t == reg_pc) return {"pc can't be moved to a coprocessor", Clash::error, true};
  const bool writes_back = bits(w, 25, 3) == 6 && bits(w, 21, 1);
  return writes_back && n == reg_pc ? Clash{"pc can't be written back", Clash::error, true} : Clash{};
}

Clash a32_single(u32 w) {
  if (bits(w, 22, 1) && bits(w, 12, 4) == reg_pc) return {"pc has no bytes to load or store", Clash::error};
  const bool before = bits(w, 24, 1), write = bits(w, 21, 1);
  if (before != write || bits(w, 16, 4) != bits(w, 12, 4)) return {};
  return {bits(w, 20, 1) ? load_base : store_base, Clash::warning};
}

Clash a32_half(u32 w) {
  const bool load = bits(w, 20, 1), dual = !load && bits(w, 6, 1), before = bits(w, 24, 1), write = bits(w, 21, 1);
  const unsigned n = bits(w, 16, 4), t = bits(w, 12, 4);
  const bool writes_back = !before || write;
  if (!dual)
    return writes_back && before == write && n == t ? Clash{load ? load_base : store_base, Clash::warning} : Clash{};
  if (t == reg_lr) return {"lr can't be the first of two registers", Clash::error};
  if (!writes_back || (n != t && n != t + 1)) return {};
  return {bits(w, 5, 1) ? store_base : load_base, Clash::warning};
}

Clash a32_multiple(u32 w) {
  const bool load = bits(w, 20, 1), write = bits(w, 21, 1), user = bits(w, 22, 1);
  if (!write) return {};
  if (user) {
    if (!load) return {"stm of user registers can't write back", Clash::warning};
    if (!bits(w, reg_pc, 1)) return {"ldm of user registers can't write back unless pc is loaded", Clash::warning};
    return {};
  }
  return load && bits(w, bits(w, 16, 4), 1) ? Clash{base_in_list, Clash::warning} : Clash{};
}

Clash a32(u32 w) {
  switch (bits(w, 25, 3)) {
    case 2: return a32_single(w);
    case 3:
      if (!bits(w, 4, 1)) return a32_single(w);
      return bits(w, 16, 4) == bits(w, 12, 4) ? Clash{same_halves} : Clash{};  // smlald, smlsld
    case 4: return a32_multiple(w);
    case 0:
      if ((w & a32_swp_mask) == a32_swp) {
        const unsigned base = bits(w, 16, 4);
        if (base != bits(w, 12, 4) && base != bits(w, 0, 4)) return {};
        return {"the register of the address can't be another operand", Clash::error, true};
      }
      if ((w & 0x0F900EF0) == 0x01800E90) {
        const unsigned value = bits(w, 0, 4);
        return exclusive(bits(w, 12, 4), bits(w, 16, 4), value, bits(w, 21, 2) == 1 ? value + 1 : value);
      }
      if (bits(w, 4, 4) != 9 && bits(w, 7, 1) && bits(w, 4, 1)) return a32_half(w);
      return bits(w, 16, 4) == bits(w, 12, 4) ? Clash{same_halves} : Clash{};  // products of 64 bits
    default: return {};
  }
}

Clash t32_multiple(u32 w) {
  const bool load = bits(w, 20, 1), write = bits(w, 21, 1);
  if (write && bits(w, bits(w, 16, 4), 1)) return {base_in_list, Clash::error};
  if (bits(w, reg_sp, 1)) return {"sp can't be in the list", Clash::error};
  if (!load && bits(w, reg_pc, 1)) return {"pc can't be in the list", Clash::error};
  if (load && bits(w, reg_pc, 1) && bits(w, reg_lr, 1)) return {"pc and lr can't both be in the list", Clash::error};
  return {};
}

Clash t32_single(u32 w) {
  const unsigned n = bits(w, 16, 4), t = bits(w, 12, 4);
  const bool load = bits(w, 20, 1), word = bits(w, 21, 2) == 2;
  if (t == reg_pc && !(load && word)) return {"pc can't be loaded or stored here", Clash::error};
  const bool short_form = !bits(w, 23, 1) && bits(w, 11, 1), writes_back = short_form && bits(w, 8, 1);
  return writes_back && n == t ? Clash{load ? load_base : store_base, Clash::error} : Clash{};
}

/// Vectors of MVE that must differ: those instructions whose word is `value` under `mask`.
constexpr struct {
  u32 mask, value;
  bool n, m;  ///< the destination from the first, from the second source
  decltype(Clash::nothing) gnu;
} vectors[] = {
    {0xEFF01E00, 0xEC900E00, false, true, Clash::error},    // a load of scattered elements
    {0xFF501E00, 0xFD101E00, true, false, Clash::error},    // the same, of addresses in a vector
    {0xFFB31FD1, 0xFFB00040, false, true, Clash::warning},  // vrev64
    {0xEFF10FF1, 0xEE210E00, true, true, Clash::warning},   // vmull of words
    {0xFFF10FF1, 0xFE300F01, true, true, Clash::warning},   // vqdmull of words
    {0xFFF10FF0, 0xFE300F60, true, false, Clash::warning},
    {0xEFF10FF1, 0xEE200F00, false, true, Clash::warning},  // vcadd, vhcadd of words
    {0xFEF11FF1, 0xFC900840, false, true, Clash::warning},
    {0xFFF10FF0, 0xFE300E00, true, true, Clash::warning},   // vcmul.f32
};

Clash vector(u32 w) {
  const unsigned d = bits(w, 13, 3), base = bits(w, 16, 4);
  if ((w & 0xEE000E00) == 0xEC000E00) {  // loads and stores
    if (base == reg_pc) return {"pc can't be the base here", Clash::warning};
    if (base == reg_sp && bits(w, 21, 1)) return {"sp can't be written back here", Clash::warning};
  } else if ((w & 0xFFC0F001) == 0xF000E001 || (w & 0xFFC0F001) == 0xF000C001) {  // dlstp, wlstp
    return base == reg_sp ? Clash{"sp can't stand here", Clash::warning} : Clash{};
  }
  for (const auto& v : vectors) {
    if ((w & v.mask) != v.value) continue;
    if ((v.n && bits(w, 17, 3) == d) || (v.m && bits(w, 1, 3) == d))
      return {"the destination can't be a source too", v.gnu};
  }
  return {};
}

Clash t32(u32 w) {
  if ((w & 0xFFF00FDF) == 0xEA500F0D)  // sqrshr, uqrshl
    return bits(w, 16, 4) == bits(w, 12, 4) ? Clash{"the two registers can't be the same", Clash::error} : Clash{};
  switch (bits(w, 25, 7)) {
    case 0x74:
      if (!bits(w, 22, 1)) return t32_multiple(w);
      if (bits(w, 20, 12) == 0xE8C) {
        const bool dual = bits(w, 4, 3) == 7;
        return exclusive(bits(w, 0, 4), bits(w, 16, 4), bits(w, 12, 4), bits(w, dual ? 8 : 12, 4));
      }
      return bits(w, 20, 1) && bits(w, 12, 4) == bits(w, 8, 4) ? Clash{"the two registers can't be the same"} : Clash{};
    case 0x7C: return t32_single(w);
    case 0x7D: return bits(w, 12, 4) == bits(w, 8, 4) ? Clash{same_halves} : Clash{};
    default: return vector(w);
  }
}

bool has_pc(const Operands& o) {
  for (unsigned i = 0; i < o.count; ++i)
    if (o.atom(i) == atom_pc) return true;
  return false;
}

}  // namespace

/// Whether an instruction of 32 bits uses sp where Thumb had no use for it before Armv8.
bool uses_sp(u32 w) {
  const auto is_sp = [&](unsigned at) { return bits(w, at, 4) == reg_sp; };
  const bool n = is_sp(16), t = is_sp(12), d = is_sp(8), m = is_sp(0);
  const auto arithmetic = [&](bool adds) { return adds ? d && !n : d || n; };
  constexpr unsigned op_mov = 2, op_add = 8, op_sub = 13;
  const unsigned op = bits(w, 21, 4);
  switch (bits(w, 25, 7)) {
    case 0x75: {  // data processing of registers
      const bool plain = (w & 0x001FF0F0) == 0x000F0000;
      if (op == op_mov && plain) return d && m;
      return m || arithmetic(op == op_add || op == op_sub);
    }
    case 0x78: case 0x7A: {  // of immediates
      if (bits(w, 15, 1)) return false;
      if (!bits(w, 25, 1)) return arithmetic(op == op_add || op == op_sub);
      const unsigned wide = bits(w, 20, 5);
      return arithmetic(wide == 0 || wide == 10);
    }
    case 0x74: return bits(w, 22, 1) && bits(w, 23, 2) + bits(w, 21, 1) != 0 && (t || d);  // ldrd, strd
    case 0x7C: {  // loads and stores
      const bool of_register = !bits(w, 23, 1) && bits(w, 6, 6) == 0 && bits(w, 16, 4) != reg_pc;
      return (t && bits(w, 21, 2) != 2) || (m && of_register);
    }
    case 0x7D: return m || n || d || (t && bits(w, 24, 1));  // shifts, extensions; products
    case 0x77: return (w & 0xFFE00F10) == 0xEEE00A10 && t;  // vmrs, vmsr
    default: return false;
  }
}

/// What the selected processor does not have although it has the form; empty if there is nothing.
std::string_view ArmTarget::unavailable(const Row& row, u32 word) const {
  if (row.flags & (row_coprocessor | row_custom)) {
    const unsigned number = bits(word, 8, row.flags & row_custom ? 3 : 4);
    const bool system = number >= 14, with_mve = system || number == 8 || number == 9;
    if (!options_.gnu && selected_ && ((chosen("v8") && !system) || (chosen("v8.1m.main") && with_mve)))
      return "the selected architecture has no such coprocessor";
    if (!thumb_ || !chosen("cde")) return {};
    const bool is_custom = number < 8 && chosen(std::string("cdecp") + char('0' + number));
    if (is_custom == ((row.flags & row_custom) != 0)) return {};
    return is_custom ? "this coprocessor is a custom datapath"
                     : "this coprocessor is not configured as a custom datapath";
  }
  const bool gone = !options_.gnu && !thumb_ && (word & a32_swp_mask) == a32_swp && chosen("v8");
  return gone ? "swp and swpb are of processors before Armv8" : std::string_view();
}

/// Checks of a row with one of the flags row_checked; false after an error.
bool ArmTarget::is_sound(const Row& row, u32 word, const Operands& o, const char* where, Emitter& out) const {
  Clash clash;
  if ((row.flags & row_no_pc) && has_pc(o)) {
    out.warning(where, "pc can't stand here: what the processor does is not known");
    return true;
  }
  if (row.flags & row_distinct) clash = row.set == set_a32 ? a32(word) : t32(word);
  if (row.flags & row_coprocessor) clash = coprocessor(word, row.set != set_a32);
  if (!options_.gnu && clash.llvm_takes) return true;
  constexpr u32 vrev64_mask = 0xFFB31FD1, vrev64 = 0xFFB00040;  // Advanced SIMD has it too, and no such rule
  if ((word & vrev64_mask) == vrev64 && row.set != set_a32 && !chosen("mve")) clash = {};
  constexpr u32 pop_sp = 0xF85DDB04;
  if (word == pop_sp && !options_.gnu && may("notm")) return true;
  if (clash.message == base_in_list && row.set == set_a32 && !may("v7")) clash = {};
  if (clash.message.empty()) clash = {unavailable(row, word), Clash::error};
  if (clash.message.empty()) return true;
  if (options_.gnu && clash.gnu != Clash::error) {
    if (clash.gnu == Clash::warning) out.warning(where, std::string(clash.message));
    return true;
  }
  out.error(where, std::string(clash.message));
  return false;
}

}  // namespace xas::arm
