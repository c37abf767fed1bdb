// SPDX-License-Identifier: Apache-2.0
// Build attributes: .eabi_attribute, and what .arch, .cpu and .fpu say by themselves, as the bytes of .ARM.attributes.
//
// Source: Addenda to, and Errata in, the ABI for the Arm Architecture, 3.3. What is not told by a directive is not made
// up from the instructions, but for GNU as's Tag_ARM_ISA_use and Tag_THUMB_ISA_use where no architecture has been
// chosen. With -arm-add-build-attributes they begin with those of the processor.
#include "targets/arm/attributes.h"

#include <algorithm>

#include "targets/arm/arm.h"
#include "xas/leb128.hpp"

namespace xas::arm {

namespace {

enum Tag : u32 {
  Tag_CPU_raw_name = 4,
  Tag_CPU_name = 5,
  Tag_CPU_arch = 6,
  Tag_CPU_arch_profile = 7,
  Tag_ARM_ISA_use = 8,
  Tag_THUMB_ISA_use = 9,
  Tag_FP_arch = 10,
  Tag_WMMX_arch = 11,
  Tag_Advanced_SIMD_arch = 12,
  Tag_ABI_HardFP_use = 27,
  Tag_compatibility = 32,
  Tag_CPU_unaligned_access = 34,
  Tag_FP_HP_extension = 36,
  Tag_ABI_FP_16bit_format = 38,
  Tag_MPextension_use = 42,
  Tag_DIV_use = 44,
  Tag_DSP_extension = 46,
  Tag_MVE_arch = 48,
  Tag_PAC_extension = 50,
  Tag_BTI_extension = 52,
  Tag_nodefaults = 64,
  Tag_also_compatible_with = 65,
  Tag_conformance = 67,
  Tag_Virtualization_use = 68,
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
  std::string_view name;  ///< as .arch has it
  u8 number;
  char profile;           ///< 0: none
  u8 arm, thumb;          ///< 2: with instructions of 32 bits
};

constexpr Architecture architectures[] = {
    {"armv4", 1, 0, 1, 0}, {"armv4t", 2, 0, 1, 1}, {"armv5", 3, 0, 1, 0}, {"armv5t", 3, 0, 1, 1},
    {"armv5te", 4, 0, 1, 1}, {"armv5tej", 5, 0, 1, 1}, {"armv6", 6, 0, 1, 1}, {"armv6j", 6, 0, 1, 1},
    {"armv6kz", 7, 0, 1, 1}, {"armv6t2", 8, 0, 1, 2}, {"armv6k", 9, 0, 1, 1}, {"armv7", 10, 0, 0, 2},
    {"armv7-a", 10, 'A', 1, 2}, {"armv7a", 10, 'A', 1, 2}, {"armv7ve", 10, 'A', 1, 2}, {"armv7-r", 10, 'R', 1, 2},
    {"armv7r", 10, 'R', 1, 2}, {"armv7-m", 10, 'M', 0, 2}, {"armv7m", 10, 'M', 0, 2}, {"armv7e-m", 13, 'M', 0, 2},
    {"armv6-m", 11, 'M', 0, 1}, {"armv6s-m", 12, 'M', 0, 1}, {"armv8-a", 14, 'A', 1, 2}, {"armv8a", 14, 'A', 1, 2},
    {"armv8.1-a", 14, 'A', 1, 2}, {"armv8.2-a", 14, 'A', 1, 2}, {"armv8-r", 15, 'R', 1, 2},
    {"armv8-m.base", 16, 'M', 0, 3}, {"armv8-m.main", 17, 'M', 0, 3}, {"armv8.1-m.main", 21, 'M', 0, 3},
    {"armv8.3-a", 14, 'A', 1, 2}, {"armv8.4-a", 14, 'A', 1, 2}, {"armv8.5-a", 14, 'A', 1, 2},
    {"armv8.6-a", 14, 'A', 1, 2}, {"armv8.7-a", 14, 'A', 1, 2}, {"armv8.8-a", 14, 'A', 1, 2},
    {"armv9-a", 22, 'A', 1, 2}, {"armv9.1-a", 22, 'A', 1, 2}, {"armv9.2-a", 22, 'A', 1, 2},
    {"armv9.3-a", 22, 'A', 1, 2}, {"armv1", 0, 0, 1, 0}, {"armv2", 0, 0, 1, 0}, {"armv2a", 0, 0, 1, 0},
    {"armv2s", 0, 0, 1, 0}, {"armv3", 0, 0, 1, 0}, {"armv3m", 0, 0, 1, 0}, {"armv4xm", 1, 0, 1, 0},
    {"armv4txm", 2, 0, 1, 1}, {"armv5txm", 3, 0, 1, 1}, {"armv5texp", 4, 0, 1, 1}, {"armv6z", 7, 0, 1, 1},
    {"armv6zk", 7, 0, 1, 1}, {"armv6kt2", 8, 0, 1, 2}, {"armv6zt2", 8, 0, 1, 2}, {"armv6kzt2", 8, 0, 1, 2},
    {"armv6zkt2", 8, 0, 1, 2}, {"xscale", 4, 0, 1, 1}, {"iwmmxt", 4, 0, 1, 1}, {"iwmmxt2", 4, 0, 1, 1},
    {"armv8.9-a", 14, 'A', 1, 2}, {"armv9.4-a", 22, 'A', 1, 2}, {"armv9.5-a", 22, 'A', 1, 2},
    {"armv9.6-a", 22, 'A', 1, 2}, {"all", 22, 'A', 1, 2},
};

/// What LLVM takes for another, and names that it shows in a way of its own.
constexpr struct {
  std::string_view name, same, shown;
} llvm_architectures[] = {
    {"armv5", "armv5t", "5T"}, {"armv6j", "armv6", "6"}, {"armv6z", "armv6kz", "6KZ"}, {"armv6zk", "armv6kz", "6KZ"},
    {"armv6s-m", "armv6-m", "6-M"}, {"armv7", "armv7-a", "7-A"}, {"armv8-m.base", "armv8-m.base", "8-M.Baseline"},
    {"armv8-m.main", "armv8-m.main", "8-M.Mainline"}, {"armv8.1-m.main", "armv8.1-m.main", "8.1-M.Mainline"},
};

/// Floating-point units as LLVM describes them. What Armv8's vector units are, it does not tell.
struct Fpu {
  std::string_view name;
  u8 fp, simd;
  bool half = false;
};

constexpr Fpu fpus[] = {
    {"vfp", 2, 0},
    {"vfpv2", 2, 0},
    {"vfpv3", 3, 0},
    {"vfp3", 3, 0},
    {"vfpv3-fp16", 3, 0, true},
    {"vfpv3-d16", 4, 0},
    {"vfpv3-d16-fp16", 4, 0, true},
    {"vfpv4", 5, 0, true},
    {"vfpv4-d16", 6, 0, true},
    {"fpv4-sp-d16", 6, 0, true},
    {"fpv5-d16", 8, 0, true},
    {"fpv5-sp-d16", 8, 0, true},
    {"fp-armv8", 7, 0, true},
    {"neon", 3, 1},
    {"neon-vfpv3", 3, 1},
    {"neon-fp16", 3, 1, true},
    {"neon-vfpv4", 5, 2, true},
    {"neon-fp-armv8", 7, 0, true},
    {"crypto-neon-fp-armv8", 7, 0, true},
    {"softvfp", 0, 0},
    {"none", 0, 0},
    {"vfp2", 2, 0},
    {"vfp4", 5, 0, true},
    {"vfpv3xd", 4, 0},
    {"vfpv3xd-fp16", 4, 0, true},
    {"fp-armv8-fullfp16-d16", 8, 0, true},
    {"fp-armv8-fullfp16-sp-d16", 8, 0, true},
    {"vfp3-d16", 4, 0},
    {"vfp4-d16", 6, 0, true},
    {"fp4-sp-d16", 6, 0, true},
    {"vfpv4-sp-d16", 6, 0, true},
    {"fp4-dp-d16", 6, 0, true},
    {"fpv4-dp-d16", 6, 0, true},
    {"fp5-sp-d16", 8, 0, true},
    {"fp5-dp-d16", 8, 0, true},
    {"fpv5-dp-d16", 8, 0, true},
};

using All = BuildAttributes;

void set_default(All& all, u32 tag, u64 number, std::string_view text = {}) {
  BuildAttributes::Attribute& attribute = all.by_tag[tag];
  if (attribute.is_explicit) return;
  attribute.number = number;
  attribute.text = text;
}

/// What stands before the extensions, in lower case.
std::string base_name(std::string_view text) { return text::lower(text.substr(0, text.find('+'))); }

std::string upper_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = char(c >= 'a' && c <= 'z' ? c - 32 : c);
  return out;
}

/// The name of an architecture without its beginning: "7-A".
std::string shown_architecture(std::string_view name) {
  return name.starts_with("armv") ? upper_case(name.substr(4)) : std::string(name);
}

void set_architecture(All& all, const Architecture& arch) {
  set_default(all, Tag_CPU_name, 0, shown_architecture(arch.name));
  set_default(all, Tag_CPU_arch, arch.number);
  if (arch.profile) set_default(all, Tag_CPU_arch_profile, u64(arch.profile));
  if (arch.arm) set_default(all, Tag_ARM_ISA_use, arch.arm);
  if (arch.thumb) set_default(all, Tag_THUMB_ISA_use, arch.thumb);
}

void set_unit(All& all, std::string_view name) {
  const auto it = std::find_if(std::begin(fpus), std::end(fpus), [&](const Fpu& f) { return f.name == name; });
  if (it == std::end(fpus)) return;
  if (it->fp) set_default(all, Tag_FP_arch, it->fp);
  if (it->simd) set_default(all, Tag_Advanced_SIMD_arch, it->simd);
  // From the fourth version on, half precision goes without saying.
  if (it->half && it->fp < 5) set_default(all, Tag_FP_HP_extension, 1);
}

/// What GNU as says of floating point: of what has been chosen. `with_unit`: the processor's own vector instructions
/// count, which .fpu takes back.
void set_gnu_floating(All& all, const ArmTarget& t, bool is_named, bool with_unit) {
  const auto has = [&](std::string_view f) { return t.chosen(f); };
  const bool d32 = has("d32");
  if (is_named && has("wmmx")) set_default(all, Tag_WMMX_arch, has("wmmx2") ? 2 : 1);
  if (is_named && has("mve")) set_default(all, Tag_MVE_arch, has("mve.fp") ? 2 : 1);
  const bool has_rdma = is_named ? with_unit && (has("v8.1a") || has("rdma"))
                                 : t.used("rdma", false) || t.used("rdma", true);
  if (has_rdma) set_default(all, Tag_Advanced_SIMD_arch, 4);
  if (!has("vfp2sp")) return;
  u64 fp = has("vfp2") ? 2 : 1;
  if (has("fp-armv8d16sp")) fp = d32 ? 7 : 8;
  else if (has("vfp4d16sp")) fp = d32 ? 5 : 6;
  else if (has("vfp3d16sp")) fp = d32 ? 3 : 4;
  set_default(all, Tag_FP_arch, fp);
  if (!has("fp64")) set_default(all, Tag_ABI_HardFP_use, 1);
  if (has("neon") && !has_rdma)
    set_default(all, Tag_Advanced_SIMD_arch, fp < 5 ? 1 : fp < 7 ? 2 : has("neon8.1") ? 4 : 3);
  if (has("fp16") && fp < 5) set_default(all, Tag_FP_HP_extension, 1);
}

/// Without a chosen architecture GNU as tells the least that has the instructions which were used.
void set_gnu_used(All& all, const ArmTarget& t) {
  const bool thumb_floating = t.has_used_floating(true), thumb = t.has_used(true) || thumb_floating;
  const bool a32 = t.has_used(false);
  if (!a32 && !thumb) {
    set_default(all, Tag_ARM_ISA_use, 1);
    set_default(all, Tag_THUMB_ISA_use, 1);
    return;
  }
  const auto used = [&](std::string_view f) { return t.used(f, false) || t.used(f, true); };
  const auto [number, profile] = t.used_architecture();
  constexpr u8 v8a = 14, v8m_base = 16, v8m_main = 17;
  set_default(all, Tag_CPU_arch, number);
  if (profile) set_default(all, Tag_CPU_arch_profile, u64(profile));
  if (a32 || t.used("v1", true)) set_default(all, Tag_ARM_ISA_use, 1);
  if (thumb || t.used("v4t", false)) {
    constexpr std::string_view wide_ones[] = {"thumb2", "v8m.base", "acquire-release", "v6k", "v6t2",
                                              "v7",     "v8",       "hwdiv",           "lob"};
    const bool wide = thumb_floating || std::ranges::any_of(wide_ones, used);
    const bool is_v8m = number == v8m_base || number == v8m_main;
    set_default(all, Tag_THUMB_ISA_use, is_v8m ? 3 : wide ? 2 : 1);
  }
  if (used("hwdiv-arm") || (used("hwdiv") && !a32 && number < v8a)) set_default(all, Tag_DIV_use, 2);
  if (used("mp")) set_default(all, Tag_MPextension_use, 1);
  const u64 levels_used = (used("trustzone") ? 1 : 0) | (used("virtualization") ? 2 : 0);
  if (levels_used) set_default(all, Tag_Virtualization_use, levels_used);
}

/// What GNU as says of the chosen architecture's extensions. Its processors of Armv7-R have no multiprocessing.
void set_gnu_extensions(All& all, const ArmTarget& t, const Architecture& arch, bool is_processor,
                        bool names_mp) {
  constexpr u8 v6 = 6, v6k = 9, v7 = 10, v6m = 11, v8a = 14, v8m = 16, v81m = 21;
  const auto has = [&](std::string_view f) { return t.selects(f); };
  if (has("dsp") && arch.number >= v8m && arch.number <= v81m) set_default(all, Tag_DSP_extension, 1);
  if (has("mp") && (names_mp || !(is_processor && arch.profile == 'R' && arch.number == v7)))
    set_default(all, Tag_MPextension_use, 1);
  const bool divides = has("hwdiv-arm") || has("virtualization");
  if (divides && arch.number < v8a && arch.profile != 'M') set_default(all, Tag_DIV_use, 2);
  const u64 levels = (has("trustzone") ? 1 : 0) | (has("virtualization") ? 2 : 0);
  if (levels) set_default(all, Tag_Virtualization_use, levels);
  if (has("trustzone") && (arch.number == v6 || arch.number == v6k)) set_default(all, Tag_CPU_arch, 7);  // Armv6KZ
  if (has("os") && arch.number == v6m) set_default(all, Tag_CPU_arch, 12);                               // Armv6S-M
}

}  // namespace

