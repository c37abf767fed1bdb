// SPDX-License-Identifier: Apache-2.0
// Forms of x86's tables: each row multiplied out over its families, with all that follows from its columns.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "targets/isagen/x86_row_text.h"

namespace xas::isagen {
namespace {

using namespace x86;

class Multiplier {
 public:
  explicit Multiplier(Table& table) : table_(table) {}

  void multiply(const RowText& r, const std::string& file, unsigned line, const std::string& text) {
    static const std::vector<Member> one = {{{""}, 0}};
    const std::vector<Member>& members = r.family.empty() ? one : table_.families.find(r.family)->second;
    std::string lengths = r.lengths.empty() ? "-" : r.lengths;
    std::string sizes = r.sizes.empty() ? "-" : r.sizes;
    for (const Member& member : members)
      for (char size : sizes)
        for (char length : lengths) {
          Form f;
          f.file = file;
          f.line = line;
          f.text = text;
          fill(f.row, r, member.number, size, length);
          f.row.facts = facts_number(read_facts(table_, r.facts, member.names[0], r.roles, f.row));
          name(f, r, member, size, length);
          table_.forms.push_back(std::move(f));
        }
  }

 private:
  void name(Form& f, const RowText& r, const Member& member, char size, char length) {
    char suffix = r.length_suffix ? length : size;
    f.row.suffix = r.suffixes && suffix != '-' ? suffix : 0;
    for (const std::string& pattern : r.att_names) {
      std::size_t open = pattern.find('{');
      std::vector<std::string> names;
      if (open == std::string::npos) names.push_back(pattern);
      else
        for (const std::string& m : member.names)
          names.push_back(pattern.substr(0, open) + m + pattern.substr(pattern.find('}') + 1));
      const bool att = f.row.flags & row_att, intel = (f.row.flags & row_intel) && r.intel_names.empty();
      for (const std::string& n : names) {
        if (r.bare && att) f.spellings.push_back(n);
        if (f.row.suffix && att) f.spellings.push_back(n + f.row.suffix);
        if (intel) intel_name(f, r, n);
      }
    }
    if (f.row.flags & row_intel)
      for (const std::string& n : r.intel_names) intel_name(f, r, n);
  }

  /// Intel's suffix of 32 bits is d.
  static void intel_name(Form& f, const RowText& r, const std::string& n) {
    if (r.bare || r.length_suffix) f.intel_spellings.push_back(n);
    const char suffix = f.row.suffix == 'l' ? 'd' : f.row.suffix;
    if (suffix && std::string_view("bwdq").find(suffix) != std::string_view::npos)
      f.intel_suffixed.push_back(n + suffix);
  }

  static unsigned size_of(char letter) {
    return letter == 'w' ? size_16 : letter == 'l' ? size_32 : letter == 'q' ? size_64 : size_none;
  }

