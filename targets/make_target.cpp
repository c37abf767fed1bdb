// SPDX-License-Identifier: Apache-2.0
// Which target answers to which machine.
#include "targets/target.h"

namespace xas {

std::unique_ptr<Target> make_target(const TargetOptions& options, OptionProblems& problems) {
  switch (options.machine) {
    case Machine::aarch64: return make_aarch64_target(options, problems);
    case Machine::arm: return make_arm_target(options, problems);
    default: return make_x86_target(options, problems);
  }
}

}  // namespace xas