i64 attribute_tag(std::string_view name) {
  for (const auto& [known, number] : tag_names)
    if (known == name) return number;
  return -1;
}

bool attribute_has_text(u32 tag) {
  return tag == Tag_CPU_raw_name || tag == Tag_CPU_name || (tag > 32 && tag % 2) || tag == Tag_compatibility;
}
bool attribute_has_number(u32 tag) { return tag == Tag_compatibility || !attribute_has_text(tag); }

void ArmTarget::set_attribute(u32 tag, u64 number, std::string_view text) {
  attributes_.by_tag[tag] = {.number = number, .text = std::string(text), .is_explicit = true};
}

void ArmTarget::set_half_format(bool alternative) {
  attributes_.by_tag[Tag_ABI_FP_16bit_format].number = alternative ? 2 : 1;
}

bool ArmTarget::has_half_format() const {
  return attributes_.by_tag.contains(Tag_ABI_FP_16bit_format) ||
         std::any_of(options_.extra.begin(), options_.extra.end(),
                     [](const auto& option) { return option.first == "mfp16-format"; });
}

bool ArmTarget::alternative_half() const {
  const auto said = attributes_.by_tag.find(Tag_ABI_FP_16bit_format);
  if (said != attributes_.by_tag.end()) return said->second.number == 2;
  for (const auto& [name, value] : options_.extra)
    if (name == "mfp16-format") return value == "alternative";
  return false;
}

