// SPDX-License-Identifier: Apache-2.0
// Relocation modifiers (sym@GOTPCREL), what a fixup's field holds, and which relocation it becomes.
//
// Sources: the System V psABIs for x86-64 and i386, the PE/COFF specification. Where GNU as and LLVM choose different
// relocations, `RelocQuery::gnu` decides; where only one of them has an answer, both profiles have it.
#include <fmt/format.h>

#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

constexpr std::string_view modifier_names[mod_count] = {
    "", "PLT", "GOT", "GOTOFF", "GOTPCREL", "GOTPCREL_NORELAX", "GOTPLT", "PLTOFF", "TPOFF", "DTPOFF", "TLSGD", "TLSLD",
    "TLSLDM", "GOTTPOFF", "NTPOFF", "GOTNTPOFF", "INDNTPOFF", "TLSDESC", "TLSCALL", "SIZE", "ABS8", "IMGREL",
    "SECREL32", "SECIDX"};

/// R_X86_64_* by number; the psABI, table 4.9 and later additions.
constexpr std::string_view names_x86_64[] = {
    "NONE", "64", "PC32", "GOT32", "PLT32", "COPY", "GLOB_DAT", "JUMP_SLOT", "RELATIVE", "GOTPCREL", "32", "32S", "16",
    "PC16", "8", "PC8", "DTPMOD64", "DTPOFF64", "TPOFF64", "TLSGD", "TLSLD", "DTPOFF32", "GOTTPOFF", "TPOFF32", "PC64",
    "GOTOFF64", "GOTPC32", "GOT64", "GOTPCREL64", "GOTPC64", "GOTPLT64", "PLTOFF64", "SIZE32", "SIZE64",
    "GOTPC32_TLSDESC", "TLSDESC_CALL", "TLSDESC", "IRELATIVE", "RELATIVE64", "PC32_BND", "PLT32_BND", "GOTPCRELX",
    "REX_GOTPCRELX", "CODE_4_GOTPCRELX", "CODE_4_GOTTPOFF", "CODE_4_GOTPC32_TLSDESC", "CODE_5_GOTPCRELX",
    "CODE_5_GOTTPOFF", "CODE_5_GOTPC32_TLSDESC", "CODE_6_GOTPCRELX", "CODE_6_GOTTPOFF", "CODE_6_GOTPC32_TLSDESC"};

enum X64 : u32 {
  R64_NONE = 0, R64_64 = 1, R64_PC32 = 2, R64_GOT32 = 3, R64_PLT32 = 4, R64_GOTPCREL = 9, R64_32 = 10, R64_32S = 11,
  R64_16 = 12, R64_PC16 = 13, R64_8 = 14, R64_PC8 = 15, R64_DTPOFF64 = 17, R64_TPOFF64 = 18, R64_TLSGD = 19,
  R64_TLSLD = 20, R64_DTPOFF32 = 21, R64_GOTTPOFF = 22, R64_TPOFF32 = 23, R64_PC64 = 24, R64_GOTOFF64 = 25,
  R64_GOTPC32 = 26, R64_GOT64 = 27, R64_GOTPCREL64 = 28, R64_GOTPC64 = 29, R64_GOTPLT64 = 30, R64_PLTOFF64 = 31,
  R64_SIZE32 = 32, R64_SIZE64 = 33, R64_GOTPC32_TLSDESC = 34, R64_TLSDESC_CALL = 35, R64_GOTPCRELX = 41,
  R64_REX_GOTPCRELX = 42, R64_CODE_4_GOTPCRELX = 43, R64_CODE_4_GOTTPOFF = 44, R64_CODE_4_GOTPC32_TLSDESC = 45,
  R64_CODE_5_GOTPCRELX = 46, R64_CODE_6_GOTPCRELX = 49, R64_CODE_6_GOTTPOFF = 50,
};

