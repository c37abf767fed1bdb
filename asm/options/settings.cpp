// SPDX-License-Identifier: Apache-2.0
// What follows from all options together: the target that is meant, the profile for it, and what does not go together.
#include "asm/options/settings.h"

#include <fmt/format.h>

#include "asm/options/triple.h"
#include "asm/text/host.h"

namespace xas {

namespace {

/// The profile for the target, of which the target is told what it decides as a whole.
void choose_profile(const Release& release, Options& to) {
  to.profile = profile_for(release, to.target.machine, to.target.format, to.target.bits);
  to.target.gnu = to.profile.gnu_target;
  to.target.release = to.profile.target_release;
}

}  // namespace

bool Settings::select_release(std::string_view name) {
  const Release* const found = find_release(name);
  if (!found) return false;
  release = found;
  choose_profile(*release, options);
  return true;
}

std::string Settings::effective_triple() const {
  std::string t(!triple.empty() ? triple : !implied_triple.empty() ? implied_triple : host::default_triple());
  if (!architecture.empty()) t.replace(0, t.find('-'), architecture);
  return t;
}

std::string Settings::finish(Options& to) const {
  std::string name = effective_triple();
  Triple t = parse_triple(name);
  if (t.machine == Machine::unknown) {
    return fmt::format(
        "target '{}' is not supported; x86_64, i386, aarch64 and arm are (x86_64-linux-gnu, arm-linux-gnueabihf, ...)",
        name);
  }
  if (!t.known_format)
    return fmt::format("target '{}' uses an object format that xas does not write; it writes ELF and COFF", name);
  if (t.lfi && t.format != ObjectFormat::elf)
    return fmt::format("target '{}': the code of a sandbox (LFI) goes into ELF objects", name);
  to.target.format = t.format;
  to.os_abi = t.os_abi;
  to.target.bits = t.bits;
  to.target.x32 = t.x32;
  to.target.big_endian = t.big_endian;
  to.target.machine = t.machine;
  to.target.thumb = t.thumb;
  to.target.lfi = t.lfi;
  if (t.mcu) to.target.extra.emplace_back("mcu", "");
  if (t.machine == Machine::arm) {
    to.target.extra.emplace_back("architecture", t.sub_architecture);
    if (t.msvc) to.target.extra.emplace_back("msvc", "");
    if (name.find("android") != name.npos) to.target.extra.emplace_back("android", "");
  }
  if (word_mode) {
    to.target.bits = word_mode;
    to.target.x32 = x32_mode;
  }
  to.msvc = t.msvc;
  to.associative_tables = t.associative_tables;
  if (t.format == ObjectFormat::coff && to.dwarf64)
    return "COFF objects have no 64-bit DWARF: sections are not that large";
  if (to.dwarf64 && to.dwarf_version && to.dwarf_version < 3) return "DWARF 2 has no 64-bit format";
  if (t.arm64ec) to.target.extra.emplace_back("arm64ec", "");
  if (t.machine == Machine::x86) {
    for (const auto& [option, value] : to.target.extra) {
      if (option == "EL" || option == "EB" || option == "mlittle-endian" || option == "mbig-endian")
        return fmt::format(
            "'-{}' is for AArch64 and ARM, and the target is {}; a compiler for another target needs "
            "-Wa,--target=TRIPLE, or xas under the name TRIPLE-as",
            option, name);
    }
  }
  choose_profile(*release, to);
  if (to.dwarf_version > to.profile.newest_dwarf_version)
    return fmt::format("DWARF {} is not what this release has; the newest is {}", to.dwarf_version,
                       to.profile.newest_dwarf_version);
  const bool has_frame_steps =
      t.format == ObjectFormat::elf &&
      (t.machine == Machine::aarch64 || (t.machine == Machine::x86 && to.target.bits == 64 && !to.target.x32));
  if (to.target.frame_steps && !has_frame_steps)
    return fmt::format("--scfi makes frames for ELF objects of x86-64 and AArch64, and the target is {}", name);
  if (t.format != ObjectFormat::coff && to.codeview_lines) return "--gcodeview: CodeView is for COFF objects";
  const bool unnamed = to.debug_lines && !to.dwarf_version && !to.codeview_lines;
  if (t.format == ObjectFormat::coff && to.profile.coff_debug_is_stabs && unnamed) {
    to.stabs = true;
    to.debug_lines = false;
  }
  return {};
}

}  // namespace xas
