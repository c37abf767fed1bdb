// SPDX-License-Identifier: Apache-2.0
// The table of how directives are written (asm/directives/usage.h).
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "asm/directives/arm.h"
#include "asm/directives/directives.h"
#include "asm/directives/usage.h"
#include "targets/nearest_name.h"
#include "targets/target.h"

using namespace xas;

namespace {

/// Collects directives of what is offered.
class Names final : public NearestName {
 public:
  Names() : NearestName("?") {}
  void offer(std::string_view name) override {
    if (name.starts_with('.')) all.emplace(name);
  }
  std::set<std::string> all;
};

}  // namespace

TEST_CASE("usage: every directive of every target and format has a row") {
  Names names;
  for (const bool coff : {false, true}) offer_directives(names, coff);
  offer_arm_directives(names);
  for (const Machine machine : {Machine::x86, Machine::aarch64, Machine::arm}) {
    TargetOptions options;
    options.machine = machine;
    OptionProblems problems;
    const std::unique_ptr<Target> target = make_target(options, problems);
    REQUIRE(problems.errors.empty());
    target->explain_unknown(".?", names);
  }
  CHECK(names.all.size() > 350);
  for (const char* of_each :
       {".byte", ".scl", ".seh_proc", ".save", ".eabi_attribute", ".code16", ".fpu", ".variant_pcs"})
    CHECK_MESSAGE(names.all.contains(of_each), of_each);
  for (const std::string& name : names.all) CHECK_MESSAGE(find_directive_usage(name) != nullptr, name);
}

TEST_CASE("usage: rows") {
  std::set<std::string_view> seen;
  for (const DirectiveUsage& usage : directive_usages()) {
    CHECK(!usage.summary.empty());
    usage.each_name([&](std::string_view name) {
      CHECK(name.starts_with('.'));
      CHECK_MESSAGE(seen.insert(name).second, name);
    });
  }
  CHECK(find_directive_usage(".BYTE") == find_directive_usage(".byte"));
  CHECK(find_directive_usage(".nothing") == nullptr);
  CHECK(find_directive_usage(".eqv") != find_directive_usage(".equiv"));
}
