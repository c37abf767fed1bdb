// SPDX-License-Identifier: Apache-2.0
// -march=, -mattr=, -mcpu= and .arch: which instructions may be used. Without any of them all may.
//
//   arch := [ cpu ] { ( '+' | ',' ) [ '-' | 'no' ] feature }
#include <fmt/format.h>

#include <algorithm>

#include "targets/nearest_name.h"
#include "targets/x86/cpus.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

/// Other names for features, as the command lines of the two assemblers and the compilers spell them. '-', '_' and '.'
/// do not count in names.
constexpr std::pair<std::string_view, std::string_view> synonyms[] = {{"sse4", "sse4.2"},
                                                                      {"pclmulqdq", "pclmul"},
                                                                      {"rdrand", "rdrnd"},
                                                                      {"prefetchw", "prfchw"},
                                                                      {"pni", "sse3"},
                                                                      {"lahflm", "sahf"},
                                                                      {"lahfsahf", "sahf"},
                                                                      {"pbndkb", "tse"},
                                                                      {"kl", "keylocker"},
                                                                      {"3dnowext", "3dnowa"},
                                                                      {"fxsave", "fxsr"},
                                                                      {"mwait", "monitor"},
                                                                      {"svm", "svme"},
                                                                      {"87", "x87"},
                                                                      {"ospke", "pku"},
                                                                      {"bmi1", "bmi"},
                                                                      {"cmpxchg8b", "cx8"},
                                                                      {"cmpxchg16b", "cx16"},
                                                                      {"pclmulhqlqdq", "pclmul"},
                                                                      {"apxf", "apx"},
                                                                      {"apxnci", "apx"},
                                                                      {"apxndd", "apx"},
                                                                      {"apxnf", "apx"},
                                                                      {"apxncinddnf", "apx"},
                                                                      {"avx5124vnniw", "avx5124vnniw"},
                                                                      {"rdtsc", "tsc"},
                                                                      {"nopl", "nop"}};

