// SPDX-License-Identifier: Apache-2.0
// -march=, -mcpu=, -mfpu=, -mattr=, .arch, .cpu, .fpu, .arch_extension: which instructions may be used. Without any of
// them all may.
//
//   arch := name { '+' [ 'no' ] extension }
//
// What is strange: GNU as keeps floating point apart. -march, .arch and .cpu leave only what -mfpu and .fpu have
// chosen; with llvm-mc an architecture brings its usual floating point along. And llvm-mc takes instructions of A32 up
// to Armv6 whatever the architecture.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "targets/arm/arm.h"
#include "targets/arm/features.h"
#include "targets/arm/tables.h"
#include "targets/nearest_name.h"
#include "targets/needs.h"

namespace xas::arm {

namespace {

/// Of floating point what GNU as counts with the architecture, not the unit.
constexpr int architectural[] = {feature_number("fullfp16"), feature_number("fp16fml"), feature_number("dotprod"),
                                 feature_number("i8mm"),     feature_number("bf16"),    feature_number("mve"),
                                 feature_number("mve.fp")};
constexpr unsigned feature_gnu = unsigned(feature_number("(gnu)"));
constexpr unsigned feature_llvm = unsigned(feature_number("(llvm)"));
constexpr unsigned feature_v8m_base = unsigned(feature_number("v8m.base"));
constexpr unsigned feature_v6k = unsigned(feature_number("v6k")), feature_v6m = unsigned(feature_number("v6m"));

/// A part that only one of the assemblers counts with an architecture, a processor or a feature.
struct Part {
  consteval Part(std::string_view all, std::string_view one)
      : whole(unsigned(feature_number(all))), part(unsigned(feature_number(one))) {}
  unsigned whole, part;
};
/// What LLVM says of an architecture or a processor, and GNU as does not. Armv7 is what all three profiles have.
constexpr Part gnu_lacks[] = {{"armv7", "arm"},   {"armv7", "notm"}, {"armv7", "dsp"}, {"armv8-a", "crc"},
                              {"armv8-r", "crc"}, {"xgene1", "crc"}, {"xgene2", "crc"}};
/// And what GNU as says, and LLVM does not.
constexpr Part llvm_lacks[] = {
    {"armv8-r", "trustzone"},   {"cortex-r5", "mp"},         {"krait", "mp"},
    {"krait", "trustzone"},     {"krait", "virtualization"}, {"swift", "trustzone"},
    {"swift", "virtualization"}};
/// What LLVM's features bring along.
constexpr Part llvm_brings[] = {{"mve", "v8.1m.main"}, {"cde", "v8m.main"}};
constexpr unsigned feature_d32 = unsigned(feature_number("d32"));

/// Takes a feature away, and all that bring it with them.
void disable(FeatureSet& set, unsigned feature) {
  if (!set[feature]) return;
  set.reset(feature);
  for (const auto& [from, to] : arm_feature_implies)
    if (to == feature) disable(set, from);
}

/// "armv7" of "thumbebv7", "armv7eb"; empty for "arm".
std::string architecture_of_triple(std::string_view name) {
  for (const std::string_view prefix : {"armeb", "thumbeb", "arm", "thumb"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    break;
  }
  if (name.ends_with("eb")) name.remove_suffix(2);
  std::string known = "arm";
  for (const char c : name) known += c;
  if (const std::size_t dash = known.find("-m."); dash != known.npos) known.erase(dash, 1);
  return known == "arm" ? "" : known;
}

/// The same of the triple that the options say.
std::string triple_architecture(const TargetOptions& options) {
  for (const auto& [option, value] : options.extra)
    if (option == "architecture") return architecture_of_triple(value);
  return {};
}

}  // namespace

bool Processor::has_all(u16 needs) const {
  return atoms::are_met(arm_needs + arm_needs_start[needs], features_);
}

std::string Processor::missing(u16 needs) const {
  return atoms::missing_needs(arm_needs + arm_needs_start[needs], features_, arm_feature_names);
}

/// Whether a narrow instruction has a wide form that it may become.
bool ArmTarget::can_grow(u16 kind) const {
  return !syntax_.divided && processor_.prefers(kind == fixup_t16_b11 ? feature_v8m_base : feature_thumb2);
}

bool Processor::has_it() const { return !gated_ || features_[feature_thumb2]; }
bool ArmTarget::has_thumb_nops() const { return syntax_.unified && processor_.has_it(); }

/// Whether a rule about registers is one of the selected processor.
bool Processor::has_rule(const Clash& clash) const {
  switch (clash.when) {
    case ClashWhen::always: return true;
    case ClashWhen::may: return !gated_ || features_[clash.feature];
    case ClashWhen::chosen: return chosen(clash.feature);
    case ClashWhen::lacks: return gated_ && !features_[clash.feature];
  }
  return true;
}

bool Processor::chosen(unsigned feature) const {
  const bool is_floating = feature >= unsigned(first_floating) && feature <= unsigned(last_floating);
  return gated_ && features_[feature] && (is_floating || !unit_only_);
}

bool Processor::chosen(std::string_view feature) const {
  const int f = feature_number(feature);
  return f >= 0 && chosen(unsigned(f));
}

bool Processor::may(std::string_view feature) const {
  const int f = feature_number(feature);
  return !gated_ || (f >= 0 && features_[unsigned(f)]);
}

std::string_view Processor::architecture_of(std::string_view processor) {
  const int f = feature_number(text::lower(processor));
  for (const auto& [from, to] : arm_feature_implies)
    if (from == f && to >= first_architecture) return arm_feature_names[to];
  return {};
}

std::string shown_processor(std::string_view name) {
  const int f = feature_number(name);
  for (const auto& [feature, shown] : arm_shown_names)
    if (feature == f) return std::string(shown);
  std::string text(name);
  constexpr std::string_view cortex = "cortex-";
  const bool is_cortex = name.starts_with(cortex);
  if (is_cortex) text[0] = 'C';
  for (std::size_t i = is_cortex ? cortex.size() : 0; i < text.size(); ++i)
    if (text[i] >= 'a' && text[i] <= 'z') text[i] = char(text[i] - 'a' + 'A');
  return text;
}

bool Processor::has_mode(bool thumb) const { return !gated_ || features_[thumb ? feature_thumb : feature_arm]; }

/// Registers from d16 on, if those may not be used; null if all may.
const char* Processor::missing_register(const Operands& o) const {
  if (!gated_ || features_[feature_d32]) return nullptr;
  for (unsigned i = 0; i < o.count; ++i) {
    const Atom a = o.atom(i);
    const i64 first = o.value[i] & 0xFF, count = a == atom_d_list ? o.value[i] >> 8 : 1;
    if (count == 32) continue;  // of vlstm and vlldm, which take it with any number of registers
    if ((a == atom_d || a == atom_q || a == atom_d_list) && first + count > 16) return o.where[i];
  }
  return nullptr;
}

/// Whether the triple is for a processor that has Thumb instructions only.
bool Processor::is_mprofile(const TargetOptions& options) {
  const int f = feature_number(triple_architecture(options));
  if (f < first_architecture) return false;
  FeatureSet set;
  enable(set, unsigned(f));
  return !set[feature_arm];
}

/// The architecture of the processor that was selected, or of the triple: of `thumb` the first one that has it.
std::string Processor::selected_architecture() const {
  std::string name = options_.cpu;
  if (name.empty() || name.starts_with("generic")) name = triple_architecture(options_);
  if (name.empty() && options_.thumb) name = "armv4t";
  const std::string_view its = architecture_of(name);
  return its.empty() ? name : std::string(its);
}

/// LLVM: a triple with a version, armv4t or thumbv6m. All instructions may be used, but none of a later architecture
/// take the place of what is written.
void Processor::prefer_triple() {
  std::string error;
  const FeatureSet all = features_;
  if (!triple_architecture(options_).starts_with("armv") || !set_arch("generic", true, error)) return;
  preferred_ = std::exchange(features_, all);
  gated_ = selected_ = is_cpu_ = false;
}

bool Processor::prefers(std::string_view feature) const { return prefers(unsigned(feature_number(feature))); }

void Processor::start_gating() {
  if (gated_) return;
  gated_ = unit_only_ = true;
  features_.set();
  features_[feature_gnu] = options_.gnu;
  features_[feature_llvm] = !options_.gnu;
  features_changed();
}

/// The floating-point unit that GNU as takes for an extension of the architecture; empty if the extension is another.
std::string_view Processor::unit_of_extension(std::string_view extension) const {
  const auto has = [&](std::string_view f) { return bool(features_[unsigned(feature_number(f))]); };
  const bool mprofile = has("mclass"), ve = has("v7") && has("virtualization");
  if (extension == "fp") {
    if (has("v8m.main")) return "fpv5-sp-d16";
    if (mprofile) return "fpv4-sp-d16";
    return has("v8") ? "fp-armv8" : ve ? "vfpv4-d16" : has("v7") ? "vfpv3-d16" : "vfpv2";
  }
  if (extension == "fp.sp") return has("v8") ? "fpv5-sp-d16" : "vfpv3xd";
  if (extension == "fpv5") return "fpv5-sp-d16";
  if (extension == "fp.dp") return "fpv5-d16";
  if (extension == "simd") return has("v8") ? "neon-fp-armv8" : ve ? "neon-vfpv4" : "neon";
  return {};
}

/// +fp and its kin. False if the extension is another.
bool Processor::set_floating_extension(std::string_view name) {
  if (name == "nofp" || name == "nofp.dp") {
    start_gating();
    const bool halves = options_.gnu && chosen("rclass") && chosen("v8");  // Cortex-R52 without half of its registers
    const std::string_view doubles = halves ? "d32" : "fp64";
    disable(features_, unsigned(feature_number(name == "nofp.dp" ? doubles : options_.gnu ? "fpregs" : "vfp2sp")));
    if (name == "nofp" && options_.gnu) {
      disable(features_, unsigned(feature_number("fp16")));
      units_.of_processor.reset();
    }
    return true;
  }
  if (options_.gnu) {
    const std::string_view unit = unit_of_extension(name);
    if (unit.empty()) return false;
    if (gated_) {
      enable(features_, unsigned(feature_number(fmt::format("({})", unit))));
      if (chosen("v8.1m.main")) enable(features_, unsigned(feature_number("fullfp16")));
    }
    return true;
  }
  if (name != "fp" && name != "fp.dp") return false;
  if (gated_) enable(features_, unsigned(feature_number(name == "fp" ? "fp-armv8" : "fp-armv8d16")));
  return true;
}

/// What else an extension that is taken away takes along.
void Processor::remove_parts(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> parts[] = {
      {"crypto", "aes"}, {"crypto", "sha2"},       {"idiv", "hwdiv"},          {"idiv", "hwdiv-arm"},
      {"sec", "trustzone"}, {"virt", "virtualization"}, {"simd", "neon"}};
  for (const auto& [whole, part] : parts)
    if (name == whole) disable(features_, unsigned(feature_number(part)));
  if (name == "simd" && !options_.gnu) disable(features_, unsigned(feature_number("vfp2sp")));
}

namespace {

/// What an architecture must have, and must not have, for an extension to apply to it.
struct Base {
  std::string_view extension, has, also = {}, lacks = {};
};

constexpr Base gnu_bases[] = {{"crc", "v8"},
                              {"crypto", "v8"},
                              {"pan", "v8", {}, "rclass"},
                              {"predres", "v8", {}, "rclass"},
                              {"ras", "v8", {}, "rclass"},
                              {"rdma", "v8", {}, "rclass"},
                              {"sb", "v8", {}, "rclass"},
                              {"dotprod", "v8.2a"},
                              {"fullfp16", "v8.2a"},
                              {"fp16fml", "v8.2a"},
                              {"i8mm", "v8.2a"},
                              {"bf16", "v8.2a", {}, "v8.6a"},
                              {"idiv", "v7", "notm"},
                              {"mp", "v7", "notm"},
                              {"virt", "v7", "notm"},
                              {"simd", "v7", "notm"},
                              {"os", "mclass"},
                              {"dsp", "v8m.main"},
                              {"mve", "v8.1m.main"},
                              {"mve.fp", "v8.1m.main"},
                              {"pacbti", "v8.1m.main"}};

}  // namespace

/// Whether the selected architecture can have an extension.
bool Processor::extends(std::string_view extension) const {
  if (options_.gnu) {
    for (const Base& b : gnu_bases)
      if (b.extension == extension) return may(b.has) && (b.also.empty() || may(b.also)) && !chosen(b.lacks);
    return true;
  }
  constexpr struct {
    std::string_view name, base;
    bool not_mclass = false;
  } bases[] = {{"crc", "v8"},  {"aes", "v8"},  {"sha2", "v8"},        {"crypto", "v8"},    {"fp", "v8"},
               {"simd", "v8"}, {"ras", "v8"},  {"fullfp16", "v8.2a"}, {"lob", "v8.1m.main"}, {"pacbti", "v8.1m.main"},
               {"sec", "v6k"}, {"virt", "v7"}, {"idiv", "v7", true},  {"mp", "v7", true},
               {"os", "(gnu)"}, {"maverick", "(gnu)"}};
  for (const auto& b : bases)
    if (b.name == extension) return may(b.base) && !(b.not_mclass && !may("notm"));
  return true;
}

/// Adds an extension. Some of GNU as's bring Advanced SIMD along; half precision does so with early architectures
/// alone.
void Processor::add_extension(std::string_view name, unsigned feature) {
  if (!options_.gnu) {
    enable(features_, feature);
    for (const Part& p : llvm_brings)
      if (features_[p.whole]) enable(features_, p.part);
    return;
  }
  if (!chosen("v8")) return enable(features_, feature);
  const bool half = name == "fullfp16", half_product = name == "fp16fml";
  if (half && chosen("v8.4a")) features_.set(unsigned(feature_number("fp16fml")));
  const bool late = is_cpu_ || chosen(half ? "v8.6a" : "v8.4a");
  if (name == "bf16" || name == "i8mm" || ((half || half_product) && late)) {
    features_.set(feature);
    if (half_product) features_.set(unsigned(feature_number("fullfp16")));
    return;
  }
  enable(features_, feature);
  if (half || half_product || name == "dotprod" || name == "rdma" || name == "crypto")
    enable(features_, unsigned(feature_number("simd")));
}

/// A feature of -mattr, or an extension behind an architecture or .arch_extension. What it brings of floating point is
/// there beside any unit.
bool Processor::set_extension(std::string_view text, std::string& error, bool attribute) {
  const FeatureSet before = gated_ ? features_ : FeatureSet().set();
  const bool known = change_features(text, error, attribute);
  units_.of_extensions = (units_.of_extensions | (features_ & ~before)) & features_ & floating_features();
  return known;
}

/// An extension has its own meaning of fp16.
bool Processor::change_features(std::string_view text, std::string& error, bool attribute) {
  features_changed();
  bool remove = false;
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('-')) remove = true, text.remove_prefix(1);
  std::string name = text::lower(text);
  if (!attribute && (name == "fp16" || name == "nofp16")) name.insert(name.size() - 4, "full");
  if (!attribute && gated_ && !extends(name.starts_with("no") ? name.substr(2) : name)) {
    error = fmt::format("the selected architecture can't have the extension '{}'", text);
    return false;
  }
  if (!attribute && set_floating_extension(name)) return true;
  int f = feature_number(name);
  if (f < 0 && name.starts_with("no")) {
    remove = true;
    name.erase(0, 2);
    f = feature_number(name);
  }
  if (f < 0) f = feature_number("(" + name + ")");  // +neon-vfpv4
  const bool is_architecture = f >= first_architecture && attribute && name.starts_with("armv");
  if (f < 0 || (f >= first_architecture && !is_architecture)) {
    // Names that only one of them has, of what every processor or none has.
    constexpr std::string_view others[] = {"iwmmxt", "iwmmxt2", "maverick", "xscale", "pmuv3", "bti"};
    const bool known = std::find(std::begin(others), std::end(others), name) != std::end(others);
    if (gated_ && (name == "iwmmxt" || name == "iwmmxt2"))
      enable(features_, unsigned(feature_number(name == "iwmmxt" ? "wmmx" : "wmmx2")));
    if (known && (options_.gnu || !gated_)) return true;
    NearestName nearest(name);
    for (int i = 0; i < first_architecture; ++i)
      if (!arm_feature_names[i].starts_with('(')) nearest.offer(arm_feature_names[i]);
    error = fmt::format("unknown extension '{}'{}", text, nearest.question());
    return false;
  }
  if (remove) {
    start_gating();
    if (options_.gnu && name == "dsp" && chosen("v8.1m.main")) {
      // GNU as takes MVE from a processor, which keeps its DSP, and from an architecture the DSP alone.
      if (is_cpu_) disable(features_, unsigned(feature_number("mve")));
      else features_.reset(unsigned(f));
      return true;
    }
    disable(features_, unsigned(f));
    if (!attribute) remove_parts(name);
  } else if (gated_) {
    add_extension(name, unsigned(f));
  }
  return true;
}

/// -mattr=: features beside those of the processor, or of the architecture; LLVM ignores those it does not know.
void ArmTarget::set_attributes(std::string_view text) {
  std::string ignored;
  if (!processor_.is_gated()) processor_.set_arch("generic", true, ignored);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
    if (part == "+thumb-mode") thumb_ = true;
    else if (part == "+no-neg-immediates") switches_.no_negative = true;
    else if (!part.empty()) processor_.set_extension(part, ignored, true);
  }
}

