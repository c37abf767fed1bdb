// Build attributes: .eabi_attribute, and what .arch, .cpu and .fpu say by themselves, as the section .ARM.attributes.
//
// Source: Addenda to, and Errata in, the ABI for the Arm Architecture, 3.3. What is not told by a directive is not made
// up from the instructions, but for GNU as's Tag_ARM_ISA_use and Tag_THUMB_ISA_use where no architecture has been
// chosen.
#include <fmt/format.h>

#include <algorithm>

#include "asm/assembler.h"
#include "asm/directives/directives.h"
#include "asm/parse.h"
#include "objwriter/elf_constants.h"
#include "targets/arm/arm.h"

namespace xas {

namespace {

enum Tag : u32 {
  Tag_CPU_raw_name = 4, Tag_CPU_name = 5, Tag_CPU_arch = 6, Tag_CPU_arch_profile = 7, Tag_ARM_ISA_use = 8,
  Tag_THUMB_ISA_use = 9, Tag_FP_arch = 10, Tag_WMMX_arch = 11, Tag_Advanced_SIMD_arch = 12, Tag_ABI_HardFP_use = 27,
  Tag_compatibility = 32, Tag_FP_HP_extension = 36, Tag_ABI_FP_16bit_format = 38, Tag_MPextension_use = 42,
  Tag_DIV_use = 44, Tag_DSP_extension = 46, Tag_MVE_arch = 48, Tag_nodefaults = 64,
  Tag_also_compatible_with = 65,
  Tag_conformance = 67, Tag_Virtualization_use = 68,
};

constexpr std::pair<std::string_view, u32> tag_names[] = {
    {"CPU_raw_name", 4}, {"CPU_name", 5}, {"CPU_arch", 6}, {"CPU_arch_profile", 7}, {"ARM_ISA_use", 8},
    {"THUMB_ISA_use", 9}, {"FP_arch", 10}, {"VFP_arch", 10}, {"WMMX_arch", 11}, {"Advanced_SIMD_arch", 12},
    {"PCS_config", 13}, {"ABI_PCS_R9_use", 14}, {"ABI_PCS_RW_data", 15}, {"ABI_PCS_RO_data", 16},
    {"ABI_PCS_GOT_use", 17}, {"ABI_PCS_wchar_t", 18}, {"ABI_FP_rounding", 19}, {"ABI_FP_denormal", 20},
    {"ABI_FP_exceptions", 21}, {"ABI_FP_user_exceptions", 22}, {"ABI_FP_number_model", 23}, {"ABI_align_needed", 24},
    {"ABI_align8_needed", 24}, {"ABI_align_preserved", 25}, {"ABI_align8_preserved", 25}, {"ABI_enum_size", 26},
    {"ABI_HardFP_use", 27}, {"ABI_VFP_args", 28}, {"ABI_WMMX_args", 29}, {"ABI_optimization_goals", 30},
    {"ABI_FP_optimization_goals", 31}, {"compatibility", 32}, {"CPU_unaligned_access", 34}, {"FP_HP_extension", 36},
    {"VFP_HP_extension", 36}, {"ABI_FP_16bit_format", 38}, {"MPextension_use", 42}, {"DIV_use", 44},
    {"DSP_extension", 46}, {"MVE_arch", 48}, {"PAC_extension", 50}, {"BTI_extension", 52}, {"nodefaults", 64},
    {"also_compatible_with", 65}, {"T2EE_use", 66}, {"conformance", 67}, {"Virtualization_use", 68}, {"BTI_use", 74},
    {"PACRET_use", 76},
};

struct Architecture {
  std::string_view name, shown;  ///< as .arch names it, and as Tag_CPU_name
  u8 number;
  char profile;                  ///< 0: none
  u8 arm, thumb;                 ///< 2: with instructions of 32 bits
};

constexpr Architecture architectures[] = {
    {"armv4", "4", 1, 0, 1, 0},         {"armv4t", "4T", 2, 0, 1, 1},        {"armv5", "5", 3, 0, 1, 0},
    {"armv5t", "5T", 3, 0, 1, 1},       {"armv5te", "5TE", 4, 0, 1, 1},      {"armv5tej", "5TEJ", 5, 0, 1, 1},
    {"armv6", "6", 6, 0, 1, 1},         {"armv6j", "6J", 6, 0, 1, 1},        {"armv6kz", "6KZ", 7, 0, 1, 1},
    {"armv6t2", "6T2", 8, 0, 1, 2},     {"armv6k", "6K", 9, 0, 1, 1},        {"armv7", "7", 10, 0, 0, 2},
    {"armv7-a", "7-A", 10, 'A', 1, 2},  {"armv7a", "7-A", 10, 'A', 1, 2},    {"armv7ve", "7VE", 10, 'A', 1, 2},
    {"armv7-r", "7-R", 10, 'R', 1, 2},  {"armv7r", "7-R", 10, 'R', 1, 2},    {"armv7-m", "7-M", 10, 'M', 0, 2},
    {"armv7m", "7-M", 10, 'M', 0, 2},   {"armv7e-m", "7E-M", 13, 'M', 0, 2}, {"armv6-m", "6-M", 11, 'M', 0, 1},
    {"armv6s-m", "6S-M", 12, 'M', 0, 1}, {"armv8-a", "8-A", 14, 'A', 1, 2},  {"armv8a", "8-A", 14, 'A', 1, 2},
    {"armv8.1-a", "8.1-A", 14, 'A', 1, 2}, {"armv8.2-a", "8.2-A", 14, 'A', 1, 2}, {"armv8-r", "8-R", 15, 'R', 1, 2},
    {"armv8-m.base", "8-M.BASE", 16, 'M', 0, 3}, {"armv8-m.main", "8-M.MAIN", 17, 'M', 0, 3},
    {"armv8.1-m.main", "8.1-M.MAIN", 21, 'M', 0, 3}, {"armv8.3-a", "8.3-A", 14, 'A', 1, 2},
    {"armv8.4-a", "8.4-A", 14, 'A', 1, 2}, {"armv8.5-a", "8.5-A", 14, 'A', 1, 2}, {"armv8.6-a", "8.6-A", 14, 'A', 1, 2},
    {"armv8.7-a", "8.7-A", 14, 'A', 1, 2}, {"armv8.8-a", "8.8-A", 14, 'A', 1, 2}, {"armv9-a", "9-A", 22, 'A', 1, 2},
    {"armv9.1-a", "9.1-A", 22, 'A', 1, 2}, {"armv9.2-a", "9.2-A", 22, 'A', 1, 2}, {"armv9.3-a", "9.3-A", 22, 'A', 1, 2},
    {"armv1", "1", 0, 0, 1, 0}, {"armv2", "2", 0, 0, 1, 0}, {"armv2a", "2A", 0, 0, 1, 0}, {"armv2s", "2S", 0, 0, 1, 0},
    {"armv3", "3", 0, 0, 1, 0}, {"armv3m", "3M", 0, 0, 1, 0}, {"armv4xm", "4XM", 1, 0, 1, 0},
    {"armv4txm", "4TXM", 2, 0, 1, 1}, {"armv5txm", "5TXM", 3, 0, 1, 1}, {"armv5texp", "5TEXP", 4, 0, 1, 1},
    {"armv6z", "6Z", 7, 0, 1, 1}, {"armv6zk", "6ZK", 7, 0, 1, 1}, {"armv6kt2", "6KT2", 8, 0, 1, 2},
    {"armv6zt2", "6ZT2", 8, 0, 1, 2}, {"armv6kzt2", "6KZT2", 8, 0, 1, 2}, {"armv6zkt2", "6ZKT2", 8, 0, 1, 2},
    {"xscale", "xscale", 4, 0, 1, 1}, {"iwmmxt", "iwmmxt", 4, 0, 1, 1}, {"iwmmxt2", "iwmmxt2", 4, 0, 1, 1},
};

struct Fpu {
  std::string_view name;
  u8 fp, simd;
  bool half = false, single = false;
};

constexpr Fpu fpus[] = {
    {"vfp", 2, 0}, {"vfpv2", 2, 0}, {"vfpv3", 3, 0}, {"vfp3", 3, 0}, {"vfpv3-fp16", 3, 0, true}, {"vfpv3-d16", 4, 0},
    {"vfpv3-d16-fp16", 4, 0, true}, {"vfpv4", 5, 0, true}, {"vfpv4-d16", 6, 0, true}, {"fpv4-sp-d16", 6, 0, true, true},
    {"fpv5-d16", 8, 0, true}, {"fpv5-sp-d16", 8, 0, true, true}, {"fp-armv8", 7, 0, true}, {"neon", 3, 1},
    {"neon-vfpv3", 3, 1}, {"neon-fp16", 3, 1, true}, {"neon-vfpv4", 5, 2, true}, {"neon-fp-armv8", 7, 3, true},
    {"crypto-neon-fp-armv8", 7, 3, true}, {"softvfp", 0, 0}, {"none", 0, 0},
};

bool is_text(u32 tag) {
  return tag == Tag_CPU_raw_name || tag == Tag_CPU_name || (tag > 32 && tag % 2) || tag == Tag_compatibility;
}
bool is_number(u32 tag) { return tag == Tag_compatibility || !is_text(tag); }

void set_default(Assembler& a, u32 tag, u64 number, std::string_view text = {}) {
  ArmAttribute& attribute = a.arm.attributes[tag];
  if (attribute.explicit_) return;
  attribute.number = number;
  attribute.text = text;
}

std::string lower_case(std::string_view text) {
  std::string out(text.substr(0, text.find('+')));
  for (char& c : out) c = char(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return out;
}

void set_architecture(Assembler& a, const Architecture& arch) {
  set_default(a, Tag_CPU_name, 0, arch.shown);
  set_default(a, Tag_CPU_arch, arch.number);
  if (arch.profile) set_default(a, Tag_CPU_arch_profile, u64(arch.profile));
  if (arch.arm) set_default(a, Tag_ARM_ISA_use, arch.arm);
  if (arch.thumb) set_default(a, Tag_THUMB_ISA_use, arch.thumb);
  if (arch.number == 14 && !a.profile.gnu) {
    set_default(a, Tag_MPextension_use, 1);
    set_default(a, Tag_Virtualization_use, 3);
  }
}

void set_fpu(Assembler& a, std::string_view name) {
  const auto it = std::find_if(std::begin(fpus), std::end(fpus), [&](const Fpu& f) { return f.name == name; });
  if (it == std::end(fpus)) return;
  if (it->fp) set_default(a, Tag_FP_arch, it->fp);
  if (it->simd) set_default(a, Tag_Advanced_SIMD_arch, it->simd);
  if (it->single) set_default(a, Tag_ABI_HardFP_use, 1);
  // From the fourth version on, half precision goes without saying.
  if (it->half && it->fp < 5) set_default(a, Tag_FP_HP_extension, 1);
}

/// The name of a processor as GNU as writes it.
std::string shown_processor(std::string_view name) {
  std::string out(name.substr(0, name.find('+')));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool word = out.starts_with("cortex-") || out.starts_with("Cortex-");
    if ((i == 0 || !word || i >= 7) && out[i] >= 'a' && out[i] <= 'z') out[i] = char(out[i] - 32);
  }
  return out;
}

/// What GNU as says of floating point: of what has been chosen.
void set_gnu_floating(Assembler& a, const arm::ArmTarget& t, bool is_named) {
  const auto has = [&](std::string_view f) { return t.chosen(f); };
  const bool d32 = has("d32");
  if (is_named && has("mve")) set_default(a, Tag_MVE_arch, has("mve.fp") ? 2 : 1);
  if (!has("vfp2sp")) return;
  u64 fp = 2;
  if (has("fp-armv8d16sp")) fp = d32 ? 7 : 8;
  else if (has("vfp4d16sp")) fp = d32 ? 5 : 6;
  else if (has("vfp3d16sp")) fp = d32 ? 3 : 4;
  set_default(a, Tag_FP_arch, fp);
  if (!has("fp64")) set_default(a, Tag_ABI_HardFP_use, 1);
  if (has("neon")) set_default(a, Tag_Advanced_SIMD_arch, fp < 5 ? 1 : fp < 7 ? 2 : is_named && has("v8.1a") ? 4 : 3);
  if (has("fp16") && fp < 5) set_default(a, Tag_FP_HP_extension, 1);
}

/// Without a chosen architecture GNU as tells the least that has the instructions which were used.
void set_gnu_used(Assembler& a, const arm::ArmTarget& t) {
  if (!t.has_used(false) && !t.has_used(true)) {
    set_default(a, Tag_ARM_ISA_use, 1);
    set_default(a, Tag_THUMB_ISA_use, 1);
    return;
  }
  struct Level {
    std::string_view feature;
    u8 arm, thumb;  ///< Tag_CPU_arch; A32's, Thumb's
  };
  constexpr Level levels[] = {
      {"v4", 1, 2},   {"v4t", 2, 2},       {"v5t", 3, 3},   {"v5te", 4, 4},   {"v6", 6, 6},       {"trustzone", 7, 7},
      {"v6k", 8, 8},  {"v8m.base", 8, 8},  {"v6t2", 8, 8},
      {"thumb2", 8, 8}, {"v7clrex", 8, 8},  {"dsp", 8, 8},
      {"v7", 10, 10}, {"hwdiv-arm", 10, 10}, {"hwdiv", 10, 10}, {"db", 10, 11}, {"mp", 10, 10},
      {"virtualization", 10, 10},
      {"v8", 14, 14}, {"acquire-release", 14, 14}, {"crc", 14, 14},
  };
  u64 arch = t.has_used(true) ? 2 : 0;
  const auto used = [&](std::string_view f) { return t.used(f, false) || t.used(f, true); };
  for (const Level& l : levels) {
    if (t.used(l.feature, false)) arch = std::max<u64>(arch, l.arm);
    if (t.used(l.feature, true)) arch = std::max<u64>(arch, l.thumb);
  }
  set_default(a, Tag_CPU_arch, arch);
  const bool a_profile =
      arch == 14 || t.used("hwdiv-arm", false) || t.used("db", false) || used("mp") || used("virtualization");
  if (a_profile) set_default(a, Tag_CPU_arch_profile, 'A');
  else if (arch == 11) set_default(a, Tag_CPU_arch_profile, 'M');
  if (t.has_used(false)) set_default(a, Tag_ARM_ISA_use, 1);
  if (t.has_used(true) || t.used("v4t", false)) {
    const bool wide = t.used("thumb2", true) || t.used("v8m.base", true) || t.used("acquire-release", true);
    set_default(a, Tag_THUMB_ISA_use, wide ? 2 : 1);
  }
  if (used("hwdiv-arm") || (used("hwdiv") && !t.has_used(false))) set_default(a, Tag_DIV_use, 2);
  if (used("mp")) set_default(a, Tag_MPextension_use, 1);
  const u64 levels_used = (used("trustzone") ? 1 : 0) | (used("virtualization") ? 2 : 0);
  if (levels_used) set_default(a, Tag_Virtualization_use, levels_used);
}

/// What GNU as says of the chosen architecture's extensions.
void set_gnu_extensions(Assembler& a, const arm::ArmTarget& t, const Architecture& arch) {
  const auto has = [&](std::string_view f) { return t.chosen(f); };
  if (has("dsp") && arch.number >= 16 && arch.number <= 21) set_default(a, Tag_DSP_extension, 1);
  if (has("mp")) set_default(a, Tag_MPextension_use, 1);
  const bool divides = has("hwdiv-arm") || has("virtualization");
  if (divides && arch.number < 14 && arch.profile != 'M') set_default(a, Tag_DIV_use, 2);
  const u64 levels = (has("trustzone") ? 1 : 0) | (has("virtualization") ? 2 : 0);
  if (levels) set_default(a, Tag_Virtualization_use, levels);
  if (has("trustzone") && (arch.number == 6 || arch.number == 9)) set_default(a, Tag_CPU_arch, 7);  // Armv6KZ
}

}  // namespace

void directive_eabi_attribute(Assembler& a) {
  skip_blanks(a);
  i64 tag = -1;
  const char* where = a.p;
  if (std::string_view(a.p, 4) == "Tag_") {
    const std::string_view name(a.p + 4, name_length(a.p + 4));
    for (const auto& [known, number] : tag_names)
      if (known == name) tag = number;
    if (tag < 0) return a.error(where, fmt::format("unknown attribute 'Tag_{}'", name));
    a.p += 4 + name.size();
  } else if (!a.absolute(tag, "the attribute's tag")) {
    return;
  }
  if (tag < 0 || tag > i64(~u32(0))) return a.error(where, fmt::format("{} is no tag", tag));
  if (!expect_comma(a, "the tag")) return;
  skip_blanks(a);
  ArmAttribute attribute{.explicit_ = true};
  if (is_number(u32(tag))) {
    i64 number;
    if (!a.absolute(number, "the attribute's value")) return;
    attribute.number = u64(number);
    if (tag == Tag_compatibility && !expect_comma(a, "the number")) return;
  }
  if (is_text(u32(tag)) && !parse_string(a, attribute.text)) return;
  a.arm.attributes[u32(tag)] = std::move(attribute);
}

void make_arm_attributes(Assembler& a) {
  if (a.options.target.machine != Machine::arm || a.is_coff) return;
  std::string arch = lower_case(a.arm.arch), fpu = lower_case(a.arm.fpu);
  if (a.profile.gnu) {
    if (arch.empty()) arch = lower_case(a.options.target.arch);
    for (const auto& [name, value] : a.options.target.extra)
      if (name == "mfpu" && fpu.empty()) fpu = lower_case(value);
  }
  const auto& target = static_cast<const arm::ArmTarget&>(a.target);
  std::string processor;
  if (a.profile.gnu) {
    processor = a.arm.cpu.empty() && a.arm.arch.empty() ? a.options.target.cpu : a.arm.cpu;
    if (lower_case(processor) == "all" || lower_case(processor) == "generic") processor.clear();
    if (a.arm.arch.empty() && !processor.empty()) arch = arm::ArmTarget::architecture_of(lower_case(processor));
  }
  const Architecture* named = nullptr;
  for (const Architecture& known : architectures)
    if (known.name == arch) named = &known;
  if (named) set_architecture(a, *named);
  if (a.profile.gnu) {
    if (named) set_gnu_extensions(a, target, *named);
    else set_gnu_used(a, target);
    if (!processor.empty() && a.arm.arch.empty()) 
      set_default(a, Tag_CPU_name, 0, shown_processor(lower_case(processor)));
    set_gnu_floating(a, target, named != nullptr);
    for (const auto& [name, value] : a.options.target.extra)
      if (name == "mfp16-format") set_default(a, Tag_ABI_FP_16bit_format, value == "ieee" ? 1 : 2);
  }
  if (!a.arm.cpu.empty() && !a.profile.gnu) set_default(a, Tag_CPU_name, 0, lower_case(a.arm.cpu));
  if (!a.arm.object_arch.empty()) {
    for (const Architecture& known : architectures)
      if (known.name == lower_case(a.arm.object_arch)) set_default(a, Tag_CPU_arch, known.number);
  }
  if (!a.profile.gnu) set_fpu(a, fpu);
  std::string body;
  const auto uleb = [&](u64 v) {
    do body.push_back(char((v & 0x7f) | (v > 0x7f ? 0x80 : 0)));
    while (v >>= 7);
  };
  const auto put = [&](u32 tag, const ArmAttribute& attribute) {
    if (a.profile.gnu && attribute.number == 0 && attribute.text.empty()) return;  // the default says the same
    uleb(tag);
    if (is_number(tag)) uleb(attribute.number);
    if (is_text(tag)) body.append(attribute.text).push_back('\0');
  };
  for (const u32 first : {u32(Tag_conformance), u32(Tag_nodefaults)}) {
    if (first == Tag_nodefaults && !a.profile.gnu) continue;
    if (const auto it = a.arm.attributes.find(first); it != a.arm.attributes.end()) put(first, it->second);
  }
  for (const auto& [tag, attribute] : a.arm.attributes)
    if (tag != Tag_conformance && (tag != Tag_nodefaults || !a.profile.gnu)) put(tag, attribute);
  if (body.empty()) return;
  constexpr u32 SHT_ARM_ATTRIBUTES = 0x70000003;
  Section& s = a.sections.create(".ARM.attributes");
  s.type = SHT_ARM_ATTRIBUTES;
  s.flags = 0;
  Subsection* const before = a.current;
  a.mapping = Mapping::off;
  a.current = &a.sections.sub(s.default_subsection);
  constexpr std::string_view vendor{"aeabi\0", 6};
  constexpr u64 length = 4, format = 1, tag_file = 1;
  a.emit_int('A', format);
  a.emit_int(length + vendor.size() + 1 + length + body.size(), length);
  a.emit_bytes(vendor.data(), vendor.size());
  a.emit_int(tag_file, 1);
  a.emit_int(1 + length + body.size(), length);
  a.emit_bytes(body.data(), body.size());
  a.current = before;
}

void Assembler::selected(std::string_view what, std::string_view value) {
  if (what == "arch") arm.arch = value;
  else if (what == "cpu") arm.cpu = value;
  else if (what == "fpu") arm.fpu = value;
  else if (what == "object_arch") arm.object_arch = value;
}

}  // namespace xas