/// What GNU as makes up: of what was selected last, the text before the options.
void ArmTarget::set_gnu_attributes(BuildAttributes& all) const {
  const bool in_text = !all.cpu.empty() || !all.arch.empty();
  const bool is_processor = in_text ? all.cpu_is_last : !options_.cpu.empty() || options_.arch.empty();
  const std::string& selected = in_text        ? is_processor ? all.cpu : all.arch
                                : is_processor ? options_.cpu
                                               : options_.arch;
  std::string arch = base_name(selected);
  const std::string processor = is_processor ? arch : std::string();
  if (const std::string_view its = Processor::architecture_of(processor); !its.empty()) arch = its;
  if (processor == "neoverse-n2" && options_.gnu_since(247)) arch = "armv9-a";  // to earlier ones, Armv8.5-A
  const auto named = std::find_if(std::begin(architectures), std::end(architectures),
                                  [&](const Architecture& known) { return known.name == arch; });
  const bool is_named = named != std::end(architectures);
  if (is_named) {
    set_architecture(all, *named);
    set_gnu_extensions(all, *this, *named, is_processor, selected.find("+mp") != selected.npos);
  } else {
    set_gnu_used(all, *this);
  }
  if (is_named && is_processor) {
    const bool shows_other = !in_text && options_.arch_is_last;
    set_default(all, Tag_CPU_name, 0,
                shows_other ? shown_architecture(base_name(options_.arch)) : shown_processor(processor));
  }
  set_gnu_floating(all, *this, is_named, !attributes_.fpu_is_last);
  for (const auto& [name, value] : options_.extra)
    if (name == "mfp16-format") set_default(all, Tag_ABI_FP_16bit_format, value == "ieee" ? 1 : 2);
}