/// `replaces`: nothing but what a processor brings stays beside the unit. GNU as's .fpu takes back what extensions have
/// brought, up to the next .arch_extension; its -mfpu adds to them.
bool Processor::set_fpu(std::string_view text, bool replaces) {
  features_changed();
  const int f = feature_number("(" + text::lower(text) + ")");
  if (f < 0) return false;
  const bool has_architecture = gated_ || options_.gnu;  // to LLVM a unit by itself is one of Armv4
  start_gating();
  const FeatureSet before = features_;
  features_ &= ~floating_features();  // but not what brings any of it along: Armv8.4-A stays
  for (const int kept : architectural)
    features_[unsigned(kept)] = has_architecture && before[unsigned(kept)];
  if (unit_only_) disable(features_, unsigned(feature_number("mve")));  // to GNU as a unit, which is not this one
  units_.chosen.reset();
  enable(units_.chosen, unsigned(f));
  features_ |= units_.chosen | units_.of_processor;
  if (!replaces) features_ |= units_.of_extensions;
  return true;
}

bool ArmTarget::set_fpu(std::string_view text, bool replaces) {
  if (!processor_.set_fpu(text, replaces)) return false;
  constexpr std::string_view mixing[] = {"fpa",  "fpa10",   "fpa11",     "fpe",     "fpe2",
                                         "fpe3", "softfpa", "arm7500fe", "maverick"};
  info_.doubles_are_mixed = options_.gnu && std::ranges::find(mixing, text::lower(text)) != std::end(mixing);
  return true;
}

