// SPDX-License-Identifier: Apache-2.0
// Taking mnemonics apart, and IT blocks.
//
//   mnemonic := name [ 's' ] [ condition ] { '.' type } [ '.w' | '.n' ]
//
// What is strange: nothing separates the parts (bls: b with a condition; muls: mul and s; teq is itself), so the whole
// is looked up first, then what is left without s, then without a condition. Old syntax has the condition in front of
// the s (addeqs), which is taken where it can mean nothing else.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "targets/arm/arm.h"
#include "targets/arm/tables.h"

namespace xas::arm {

namespace {

constexpr std::size_t max_mnemonic = 40;

/// Any type may follow these.
constexpr std::string_view untyped = "vand vbic vorr vorn veor vbsl vbit vbif vmvn vswp vmov vpsel vshlc";

/// These may have their condition before the last letters.
constexpr std::string_view infixed = "ldr str ldm stm lds swp adr";
constexpr std::string_view fpa =
    "adf muf suf rsf dvf rdf pow rpw rmf fml fdv frd pol mvf mnf abs rnd sqt log lgn exp sin cos tan asn acs atn urd "
    "nrm flt fix cmf cnf ldf stf lfm sfm";

/// Whether a line's directive begins, divides or ends a conditional.
bool is_conditional(const char* p) {
  for (const std::string_view word : {".if", ".else", ".endif"})
    if (text::equals_ignoring_case({p, word.size()}, word)) return true;
  return false;
}

/// Whether only directives of conditionals stand from p to `end`, where no line between has made anything. Both must be
/// of one text, which a loop may have begun anew.
bool is_continued(const char* p, const char* end) {
  const bool again = end < p;
  while (p != end) {
    if (*p == '\0' || (again && std::string_view(p, 5) == ".endr")) return again;
    const bool starts = *p != ' ' && *p != '\t' && *p != '\r' && *p != '\n' && *p != ';';
    if (!starts) {
      ++p;
      continue;
    }
    if (*p == '.' && !is_conditional(p)) return false;
    while (p != end && *p && *p != '\n') ++p;
  }
  return true;
}

}  // namespace

int condition_number(char a, char b) {
  for (int i = 0; i < 15; ++i)
    if (condition_names[i][0] == a && condition_names[i][1] == b) return i;
  if (a == 'h' && b == 's') return 2;
  if (a == 'l' && b == 'o') return 3;
  if (a == 'u' && b == 'l') return 3;
  return -1;
}

/// What has been taken off a mnemonic.
struct ArmTarget::Suffixes {
  std::string_view types;
  bool sets_flags = false;
  int condition = -1;  ///< -1: none
};

namespace {

/// Takes .w or .n off, which stands first or last among the suffixes; 0 if there is none.
u8 take_width(std::string_view& types) {
  for (const bool first : {true, false}) {
    if (types.size() < 2) break;
    const std::size_t end = types.find('.', 1);
    const std::string_view part = first ? types.substr(0, end) : types.substr(types.rfind('.'));
    if (part != ".w" && part != ".n") continue;
    types = first ? types.substr(part.size()) : types.substr(0, types.size() - part.size());
    return part == ".w" ? 4 : 2;
  }
  return 0;
}

}  // namespace

/// A mnemonic without suffixes but for its types.
bool ArmTarget::resolve_base(std::string_view base, const Suffixes& suffixes, Mnemonic& m) const {
  if (base.empty()) return false;
  const std::string_view types = suffixes.types;
  const auto typed = [&](std::string_view type) {
    char text[max_mnemonic];
    if (base.size() + type.size() > sizeof text) return static_cast<const Spelling*>(nullptr);
    std::memcpy(text, base.data(), base.size());
    std::memcpy(text + base.size(), type.data(), type.size());
    const std::string_view key(text, base.size() + type.size());
    return find_spelling(key, hash_name(key));
  };
  const Spelling* found[4] = {typed(types)};
  unsigned count = found[0] != nullptr;
  const bool exact = count != 0;
  if (types.size() >= 2 && types.find('.', 1) == types.npos && base[0] == 'v') {
    // .u8 where only .i8 counts, or .8, or nothing. Which does depends on the operands (vmov.u8 r0, d0[1] and vmov.u8
    // d0, #1), so all that there are is remembered.
    const bool letter = u8(types[1] - 'a') <= 25;
    const std::string size(types == ".bf16" ? "16" : types.substr(letter ? 2 : 1));
    const auto also = [&](const std::string& type) { count += (found[count] = typed(type)) != nullptr; };
    if (letter && (types[1] == 's' || types[1] == 'u')) also(".i" + size);
    if (letter) also("." + size);
    if ((options_.gnu || types != ".f16") && base.size() >= 4 && untyped.find(base) != untyped.npos) also("");
  }
  if (count == 0 || (suffixes.sets_flags && !found[0]->has_s)) return false;
  m.spelling = found[0];
  m.exact = exact;
  for (unsigned i = 1; i < 4; ++i) m.weaker[i - 1] = i < count ? found[i] : nullptr;
  m.sets_flags = suffixes.sets_flags;
  m.has_condition = suffixes.condition >= 0;
  m.condition = u8(suffixes.condition < 0 ? 14 : suffixes.condition);
  return true;
}

/// A mnemonic of the tables, and those with types that say less.
void ArmTarget::with_weaker_types(std::string_view name, Mnemonic& m) const {
  const std::size_t dot = std::min(name.find('.'), name.size());
  resolve_base(name.substr(0, dot), {name.substr(dot)}, m);
}

/// vaddq: the letter says no more than the registers do.
bool ArmTarget::resolve_quad(std::string_view head, std::string_view types, Mnemonic& m) const {
  const std::size_t n = head.size();
  if (n < 4 || head[0] != 'v') return false;
  const int c = condition_number(head[n - 2], head[n - 1]);
  // vmovq is no more than another name.
  if (head == "vmovq") return resolve_base("vmov", {types}, m);
  if (head[n - 1] == 'q') m.quad = resolve_base(head.substr(0, n - 1), {types}, m);
  else m.quad = c >= 0 && n > 5 && head[n - 3] == 'q' && resolve_base(head.substr(0, n - 3), {types, false, c}, m);
  return m.quad;
}

/// Old loads and stores have the condition in front of the size: ldreqb, stmneia. FPA's have nothing else: stfpls
/// stores in single precision. `fronts` are what may stand before it.
bool ArmTarget::resolve_infix(std::string_view head, std::string_view types, std::string_view fronts,
                              Mnemonic& m) const {
  const std::size_t n = head.size();
  if (n <= 4 || fronts.find(head.substr(0, 3)) == fronts.npos) return false;
  for (const std::size_t tail : {1, 2}) {
    if (n < tail + 4) continue;
    const int c = condition_number(head[n - tail - 2], head[n - tail - 1]);
    if (c < 0) continue;
    char joined[max_mnemonic];
    const std::size_t front = n - tail - 2;
    std::memcpy(joined, head.data(), front);
    std::memcpy(joined + front, head.data() + n - tail, tail);
    if (resolve_base({joined, front + tail}, {types, false, c}, m)) return true;
  }
  return false;
}

bool ArmTarget::resolve(std::string_view name, Mnemonic& m) const {
  if (name.size() > max_mnemonic) return false;
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::string_view head = name.substr(0, dot);
  std::string_view types = name.substr(dot);
  // Of an older assembler: types without a size.
  if (types == ".f") types = ".f32";
  if (types == ".d") types = ".f64";
  if (const u8 width = take_width(types)) m.width = width;
  const std::size_t n = head.size();
  // Without so many letters at the end, which were `s` and a condition.
  const auto without = [&](std::size_t letters, bool sets_flags, int condition) {
    return resolve_base(head.substr(0, n - letters), {types, sets_flags, condition}, m);
  };
  // In a VPT block the last letter is t or e: vcvtne is vcvtn there, and elsewhere vcvt with a condition.
  const auto vector_suffix = [&] {
    if (n < 4 || head[0] != 'v' || (head[n - 1] != 't' && head[n - 1] != 'e') || !without(1, false, -1)) return false;
    m.vpt = head[n - 1] == 't' ? 1 : 2;
    return true;
  };
  const bool opens_block = head.starts_with("vpt") || head.starts_with("vpst");
  if (blocks_.vpt_left && !opens_block && vector_suffix()) return true;
  if (without(0, false, -1) || resolve_infix(head, types, fpa, m)) return true;
  const int condition = n > 2 ? condition_number(head[n - 2], head[n - 1]) : -1;
  if (n > 1 && head[n - 1] == 's' && without(1, true, -1)) return true;
  if (condition >= 0 && without(2, false, condition)) return true;
  if (condition >= 0 && n > 3 && head[n - 3] == 's' && without(3, true, condition)) return true;
  // addeqs, ldreqb
  if (n > 3 && head[n - 1] == 's') {
    const int c = condition_number(head[n - 3], head[n - 2]);
    if (c >= 0 && without(3, true, c)) return true;
  }
  if (thumb_ && vector_suffix()) return true;
  return resolve_quad(head, types, m) || resolve_infix(head, types, infixed, m);
}

/// it{x{y{z}}} condition
bool ArmTarget::it_instruction(std::string_view name, const char*& p, const char* where, Emitter& out) {
  if (name.size() < 2 || name.size() > 5 || name.substr(0, 2) != "it") return false;
  u8 pattern = 0;
  for (std::size_t i = 2; i < name.size(); ++i) {
    if (name[i] != 't' && name[i] != 'e') return false;
    if (name[i] == 'e') pattern |= u8(1 << (i - 1));
  }
  while (*p == ' ' || *p == '\t') ++p;
  const int condition = *p ? condition_number(text::lower(p[0]), text::lower(p[1])) : -1;
  if (condition < 0) {
    out.error(p,
              fmt::format("expected a condition behind `it`, found {}; there are eq, ne, cs, cc, mi, pl, vs, vc, hi, "
                          "ls, ge, lt, gt, le and al",
                          text::found(p, at_operands_end(p))));
    return true;
  }
  p += 2;
  if (thumb_ && !processor_.has_it()) {
    out.error(where, "`it` requires thumb2");
    return true;
  }
  if (blocks_.vpt_left && !options_.gnu) {
    out.error(where, "`it` inside a VPT block");
    leave_it();
    leave_vpt();
    return true;
  }
  if (blocks_.it.state && (thumb_ || !options_.gnu)) {
    out.error(where, "`it` inside an IT block");
    leave_it();
    return true;
  }
  if (condition == 14 && pattern) {
    out.error(where, "an IT block of condition `al` has no else");
    return true;
  }
  // The mask: a bit for each further instruction, like the condition's lowest for then, and a 1 behind them.
  unsigned mask = 0;
  const unsigned count = unsigned(name.size()) - 1;
  for (unsigned i = 1; i < count; ++i) mask |= (unsigned(condition & 1) ^ (pattern >> i & 1)) << (4 - i);
  mask |= 1u << (4 - count);
  used_.it |= thumb_ ? 2 : 1;
  if (!thumb_ && syntax_.divided) return true;
  blocks_.it.state = u8(u32(condition) << 4 | mask);
  if (!thumb_) return true;  // what follows is checked, but there is no instruction
  used_.thumb2 = true;
  out.advance(write(0xBF00 | u32(condition) << 4 | mask, true, out.out));
  return true;
}

/// The place of an instruction in a VPT block, which vpt and vpst open. GNU as takes there what has no place in one.
bool ArmTarget::enter_vpt(const Row& row, const Mnemonic& m, const char* where, Emitter& out) {
  constexpr const char* unpredictable = "what the processor does with this in a VPT block is not known";
  if (row.flags & row_vpt_block) {
    if (blocks_.vpt_left && options_.gnu) {
      out.warning(where, unpredictable);
    } else if (blocks_.vpt_left) {
      const std::string_view name(arm_names + m.spelling->name, m.spelling->length);
      out.error(where, fmt::format("`{}` inside a VPT block", name));
      blocks_.vpt_left = 0;
      return false;
    }
    const u32 traits = facts_of(row).traits;
    blocks_.vpt_left = traits >> block_count_at & 7;
    blocks_.vpt_pattern = traits >> block_pattern_at & 15;
    return true;
  }
  if (blocks_.vpt_left == 0) {
    if (m.vpt == 0) return true;
    out.error(where, "the suffix t or e needs a VPT block");
    return false;
  }
  const u8 wanted = blocks_.vpt_pattern & 1 ? 2 : 1;
  --blocks_.vpt_left;
  blocks_.vpt_pattern >>= 1;
  if (!(row.flags & row_vpt)) {
    if (options_.gnu) return out.warning(where, unpredictable), true;
    out.error(where, "this instruction can't stand in a VPT block");
    return false;
  }
  if (m.vpt == wanted) return true;
  out.error(where, fmt::format("the VPT block wants the suffix {} here", wanted == 2 ? 'e' : 't'));
  return false;
}

/// Whether the instruction may stand here; opens an IT block for it if that is asked for.
bool ArmTarget::enter_it(const Mnemonic& m, const char* where, Emitter& out) {
  if (m.condition != 14 && !processor_.has_it()) {
    out.error(where, "the selected processor has no conditional instructions in Thumb but branches");
    return false;
  }
  if (blocks_.it.state) {
    const u8 wanted = blocks_.it.next();
    if (m.condition == wanted) return true;
    out.error(where, explain_condition(m, wanted));
    leave_it();
    return false;
  }
  if (m.condition == 14) return true;
  if (!switches_.implicit_thumb) {
    out.error(where,
              fmt::format("a conditional instruction of Thumb must stand in an IT block: write `it {}` before it, "
                          "or -mimplicit-it=thumb makes them",
                          condition_names[m.condition]));
    return false;
  }
  out.advance(write(0xBF08 | u32(m.condition) << 4, true, out.out));
  blocks_.it = ItBlock::of_one(m.condition);
  blocks_.implicit = {.count = 1, .condition = m.condition, .mask = 8};
  return true;
}

/// Whether the instruction, which has no condition, takes that of an implicit IT block.
bool ArmTarget::is_neutral(const Mnemonic& m) const {
  if (!options_.gnu || m.condition != 14 || m.spelling->thumb_count == 0) return false;
  return arm_rows[m.spelling->first + m.spelling->a32_count].flags & row_neutral;
}

/// Takes the instruction into the implicit IT block that is open, if it stands behind it: to GNU as, if no label and
/// nothing that has bytes is in between; to LLVM, if no directive is but those of conditionals. False: it can't be, and
/// the block has ended.
bool ArmTarget::join_implicit_it(const Mnemonic& m, Operands& o, const char* where, Emitter& out) {
  ImplicitIt block = blocks_.implicit;
  blocks_.implicit = {};
  const bool neutral = is_neutral(m);
  const u8 condition = neutral ? block.condition : m.condition;
  if (!thumb_ || block.count == 4 || (condition ^ block.condition) > 1 || out.place() != block.place) return false;
  if (!options_.gnu && !is_continued(block.end, where)) return false;
  if (!neutral) blocks_.it = ItBlock::of_one(condition);
  const u8* const start = out.out;
  blocks_.implicit.count = u8(block.count + 1);
  if (!match_spellings(m, o, where, out)) {
    blocks_.it = {};
    blocks_.implicit = {};
    return false;
  }
  block.size += u32(out.out - start);
  // The bit that stood behind the last condition becomes this one's, and another stands behind.
  const unsigned last = 16u >> block.count;
  block.mask = u8((block.mask & ~last) | ((condition & 1) ? last : 0) | last >> 1);
  write(0xBF00 | u32(block.condition) << 4 | block.mask, true, out.out - block.size);
  if (blocks_.implicit.count) {
    block.count = blocks_.implicit.count;
    blocks_.implicit = block;
  }
  return true;
}

}  // namespace xas::arm
