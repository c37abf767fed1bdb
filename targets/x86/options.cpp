// SPDX-License-Identifier: Apache-2.0
// Options of GNU as that replace, surround or record instructions: -msse2avx, -muse-unaligned-vector-move, -momit-lock-
// prefix, -mfence-as-lock-add, -madd-bnd-prefix, -mlfence-*, -msse-check, -mx86-used-note. (-O is in optimize.cpp.)
//
// None of them costs anything where none is given: X86Options::any tells.
#include <fmt/format.h>

#include <algorithm>

#include "targets/property_note.h"
#include "targets/text.h"
#include "targets/x86/optimize.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

constexpr std::size_t feature(std::string_view name) {
  return std::size_t(std::find(std::begin(x86_feature_names), std::end(x86_feature_names), name) -
                     std::begin(x86_feature_names));
}

template <class... Names>
bool needs(const Row& row, Names... names) {
  const FeatureSet& set = x86_feature_sets[row.features];
  auto one = [&](std::size_t f) { return f < std::size(x86_feature_names) && (set.word[f / 64] >> (f % 64) & 1); };
  return (one(feature(names)) || ...);
}

constexpr u8 lfence[] = {0x0F, 0xAE, 0xE8};

void put_bytes(Emitter& out, std::initializer_list<u8> bytes) {
  unsigned n = 0;
  for (u8 b : bytes) out.out[n++] = b;
  out.advance(n);
}

/// What registers the form and its siblings of other sizes can have, as bits of classes.
u64 register_kinds(const Row& row, std::string_view mnemonic) {
  u64 kinds = 0;
  auto add = [&](const Row& r) {
    for (unsigned i = 0; i < r.count; ++i) kinds |= x86_kinds[r.kind[i]][space_register];
  };
  add(row);
  if (const Spelling* spelling = find_spelling(mnemonic, hash_name(mnemonic)))
    for (unsigned i = 0; i < spelling->count; ++i) {
      const Row& r = x86_rows[x86_lists[spelling->first + i]];
      if (r.opcode == row.opcode && r.map == row.map && r.pp == row.pp && r.encoding == row.encoding &&
          r.count == row.count && needs(r, "vaes", "vpclmulqdq") == needs(row, "vaes", "vpclmulqdq"))
        add(r);
    }
  return kinds;
}

bool has_class(const Statement& s, RegClass cls) {
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (o.space == space_register && o.reg->cls == cls) return true;
    if (o.is_memory && o.vector_index && unsigned(cls) == unsigned(RegClass::xmm) + o.vector_index - 1u) return true;
  }
  return false;
}

/// The instruction reads memory, so that -mlfence-after-load puts an lfence behind it. GNU as does not count branches,
/// nor what EVEX instructions change in memory.
bool loads(const Row& row, const Statement& s) {
  const Facts& facts = facts_of(row);
  const bool branches = facts.branch != Branch::none && facts.branch != Branch::trap;
  if (branches || facts.has(trait_frame) || facts.has(trait_unfenced)) return false;
  if ((facts.reads & resource_mem) && row.encoding == encoding_legacy) return true;
  if (s.memory < 0 || !(facts.access(unsigned(s.memory)) & access_read)) return false;
  return row.encoding != encoding_evex || unsigned(s.memory) + 1 != s.count;
}

}  // namespace