namespace {

/// The number and profile that LLVM gives an architecture as a whole.
Architecture llvm_architecture(std::string_view name) {
  constexpr u8 v5tej = 5, v5te = 4, v6 = 6, v6kz = 7, v6k = 9, v6_m = 11, v6s_m = 12;
  for (const auto& l : llvm_architectures)
    if (l.name == name) name = l.same;
  for (Architecture known : architectures) {
    if (known.name != name) continue;
    if (known.number == v5tej) known.number = v5te;
    if (known.number == v6kz || known.number == v6k) known.number = v6;
    if (known.number == v6_m) known.number = v6s_m;
    return known;
  }
  return {"armv4", 1, 0, 1, 0};
}

/// What LLVM calls the unit that has these features; empty if there is none.
template <typename Has>
std::string_view llvm_unit(const Has& has) {
  if (has("neon")) {
    if (has("fp-armv8")) return has("crypto") ? "crypto-neon-fp-armv8" : "neon-fp-armv8";
    return has("vfp4") ? "neon-vfpv4" : has("fp16") ? "neon-fp16" : "neon";
  }
  const bool d32 = has("d32"), doubles = has("fp64"), half = has("fp16");
  if (has("fp-armv8d16sp")) return d32 ? "fp-armv8" : doubles ? "fpv5-d16" : "fpv5-sp-d16";
  if (has("vfp4d16sp")) return d32 ? "vfpv4" : doubles ? "vfpv4-d16" : "fpv4-sp-d16";
  if (has("vfp3d16sp")) {
    if (d32) return half ? "vfpv3-fp16" : "vfpv3";
    if (doubles) return half ? "vfpv3-d16-fp16" : "vfpv3-d16";
    return half ? "vfpv3xd-fp16" : "vfpv3xd";
  }
  return has("vfp2sp") ? "vfpv2" : "";
}

}  // namespace