  void fill(Row& row, const RowText& r, unsigned member, char size, char length) {
    bool size_family = r.sizes.size() > 1;
    unsigned bits = size_family ? size_of(size) : unsigned(size_none);
    unsigned length_index = length == 'y' ? 1 : length == 'z' ? 2 : 0;
    row.flags = r.flags;
    if (!(row.flags & (row_gnu | row_llvm))) row.flags |= row_gnu | row_llvm;
    if (!(row.flags & (row_att | row_intel))) row.flags |= row_att | row_intel;
    row.flags |= r.only64 ? row_mode64 : r.not64 ? row_mode16 | row_mode32 : row_mode16 | row_mode32 | row_mode64;

    row.encoding = r.encoding;
    row.map = r.map;
    row.pp = r.size_prefix && bits == size_16 ? unsigned(pp_66) : r.pp;
    row.opcode = u8(r.opcode.base + r.opcode.factor * member);
    row.length = length_index;
    row.length_ignored = length == 'i';
    row.w_ignored = r.w == "i";
    row.w = r.w == "1" || (r.w == "v" && bits == size_64);
    row.operand_size = r.encoding == encoding_legacy ? (size_family ? bits : r.operand_size) : 0;
    row.address_size = r.address_size;
    row.rex_w = r.rex_w || (row.operand_size == size_64 && !r.d64 && !r.norexw);
    if (bits == size_64 || r.operand_size == size_64 || r.rex_w || r.address_size == size_64 ||
        (r.w == "v" && bits == size_64))
      row.flags &= ~u32(row_mode16 | row_mode32);
    if (r.address_size == size_16) row.flags &= ~u32(row_mode64);
    if (r.d64) {
      row.flags |= row_d64;
      if (bits == size_32 || r.operand_size == size_32) row.flags &= ~u32(row_mode64);
    }
    if (r.norexw && row.operand_size == size_64) row.operand_size = size_32;
    // Where the prefix bytes belong to the opcode and no 16-bit form exists, 66h has no say in 16-bit mode either.
    const bool vector = std::any_of(r.operands.begin(), r.operands.end(), [](const OperandText& o) {
      return o.kind.starts_with("mm") || o.kind.starts_with("x");
    });
    if (r.sizes == "lq" && (r.pp != pp_none || vector) && row.operand_size == size_32) row.operand_size = size_none;
    modrm(row, r, member);
    immediates(row, r, bits);
    operand_fields(row, r, size_family ? bits : size_of(size), length_index);
    if (r.fwait) row.flags |= row_fwait;
    if (r.grows) {
      row.flags |= row_grows;
      row.grow = u16(table_.grown.size());
      table_.grown.push_back({row.opcode, u8(r.grow_map), u8(r.grow_opcode.base + r.grow_opcode.factor * member)});
    }
    const bool apx_store = (row.flags & row_store) && row.encoding == encoding_evex && row.map == map_4;
    if (row.flags & (row_alt | row_load | row_indirect) || row.deco & deco_mask_required || apx_store)
      row.flags |= row_careful;
    row.op = r.op;
    if (r.op || r.roles.find_first_of("XYB") != std::string::npos) row.flags |= row_special;
    if (r.op == op_newer || r.op == op_named) row.flags |= row_careful;
    features(row, r, length);
  }

  void modrm(Row& row, const RowText& r, unsigned member) {
    if (r.slash_r || r.has_digit) {
      row.modrm_form = modrm_operands;
      row.modrm = u8((r.digit.base + r.digit.factor * member) << 3);
    } else if (r.has_fixed_modrm) {
      row.modrm_form = r.fixed_r ? modrm_fixed_r : modrm_fixed;
      row.modrm = u8(r.fixed_modrm.base + r.fixed_modrm.factor * member);
    }
    if (r.op == op_ccmp) row.trailer = u8(r.trailer.base + r.trailer.factor * member);
    if (r.has_trailer) {
      row.flags |= row_trailer;
      row.trailer = u8(r.trailer.base + r.trailer.factor * member);
    }
  }

  void immediates(Row& row, const RowText& r, unsigned bits) {
    std::string form;
    for (const std::string& t : r.immediates)
      form += t == "iz" ? (bits == size_16 ? "iw" : "id")
              : t == "iv" ? (bits == size_16 ? "iw" : bits == size_64 ? "iq" : "id") : t;
    static const std::map<std::string, unsigned> forms = {{"", imm_none},       {"ib", imm_8},     {"iw", imm_16},
                                                          {"id", imm_32},       {"iq", imm_64},    {"iwib", imm_16_8},
                                                          {"ibib", imm_8_8},    {"is4", imm_is4},
                                                          {"iwiw", imm_16_16},  {"idiw", imm_32_16}};
    auto it = forms.find(form);
    if (it == forms.end()) fail("immediates '{}' cannot be combined", form);
    row.imm = it->second;
    row.target = r.target == "cb"   ? target_8
                 : r.target == "cw" ? target_16
                 : r.target == "cd" ? target_32
                 : r.target == "cz" ? (bits == size_16 ? target_16 : target_32)
                 : r.target == "mo" ? target_moffs
                                    : target_none;
  }