/// R_386_* by number; the empty ones do not exist.
constexpr std::string_view names_386[] = {
    "NONE", "32", "PC32", "GOT32", "PLT32", "COPY", "GLOB_DAT", "JUMP_SLOT", "RELATIVE", "GOTOFF", "GOTPC", "32PLT", "",
    "", "TLS_TPOFF", "TLS_IE", "TLS_GOTIE", "TLS_LE", "TLS_GD", "TLS_LDM", "16", "PC16", "8", "PC8", "TLS_GD_32",
    "TLS_GD_PUSH", "TLS_GD_CALL", "TLS_GD_POP", "TLS_LDM_32", "TLS_LDM_PUSH", "TLS_LDM_CALL", "TLS_LDM_POP",
    "TLS_LDO_32", "TLS_IE_32", "TLS_LE_32", "TLS_DTPMOD32", "TLS_DTPOFF32", "TLS_TPOFF32", "SIZE32", "TLS_GOTDESC",
    "TLS_DESC_CALL", "TLS_DESC", "IRELATIVE", "GOT32X"};

enum ElfI386 : u32 {
  R386_NONE = 0, R386_32 = 1, R386_PC32 = 2, R386_GOT32 = 3, R386_PLT32 = 4, R386_GOTOFF = 9, R386_GOTPC = 10,
  R386_TLS_IE = 15, R386_TLS_GOTIE = 16, R386_TLS_LE = 17, R386_TLS_GD = 18, R386_TLS_LDM = 19, R386_16 = 20,
  R386_PC16 = 21, R386_8 = 22, R386_PC8 = 23, R386_TLS_LDO_32 = 32, R386_TLS_IE_32 = 33, R386_TLS_LE_32 = 34,
  R386_SIZE32 = 38, R386_TLS_GOTDESC = 39, R386_TLS_DESC_CALL = 40, R386_GOT32X = 43,
};

struct KindInfo {
  u8 size;
  bool pcrel;
  bool is_signed;  ///< the field is sign-extended: what does not fit as signed is out of range
};

constexpr KindInfo kinds[fixup_end] = {
    {1, false, false},
    {2, false, false},
    {4, false, false},
    {8, false, false},  // data
    {1, true, true},
    {2, true, false},
    {4, true, true},
    {8, true, true},  // pcrel
    {0, false, false},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {1, false, false},  // imm8
    {1, false, true},   // imm8s
    {2, false, false},  // imm16
    {4, false, false},  // imm32
    {4, false, true},   // imm32s
    {8, false, false},  // imm64
    {8, false, false},  // moffs64
    {2, false, false},  // disp16
    {4, false, false},  // disp32
    {4, false, false},  // disp32_abs
    {4, false, false},  // disp32_gotx
    {4, false, false},  // disp32_gotx_base
    {4, true, true},    // rip32
    {4, true, false},   // eip32
    {4, true, true},    // rip32_gotx
    {4, true, true},    // rip32_rex_gotx
    {4, true, true},    // rip32_lea_rex
    {4, true, true},    // rip32_rex2
    {4, true, true},    // rip32_rex2_gotx
    {4, true, true},    // rip32_code5_gotx
    {4, true, true},    // rip32_evex_gotx
    {4, true, true},    // rip32_evex
    {1, true, true},    // branch8
    {2, true, false},   // branch16
    {2, true, true},    // xbegin16
    {4, true, true},    // branch32
    {2, true, false},   // call16
    {4, true, true},    // call32
    {4, true, true},    // branch32_foreign
    {0, false, false},  // tls_call
};

KindInfo kind_info(u16 kind) { return kind < fixup_end ? kinds[kind] : KindInfo{}; }

bool is_data(u16 kind) { return kind < first_target_kind; }
bool is_branch(u16 kind) { return kind >= fixup_branch8 && kind <= fixup_branch32_foreign; }

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((a[i] >= 'a' && a[i] <= 'z' ? a[i] - 32 : a[i]) != b[i]) return false;
  return true;
}

RelocChoice refuse(const RelocQuery& q, std::string_view what) {
  const KindInfo k = kind_info(q.kind);
  return {0, fmt::format("no relocation for {} in a {}field of {} byte{}", what, q.pcrel ? "PC-relative " : "", k.size,
                         k.size == 1 ? "" : "s")};
}