/// -arm-add-build-attributes: what LLVM says of the processor, or of the triple's architecture.
void ArmTarget::add_processor_attributes() {
  const auto has = [&](std::string_view feature) { return chosen(feature); };
  Architecture arch = llvm_architecture(processor_.selected_architecture());
  constexpr u8 v7 = 10, v7e_m = 13, v5tej = 5;
  if (arch.number == v7 && arch.profile == 'M' && has("dsp")) arch.number = v7e_m;
  if (options_.cpu == "xscale") arch.number = v5tej;
  const bool v8m = arch.thumb == 3;
  const auto add = [&](bool is_so, u32 tag, u64 number) {
    if (is_so) set_attribute(tag, number, {});
  };
  if (!options_.cpu.empty() && !options_.cpu.starts_with("generic"))
    set_attribute(Tag_CPU_name, 0, options_.cpu == "krait" ? "cortex-a9" : options_.cpu);
  add(true, Tag_CPU_arch, arch.number);
  add(arch.profile != 0, Tag_CPU_arch_profile, u64(arch.profile));
  add(true, Tag_ARM_ISA_use, arch.arm);
  add(arch.thumb != 0, Tag_THUMB_ISA_use, arch.thumb);
  attributes_.fpu = llvm_unit(has);
  add(has("neon") && has("v8"), Tag_Advanced_SIMD_arch, has("v8.1a") ? 4 : 3);
  add(has("vfp2sp") && !has("fp64"), Tag_ABI_HardFP_use, 1);
  add(has("fp16"), Tag_FP_HP_extension, 1);
  add(has("mp"), Tag_MPextension_use, 1);
  add(has("mve"), Tag_MVE_arch, has("mve.fp") ? 2 : 1);
  add(has("hwdiv-arm") && !has("v8"), Tag_DIV_use, 2);
  add(has("dsp") && v8m, Tag_DSP_extension, 1);
  const bool is_strict = arch.profile == 'M' && !has("v7");
  add(true, Tag_CPU_unaligned_access, is_strict ? 0 : 1);
  const u64 levels = (has("trustzone") ? 1 : 0) | (has("virtualization") ? 2 : 0);
  add(levels != 0, Tag_Virtualization_use, levels);
  add(has("pacbti"), Tag_PAC_extension, 2);
  add(has("pacbti"), Tag_BTI_extension, 2);
}

