// SPDX-License-Identifier: Apache-2.0
// Relocation operators (:lo12:symbol), and which relocation a fixup becomes.
//
// Source: ELF for the Arm 64-bit Architecture (AAELF64), 5.7. Where only one of the reference assemblers has a
// relocation for an operator, both profiles have it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"

namespace xas::aarch64 {

using namespace text;

namespace {

/// What an operator becomes in each kind of field; 0: it can't stand there.
enum Column {
  col_adrp,
  col_adr,
  col_add,
  col_ldst8,
  col_ldst16,
  col_ldst32,
  col_ldst64,
  col_ldst128,
  col_movz,
  col_movk,
  col_literal,
  columns
};

struct Operator {
  std::string_view name;
  u16 type[columns];
};

// adrp, adr, add, ld/st of 8, 16, 32, 64, 128 bits, movz, movk, ldr literal
constexpr Operator operators[] = {
    {"", {275, 274, 277, 278, 284, 285, 286, 299, 0, 0, 273}},
    {"lo12", {0, 0, 277, 278, 284, 285, 286, 299, 0, 0, 0}},
    {"pg_hi21", {275, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"pg_hi21_nc", {276, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"abs_g0", {0, 0, 0, 0, 0, 0, 0, 0, 263, 263, 0}},
    {"abs_g0_s", {0, 0, 0, 0, 0, 0, 0, 0, 270, 270, 0}},
    {"abs_g0_nc", {0, 0, 0, 0, 0, 0, 0, 0, 264, 264, 0}},
    {"abs_g1", {0, 0, 0, 0, 0, 0, 0, 0, 265, 265, 0}},
    {"abs_g1_s", {0, 0, 0, 0, 0, 0, 0, 0, 271, 271, 0}},
    {"abs_g1_nc", {0, 0, 0, 0, 0, 0, 0, 0, 266, 266, 0}},
    {"abs_g2", {0, 0, 0, 0, 0, 0, 0, 0, 267, 267, 0}},
    {"abs_g2_s", {0, 0, 0, 0, 0, 0, 0, 0, 272, 272, 0}},
    {"abs_g2_nc", {0, 0, 0, 0, 0, 0, 0, 0, 268, 268, 0}},
    {"abs_g3", {0, 0, 0, 0, 0, 0, 0, 0, 269, 269, 0}},
    {"prel_g0", {0, 0, 0, 0, 0, 0, 0, 0, 287, 287, 0}},
    {"prel_g0_nc", {0, 0, 0, 0, 0, 0, 0, 0, 288, 288, 0}},
    {"prel_g1", {0, 0, 0, 0, 0, 0, 0, 0, 289, 289, 0}},
    {"prel_g1_nc", {0, 0, 0, 0, 0, 0, 0, 0, 290, 290, 0}},
    {"prel_g2", {0, 0, 0, 0, 0, 0, 0, 0, 291, 291, 0}},
    {"prel_g2_nc", {0, 0, 0, 0, 0, 0, 0, 0, 292, 292, 0}},
    {"prel_g3", {0, 0, 0, 0, 0, 0, 0, 0, 293, 293, 0}},
    {"got", {311, 0, 0, 0, 0, 0, 0, 0, 0, 0, 309}},
    {"got_lo12", {0, 0, 0, 312, 312, 312, 312, 312, 0, 0, 309}},
    {"gotoff_g0_nc", {0, 0, 0, 0, 0, 0, 0, 0, 301, 301, 0}},
    {"gotoff_g1", {0, 0, 0, 0, 0, 0, 0, 0, 302, 302, 0}},
    {"gotoff_lo15", {0, 0, 0, 310, 310, 310, 310, 310, 0, 0, 0}},
    {"gottprel_g0_nc", {0, 0, 0, 0, 0, 0, 0, 0, 540, 540, 543}},
    {"gottprel_g1", {0, 0, 0, 0, 0, 0, 0, 0, 539, 539, 543}},
    {"gottprel", {541, 0, 0, 0, 0, 0, 0, 0, 0, 0, 543}},
    {"gottprel_lo12", {0, 0, 0, 542, 542, 542, 542, 542, 0, 0, 543}},
    {"tlsgd", {513, 512, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"tlsgd_lo12", {0, 0, 514, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"tlsgd_g0_nc", {0, 0, 0, 0, 0, 0, 0, 0, 516, 516, 0}},
    {"tlsgd_g1", {0, 0, 0, 0, 0, 0, 0, 0, 515, 0, 0}},
    {"tlsdesc", {562, 561, 0, 0, 0, 0, 0, 0, 0, 0, 560}},
    {"tlsdesc_lo12", {0, 0, 564, 563, 563, 563, 563, 563, 0, 0, 0}},
    {"tlsdesc_off_g0_nc", {0, 0, 0, 0, 0, 0, 0, 0, 566, 566, 0}},
    {"tlsdesc_off_g1", {0, 0, 0, 0, 0, 0, 0, 0, 565, 565, 0}},
    {"tlsldm", {518, 517, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"tlsldm_lo12_nc", {0, 0, 519, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"dtprel_lo12", {0, 0, 529, 531, 533, 535, 537, 572, 0, 0, 0}},
    {"dtprel_lo12_nc", {0, 0, 530, 532, 534, 536, 538, 573, 0, 0, 0}},
    {"dtprel_hi12", {0, 0, 528, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"dtprel_g0", {0, 0, 0, 0, 0, 0, 0, 0, 526, 526, 0}},
    {"dtprel_g0_nc", {0, 0, 0, 0, 0, 0, 0, 0, 527, 527, 0}},
    {"dtprel_g1", {0, 0, 0, 0, 0, 0, 0, 0, 524, 524, 0}},
    {"dtprel_g1_nc", {0, 0, 0, 0, 0, 0, 0, 0, 525, 525, 0}},
    {"dtprel_g2", {0, 0, 0, 0, 0, 0, 0, 0, 523, 523, 0}},
    {"tprel", {0, 0, 550, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"tprel_lo12", {0, 0, 550, 552, 554, 556, 558, 570, 0, 0, 0}},
    {"tprel_hi12", {0, 0, 549, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"tprel_lo12_nc", {0, 0, 551, 553, 555, 557, 559, 571, 0, 0, 0}},
    {"tprel_g2", {0, 0, 0, 0, 0, 0, 0, 0, 544, 544, 0}},
    {"tprel_g1", {0, 0, 0, 0, 0, 0, 0, 0, 545, 545, 0}},
    {"tprel_g1_nc", {0, 0, 0, 0, 0, 0, 0, 0, 546, 546, 0}},
    {"tprel_g0", {0, 0, 0, 0, 0, 0, 0, 0, 547, 547, 0}},
    {"tprel_g0_nc", {0, 0, 0, 0, 0, 0, 0, 0, 548, 548, 0}},
    {"gotpage_lo15", {0, 0, 0, 313, 313, 313, 313, 313, 0, 0, 309}},
    {"got_auth", {590, 594, 0, 0, 0, 0, 0, 0, 0, 0, 588}},
    {"got_auth_lo12", {0, 0, 593, 0, 0, 0, 591, 0, 0, 0, 588}},
    {"tlsdesc_auth", {595, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"tlsdesc_auth_lo12", {0, 0, 597, 0, 0, 0, 596, 0, 0, 0, 0}},
    {"secrel_lo12", {}},
    {"secrel_hi12", {}},
    {"gotpage_lo14", {0, 0, 0, 313, 313, 313, 313, 313, 0, 0, 0}},
    // In data, behind @ or %.
    {"dtprel", {}},
    {"plt", {}},
    {"gotpcrel", {}},
    {"funcinit", {}},
};

/// R_AARCH64_* by number.
constexpr struct {
  std::string_view name;
  u16 type;
} names[] = {
    {"NONE", 0}, {"ABS64", 257}, {"ABS32", 258}, {"ABS16", 259}, {"PREL64", 260}, {"PREL32", 261}, {"PREL16", 262},
    {"MOVW_UABS_G0", 263}, {"MOVW_UABS_G0_NC", 264}, {"MOVW_UABS_G1", 265}, {"MOVW_UABS_G1_NC", 266},
    {"MOVW_UABS_G2", 267}, {"MOVW_UABS_G2_NC", 268}, {"MOVW_UABS_G3", 269}, {"MOVW_SABS_G0", 270},
    {"MOVW_SABS_G1", 271}, {"MOVW_SABS_G2", 272}, {"LD_PREL_LO19", 273}, {"ADR_PREL_LO21", 274},
    {"ADR_PREL_PG_HI21", 275}, {"ADR_PREL_PG_HI21_NC", 276}, {"ADD_ABS_LO12_NC", 277}, {"LDST8_ABS_LO12_NC", 278},
    {"TSTBR14", 279}, {"CONDBR19", 280}, {"JUMP26", 282}, {"CALL26", 283}, {"LDST16_ABS_LO12_NC", 284},
    {"LDST32_ABS_LO12_NC", 285}, {"LDST64_ABS_LO12_NC", 286}, {"MOVW_PREL_G0", 287}, {"MOVW_PREL_G0_NC", 288},
    {"MOVW_PREL_G1", 289}, {"MOVW_PREL_G1_NC", 290}, {"MOVW_PREL_G2", 291}, {"MOVW_PREL_G2_NC", 292},
    {"MOVW_PREL_G3", 293}, {"LDST128_ABS_LO12_NC", 299}, {"MOVW_GOTOFF_G0", 300}, {"MOVW_GOTOFF_G0_NC", 301},
    {"MOVW_GOTOFF_G1", 302}, {"MOVW_GOTOFF_G1_NC", 303}, {"MOVW_GOTOFF_G2", 304}, {"MOVW_GOTOFF_G2_NC", 305},
    {"MOVW_GOTOFF_G3", 306}, {"GOTREL64", 307}, {"GOTREL32", 308}, {"GOT_LD_PREL19", 309}, {"LD64_GOTOFF_LO15", 310},
    {"ADR_GOT_PAGE", 311}, {"LD64_GOT_LO12_NC", 312}, {"LD64_GOTPAGE_LO15", 313}, {"PLT32", 314}, {"GOTPCREL32", 315},
    {"PATCHINST", 316}, {"FUNCINIT64", 317},
    {"TLSGD_ADR_PREL21", 512}, {"TLSGD_ADR_PAGE21", 513}, {"TLSGD_ADD_LO12_NC", 514}, {"TLSGD_MOVW_G1", 515},
    {"TLSGD_MOVW_G0_NC", 516}, {"TLSLD_ADR_PREL21", 517}, {"TLSLD_ADR_PAGE21", 518}, {"TLSLD_ADD_LO12_NC", 519},
    {"TLSLD_MOVW_G1", 520}, {"TLSLD_MOVW_G0_NC", 521}, {"TLSLD_LD_PREL19", 522}, {"TLSLD_MOVW_DTPREL_G2", 523},
    {"TLSLD_MOVW_DTPREL_G1", 524}, {"TLSLD_MOVW_DTPREL_G1_NC", 525}, {"TLSLD_MOVW_DTPREL_G0", 526},
    {"TLSLD_MOVW_DTPREL_G0_NC", 527}, {"TLSLD_ADD_DTPREL_HI12", 528}, {"TLSLD_ADD_DTPREL_LO12", 529},
    {"TLSLD_ADD_DTPREL_LO12_NC", 530}, {"TLSLD_LDST8_DTPREL_LO12", 531}, {"TLSLD_LDST8_DTPREL_LO12_NC", 532},
    {"TLSLD_LDST16_DTPREL_LO12", 533}, {"TLSLD_LDST16_DTPREL_LO12_NC", 534}, {"TLSLD_LDST32_DTPREL_LO12", 535},
    {"TLSLD_LDST32_DTPREL_LO12_NC", 536}, {"TLSLD_LDST64_DTPREL_LO12", 537}, {"TLSLD_LDST64_DTPREL_LO12_NC", 538},
    {"TLSIE_MOVW_GOTTPREL_G1", 539}, {"TLSIE_MOVW_GOTTPREL_G0_NC", 540}, {"TLSIE_ADR_GOTTPREL_PAGE21", 541},
    {"TLSIE_LD64_GOTTPREL_LO12_NC", 542}, {"TLSIE_LD_GOTTPREL_PREL19", 543}, {"TLSLE_MOVW_TPREL_G2", 544},
    {"TLSLE_MOVW_TPREL_G1", 545}, {"TLSLE_MOVW_TPREL_G1_NC", 546}, {"TLSLE_MOVW_TPREL_G0", 547},
    {"TLSLE_MOVW_TPREL_G0_NC", 548}, {"TLSLE_ADD_TPREL_HI12", 549}, {"TLSLE_ADD_TPREL_LO12", 550},
    {"TLSLE_ADD_TPREL_LO12_NC", 551}, {"TLSLE_LDST8_TPREL_LO12", 552}, {"TLSLE_LDST8_TPREL_LO12_NC", 553},
    {"TLSLE_LDST16_TPREL_LO12", 554}, {"TLSLE_LDST16_TPREL_LO12_NC", 555}, {"TLSLE_LDST32_TPREL_LO12", 556},
    {"TLSLE_LDST32_TPREL_LO12_NC", 557}, {"TLSLE_LDST64_TPREL_LO12", 558}, {"TLSLE_LDST64_TPREL_LO12_NC", 559},
    {"TLSDESC_LD_PREL19", 560}, {"TLSDESC_ADR_PREL21", 561}, {"TLSDESC_ADR_PAGE21", 562}, {"TLSDESC_LD64_LO12", 563},
    {"TLSDESC_ADD_LO12", 564}, {"TLSDESC_OFF_G1", 565}, {"TLSDESC_OFF_G0_NC", 566}, {"TLSDESC_LDR", 567},
    {"TLSDESC_ADD", 568}, {"TLSDESC_CALL", 569}, {"TLSLE_LDST128_TPREL_LO12", 570},
    {"TLSLE_LDST128_TPREL_LO12_NC", 571}, {"TLSLD_LDST128_DTPREL_LO12", 572}, {"TLSLD_LDST128_DTPREL_LO12_NC", 573},
    {"AUTH_ABS64", 580}, {"AUTH_MOVW_GOTOFF_G0", 581}, {"AUTH_MOVW_GOTOFF_G0_NC", 582},
    {"AUTH_MOVW_GOTOFF_G1", 583}, {"AUTH_MOVW_GOTOFF_G1_NC", 584}, {"AUTH_MOVW_GOTOFF_G2", 585},
    {"AUTH_MOVW_GOTOFF_G2_NC", 586}, {"AUTH_MOVW_GOTOFF_G3", 587}, {"AUTH_GOT_LD_PREL19", 588},
    {"AUTH_LD64_GOTOFF_LO15", 589}, {"AUTH_ADR_GOT_PAGE", 590}, {"AUTH_LD64_GOT_LO12_NC", 591},
    {"AUTH_LD64_GOTPAGE_LO15", 592}, {"AUTH_GOT_ADD_LO12_NC", 593}, {"AUTH_GOT_ADR_PREL_LO21", 594},
    {"AUTH_TLSDESC_ADR_PAGE21", 595}, {"AUTH_TLSDESC_LD64_LO12", 596}, {"AUTH_TLSDESC_ADD_LO12", 597},
    {"COPY", 1024},
    {"GLOB_DAT", 1025}, {"JUMP_SLOT", 1026}, {"RELATIVE", 1027}, {"TLS_DTPMOD64", 1028},
    {"TLS_DTPREL64", 1029}, {"TLS_TPREL64", 1030}, {"TLS_DTPMOD", 1028}, {"TLS_DTPREL", 1029}, {"TLS_TPREL", 1030},
    {"TLSDESC", 1031}, {"IRELATIVE", 1032},
    {"AUTH_RELATIVE", 1041}, {"AUTH_GLOB_DAT", 1042}, {"AUTH_TLSDESC", 1043}, {"AUTH_IRELATIVE", 1044}};

/// The numbers of relocations in objects with 32-bit addresses (ILP32): runs of LP64's, and what the first one becomes.
constexpr struct {
  u16 first, last, p32;
} p32_numbers[] = {{258, 259, 1},     {261, 265, 3},     {270, 270, 8},    {273, 275, 9},   {277, 278, 12},
                   {279, 280, 18},    {282, 283, 20},    {284, 286, 14},   {287, 289, 22},  {299, 299, 17},
                   {309, 309, 25},    {311, 314, 26},    {512, 514, 80},   {517, 519, 83},  {522, 522, 86},
                   {524, 524, 87},    {526, 538, 88},    {541, 543, 103},  {545, 545, 106}, {547, 559, 107},
                   {560, 564, 122},   {569, 569, 127},   {570, 571, 120},  {572, 573, 101}, {1024, 1027, 180},
                   {1028, 1028, 185}, {1029, 1029, 184}, {1030, 1032, 186}};

/// LP64's number to ILP32's; 0: there is none.
u32 ilp32_number(u32 type) {
  for (const auto& run : p32_numbers)
    if (type >= run.first && type <= run.last) return run.p32 + (type - run.first);
  return 0;
}

enum R : u32 {
  R_ABS64 = 257,
  R_ABS32 = 258,
  R_ABS16 = 259,
  R_PREL64 = 260,
  R_PREL32 = 261,
  R_PREL16 = 262,
  R_TSTBR14 = 279,
  R_CONDBR19 = 280,
  R_JUMP26 = 282,
  R_CALL26 = 283,
  R_PLT32 = 314,
  R_FUNCINIT64 = 317,
  R_AUTH_ABS64 = 580,
  R_GOTPCREL32 = 315,
  R_PATCHINST = 316,
  R_TLSDESC_LDR = 567,
  R_TLSDESC_ADD = 568,
  R_TLSDESC_CALL = 569,
  R_TLS_DTPREL64 = 1029,
};

int column_of(u16 kind) {
  switch (kind) {
    case fixup_adrp: return col_adrp;
    case fixup_adr: return col_adr;
    case fixup_add12: return col_add;
    case fixup_offset1: return col_ldst8;
    case fixup_offset2: return col_ldst16;
    case fixup_offset4: return col_ldst32;
    case fixup_offset8: return col_ldst64;
    case fixup_offset16: return col_ldst128;
    case fixup_movz: return col_movz;
    case fixup_movk: return col_movk;
    case fixup_literal19: return col_literal;
    default: return -1;
  }
}

bool is_pcrel(u16 kind) { return kind >= fixup_branch26 && kind <= fixup_adrp; }

}  // namespace

/// AUTH(key, discriminator[, addr]): a modifier of its own for each that there is.
u16 AArch64Target::auth_modifier(std::string_view text) const {
  const auto next = [&] {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_of(" \t,)"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
    return word;
  };
  const auto comma = [&] { return !text.empty() && text[0] == ',' && (text.remove_prefix(1), true); };
  constexpr std::string_view keys[] = {"ia", "ib", "da", "db"};
  const auto* key = std::find(std::begin(keys), std::end(keys), next());
  if (key == std::end(keys) || !comma()) return 0;
  const std::string number(next());
  char* end;
  const u64 discriminator = std::strtoull(number.c_str(), &end, 0);
  if (number.empty() || *end || discriminator > 0xFFFF) return 0;
  bool address = false;
  if (comma()) {
    if (next() != "addr") return 0;
    address = true;
  }
  if (text != ")") return 0;
  const u64 bits = discriminator << 32 | u64(key - keys) << 60 | u64(address) << 63;
  const auto known = std::find(auth_.begin(), auth_.end(), bits);
  if (known == auth_.end()) {
    if (auth_.size() == 0xFFFF - first_auth) return 0;
    auth_.push_back(bits);
    return u16(first_auth + auth_.size() - 1);
  }
  return u16(first_auth + (known - auth_.begin()));
}

u16 AArch64Target::modifier(std::string_view name) const {
  if (is_coff()) {
    if (const u16 number = coff_modifier(name)) return number;
    if (equals_ignoring_case(name, "pageoff")) name = "lo12";
  } else if (name.size() > 5 && equals_ignoring_case(name.substr(0, 5), "auth(")) {
    return auth_modifier(name.substr(5));
  }
  for (u16 i = 1; i < std::size(operators); ++i)
    if (equals_ignoring_case(name, operators[i].name)) return i;
  return 0;
}

u16 AArch64Target::percent_modifier(std::string_view name, bool& from_here) const {
  from_here = name == "pltpcrel";
  if (from_here) return modifier("plt");
  return name == "gotpcrel" || name == "funcinit" || name == "dtprel" ? modifier(name) : u16(0);
}

std::string_view AArch64Target::modifier_name(u16 modifier) const {
  if (is_auth(modifier)) return unsigned(modifier - first_auth) < auth_.size() ? "AUTH" : "";
  if (modifier >= first_coff_modifier) return coff_modifier_name(modifier);
  return modifier < std::size(operators) ? operators[modifier].name : std::string_view();
}

int AArch64Target::movw_group(u16 modifier) {
  const std::string_view op = modifier < std::size(operators) ? operators[modifier].name : std::string_view();
  const auto at = op.find("_g");
  return at == op.npos || at + 2 == op.size() || op[at + 2] < '0' || op[at + 2] > '3' ? -1 : op[at + 2] - '0';
}

bool AArch64Target::is_signed_tls(u16 modifier) {
  const std::string_view op = modifier < std::size(operators) ? operators[modifier].name : std::string_view();
  return !op.ends_with("_nc") && (op.starts_with("dtprel_g") || op.starts_with("tprel_g") || op == "gottprel_g1");
}

bool AArch64Target::takes_operator(u16 kind, u16 modifier) {
  const int column = column_of(kind);
  return column >= 0 && !is_auth(modifier) && operators[modifier].type[column] != 0;
}

FixupInfo AArch64Target::fixup_info(u16 kind) const {
  if (kind < first_target_kind) return {};
  if (kind >= fixup_tls_call && kind <= fixup_tls_load) return {0, false};
  const bool branch =
      kind == fixup_branch26 || kind == fixup_call26 || kind == fixup_branch19 || kind == fixup_branch14;
  return {.size = 4, .pcrel = is_pcrel(kind), .branch = branch, .page = kind == fixup_adrp};
}

bool AArch64Target::final_value(u16 kind, u16 modifier, i64& value) const {
  if (kind >= fixup_tls_call && kind <= fixup_tls_load) return false;
  if (modifier == 0) return true;
  const std::string_view op = modifier_name(modifier);
  if (op == "lo12") value &= 0xFFF;
  return op == "lo12" || op == "pg_hi21" || op == "pg_hi21_nc" || op.starts_with("abs_g") || op.starts_with("prel_g");
}

/// What GNU as refuses although there is a relocation: parts of TLS blocks in loads of 16 bytes, and movk of the parts
/// whose overflow movz and movn have to look for.
bool AArch64Target::is_refused(const RelocQuery& q) const {
  if (!options_.gnu) return false;
  const std::string_view op = modifier_name(q.modifier);
  if (q.kind == fixup_offset16) return op.starts_with("dtprel_lo12") || op.starts_with("tprel_lo12");
  if (q.kind != fixup_movk || op.ends_with("_nc")) return false;
  return op.starts_with("prel_g") || op.starts_with("tprel_g") || op.ends_with("_s");
}

RelocChoice AArch64Target::relocation(const RelocQuery& q) const {
  if (q.format == ObjectFormat::coff) return coff_relocation(q);
  if (is_refused(q)) return {0, fmt::format(":{}: can't stand in this instruction", modifier_name(q.modifier))};
  if (modifier_name(q.modifier) == (info_.elf.is_64 ? "gotpage_lo14" : "gotpage_lo15"))
    return {0, fmt::format(":{}: is for addresses of {} bits", modifier_name(q.modifier), info_.elf.is_64 ? 32 : 64)};
  RelocChoice choice = lp64_relocation(q);
  if (info_.elf.is_64 || !choice.error.empty()) return choice;
  choice.type = ilp32_number(choice.type);
  if (!choice.type) choice.error = "there is no relocation for this in objects with 32-bit addresses (ILP32)";
  return choice;
}

/// A branch has no operator. Both assemblers take three of those of loads in cbz and tbz, though: GNU as makes the
/// load's relocation, which has its field in the same place, and LLVM the branch's.
RelocChoice AArch64Target::branch_relocation(const RelocQuery& q) const {
  const std::string_view op = modifier_name(q.modifier);
  const bool far = q.kind == fixup_branch26 || q.kind == fixup_call26;
  if (!op.empty() && (far || (op != "got" && op != "gottprel" && op != "tlsdesc")))
    return {0, fmt::format(":{}: can't stand here", op)};
  if (!op.empty() && q.gnu) return {operators[q.modifier].type[col_literal], {}};
  return {q.kind == fixup_branch26   ? R_JUMP26
          : q.kind == fixup_call26   ? R_CALL26
          : q.kind == fixup_branch19 ? R_CONDBR19
                                     : R_TSTBR14,
          {}};
}

RelocChoice AArch64Target::lp64_relocation(const RelocQuery& q) const {
  if (q.kind < first_target_kind) {
    const bool pcrel = q.pcrel || (q.kind >= fixup_pcrel1 && q.kind <= fixup_pcrel8);
    if (q.kind != fixup_none) {
      const std::string_view op = modifier_name(q.modifier);
      const unsigned log2_size = q.kind & 3;
      if (log2_size != 3 && op == "dtprel" && q.gnu) return {0, "%dtprel stands in data of 8 bytes"};
      if (log2_size != 2 && options_.llvm_since(23) && (op == "plt" || op == "gotpcrel"))
        return {0, fmt::format("{} stands in data of 4 bytes", op)};
      switch (log2_size) {
        case 1: return {pcrel ? R_PREL16 : R_ABS16, {}};
        case 2:
          if (op == "plt" && pcrel) return {R_PLT32, {}};
          if (op == "gotpcrel") return {R_GOTPCREL32, {}};
          return {pcrel ? R_PREL32 : R_ABS32, {}};
        case 3:
          if (op == "funcinit" && !pcrel) return {R_FUNCINIT64, {}};
          if (op == "dtprel" && !pcrel) return {R_TLS_DTPREL64, {}};
          if (is_auth(q.modifier))
            return pcrel ? RelocChoice{0, "a distance can't be signed"} : RelocChoice{R_AUTH_ABS64, {}};
          return {pcrel ? R_PREL64 : R_ABS64, {}};
        default: return {0, "there is no relocation for one byte"};
      }
    }
    return {0, "there is no relocation for this"};
  }
  switch (q.kind) {
    case fixup_branch26:
    case fixup_call26:
    case fixup_branch19:
    case fixup_branch14: return branch_relocation(q);
    case fixup_tls_call: return {R_TLSDESC_CALL, {}};
    case fixup_tls_add: return {R_TLSDESC_ADD, {}};
    case fixup_tls_load: return {R_TLSDESC_LDR, {}};
    default: break;
  }
  const int column = column_of(q.kind);
  const std::string_view op = modifier_name(q.modifier);
  if (column < 0 && q.pcrel)
    return {0, "there is no relocation for this distance; its target must be a label of the same section"};
  if (column < 0)
    return {0,
            "a symbol can't stand here: this field takes a number that is known when the object is made; an address "
            "comes by adrp and add with :lo12:, or `ldr x0, =name`"};
  // Without an operator, only distances have relocations.
  if (q.modifier == 0 && column != col_adrp && column != col_adr && column != col_literal)
    return {0, "a symbol here needs a relocation operator (such as :lo12:)"};
  if (is_auth(q.modifier)) return {0, "@AUTH stands in data of 8 bytes"};
  // LLVM forgets the operator here.
  if (column == col_literal && op == "tlsdesc" && !q.gnu) return {operators[0].type[column], {}};
  const u16 type = operators[q.modifier].type[column];
  if (type == 0) return {0, fmt::format(":{}: can't stand here", op)};
  return {type, {}};
}

bool AArch64Target::may_resolve(const RelocQuery& q) const {
  if (q.kind >= fixup_tls_call && q.kind <= fixup_tls_load) return false;
  if (q.kind == fixup_adrp || q.kind == fixup_adrp_addend) return false;
  if (q.pcrel) return q.modifier == 0;
  const std::string_view op = modifier_name(q.modifier);
  // GNU as has the linker take the low bits even of a number; LLVM takes numbers that have no others.
  return q.modifier == 0 || op.starts_with("abs_g") || (op == "lo12" && !q.gnu);
}

bool AArch64Target::needs_symbol(const RelocQuery& q) const {
  const std::string_view op = modifier_name(q.modifier);
  if (q.gnu && q.function && names_functions()) return true;
  const bool names_entry = !q.gnu || options_.gnu_since(247);  // an entry of the global offset table
  return is_tls(q.modifier) || (names_entry && op.starts_with("got")) || (!q.gnu && op == "plt");
}

bool AArch64Target::is_tls(u16 modifier) const {
  const std::string_view op = modifier_name(modifier);
  return op.starts_with("tls") || op.starts_with("gottprel") || op.starts_with("tprel") || op.starts_with("dtprel");
}

int AArch64Target::last_relocation() const { return options_.gnu || is_coff() ? -1 : int(R_PATCHINST); }

int AArch64Target::relocation_number(std::string_view name, ObjectFormat format) const {
  if (format == ObjectFormat::coff) return coff_relocation_number(name);
  if (name.starts_with("BFD_RELOC_")) {
    name.remove_prefix(10);
    return name == "NONE" ? 0
           : name == "16" ? int(R_ABS16)
           : name == "32" ? int(R_ABS32)
           : name == "64" ? int(R_ABS64)
                          : -1;
  }
  if (!name.starts_with("R_AARCH64_")) return -1;
  name.remove_prefix(10);
  const bool p32 = name.starts_with("P32_");
  if (p32) name.remove_prefix(4);
  std::string lp64(name);
  // Loads of addresses have their size in their names.
  if (p32 && name.starts_with("LD32_GOTPAGE_LO14")) lp64 = "LD64_GOTPAGE_LO15";
  else if (const auto at = lp64.find("LD32_"); p32 && at != lp64.npos) lp64.replace(at, 5, "LD64_");
  for (const auto& n : names)
    if (n.name == lp64) return p32 ? int(ilp32_number(n.type)) : n.type;
  return -1;
}

}  // namespace xas::aarch64