/// Takes an option by its name without dashes; false if there is none of that name.
bool X86Target::set_option(std::string_view name, std::string_view value) {
  X86Options& to = x86_options_;
  const bool yes = value == "yes";
  if (name == "msse2avx" || name == "x86-sse2avx") to.sse2avx = true;
  else if (name == "muse-unaligned-vector-move") to.unaligned_moves = true;
  else if (name == "momit-lock-prefix") to.omit_lock = yes;
  else if (name == "mmnemonic") to.intel_mnemonic = value == "intel";
  else if (name == "mintel64") to.intel64 = true;
  else if (name == "mamd64")
    to.amd64 = true;
  else if (name == "mindex-reg") to.index_registers = true;
  else if (name == "mfence-as-lock-add") to.fence_as_lock_add = yes;
  else if (name == "madd-bnd-prefix") to.bnd_prefix = true;
  else if (name == "mlfence-after-load") to.lfence_after_load = yes;
  else if (name == "msse-check") to.sse_check = value == "error" ? 2 : value == "warning" ? 1 : 0;
  else if (name == "moperand-check") to.operand_check = value == "error" ? 2 : value == "none" ? 0 : 1;
  else if (name == "mtls-check")
    to.tls_check = value != "no";
  else if (name == "mx86-used-note") to.used_note = yes;
  else if (name == "mlfence-before-indirect-branch") {
    to.before_branch = value == "all"        ? BeforeBranch::all
                       : value == "register" ? BeforeBranch::with_register
                       : value == "memory"   ? BeforeBranch::with_memory
                                             : BeforeBranch::none;
    // GNU as takes returns for indirect branches then, unless it is told how to treat them.
    if (to.before_branch == BeforeBranch::all && to.before_ret == BeforeRet::none) to.before_ret = BeforeRet::op_shl;
  } else if (name == "mlfence-before-ret")
    to.before_ret = value == "or"                      ? BeforeRet::op_or
                    : value == "not"                   ? BeforeRet::op_not
                    : value == "shl" || value == "yes" ? BeforeRet::op_shl
                                                       : BeforeRet::none;
  else if (name == "mavxscalar") ignored_.vex_lig = value == "256";
  else if (name == "mvexwig") ignored_.vex_wig = value == "1";
  else if (name == "mevexlig") ignored_.evex_lig = value == "512" ? 2 : value == "256" ? 1 : 0;
  else if (name == "mevexwig") ignored_.evex_wig = value == "1";
  else if (name == "mevexrcig") ignored_.evex_rcig = value == "rd" ? 1 : value == "ru" ? 2 : value == "rz" ? 3 : 0;
  else if (!set_branch_option(name, value)) return false;
  update_options();
  return true;
}

/// GNU as from 2.44 on: -O ends here.
void X86Target::stop_optimizing() {
  if (!options_.gnu_since(244)) return;
  options_.optimize = 0;
  update_options();
}

void X86Target::update_options() {
  set_mode(mode_, gcc16_);
  X86Options& to = x86_options_;
  to.pads = padding().on();
  to.any = to.sse2avx | to.unaligned_moves | to.omit_lock | to.fence_as_lock_add | to.bnd_prefix | to.intel_mnemonic |
           to.intel64 | to.lfence_after_load | (to.before_branch != BeforeBranch::none) |
           (to.before_ret != BeforeRet::none) | (to.sse_check != 0) | to.used_note | (options_.optimize != 0) |
           options_.frame_steps | options_.lfi | to.pads;
}

/// The first row of `name` that accepts the operands.
const Row* X86Target::row_of(std::string_view name, const Statement& s) const {
  const Spelling* spelling = find_spelling(name, hash_name(name));
  for (unsigned i = 0; spelling && i < spelling->count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling->first + i]];
    if (accepts_all(row, s)) return &row;
  }
  return nullptr;
}

namespace {

/// SSE instructions whose EVEX form has another name than "v" in front makes.
constexpr std::pair<std::string_view, std::string_view> evex_names[] = {
    {"movdqa", "vmovdqa32"},    {"movdqu", "vmovdqu32"},    {"lddqu", "vmovdqu32"},     {"pand", "vpandd"},
    {"pandn", "vpandnd"},       {"por", "vpord"},           {"pxor", "vpxord"},         {"roundpd", "vrndscalepd"},
    {"roundps", "vrndscaleps"}, {"roundsd", "vrndscalesd"}, {"roundss", "vrndscaless"}, {"rcpps", "vrcp14ps"},
    {"rcpss", "vrcp14ss"},      {"rsqrtps", "vrsqrt14ps"},  {"rsqrtss", "vrsqrt14ss"},
};

enum : u8 { rex_b = 1, rex_x = 2, rex_r = 4, rex_w = 8 };

/// What rex.r, rex.x and rex.b say of the registers of an SSE instruction becomes part of these.
void take_rex(const Row& row, Statement& s) {
  const auto raise = [&](unsigned operand) {
    if (operand == no_operand || !is_register(s.ops[operand])) return;
    Operand& o = s.ops[operand];
    o.number |= 8;
    resize(o, o.reg->cls);
  };
  const unsigned rm = operand_in_role(row, role_rm);
  if (s.rex & rex_r) raise(operand_in_role(row, role_reg));
  if (s.rex & rex_b) raise(rm);
  if (rm != no_operand) {
    Operand& o = s.ops[rm];
    if (o.is_memory && o.has_base && (s.rex & rex_b)) o.base |= 8;
    if (s.rex & rex_x) o.index |= 8;  // of a register too, where it is the bit and no more
  }
  s.rex &= rex_w;
}

}  // namespace