/// Of a symbol without an operator, or with that of a small address.
RelocChoice plain_x86_64(const RelocQuery& q, unsigned size) {
  if (!q.pcrel) {
    const bool is_signed = q.kind == fixup_disp32 || q.kind == fixup_imm32s;
    if (q.modifier == mod_abs8 && size == 4) return {R64_32, {}};
    return {size == 1 ? R64_8 : size == 2 ? R64_16 : size == 8 ? R64_64 : is_signed ? R64_32S : R64_32, {}};
  }
  if (q.kind != fixup_branch32 && q.kind != fixup_call32)
    return {size == 1 ? R64_PC8 : size == 2 ? R64_PC16 : size == 4 ? R64_PC32 : R64_PC64, {}};
  // Only `call symbol` may go through a PLT entry: symbol + 4 is no function.
  const bool is_function = q.modifier == mod_none && q.has_symbol && q.constant == -4;
  return {is_function && !(q.gnu && (q.local || q.section_symbol)) ? R64_PLT32 : R64_PC32, {}};
}

/// Of a load of a GOT entry that linkers may rewrite; 0: of another instruction. LLVM does not have them rewrite what
/// loads something else than the entry.
u32 relaxable_x86_64(const RelocQuery& q) {
  if (!q.relax || (!q.gnu && q.constant != -4)) return 0;
  switch (q.kind) {
    case fixup_rip32_gotx: return R64_GOTPCRELX;
    case fixup_rip32_rex_gotx: return R64_REX_GOTPCRELX;
    case fixup_rip32_rex2_gotx: return R64_CODE_4_GOTPCRELX;
    case fixup_rip32_code5_gotx: return R64_CODE_5_GOTPCRELX;
    case fixup_rip32_evex_gotx: return R64_CODE_6_GOTPCRELX;
    case fixup_rip32_lea_rex: return q.gnu ? 0 : u32(R64_REX_GOTPCRELX);
    default: return 0;
  }
}

RelocChoice choose_x86_64(const RelocQuery& q) {
  const KindInfo k = kind_info(q.kind);
  const unsigned size = k.size;
  auto by_size = [&](u32 four, u32 eight) { return RelocChoice{size == 8 ? eight : four, {}}; };
  auto of4 = [&](u32 type) {
    return size == 4 ? RelocChoice{type, {}} : refuse(q, modifier_names[q.modifier]);
  };
  auto loaded4 = [&](u32 type) {
    // GNU as takes the distance from the end of the field for what is loaded relative to %rip, in data too.
    RelocChoice choice = of4(type);
    if (q.gnu && q.pcrel && is_data(q.kind)) choice.bias = -4;
    return choice;
  };
  auto only8 = [&](u32 type) {
    return size == 8 ? RelocChoice{type, {}} : refuse(q, modifier_names[q.modifier]);
  };
  if (q.is_got_symbol && q.modifier == mod_none && (size == 4 || size == 8)) {
    if (q.gnu ? !is_branch(q.kind) : !is_data(q.kind)) return by_size(R64_GOTPC32, R64_GOTPC64);
  }
  if (q.modifier != mod_none && q.modifier != mod_abs8 && (size == 1 || size == 2))
    return refuse(q, modifier_names[q.modifier]);
  switch (q.modifier) {
    case mod_none:
    case mod_abs8: return plain_x86_64(q, size);
    case mod_plt:
      if (q.gnu && q.section_symbol && size == 4) return {q.pcrel ? R64_PC32 : R64_32, {}};
      return of4(R64_PLT32);
    case mod_got:
      if (size == 8) return {q.pcrel && !q.gnu ? R64_GOTPC64 : R64_GOT64, {}};
      if (!q.pcrel) return {R64_GOT32, {}};
      return loaded4(q.gnu && (is_data(q.kind) || q.kind == fixup_branch32) ? R64_GOT32 : R64_GOTPC32);
    case mod_gotoff: return only8(R64_GOTOFF64);
    case mod_gotpcrel:
      if (size == 8) return {R64_GOTPCREL64, {}};
      if (const u32 type = relaxable_x86_64(q)) return {type, {}};
      return loaded4(R64_GOTPCREL);
    case mod_gotpcrel_norelax: return of4(R64_GOTPCREL);
    case mod_gotplt: return only8(R64_GOTPLT64);
    case mod_pltoff: return only8(R64_PLTOFF64);
    case mod_tpoff: return by_size(R64_TPOFF32, R64_TPOFF64);
    case mod_dtpoff: return by_size(R64_DTPOFF32, R64_DTPOFF64);
    case mod_tlsgd: return loaded4(R64_TLSGD);
    case mod_tlsld: return loaded4(R64_TLSLD);
    case mod_gottpoff:
      if (q.kind == fixup_rip32_rex2_gotx || q.kind == fixup_rip32_rex2) return {R64_CODE_4_GOTTPOFF, {}};
      if (q.kind == fixup_rip32_evex_gotx || q.kind == fixup_rip32_evex) return {R64_CODE_6_GOTTPOFF, {}};
      return loaded4(R64_GOTTPOFF);
    case mod_tlsdesc:
      return loaded4(q.kind == fixup_rip32_rex2 ? R64_CODE_4_GOTPC32_TLSDESC : R64_GOTPC32_TLSDESC);
    case mod_tlscall: return {R64_TLSDESC_CALL, {}};
    case mod_size:
      return {.type = size == 8 ? R64_SIZE64 : R64_SIZE32, .error = {}, .symbol_size = true};
    default: return {0, fmt::format("@{} does not exist on x86-64", modifier_names[q.modifier])};
  }
}

