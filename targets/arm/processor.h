// SPDX-License-Identifier: Apache-2.0
// Which instructions may be used: the features of the architecture or processor that has been selected, with its
// extensions and unit of floating point (features.cpp).
#pragma once

#include <bitset>
#include <cstring>
#include <string>
#include <string_view>

#include "targets/arm/operand.h"
#include "targets/atom_facts.h"
#include "targets/target.h"

namespace xas::arm {

inline constexpr unsigned max_features = 512, max_needs = 256;
using FeatureSet = std::bitset<max_features>;

class Processor {
 public:
  explicit Processor(const TargetOptions& options) : options_(options) {}

  // Selecting. False, with the reason in `error` if there is one: there is no such name.

  bool set_arch(std::string_view text, bool is_cpu, std::string& error);
  bool set_extension(std::string_view text, std::string& error, bool attribute = false);
  bool set_fpu(std::string_view text, bool replaces);
  void prefer_triple();
  /// The unit that came with a processor goes.
  void forget_unit() { units_.of_processor.reset(); }
  /// What extensions have brought, and .fpu has taken back, is there again.
  void restore_extensions() { features_ |= units_.of_extensions; }

  /// What .object_arch leaves as it is.
  struct State {
    bool gated, unit_only, has_nops, selected;
    FeatureSet features, unit;
  };
  State state() const { return {gated_, unit_only_, has_nops, selected_, features_, units_.of_processor}; }
  void restore(const State& s) {
    gated_ = s.gated, unit_only_ = s.unit_only, has_nops = s.has_nops, selected_ = s.selected, features_ = s.features;
    units_.of_processor = s.unit;
    features_changed();
  }

  /// Not all may be used.
  bool is_gated() const { return gated_; }
  /// By -march, -mcpu, .arch or .cpu.
  bool is_selected() const { return selected_; }
  /// Whether what a row needs may be used.
  bool available(u16 needs) {
    u8& known = known_needs_[needs];
    if (!known) known = 1 + has_all(needs);
    return known == 2;
  }
  bool has_all(u16 needs) const;
  std::string missing(u16 needs) const;
  /// It has been selected, by a name that has it.
  bool chosen(std::string_view feature) const;
  bool chosen(unsigned feature) const;
  /// An architecture or a processor has been selected, and has this. GNU as assumes little without one.
  bool selects(std::string_view feature) const { return selected_ && may(feature); }
  bool may(std::string_view feature) const;
  /// Where there is a choice, it is made for an instruction of this feature.
  bool prefers(std::string_view feature) const;
  bool prefers(unsigned feature) const { return (gated_ ? features_ : preferred_)[feature]; }
  bool has_mode(bool thumb) const;
  static const char* lacks_mode(bool thumb) {
    return thumb ? "this processor has no Thumb instructions" : "this processor has Thumb instructions only";
  }
  bool has_it() const;
  bool has_rule(const atoms::Clash& clash) const;
  const char* missing_register(const Operands& o) const;
  void offer_fpus(NearestName& nearest) const;

  /// The architecture that a processor has; empty if there is no such processor.
  static std::string_view architecture_of(std::string_view processor);
  static bool is_mprofile(const TargetOptions& options);
  std::string selected_architecture() const;

  bool has_nops = false;     ///< ARMv6T2 or later has been selected
  bool short_calls = false;  ///< LLVM: none with T32's branches has been selected
  bool a32_hints = true;     ///< LLVM: the triple's has the `nop` that is a hint
  bool t16_hints = true;

 private:
  /// Where features of floating point come from.
  struct FloatingUnits {
    FeatureSet chosen;         ///< by -mfpu or .fpu
    FeatureSet of_processor;   ///< what comes with the processor of -mcpu or .cpu
    FeatureSet of_extensions;  ///< what extensions of the architecture have brought
  };

  bool change_features(std::string_view text, std::string& error, bool attribute);
  std::string_view unit_of_extension(std::string_view extension) const;
  bool set_floating_extension(std::string_view name);
  void add_extension(std::string_view name, unsigned feature);
  bool extends(std::string_view extension) const;
  void remove_parts(std::string_view name);
  void set_processor_unit(unsigned processor);
  void start_gating();
  void features_changed() { std::memset(known_needs_, 0, sizeof known_needs_); }

  const TargetOptions& options_;
  bool selected_ = false;
  bool is_cpu_ = false;  ///< by -mcpu or .cpu
  bool gated_ = false;   ///< only `features_` may be used
  bool unit_only_ = false;  ///< of floating point, for nothing but a unit has been chosen
  FeatureSet preferred_ = FeatureSet().set();  ///< all may be used, and where there is a choice it is made from these
  FeatureSet features_;
  FloatingUnits units_;
  u8 known_needs_[max_needs] = {};  ///< by Row::features: 2: may be used, 1: may not, 0: not asked yet
};

}  // namespace xas::arm