/// -msse2avx: the VEX instruction that does the same, its first source being the destination. Null if there is none.
const Row* X86Target::avx_twin(const Row& row, Statement& given) const {
  Statement s = given;
  take_rex(row, s);
  s.prefixes &= ~u32(want_rex2);
  const Row* const twin = avx_twin_of(row, s);
  if (twin) given = s;
  return twin;
}

/// The same of a mnemonic in the tables: `s` becomes the AVX instruction, name and all.
const Row* X86Target::avx_twin_of(const Row& row, Statement& s) const {
  if (row.encoding != encoding_legacy || (s.prefixes & prefix_data) || has_class(s, RegClass::mm)) return nullptr;
  if (!needs(row, "sse", "sse2", "sse3", "ssse3", "sse4.1", "sse4.2", "aes", "pclmul", "gfni")) return nullptr;
  std::string name = "v";
  for (char c : s.mnemonic.substr(0, s.mnemonic.find('.'))) name += text::lower(c);
  s.commute = true;
  // An EVEX instruction only where it is asked for, or where nothing else reaches the registers.
  const bool evex = s.prefixes & (want_evex | uses_egpr) || has_egpr(s);
  const auto is_avx = [&](const Row& found) {
    return found.encoding == encoding_vex || (evex && found.encoding == encoding_evex);
  };
  const Facts& facts = facts_of(row);
  if (facts.vex && s.memory >= 0) name = x86_related_names[facts.vex];
  // Of several forms (movq) the one with the same opcode.
  const Row* same = nullptr;
  if (const Spelling* const avx = find_spelling(name, hash_name(name)))
    for (unsigned i = 0; i < avx->count; ++i) {
      const Row& other = x86_rows[x86_lists[avx->first + i]];
      if (!accepts_all(other, s)) continue;
      if (!same) same = &other;
      if (other.opcode != row.opcode || other.pp != row.pp || !is_avx(other)) continue;
      same = &other;
      break;
    }
  if (!same && evex)
    for (const auto& [sse, avx] : evex_names)
      if (name.substr(1) == sse) {
        same = row_of(name = avx, s);
        break;
      }
  const auto become = [&](const Statement& other, const Row& twin) {
    s = other;
    s.mnemonic = name_of(*find_spelling(name, hash_name(name)));
    s.spelling = nullptr;
    return &twin;
  };
  if (same) {
    // `movss %xmm1, %xmm2` and the like have no two-operand VEX form, and none is accepted.
    return is_avx(*same) ? become(s, *same) : nullptr;
  }
  if (s.count == 0 || s.count == Statement::max_operands) return nullptr;
  Statement wide = s;
  // %xmm0, where it is implied, is an operand of the VEX form.
  if (facts.reads & resource_xmm0) {
    for (unsigned i = wide.count; i-- > 0;) wide.ops[i + 1] = wide.ops[i];
    static_cast<OperandFacts&>(wide.ops[0]) = {};
    wide.ops[0].set_register(registers.regs[find_register(name_word("xmm0", 4))]);
    ++wide.count;
  }
  wide.ops[wide.count] = wide.ops[wide.count - 1];
  ++wide.count;
  wide.memory = -1;
  for (unsigned i = 0; i < wide.count; ++i)
    if (wide.ops[i].is_memory) wide.memory = int(i);
  const Row* found = row_of(name, wide);
  return found && is_avx(*found) ? become(wide, *found) : nullptr;
}