bool same_feature(std::string_view a, std::string_view b) {
  auto skip = [](std::string_view& s) {
    while (!s.empty() && (s[0] == '-' || s[0] == '_' || s[0] == '.')) s.remove_prefix(1);
  };
  for (;;) {
    skip(a);
    skip(b);
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (a[0] != b[0]) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

int feature_number(std::string_view name) {
  for (auto [from, to] : synonyms)
    if (same_feature(name, from)) {
      name = to;
      break;
    }
  for (unsigned i = 0; i < std::size(x86_feature_names); ++i)
    if (same_feature(x86_feature_names[i], name)) return int(i);
  return -1;
}

const Cpu* find_cpu(std::string_view name) {
  for (const Cpu& c : cpus)
    if (same_feature(c.name, name)) return &c;
  return nullptr;
}

void enable(FeatureSet& set, unsigned feature) {
  for (unsigned w = 0; w < feature_words; ++w) set.word[w] |= x86_feature_closure[feature].word[w];
}

bool brings(unsigned feature, unsigned other) {
  return x86_feature_closure[feature].word[other / 64] >> (other % 64) & 1;
}

constexpr unsigned number_of(std::string_view name) {
  return unsigned(std::ranges::find(x86_feature_names, name) - std::begin(x86_feature_names));
}
constexpr unsigned vl_feature = number_of("avx512vl"), avx10_2_feature = number_of("avx10.2");

bool contains(const FeatureSet& set, unsigned feature) { return set.word[feature / 64] >> (feature % 64) & 1; }

void set_feature(FeatureSet& set, unsigned feature, bool on) {
  const u64 bit = u64(1) << (feature % 64);
  u64& word = set.word[feature / 64];
  word = on ? word | bit : word & ~bit;
}

/// What several coprocessors have goes with the last of them.
void settle_coprocessor(FeatureSet& set) {
  constexpr unsigned x87 = number_of("x87"), either = number_of("287-or-387"), i8087 = number_of("8087"),
                     i287 = number_of("287"), i387 = number_of("387");
  if (!contains(set, i287) && !contains(set, i387)) set_feature(set, either, false);
  if (!contains(set, i8087) && !contains(set, either)) set_feature(set, x87, false);
}

/// Takes a feature away, and all that bring it with them. To GNU as AVX and what is built on it are not built on SSE
/// and its kin, nor is SSE4.2 on POPCNT, nor 3DNow! on PREFETCHW.
void disable(FeatureSet& set, unsigned feature, bool gnu) {
  constexpr unsigned avx = number_of("avx"), xsave = number_of("xsave"), prefetch = number_of("prfchw"),
                     popcnt = number_of("popcnt"), x87 = number_of("x87");
  const bool below = gnu && feature != xsave && !brings(feature, avx);
  for (unsigned i = 0; i < std::size(x86_feature_names); ++i) {
    if (!brings(i, feature)) continue;
    if (i != feature && ((below && brings(i, avx)) || (gnu && (feature == prefetch || feature == popcnt)))) continue;
    set_feature(set, i, false);
  }
  if (brings(feature, x87)) settle_coprocessor(set);
}

void enable_cpu(FeatureSet& set, const Cpu& cpu) {
  if (!cpu.base.empty()) enable_cpu(set, *find_cpu(cpu.base));
  for (std::string_view rest = cpu.features; !rest.empty();) {
    std::size_t blank = rest.find(' ');
    int f = feature_number(rest.substr(0, blank));
    if (f >= 0) enable(set, unsigned(f));
    rest = blank == rest.npos ? std::string_view() : rest.substr(blank + 1);
  }
}

}  // namespace

/// Rounding of 256-bit vectors, which AVX10.2 had for a while.
bool X86Target::has_narrow_rounding() const {
  return options_.gnu && options_.release == 244 && (!gated_ || contains(features_, avx10_2_feature));
}

bool X86Target::set_arch(std::string_view text, std::string& error) {
  FeatureSet set = features_;
  bool gated = gated_;
  const Cpu* cpu = cpu_;
  for (bool first = true; !text.empty(); first = false) {
    std::size_t end = text.find_first_of("+,", text[0] == '+' ? 1 : 0);
    std::string_view part = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(text[end] == ',' ? end + 1 : end);
    bool plus = part.starts_with('+'), minus = part.starts_with('-'), dot = part.starts_with('.');
    if (plus || minus || dot) part.remove_prefix(1);
    for (const std::string_view length : {"/128", "/256", "/512"}) {
      if (part.ends_with(length) && part.find("avx10.") != part.npos) part.remove_suffix(length.size());
    }
    if (part.empty()) continue;
    if (part == "default" || part == "generic" || part == "all") {
      for (u64& word : set.word) word = ~u64(0);
      gated = false;
      cpu = nullptr;
      continue;
    }
    if (first && !plus && !minus && !dot)
      if (const Cpu* c = find_cpu(part)) {
        const bool is_iamcu = c->name == "iamcu" || c->base == "iamcu";
        if (info_.elf.machine == em_iamcu && !is_iamcu && options_.gnu) {
          error = fmt::format("'{}' is no processor for objects of Intel MCU", part);
          return false;
        }
        set = {};
        enable_cpu(set, *c);
        said_ = {};
        gated = true;
        cpu = c;
        continue;
      }
    if (same_feature(part, "tsx") || same_feature(part, "notsx")) {
      for (std::string_view both : {"rtm", "hle"})
        part[0] == 'n' || minus ? disable(set, unsigned(feature_number(both)), options_.gnu)
                                : enable(set, unsigned(feature_number(both)));
      gated |= part[0] == 'n' || minus;
      continue;
    }
    int feature = feature_number(part);
    if (feature < 0 && part.starts_with("no")) {
      minus = true;
      feature = feature_number(part.substr(2));
    }
    if (minus && part.ends_with("sse4")) feature = int(number_of("sse4.1"));
    if (feature < 0) {
      NearestName nearest(part);
      for (const std::string_view name : x86_feature_names) nearest.offer(name);
      for (const Cpu& c : cpus) nearest.offer(c.name);
      error = fmt::format("unknown processor or feature '{}'{}", part, nearest.question());
      return false;
    }
    if (!minus && contains(x86_feature_closure[feature], vl_feature)) said_vl_ = true;
    if (minus) {
      disable(set, unsigned(feature), options_.gnu);
      gated = true;
    } else {
      enable(set, unsigned(feature));
      said_.word[feature / 64] |= u64(1) << (feature % 64);
    }
  }
  if (options_.gnu_since(244) && mode_ != 16 && gated && !contains(set, number_of("386"))) {
    error = fmt::format("the processor has no {}-bit code; .code16 comes first", mode_);
    return false;
  }
  if (options_.gnu_before(244)) {  // monitor and mwait are of SSE3, lahf and sahf of all processors
    set_feature(set, number_of("monitor"), contains(set, number_of("sse3")));
    set_feature(set, number_of("sahf"), true);
  }
  features_ = set;
  gated_ = gated;
  cpu_ = cpu;
  update_registers();
  return true;
}

/// All features of the row were asked for by their names, but for APX, which is there anyway.
bool X86Target::is_named(const Row& row) const {
  constexpr unsigned apx = number_of("apx");
  FeatureSet needs = x86_feature_sets[row.features];
  set_feature(needs, apx, false);
  for (unsigned w = 0; w < feature_words; ++w)
    if (needs.word[w] & ~said_.word[w]) return false;
  return true;
}

/// From 2.44 on GNU as has MPX only where it is named.
bool X86Target::has_mpx() const {
  constexpr unsigned mpx = number_of("mpx");
  return !options_.gnu_since(244) || contains(said_, mpx) || (gated_ && contains(features_, mpx));
}

/// 32-bit code, and its prefixes, in what GNU as is told of the processor.
bool X86Target::has_386() const { return !options_.gnu || !gated_ || contains(features_, number_of("386")); }

bool X86Target::has_long_mode() const {
  for (const Cpu* c = cpu_; c; c = find_cpu(c->base)) {
    if (c->name == "generic64" || c->name == "k8") return true;
  }
  return !cpu_;
}

void X86Target::update_registers() {
  bad_registers_ = u8(reg_cfi_only | (mode_ == 64 ? 0 : reg_only64) | (gated_ && options_.gnu ? reg_gated : 0) |
                      (has_mpx() ? 0 : reg_mpx));
}

/// The register exists in this mode, and to GNU as on the processor that .arch says.
bool X86Target::has_register(const Reg& r) const {
  if (r.flags & bad_registers_ & u8(~reg_gated)) return false;
  return !(r.flags & bad_registers_) || processor_has(r);
}

bool X86Target::processor_has(const Reg& r) const {
  constexpr unsigned sse = number_of("sse"), avx = number_of("avx"), avx512 = number_of("avx512f");
  const bool has_avx512 = contains(features_, avx512), has_avx = has_avx512 || contains(features_, avx);
  constexpr unsigned i386 = number_of("386"), i586 = number_of("586"), last_segment_of_286 = 3;
  switch (r.cls) {
    case RegClass::segment: return r.number <= last_segment_of_286 || contains(features_, i386);
    case RegClass::r32:
    case RegClass::control:
    case RegClass::debug:
      return (r.flags & reg_egpr) ? contains(features_, number_of("apx")) : contains(features_, i386);
    case RegClass::test: return contains(features_, i386) && !contains(features_, i586);
    case RegClass::st: return contains(features_, number_of("x87"));
    case RegClass::mm: return contains(features_, number_of("mmx"));
    case RegClass::xmm: return has_avx || contains(features_, sse);
    case RegClass::ymm: return has_avx;
    case RegClass::zmm:
    case RegClass::mask: return has_avx512;
    case RegClass::tmm: return contains(features_, number_of("amx-tile"));
    case RegClass::bnd: return contains(features_, number_of("mpx"));
    default: return !(r.flags & reg_egpr) || contains(features_, number_of("apx"));
  }
}

/// -mattr: features that LLVM has for its code generator are no news to an assembler, but for those about no-ops.
void X86Target::set_attributes(std::string_view text) {
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
    if (part == "+fast-7bytenop") max_nop_size_ = 7;
    if (part == "+fast-11bytenop") max_nop_size_ = 11;
    if (part == "+fast-15bytenop") max_nop_size_ = 15;
    std::string ignored;
    if (part.size() > 1 && feature_number(part.substr(1)) >= 0) set_arch(part, ignored);
  }
}