  void operand_fields(Row& row, const RowText& r, unsigned bits, unsigned length_index) {
    row.count = u8(r.operands.size());
    row.roles = 0xFFFFFFFF;
    unsigned immediates_seen = 0;
    for (std::size_t i = 0; i < r.operands.size(); ++i) {
      const OperandText& o = r.operands[i];
      const Kind& k = table_.kinds.find(o.kind)->second;
      unsigned variant = k.axis == Axis::length ? length_index : k.axis == Axis::size ? (bits ? bits - 1 : 1) : 0;
      Mask mask = k.masks[variant];
      if (r.encoding == encoding_evex) widen(mask);
      if (r.encoding == encoding_evex || (r.encoding == encoding_legacy && r.map <= map_0f)) extend(mask);
      const unsigned at = row.flags & row_straight ? unsigned(i) : row.count - 1u - unsigned(i);
      row.kind[at] = u8(mask_number(mask));
      if (o.star) row.flags |= row_indirect;
      u8 deco = o.deco;
      if (r.lengths.size() > 1 && length_index != 2) {
        if (length_index == 1) deco |= (deco & deco_er ? deco_narrow_er : 0) | (deco & deco_sae ? deco_narrow_sae : 0);
        deco &= u8(~(deco_er | deco_sae));
      }
      row.deco |= deco;
      unsigned role;
      switch (r.roles[i]) {
        case 'R': role = role_reg; break;
        case 'M': role = role_rm; memory_size(row, r, mask); break;
        case 'V': role = role_vvvv; break;
        case 'O': role = role_opcode; break;
        case 'S': role = role_is4; break;
        case 'I': role = immediates_seen++ ? role_imm2 : role_imm; break;
        case 'D': case 'A': role = role_target; break;
        default: continue;
      }
      row.roles = (row.roles & ~(0xFu << (4 * role))) | at << (4 * role);
    }
  }

  static void widen(Mask& m) {
    auto add = [&m](Space s, std::string_view low, std::string_view high) {
      if (m.space[s] & class_bit(low)) m.space[s] |= class_bit(high);
    };
    add(space_register, "xmm", "xmmh");
    add(space_register, "ymm", "ymmh");
    add(space_other, "vmx", "vmxh");
    add(space_other, "vmy", "vmyh");
  }

  static void extend(Mask& m) {
    static const std::pair<std::string_view, std::string_view> pairs[] = {
        {"r8", "r8h"}, {"r16", "r16h"}, {"r32", "r32h"}, {"r64", "r64h"}};
    for (auto [low, high] : pairs)
      if (m.space[space_register] & class_bit(low)) m.space[space_register] |= class_bit(high);
  }

  void memory_size(Row& row, const RowText& r, const Mask& mask) {
    static const std::pair<std::string_view, unsigned> sizes[] = {
        {"m8", 0}, {"m16", 1}, {"m32", 2}, {"m64", 3}, {"m128", 4}, {"m256", 5}, {"m512", 6}};
    int shift = -1;
    unsigned found = 0;
    for (auto [name, log] : sizes)
      if (mask.space[space_other] & class_bit(name)) {
        shift = int(log);
        ++found;
      }
    if (r.encoding == encoding_evex) {
      if (r.disp_size) {
        shift = 0;
        while ((1 << shift) < r.disp_size) ++shift;
      } else if (mask.space[space_other] && found != 1) {
        fail("the memory operand needs one size, or disp8=N");
      }
      if (shift < 0) shift = 0;
      row.disp_shift = unsigned(shift);
      for (unsigned log = 1; log <= 5; ++log)
        if (mask.space[space_other] & class_bit(fmt::format("bc{}", 1u << log)))
          row.broadcast_shift = unsigned(shift) - log;
    }
  }

  u16 facts_number(const Facts& facts) {
    const auto it = std::find(table_.facts.begin(), table_.facts.end(), facts);
    const auto number = u16(it - table_.facts.begin());
    if (it == table_.facts.end()) table_.facts.push_back(facts);
    return number;
  }

  unsigned mask_number(const Mask& mask) {
    auto it = std::find(table_.masks.begin(), table_.masks.end(), mask);
    if (it != table_.masks.end()) return unsigned(it - table_.masks.begin());
    table_.masks.push_back(mask);
    if (table_.masks.size() > 255) fail("more than 255 operand kinds: Row::kind is a byte");
    return unsigned(table_.masks.size() - 1);
  }

  void features(Row& row, const RowText& r, char length) {
    std::set<unsigned> set;
    for (const NeededFeature& f : r.features)
      if (!f.length || f.length == length) set.insert(f.number);
    if (r.encoding == encoding_evex && (length == 'x' || length == 'y') && !r.novl)
      set.insert(feature_number(table_, "avx512vl"));
    std::vector<unsigned> sorted(set.begin(), set.end());
    auto it = std::find(table_.sets.begin(), table_.sets.end(), sorted);
    row.features = u16(it - table_.sets.begin());
    if (it == table_.sets.end()) table_.sets.push_back(sorted);
  }

  Table& table_;
};

}  // namespace

void multiply(Table& table, const RowText& row, const std::string& file, unsigned line, const std::string& text) {
  Multiplier(table).multiply(row, file, line, text);
}

}  // namespace xas::isagen