/// -msse2avx: the AVX instruction for operands, or with an encoding, that the SSE instruction does not have. Null if
/// there is none.
const Row* X86Target::match_avx(const Spelling& spelling, Statement& s) const {
  if (!x86_options_.sse2avx || !options_.gnu_since(244)) return nullptr;
  for (const bool fitting : {true, false})  // only AVX knows some registers
    for (unsigned i = 0; i < spelling.count; ++i) {
      const Row& row = x86_rows[x86_lists[spelling.first + i]];
      bool fits = row.count == s.count;
      for (unsigned k = 0; fits && fitting && k < s.count; ++k) fits = operand_fits(row, s, k);
      if (!fits) continue;
      if (const Row* const twin = avx_twin(row, s)) return twin;
    }
  return nullptr;
}

/// -mx86-used-note
void X86Target::record_use(const Row& row, const Statement& s) {
  enum : u32 {
    X87 = 2, MMX = 4, XMM = 8, YMM = 16, ZMM = 32, FXSR = 64, XSAVE = 128, XSAVEOPT = 256, XSAVEC = 512, TMM = 1024,
    MASK = 2048,
  };
  enum : u32 { BASELINE = 1, V2 = 2, V3 = 4, V4 = 8 };
  u32& f = used_note_.features;
  u32& isa = used_note_.isa;
  if (has_class(s, RegClass::tmm) || needs(row, "amx-tile")) f |= TMM;
  // From 2.44 on, what all coprocessors have is no sign of one.
  const bool in_all = needs(row, "x87", "287-or-387") && !options_.gnu_since(244);
  if (in_all || needs(row, "8087", "287", "387", "687", "fisttp")) f |= X87;
  const Facts& facts = facts_of(row);
  const u64 kinds = register_kinds(row, s.mnemonic);
  const bool is_vector = row.encoding == encoding_legacy && facts.vex && s.memory >= 0;  // no MMX register then
  if (((kinds & class_bit("mm")) && !is_vector) || facts.has(trait_usemmx)) f |= MMX;
  const bool zmm = has_class(s, RegClass::zmm) || (kinds & class_bit("zmm"));
  const bool ymm = zmm || facts.has(trait_useymm) || has_class(s, RegClass::ymm) || (kinds & class_bit("ymm"));
  if (ymm || has_class(s, RegClass::xmm) || (kinds & class_bit("xmm")) || facts.has(trait_usexmm) ||
      needs(row, "keylocker", "widekl"))
    f |= XMM;
  if (ymm) f |= YMM;
  if (zmm) f |= ZMM;
  if ((s.deco & deco_mask) || has_class(s, RegClass::mask)) f |= MASK;
  if (needs(row, "fxsr")) f |= FXSR;
  if (needs(row, "xsave")) f |= XSAVE;
  if (needs(row, "xsaveopt")) f |= XSAVEOPT;
  if (needs(row, "xsavec")) f |= XSAVEC;
  const bool any_of_64_bits = options_.bits == 64 && options_.gnu_since(244);
  // From 2.47 on, registers of the coprocessor, MMX and masks, and what saves registers, are no sign of the baseline.
  const u32 later = options_.gnu_since(247) ? u32(X87 | MMX | MASK | XSAVE | XSAVEOPT | XSAVEC) : 0u;
  if ((f & ~later) || any_of_64_bits || needs(row, "cmov", "syscall", "cx8") ||
      (needs(row, "cx16") && !options_.gnu_since(244)))
    isa |= BASELINE;
  if ((mode_ == 64 && facts.has(trait_v2)) ||
      needs(row, "sse3", "ssse3", "sse4.1", "sse4.2", "cx16", "popcnt")) isa |= V2;
  const bool other_vex = needs(row, "avx512f", "avx512bw", "avx512dq", "xop", "fma4", "lwp", "tbm") || (f & TMM);
  if (needs(row, "avx", "avx2", "f16c", "fma", "lzcnt", "movbe", "xsaves") ||
      (row.encoding == encoding_vex && !other_vex) || (f & (XSAVE | XSAVEOPT | XSAVEC)))
    isa |= V3;
  if (needs(row, "avx512f", "avx512bw", "avx512dq", "avx512vl") ||
      (row.encoding == encoding_evex && !needs(row, "avx512er", "avx512pf", "avx5124fmaps", "avx5124vnniw")))
    isa |= V4;
}