RelocChoice choose_386(const RelocQuery& q) {
  const unsigned size = kind_info(q.kind).size;
  const bool knows_got = q.gnu || (!is_data(q.kind) && q.kind != fixup_disp32_gotx_base);
  if (q.is_got_symbol && q.modifier == mod_none && size == 4 && knows_got) return {R386_GOTPC, {}};
  if (q.modifier != mod_none && q.modifier != mod_abs8 && size != 4 && size != 0) {
    return refuse(q, modifier_names[q.modifier]);
  }
  const bool gotx = q.kind == fixup_disp32_gotx, gotx_base = q.kind == fixup_disp32_gotx_base;
  switch (q.modifier) {
    case mod_none:
    case mod_abs8:
      if (size == 8) return refuse(q, "a symbol");
      if (q.kind == fixup_branch32_foreign && !q.gnu && q.has_symbol && q.constant == -4) return {R386_PLT32, {}};
      if (q.pcrel) return {size == 1 ? R386_PC8 : size == 2 ? R386_PC16 : R386_PC32, {}};
      if (q.gnu && q.kind == fixup_imm32s)
        return {0, "an i386 object has no relocation for a field that 64-bit code sign-extends"};
      return {size == 1 ? R386_8 : size == 2 ? R386_16 : R386_32, {}};
    case mod_plt:
      if (q.gnu && q.section_symbol) return {q.pcrel ? R386_PC32 : R386_32, {}};
      // A PLT entry has one place to jump to: GNU as drops what is added to it.
      if (q.gnu && is_branch(q.kind)) return {.type = R386_PLT32, .error = {}, .bias = -4, .no_addend = true};
      return {R386_PLT32, {}};
    case mod_got:
      if (q.pcrel) {
        const bool call = q.kind == fixup_call32 || q.kind == fixup_branch32_foreign;
        return {q.gnu && !call ? R386_GOT32 : R386_GOTPC, {}};
      }
      // What has no base register always is one to GNU as: the linker must tell it apart.
      if ((q.relax && gotx_base) || (gotx && q.gnu)) return {R386_GOT32X, {}};
      return {R386_GOT32, {}};
    case mod_gotoff: return {R386_GOTOFF, {}};
    case mod_tpoff: return {R386_TLS_LE_32, {}};
    case mod_ntpoff: return {R386_TLS_LE, {}};
    case mod_dtpoff: return {R386_TLS_LDO_32, {}};
    case mod_tlsgd: return {R386_TLS_GD, {}};
    case mod_tlsldm: return {R386_TLS_LDM, {}};
    case mod_gottpoff: return {R386_TLS_IE_32, {}};
    case mod_gotntpoff: return {R386_TLS_GOTIE, {}};
    case mod_indntpoff: return {R386_TLS_IE, {}};
    case mod_tlsdesc: return {R386_TLS_GOTDESC, {}};
    case mod_tlscall: return {R386_TLS_DESC_CALL, {}};
    case mod_size:
      if (is_branch(q.kind)) return refuse(q, "SIZE");
      return {.type = R386_SIZE32, .error = {}, .symbol_size = true};
    default: return {0, fmt::format("@{} does not exist on i386", modifier_names[q.modifier])};
  }
}

}  // namespace

