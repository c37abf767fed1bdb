// SPDX-License-Identifier: Apache-2.0
// -march=, -mcpu=, -mattr=, .arch, .cpu, .arch_extension: which instructions may be used. Without any of them all may.
//
//   arch := name { ( '+' | ',' ) [ 'no' | '-' ] extension }
#include <fmt/format.h>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"
#include "targets/nearest_name.h"
#include "targets/needs.h"

namespace xas::aarch64 {

namespace {

static_assert(std::size(a64_feature_names) <= max_features);

int feature_number(std::string_view name) {
  for (unsigned i = 0; i < std::size(a64_feature_names); ++i)
    if (a64_feature_names[i] == name) return int(i);
  return -1;
}

/// Offers the names of extensions, or of architectures and processors.
void offer_features(NearestName& nearest, bool processors) {
  const int first_processor = feature_number("armv8-a");
  for (int i = 0; i < int(std::size(a64_feature_names)); ++i)
    if (!a64_feature_names[i].starts_with('(') && (i >= first_processor) == processors)
      nearest.offer(a64_feature_names[i]);
}

}  // namespace

void AArch64Target::enable(unsigned feature) {
  if (features_[feature]) return;
  features_.set(feature);
  for (const auto& [from, to] : a64_feature_implies)
    if (from == feature) enable(to);
  if (!options_.gnu) return;
  for (const auto& [from, to] : a64_feature_implies_gnu)
    if (from == feature) enable(to);
}

/// Takes a feature away, and all that bring it with them.
void AArch64Target::disable(unsigned feature) {
  if (!features_[feature]) return;
  features_.reset(feature);
  for (const auto& [from, to] : a64_feature_implies)
    if (to == feature) disable(from);
  if (!options_.gnu) return;
  // From 2.44 on SME stays when SVE goes.
  const auto sme = unsigned(feature_number("sme"));
  for (const auto& [from, to] : a64_feature_implies_gnu)
    if (to == feature && !(from == sme && options_.gnu_since(244))) disable(from);
}

void AArch64Target::profile_features() {
  const auto put = [&](std::string_view name, bool value) { features_[unsigned(feature_number(name))] = value; };
  put("(gnu)", options_.gnu);
  put("(gnu-2.47)", options_.gnu_since(247));
  put("(llvm)", !options_.gnu);
  put("(llvm-22)", options_.llvm_before(23));
  put("(llvm-23)", options_.llvm_since(23));
  put("(negative-immediates)", !no_negative_);
}

void AArch64Target::all_features() {
  features_.set();
  profile_features();
}

bool AArch64Target::available(u16 needs) const {
  return atoms::are_met(a64_needs + a64_needs_start[needs], features_);
}

std::string AArch64Target::missing(u16 needs) const {
  return atoms::missing_needs(a64_needs + a64_needs_start[needs], features_, a64_feature_names);
}

bool AArch64Target::is_selectable(u16 needs) const {
  return atoms::can_be_met(a64_needs + a64_needs_start[needs], features_, a64_feature_names);
}

bool AArch64Target::set_extension(std::string_view text, std::string& error) {
  bool remove = false;
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('-')) remove = true, text.remove_prefix(1);
  int f = feature_number(text);
  if (f < 0 && text.starts_with("no")) {
    remove = true;
    f = feature_number(text.substr(2));
  }
  // To GNU as, compnum by another name; architectures bring less by it.
  if (options_.gnu && f == feature_number("fcma")) f = feature_number("compnum");
  if (f < 0) {
    NearestName nearest(text);
    offer_features(nearest, false);
    error = fmt::format("unknown extension '{}'{}", text, nearest.question());
    return false;
  }
  if (remove) {
    disable(unsigned(f));
    const bool alias = std::ranges::find(a64_feature_aliases, f) != std::end(a64_feature_aliases);
    // To LLVM, sve2-aes and its like are other names of sve-aes, beside what else they bring.
    const bool sve = !options_.gnu && a64_feature_names[f].starts_with("sve2-");
    for (const auto& [from, to] : a64_feature_implies)
      if (from == f && (alias || (sve && a64_feature_names[to].starts_with("sve-")))) disable(to);
    gated_ = true;
  } else {
    enable(unsigned(f));
  }
  return true;
}

/// -mattr=: features beside those of the processor, or of the base architecture; LLVM ignores those it does not know.
void AArch64Target::set_attributes(std::string_view text) {
  std::string ignored;
  if (!gated_) set_arch("generic", false, ignored);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
    if (part == "+all") {
      all_features();
      gated_ = false;
    } else if (part == "+no-neg-immediates") {
      no_negative_ = true;
      profile_features();
    } else if (part == "+no-lfi-loads" || part == "+no-lfi-stores") {
      (part.ends_with("loads") ? lfi_.confines_loads : lfi_.confines_stores) = false;
    } else if (!part.empty()) {
      set_extension(part, ignored);
    }
  }
}

bool AArch64Target::set_arch(std::string_view text, bool, std::string& error) {
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("+,", text[0] == '+' ? 1 : 0);
    std::string_view part = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(text[end] == ',' ? end + 1 : end);
    if (part == "all" || part == "+all") {
      all_features();
      gated_ = false;
    } else if (first && !part.starts_with('+') && !part.starts_with('-')) {
      const int f = feature_number(part);
      if (f < 0) {
        NearestName nearest(part);
        offer_features(nearest, true);
        error = fmt::format("unknown architecture or processor '{}'{}", part, nearest.question());
        return false;
      }
      features_.reset();
      profile_features();
      enable(unsigned(f));
      gated_ = true;
    } else if (!set_extension(part, error)) {
      return false;
    }
    first = false;
  }
  return true;
}

}  // namespace xas::aarch64