std::string X86Target::property_note() const {
  if (!x86_options_.used_note) return {};
  constexpr u32 isa_1_used = 0xC0010002, feature_2_used = 0xC0010001, x86 = 1;
  return gnu_property_note({{isa_1_used, used_note_.isa}, {feature_2_used, used_note_.features | x86}},
                           info_.elf.is_64 ? 8 : 4, false);
}

static bool is_near_branch(Branch b) {
  return b == Branch::jmp || b == Branch::jmp_indirect || b == Branch::call || b == Branch::call_indirect ||
         b == Branch::ret;
}

/// A branch that has 64 bits with -mintel64, whatever data16 says; from 2.47 on conditional ones do.
bool X86Target::is_intel64_branch(const Row& row) const {
  if (!x86_options_.intel64 || mode_ != 64) return false;
  const Branch branch = facts_of(row).branch;
  return is_near_branch(branch) || (branch == Branch::jcc && options_.gnu_since(247));
}

/// or, not or shl of the return address, and lfence: -mlfence-before-ret.
void X86Target::fence_return(const Row& row, const Statement& s, Emitter& out) const {
  const bool other_size = row.operand_size && row.operand_size != (mode_ == 16 ? size_16 : size_32);
  const u8 prefix = mode_ == 64 ? 0x48 : other_size || (s.prefixes & prefix_data) ? 0x66 : 0;
  auto put_prefix = [&] {
    if (prefix) put_bytes(out, {prefix});
  };
  put_prefix();
  if (x86_options_.before_ret == BeforeRet::op_not) {
    put_bytes(out, {0xF7, 0x14, 0x24});
    put_prefix();
    put_bytes(out, {0xF7, 0x14, 0x24});
  } else if (x86_options_.before_ret == BeforeRet::op_or) {
    put_bytes(out, {0x83, 0x0C, 0x24, 0});
  } else {
    put_bytes(out, {0xC1, 0x24, 0x24, 0});
  }
  put_bytes(out, {lfence[0], lfence[1], lfence[2]});
}

void X86Target::fence_before(const Row& row, const Statement& s, Emitter& out) const {
  const Branch branch = facts_of(row).branch;
  const bool fenced = branch == Branch::jmp_indirect || branch == Branch::call_indirect
                          ? x86_options_.before_branch != BeforeBranch::none
                          : branch == Branch::ret && x86_options_.before_ret != BeforeRet::none;
  if (!fenced) return;
  if (out.is_behind_data()) {  // which may be its prefixes
    out.warning(s.where, fmt::format("no lfence is put before `{}`, which stands behind data or a prefix", s.mnemonic));
    return;
  }
  const u64 begin = out.place().bytes;
  if (branch == Branch::jmp_indirect || branch == Branch::call_indirect) {
    if (s.memory >= 0) {
      if (x86_options_.before_branch == BeforeBranch::all || x86_options_.before_branch == BeforeBranch::with_memory)
        out.warning(s.where, fmt::format("indirect `{}` with a memory operand should be avoided", s.mnemonic));
    } else if (!x86_options_.lfence_after_load && (x86_options_.before_branch == BeforeBranch::all ||
                                              x86_options_.before_branch == BeforeBranch::with_register)) {
      put_bytes(out, {lfence[0], lfence[1], lfence[2]});
    }
  }
  if (branch == Branch::ret) fence_return(row, s, out);
  out.begins_behind(unsigned(out.place().bytes - begin));
}

/// What -msse-check tells of: instructions on XMM registers, and not on those of MMX; from 2.44 on all of Key Locker.
bool X86Target::is_sse(const Row& row, const Statement& s) const {
  if (row.encoding != encoding_legacy || row.map == map_none || needs(row, "sse4a")) return false;
  if (needs(row, "keylocker", "widekl") && options_.gnu_since(244)) return true;
  const u64 kinds = register_kinds(row, s.mnemonic);
  const bool is_vector = facts_of(row).vex && s.memory >= 0;  // no MMX register then
  return (kinds & class_bit("xmm")) && (is_vector || !(kinds & class_bit("mm")));
}