/// The operand is _GLOBAL_OFFSET_TABLE_ (plus something). It stands for the distance from the start of the instruction
/// to the table, while its relocation counts from the field: the field's offset is added.
bool is_got(const Operand& o) {
  const char* p = o.where;
  while (*p == '$' || *p == ' ' || *p == '*' || *p == '(') ++p;
  if (*p == '%' && p[1] && p[2] == 's' && p[3] == ':') p += 4;
  if (*p == '"') ++p;
  constexpr std::string_view name = "_GLOBAL_OFFSET_TABLE_";
  if (*p != '_') return false;
  for (char c : name)
    if (*p++ != c) return false;
  return *p != '@' && *p != '_' && u8((*p | 0x20) - 'a') > 25 && u8(*p - '0') > 9;
}

/// What GNU as says when it reads an instruction: relocations that count from the section's start have no place in a
/// call, and those that are sign-extended none in fields that are not, unless addresses have 32 bits. Its data and
/// branches that grow may have them.
bool X86Target::fits_relocation(u16 kind, const Row& row, Statement& s, const Operand& o, Emitter& out) const {
  constexpr u32 sign_extended = 1u << mod_plt | 1u << mod_got | 1u << mod_gotpcrel | 1u << mod_gotpcrel_norelax |
                                1u << mod_tpoff | 1u << mod_dtpoff | 1u << mod_tlsgd | 1u << mod_tlsld |
                                1u << mod_gottpoff;
  constexpr u32 absolute_64 = 1u << mod_got | 1u << mod_tpoff | 1u << mod_dtpoff;
  constexpr u32 absolute_32 = absolute_64 | 1u << mod_gotoff | 1u << mod_ntpoff | 1u << mod_tlsgd | 1u << mod_tlsldm |
                              1u << mod_gottpoff | 1u << mod_gotntpoff | 1u << mod_indntpoff;
  const u32 bit = u32(1) << o.value.modifier;
  if (!options_.gnu || options_.format != ObjectFormat::elf) return true;
  const bool call = kind == fixup_call32 || kind == fixup_branch32_foreign;
  if (call && (bit & (options_.bits == 64 ? absolute_64 : absolute_32))) {
    out.error(o.where, fmt::format("@{} is no distance, and a call takes one", modifier_names[o.value.modifier]));
    return false;
  }
  if (mode_ == 64 && options_.bits == 64 && !options_.x32 && (kind == fixup_imm32 || kind == fixup_disp32_abs) &&
      (bit & sign_extended)) {
    out.error(o.where, fmt::format("@{} is sign-extended, and this field is not", modifier_names[o.value.modifier]));
    return false;
  }
  if (o.value.modifier == mod_tlscall) {
    out.error(o.where, "@TLSCALL marks an instruction, `call *x@TLSCALL(%rax)`, and has no field");
    return false;
  }
  return fits_tls_sequence(row, s, o, out);
}

/// In objects for Windows, GNU as has those of COFF alone: others are letters of names.
u16 X86Target::modifier(std::string_view name) const {
  const bool of_coff_alone = options_.gnu && options_.format == ObjectFormat::coff;
  for (u16 i = of_coff_alone ? u16(mod_imgrel) : 1; i < mod_count; ++i)
    if (equals_ignoring_case(name, modifier_names[i])) return i;
  return 0;
}

std::string_view X86Target::modifier_name(u16 modifier) const {
  return modifier < mod_count ? modifier_names[modifier] : std::string_view();
}

u16 X86Target::modifier_with_zero(u16 modifier) const {
  return modifier == mod_gotpcrel && !options_.gnu && mode_ == 64 ? u16(mod_gotpcrel_norelax) : modifier;
}

FixupInfo X86Target::fixup_info(u16 kind) const {
  KindInfo k = kind_info(kind);
  return {.size = k.size, .pcrel = k.pcrel, .branch = is_branch(kind)};
}

bool X86Target::final_value(u16 kind, u16 modifier, i64&) const {
  return kind != fixup_tls_call && (modifier == mod_none || modifier == mod_abs8 || modifier == mod_plt);
}

