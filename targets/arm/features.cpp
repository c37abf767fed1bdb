// -march=, -mcpu=, .arch, .cpu, .arch_extension: names of architectures and processors. What may be used is not
// restricted yet; a name that is none of these is an error all the same.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "targets/arm/arm.h"

namespace xas::arm {

namespace {

constexpr std::string_view architectures[] = {
    "armv2",   "armv3",    "armv4",     "armv4t",   "armv5",     "armv5t",    "armv5te",  "armv5tej", "armv6",
    "armv6j", "armv6k",  "armv6z",   "armv6kz",   "armv6zk",  "armv6t2",   "armv6-m",   "armv6s-m", "armv7",
    "armv7a",   "armv7-a", "armv7ve", "armv7-r",  "armv7r",    "armv7-m",  "armv7m",    "armv7e-m",  "armv7em",
    "armv8-a",  "armv8a",   "armv8.1-a", "armv8.2-a", "armv8.3-a", "armv8.4-a", "armv8.5-a", "armv8.6-a", "armv8.7-a",
    "armv8.8-a", "armv8-r", "armv8-m.base", "armv8-m.main", "armv8.1-m.main", "armv9-a", "armv9.1-a", "armv9.2-a",
    "armv9.3-a", "iwmmxt", "iwmmxt2", "xscale", "all", "generic",
};

constexpr std::string_view processors[] = {
    "all", "generic", "arm7tdmi", "arm7tdmi-s", "arm9tdmi", "arm920t", "arm922t", "arm926ej-s", "arm946e-s",
    "arm966e-s", "arm968e-s", "arm1020e", "arm1022e", "arm10e", "arm1136j-s", "arm1136jf-s", "arm1156t2-s",
    "arm1156t2f-s", "arm1176jz-s", "arm1176jzf-s", "mpcore", "strongarm", "xscale", "iwmmxt", "swift", "krait", "kryo",
    "cyclone", "exynos-m1", "marvell-pj4",
    "sc000", "sc300",
};

}  // namespace

bool ArmTarget::set_arch(std::string_view text, bool is_cpu, std::string& error) {
  const std::string_view name = text.substr(0, text.find('+'));
  const std::string lower = text::lower(name);
  const std::string_view version = std::string_view(lower).substr(lower.starts_with("armv") ? 4 : lower.size());
  has_nops_ = lower.starts_with("cortex-") || lower.starts_with("neoverse-") || version.starts_with("6t2") ||
              version.starts_with("6k") || version.starts_with("7") || version.starts_with("8") ||
              version.starts_with("9");
  if (is_cpu && (lower.starts_with("cortex-") || lower.starts_with("neoverse-"))) return true;
  const std::span<const std::string_view> known =
      is_cpu ? std::span<const std::string_view>(processors) : architectures;
  if (std::find(known.begin(), known.end(), lower) != known.end()) return true;
  error = fmt::format("unknown {} '{}'", is_cpu ? "processor" : "architecture", name);
  return false;
}

}  // namespace xas::arm