/// What llvm-mc makes up: of directives.
void ArmTarget::set_llvm_attributes(BuildAttributes& all) const {
  std::string name = base_name(all.arch);
  if (const std::string_view same = Processor::architecture_of(name); !name.empty() && !same.empty()) name = same;
  std::string_view shown;
  for (const auto& l : llvm_architectures)
    if (l.name == name) name = l.same, shown = l.shown;
  for (Architecture known : architectures) {
    if (known.name != name) continue;
    constexpr u8 v6kz = 7, v6k = 9, v6_m = 11, v8_a = 14, v9_a = 22;
    if (known.number == v6_m) known.profile = 0;
    set_architecture(all, known);
    if (!shown.empty()) set_default(all, Tag_CPU_name, 0, shown);
    if (known.number == v8_a || known.number == v9_a) {
      set_default(all, Tag_MPextension_use, 1);
      set_default(all, Tag_Virtualization_use, 3);
    }
    if (known.number == v6k || known.number == v6kz) set_default(all, Tag_Virtualization_use, 1);
    if (name.starts_with("iwmmxt")) set_default(all, Tag_WMMX_arch, name == "iwmmxt" ? 1 : 2);
  }
  if (!all.cpu.empty()) all.by_tag[Tag_CPU_name] = {.text = base_name(all.cpu)};
  set_unit(all, base_name(all.fpu));
}

/// The attributes as the section holds them.
static std::string written_attributes(const BuildAttributes& all, const Target::AttributeRules& rules) {
  std::string body;
  const auto put = [&](u32 tag, const BuildAttributes::Attribute& attribute) {
    // The default says the same.
    if (rules.omit_zero && attribute.number == 0 && attribute.text.empty() && tag != Tag_nodefaults) return;
    append_uleb128(body, tag);
    if (attribute_has_number(tag)) append_uleb128(body, attribute.number);
    if (attribute_has_text(tag)) body.append(attribute.text).push_back('\0');
  };
  for (const u32 first : {u32(Tag_conformance), u32(Tag_nodefaults)}) {
    if (first == Tag_nodefaults && !rules.nodefaults_first) continue;
    if (const auto it = all.by_tag.find(first); it != all.by_tag.end()) put(first, it->second);
  }
  for (const auto& [tag, attribute] : all.by_tag)
    if (tag != Tag_conformance && (tag != Tag_nodefaults || !rules.nodefaults_first)) put(tag, attribute);
  return body;
}

std::string ArmTarget::attributes(const AttributeRules& rules) const {
  BuildAttributes all = attributes_;
  rules.of_used ? set_gnu_attributes(all) : set_llvm_attributes(all);
  for (const Architecture& known : architectures) {
    if (known.name != base_name(all.object_arch) || !(rules.of_used || !all.arch.empty())) continue;
    set_default(all, Tag_CPU_arch, known.number);
    if (rules.of_used) set_default(all, Tag_CPU_arch_profile, u64(known.profile));
  }
  return written_attributes(all, rules);
}

}  // namespace xas::arm