Target::BranchReach X86Target::branch_reach(u16 kind) const {
  if (options_.bits != 64) return {};  // addresses wrap around: a distance of 32 bits reaches all of them
  return {i64(1) << (kind_info(kind).size * 8 - 1), u8(kind_info(kind).size != 2)};
}

unsigned X86Target::write_stub(u8, u64 address, u8 (&out)[max_stub]) const {
  constexpr u8 jump[] = {0xFF, 0x25, 0, 0, 0, 0};  // jmp *0(%rip)
  std::ranges::copy(jump, out);
  for (unsigned i = 0; i < 8; ++i) out[sizeof jump + i] = u8(address >> (8 * i));
  return sizeof jump + 8;
}

std::string X86Target::apply(u16 kind, u16 modifier, i64 value, u8* field) const {
  const KindInfo k = kind_info(kind);
  const unsigned bits = k.size * 8u;
  if (bits && bits < 64) {
    // A 32-bit displacement is sign-extended where addresses have 64 bits.
    const bool sign = k.is_signed || (kind == fixup_disp32 && options_.bits == 64);
    // Where addresses have 32 bits, distances wrap around; addends and what shorter fields hold do, and in GNU as sums
    // as well.
    const bool relocated = modifier & modifier_relocated;
    if (options_.bits != 64 && (k.size == 4 ? options_.gnu || relocated : !is_branch(kind)))
      value = i64(i32(u32(value)));
    const bool gnu_jump = options_.gnu && kind == fixup_branch16, gnu_call = options_.gnu && kind == fixup_call16;
    if (gnu_jump || (relocated && (kind == fixup_branch16 || kind == fixup_call16))) value = i64(i16(u16(value)));
    const bool wraps = options_.bits != 64 && (kind == fixup_branch32 || kind == fixup_call32 ||
                                               kind == fixup_branch32_foreign);
    // A field that is not extended takes what differs from a number of its bits by their next power of two.
    const i64 low = wraps                                    ? -(i64(1) << bits)
                    : sign || (is_branch(kind) && !gnu_call) ? -(i64(1) << (bits - 1))
                                                             : 1 - (i64(1) << bits);
    const i64 high = wraps ? (i64(1) << bits) - 1 : sign ? (i64(1) << (bits - 1)) - 1 : (i64(1) << bits) - 1;
    if (value < low || value > high) {
      if (is_branch(kind))
        return fmt::format("the target is {} bytes away, which does not fit in {} bits ({} to {})", value, bits, low,
                           high);
      return fmt::format("value {} does not fit in {} bits ({} to {})", value, bits, low, high);
    }
  }
  for (unsigned i = 0; i < k.size; ++i) field[i] = u8(u64(value) >> (8 * i));
  return {};
}

bool X86Target::apply_distance(u16 kind, i64 distance, u8* field) const {
  if (kind_info(kind).size != 4 || i32(distance) != distance) return false;
  for (unsigned i = 0; i < 4; ++i) field[i] = u8(u64(distance) >> (8 * i));
  return true;
}

RelocChoice X86Target::relocation(const RelocQuery& query) const {
  if (query.format == ObjectFormat::coff) return choose_coff(query, kind_info(query.kind).size, options_.bits == 64);
  return options_.bits == 64 ? choose_x86_64(query) : choose_386(query);
}

bool X86Target::may_resolve(const RelocQuery& query) const {
  if (query.kind == fixup_tls_call) return false;
  if (query.modifier == mod_none || query.modifier == mod_abs8) return true;
  return query.modifier == mod_plt && query.gnu && query.pcrel && query.local;
}