/// The unit of a processor, which GNU as knows from 2.47 on.
void Processor::set_processor_unit(unsigned processor) {
  units_.of_processor.reset();
  if (!options_.gnu_since(247)) return;
  for (const auto& [its, unit] : arm_units)
    if (its == processor) enable(units_.of_processor, unit);
}

/// Offers the names of units of floating point.
void Processor::offer_fpus(NearestName& nearest) const {
  for (const std::string_view name : arm_feature_names)
    if (name.starts_with('(') && name.ends_with(')')) nearest.offer(name.substr(1, name.size() - 2));
}

bool Processor::set_arch(std::string_view text, bool is_cpu, std::string& error) {
  features_changed();
  const std::size_t plus = text.find('+');
  const std::string_view name = text.substr(0, plus);
  std::string lower = text::lower(name);
  if (lower == "all" || (lower == "generic" && options_.gnu)) {
    selected_ = true;
    gated_ = false;
    has_nops = true;
    return true;
  }
  if (lower == "generic") {
    lower = triple_architecture(options_);
    if (feature_number(lower) < first_architecture) lower = options_.thumb ? "armv4t" : "armv4";
  }
  const int f = feature_number(lower);
  // Some names are of both: an architecture has `v` behind `arm`, but for those of Intel.
  const bool is_name = f >= first_architecture;
  const bool intel = lower.starts_with("xscale") || lower.starts_with("iwmmxt");
  if (!is_name || (!intel && name != "generic" && lower.starts_with("armv") == is_cpu)) {
    NearestName nearest(lower);
    for (std::size_t i = std::size_t(first_architecture); i < std::size(arm_feature_names); ++i)
      if (arm_feature_names[i].starts_with("armv") != is_cpu) nearest.offer(arm_feature_names[i]);
    error = fmt::format("unknown {} '{}'{}", is_cpu ? "processor" : "architecture", name, nearest.question());
    return false;
  }
  selected_ = true;
  is_cpu_ = is_cpu;
  FeatureSet set;
  enable(set, unsigned(f));
  if (options_.gnu) {
    for (const Part& p : gnu_lacks)
      if (p.whole == unsigned(f)) disable(set, p.part);
  } else {
    const FeatureSet all = set;
    for (const Part& p : llvm_lacks)
      if (all[p.whole]) disable(set, p.part);
  }
  set[feature_gnu] = options_.gnu;
  set[feature_llvm] = !options_.gnu;
  if (options_.gnu) {
    const FeatureSet whole = set;
    if (is_cpu) set_processor_unit(unsigned(f));
    const FeatureSet units = units_.chosen | units_.of_processor;
    for (auto i = std::size_t(first_floating); i <= last_floating; ++i) set[i] = units[i];
    for (const int kept : architectural)
      if (whole[unsigned(kept)]) set.set(unsigned(kept));
  }
  features_ = set;
  units_.of_extensions.reset();
  gated_ = true;
  unit_only_ = false;
  a32_hints = t16_hints = true;  // the features tell
  short_calls = !options_.gnu && !features_[feature_v8m_base] && !features_[feature_v6m];
  // Armv6T2 by itself has none to GNU as.
  const std::string_view its = architecture_of(lower);
  const std::string_view architecture = its.empty() ? std::string_view(lower) : its;
  has_nops = options_.gnu ? architecture != "armv6t2" && architecture != "armv6zt2" &&
                                           (features_[feature_v6k] || features_[feature_v6m])
                                     : features_[feature_v6t2];
  while (plus != text.npos && !text.empty()) {
    const std::size_t next = text.find('+');
    if (next == text.npos) break;
    text.remove_prefix(next + 1);
    if (!set_extension(text.substr(0, text.find('+')), error)) return false;
  }
  return true;
}

}  // namespace xas::arm
