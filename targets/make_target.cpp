// Which target answers to which machine.
#include "targets/target.h"

namespace xas {

std::unique_ptr<Target> make_target(const TargetOptions& options, std::vector<std::string>& errors) {
  return options.machine == Machine::aarch64 ? make_aarch64_target(options, errors) : make_x86_target(options, errors);
}

}  // namespace xas