bool X86Target::needs_symbol(const RelocQuery& q) const {
  const bool wide = options_.bits == 64;
  switch (q.modifier) {
    case mod_none: case mod_abs8: case mod_imgrel: case mod_secrel32: case mod_secidx: return false;
    case mod_gotpcrel: return !q.gnu || kind_info(q.kind).size != 8;
    case mod_gotpcrel_norelax: return true;
    // Linkers have mistaken the addend of R_386_GOTOFF for an offset into a merged section. GNU as replaces symbols in
    // displacements only: there it takes symbol@GOTOFF for symbol - _GLOBAL_OFFSET_TABLE_.
    case mod_gotoff:
      if (q.from_got) return q.merge_section;
      if (wide) return q.gnu && (q.kind != fixup_moffs64 || q.merge_section);
      return (q.merge_section && info_.elf.machine != em_iamcu) ||
             (q.gnu && (q.kind < fixup_disp16 || q.kind > fixup_disp32_gotx_base));
    case mod_got: return !q.gnu || options_.gnu_since(244) || kind_info(q.kind).size != 8;
    case mod_plt: return !q.gnu || (options_.gnu_since(244) && !q.pcrel);
    case mod_pltoff: case mod_gotplt: return false;
    default: return q.gnu;
  }
}

bool X86Target::is_tls(u16 modifier) const {
  switch (modifier) {
    case mod_tpoff: case mod_dtpoff: case mod_tlsgd: case mod_tlsld: case mod_tlsldm: case mod_gottpoff:
    case mod_ntpoff: case mod_gotntpoff: case mod_indntpoff: case mod_tlsdesc: case mod_tlscall: return true;
    default: return false;
  }
}

bool X86Target::uses_got(u16 modifier) const {
  switch (modifier) {
    case mod_none:
    case mod_plt:
    case mod_size:
    case mod_abs8:
    case mod_gotpcrel_norelax:  // GNU as does not know it
    case mod_imgrel:
    case mod_secrel32:
    case mod_secidx: return false;
    default: return true;
  }
}

/// What is loaded relative to %rip is an entry of the table, as in GNU as.
u16 X86Target::got_distance(u16 kind) const {
  if (options_.format == ObjectFormat::coff || is_branch(kind)) return mod_none;
  if (kind_info(kind).pcrel) return options_.bits == 64 ? mod_gotpcrel : mod_none;
  return options_.x32 ? mod_none : mod_gotoff;
}

bool X86Target::keeps_absolute(u16 modifier, bool local) const {
  return uses_got(modifier) || modifier == mod_gotpcrel_norelax || (modifier == mod_abs8 && !local);
}

std::optional<Target::RelocatedField> X86Target::relocated_field(std::string_view name, ObjectFormat format) const {
  if (format != ObjectFormat::coff || options_.gnu) return {};
  if (name == "dir32") return RelocatedField{4, mod_none};
  if (name == "secrel32") return RelocatedField{4, mod_secrel32};
  if (name == "secidx") return RelocatedField{2, mod_secidx};
  return {};
}

unsigned X86Target::relocation_size(u32 number) const {
  if (options_.format == ObjectFormat::coff) return coff_relocation_size(number, options_.bits == 64);
  switch (number) {
    case R386_8: case R386_PC8: return 1;
    case R386_16: case R386_PC16: return 2;
    case R386_NONE: return 0;
    default: return number < std::size(names_386) ? 4 : 0;
  }
}

int X86Target::relocation_number(std::string_view name, ObjectFormat format) const {
  if (format != ObjectFormat::elf) return coff_relocation_number(name, options_.bits == 64);
  const bool wide = options_.bits == 64;
  static constexpr struct {
    std::string_view name;
    i16 x86_64, i386;
  } bfd[] = {{"NONE", 0, 0}, {"8", 14, 22}, {"16", 12, 20}, {"32", 10, 1}, {"64", 1, -1}, {"32_PCREL", 2, 2}};
  if (name.starts_with("BFD_RELOC_")) {
    name.remove_prefix(10);
    for (const auto& b : bfd)
      if (b.name == name) return wide ? b.x86_64 : b.i386;
    return -1;
  }
  std::string_view prefix = wide ? "R_X86_64_" : "R_386_";
  if (!name.starts_with(prefix)) return -1;
  name.remove_prefix(prefix.size());
  if (name.empty()) return -1;
  if (name == "GNU_VTINHERIT") return 250;
  if (name == "GNU_VTENTRY") return 251;
  if (wide) {
    for (unsigned i = 0; i < std::size(names_x86_64); ++i)
      if (names_x86_64[i] == name) return int(i);
  } else {
    for (unsigned i = 0; i < std::size(names_386); ++i)
      if (names_386[i] == name) return int(i);
  }
  return -1;
}

}  // namespace xas::x86
