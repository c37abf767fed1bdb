// SPDX-License-Identifier: Apache-2.0
#include "targets/advice.h"

#include <fmt/format.h>

#include "targets/nearest_name.h"
#include "targets/text.h"

namespace xas {

std::string_view other_machines(std::string_view mnemonic, Machine own) {
  if (own != Machine::x86) return x86::has_mnemonic(mnemonic) ? "x86" : "";
  const bool a64 = aarch64::has_mnemonic(mnemonic), a32 = arm::has_mnemonic(mnemonic);
  return a64 && a32 ? "AArch64 and ARM" : a64 ? "AArch64" : a32 ? "ARM" : "";
}

std::string unexpected_advice(const char* p, std::string_view comment) {
  const bool begins_comment = (*p == '#' || *p == '@' || *p == '/' || *p == '-') && (p[1] == ' ' || p[1] == p[0]);
  if (begins_comment) return fmt::format("; a comment begins with {} here", comment);
  if (comment == "'#'") return {};  // x86
  if (*p == '[') return "; an offset stands in the brackets, behind the base: [x1, #8]";
  if (*p == '!') return "; '!' stands behind ']' alone";
  return text::is_name_char(*p) || *p == '{' || *p == '#' ? "; is a comma missing before it?" : "";
}

std::string modifier_advice(const Target& target, std::string_view name) {
  constexpr std::string_view usual[] = {
      "GOT",          "GOTPCREL", "GOTOFF",     "PLT",          "PLTOFF",        "SIZE",          "TPOFF",
      "DTPOFF",       "GOTTPOFF", "GOTNTPOFF",  "INDNTPOFF",    "NTPOFF",        "TLSGD",         "TLSLD",
      "TLSLDM",       "TLSDESC",  "TLSCALL",    "IMGREL",       "SECREL32",      "lo12",          "pg_hi21",
      "pg_hi21_nc",   "got",      "got_lo12",   "gotpage_lo15", "gottprel",      "gottprel_lo12", "tlsdesc",
      "tlsdesc_lo12", "tlsgd",    "tlsgd_lo12", "tprel_lo12",   "tprel_lo12_nc", "tprel_hi12",    "dtprel_lo12",
      "dtprel_hi12",  "abs_g0",   "abs_g0_nc",  "abs_g1",       "abs_g1_nc",     "abs_g2",        "abs_g2_nc",
      "abs_g3",       "prel_g0",  "prel_g1",    "lower16",      "upper16",       "lower0_7",      "lower8_15",
      "upper0_7",     "upper8_15"};
  constexpr struct {
    std::string_view name, instead;
  } mach_o[] = {{"PAGE", "adrp takes the name alone"},
                {"PAGEOFF", "':lo12:' before the name"},
                {"GOTPAGE", "':got:' before the name"},
                {"GOTPAGEOFF", "':got_lo12:' before the name"}};
  for (const auto& [theirs, instead] : mach_o)
    if (name == theirs)
      return target.modifier("lo12") ? fmt::format("; that is the syntax of Mach-O; here {}", instead)
                                     : "; that is the syntax of Mach-O for AArch64";
  NearestName nearest(name);
  for (const std::string_view each : usual)
    if (target.modifier(each)) nearest.offer(each);
  return nearest.question();
}

std::string closing_advice(const char* open, const char* end, char close) {
  constexpr std::ptrdiff_t longest = 40;
  while (end > open && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == ',')) --end;
  if (end <= open || end - open > longest) return {};
  return fmt::format("; as in '{}{}'", std::string_view(open, std::size_t(end - open)), close);
}

void report_open_bracket(const char* open, const char* p, bool at_end, Emitter& out) {
  out.error(p, fmt::format("expected ',' or ']', found {}{}", text::found(p, at_end),
                           *p == '!' ? "; it stands behind the ']'" : closing_advice(open, p, ']')));
  out.note(open, "to close this");
}

}  // namespace xas