/// -mcpu, which is LLVM's: the processor whose no-ops are written. It restricts nothing. `native` is none in
/// particular: an object does not depend on the machine that makes it.
bool X86Target::set_cpu(std::string_view name, std::string& error) {
  if (name == "native") return true;
  const FeatureSet features = features_;
  if (!set_arch(name, error)) return false;
  features_ = features;
  gated_ = false;
  update_registers();
  return true;
}

bool X86Target::set_tune(std::string_view name) {
  tune_ = find_cpu(name);
  return tune_ || name == "generic";
}

/// What no-ops this processor and mode call for: see nops.cpp.
u16 X86Target::nop_style() const {
  constexpr std::size_t nop_feature = std::find(std::begin(x86_feature_names), std::end(x86_feature_names), "nop") -
                                      std::begin(x86_feature_names);
  FeatureSet set = features_;
  if (!gated_ && cpu_) set = {}, enable_cpu(set, *cpu_);
  const bool has_nop = set.word[nop_feature / 64] >> (nop_feature % 64) & 1;
  const u16 mode = mode_ == 16 ? nop_mode16 : 0;
  if (options_.gnu) {
    const bool newer = options_.gnu_since(244);
    bool modern = gated_ || cpu_ ? has_nop : options_.bits == 64;
    // What .arch took away says nothing of no-ops in 32-bit code, which has them only where they are named.
    if (newer && !cpu_ && gated_ && options_.bits != 64) modern = has_nop && contains(said_, nop_feature);
    if (!cpu_) modern = tune_ ? !tune_->old : modern;
    else if (tune_) modern = tune_->name == "generic64" || has_nop;
    else if (cpu_->name == "generic64")
      modern = has_nop || !newer;
    if (!newer) return u16(mode | (modern ? 11 | nop_long : 7));
    if (mode_ == 16) return 5 | nop_mode16;
    if (!modern) return mode_ == 64 ? 9 | nop_mode64 : 8;
    const bool core2 = mode_ == 64 && tune_ && tune_->name == "core2" && !cpu_;
    return u16((core2 ? 15 : 11) | nop_long);
  }
  if (mode_ == 16) return u16(mode | 4);
  if (mode_ == 32 && (!cpu_ || !has_nop)) return u16(mode | 1 | nop_long);
  return u16(mode | (max_nop_size_ ? max_nop_size_ : cpu_ ? cpu_->max_nop_size : 15) | nop_long);
}

}  // namespace xas::x86