/// -mvexwig= is not of what the text says as SSE instructions, but for a few that GNU as's table has so.
bool X86Target::counts_vex_wig(const Row& twin, const Statement& s) const {
  const bool from_scalar = twin.map == map_0f && twin.pp >= pp_f3 && (twin.opcode & ~1u) == 0x2C;  // cvttss2si
  return from_scalar || (!options_.gnu_since(244) && (s.mnemonic == "vextractps" || s.mnemonic == "vmovq"));
}

void X86Target::instruction_with_options(const Row& given, Statement& s, Emitter& out) {
  if (x86_options_.lfi && !confine(given, s, out)) return;
  const Row* row = &given;
  Row changed;
  if (x86_options_.fence_as_lock_add && facts_of(*row).has(trait_fence)) {
    if (mode_ == 16) return out.error(s.where, fmt::format("`{}` cannot be replaced in 16-bit mode", s.mnemonic));
    return put_bytes(out, {0xF0, 0x83, 0x04, 0x24, 0});
  }
  if (is_intel64_branch(*row) && row->operand_size == size_16)
    return out.error(s.where, fmt::format("`{}` has no 16-bit form on processors of Intel", s.mnemonic));
  if (x86_options_.intel_mnemonic && !intel_ && facts_of(*row).has(trait_swapped)) {
    changed = *row;
    changed.modrm ^= 8;  // fsub and fsubr, fdiv and fdivr stand side by side
    row = &changed;
  }
  if (x86_options_.omit_lock) s.prefixes &= ~u32(prefix_lock);
  if (x86_options_.bnd_prefix && (row->flags & row_bnd) && !(s.prefixes & prefix_repne))
    s.prefixes = (s.prefixes & ~u32(prefix_rep)) | prefix_bnd;
  if (x86_options_.sse2avx) {
    bool has_w = false;
    if (const Row* twin = avx_twin(*row, s)) {
      has_w = s.rex & rex_w;
      row = twin;
      s.prefixes &= ~u32(want_rex);
      if (!counts_vex_wig(*row, s)) s.prefixes |= clears_w;
      s.rex = 0;
    }
    // GNU as from 2.44 on: the register says W of extractps, too.
    const bool was_sse = s.where && (*s.where | 0x20) != 'v';
    if (s.mnemonic == "vextractps" && was_sse && options_.gnu_since(244)) {
      const Operand& to = s.ops[s.count - 1];
      has_w |= to.space == space_register && to.reg->cls == RegClass::r64;
    }
    if (has_w && row->encoding != encoding_legacy && !row->w) {
      changed = *row;
      changed.w = true;
      changed.w_ignored = changed.w_by_size = false;
      row = &changed;
    }
  }
  if (options_.optimize && !(s.prefixes & want_nooptimize)) row = Optimizer(*this).optimize(row, s);
  if (x86_options_.unaligned_moves && facts_of(*row).unaligned)
    if (const Row* other = row_of(x86_related_names[facts_of(*row).unaligned], s)) row = other;
  if (x86_options_.sse_check && is_sse(*row, s)) {
    std::string text = fmt::format("SSE instruction `{}` is used", s.mnemonic);
    if (x86_options_.sse_check == 2) return out.error(s.where, std::move(text));
    out.warning(s.where, std::move(text));
  }
  if (x86_options_.used_note) record_use(*row, s);
  fence_before(*row, s, out);
  if (x86_options_.pads) {
    if (!padded_instruction(*row, s, out)) return;
  } else if (row->flags & row_grows) {
    branch(*row, s, out);
  } else if (!encode(*row, s, out)) {
    return;
  }
  if (options_.frame_steps) describe_steps(*row, s, out);
  if (x86_options_.lfence_after_load && loads(*row, s)) {
    if ((row->flags & row_repne) && (s.prefixes & (prefix_rep | prefix_repne)))
      out.warning(s.where, fmt::format("`{}` with a repetition sets flags that depend on what it loads", s.mnemonic));
    put_bytes(out, {lfence[0], lfence[1], lfence[2]});
  }
}

}  // namespace xas::x86
