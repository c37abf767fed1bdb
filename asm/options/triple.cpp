// SPDX-License-Identifier: Apache-2.0
// Triples have two to four parts (architecture, vendor, system, environment), of which any but the first may be left
// out, and no part says which one it is. So only the architecture is taken by its place; the rest are looked for.

#include "asm/options/triple.h"

#include <algorithm>

#include "asm/text/host.h"

namespace xas {
namespace {

bool starts_with(std::string_view s, std::string_view prefix) { return s.substr(0, prefix.size()) == prefix; }

/// i386, i486, i586, i686 (and i786 ... i986, which LLVM takes as well).
bool is_i386(std::string_view arch) {
  return arch == "x86" ||
         (arch.size() == 4 && arch[0] == 'i' && arch[1] >= '3' && arch[1] <= '9' && arch.substr(2) == "86");
}

/// arm, armv7a, armeb, thumb, thumbv7, ... (arm64 is another one).
bool is_arm(std::string_view arch) {
  for (const std::string_view prefix : {"armeb", "thumbeb", "arm", "thumb"}) {
    if (!starts_with(arch, prefix)) continue;
    const std::string_view rest = arch.substr(prefix.size());
    return rest.empty() || rest[0] == 'v' || rest == "be" || rest == "hf" || rest == "el";
  }
  return false;
}

/// Whether a tool's prefix is a target, and not part of a name: "riscv64-linux-gnu-as", but not "my-own-as".
bool is_architecture(std::string_view prefix) {
  constexpr std::string_view known[] = {"x86_64", "amd64",   "aarch64",    "arm",  "thumb",  "riscv",
                                        "mips",   "powerpc", "ppc",        "s390", "sparc",  "loong",
                                        "m68k",   "alpha",   "hppa",       "sh",   "ia64",   "avr",
                                        "msp430", "bpf",     "microblaze", "or1k", "xtensa", "nios2"};
  if (prefix.find('-') == std::string_view::npos) return false;
  std::string_view arch = prefix.substr(0, prefix.find('-'));
  return is_i386(arch) || std::ranges::any_of(known, [&](std::string_view k) { return starts_with(arch, k); });
}

}  // namespace

Triple parse_triple(std::string_view text) {
  Triple t;
  std::string_view arch = text.substr(0, text.find('-'));
  if (arch == "x86_64_lfi" || arch == "aarch64_lfi") {
    t.lfi = true;
    arch.remove_suffix(4);
  }
  if (arch == "x86_64" || arch == "amd64" || arch == "x86-64" || starts_with(text, "x86-64")) {
    t.machine = Machine::x86;
    t.bits = 64;
    t.architecture = "x86_64";
  } else if (is_i386(arch)) {
    t.machine = Machine::x86;
    t.bits = 32;
    t.architecture = "i386";
  } else if (arch == "aarch64" || arch == "arm64" || arch == "arm64ec" || arch == "aarch64_be") {
    t.machine = Machine::aarch64;
    t.big_endian = arch == "aarch64_be";
    t.arm64ec = arch == "arm64ec";
    t.architecture = t.big_endian ? "aarch64_be" : "aarch64";
  } else if (is_arm(arch)) {
    t.machine = Machine::arm;
    t.bits = 32;
    t.thumb = starts_with(arch, "thumb") || arch == "armv6m" || arch == "armv6sm";
    t.big_endian = arch.find("eb") != arch.npos || arch.find("be") != arch.npos;
    t.architecture = t.big_endian ? "armeb" : "arm";
    t.sub_architecture = arch;
  } else {
    t.architecture = arch;
  }

  const std::size_t dash = text.find('-');
  std::string_view rest = dash != text.npos ? text.substr(dash + 1) : std::string_view();
  bool names_format = false;
  bool other_environment = false;  // than Microsoft's
  bool associates = false;
  while (!rest.empty()) {
    std::string_view part = rest.substr(0, rest.find('-'));
    rest = part.size() < rest.size() ? rest.substr(part.size() + 1) : std::string_view();
    // A format named outright ("x86_64-pc-windows-elf") overrides the one that the system implies.
    if (part == "elf" || starts_with(part, "elfiamcu")) {
      t.format = ObjectFormat::elf;
      t.known_format = names_format = true;
      t.mcu = part != "elf" && t.machine == Machine::x86 && t.bits == 32;
    } else if (part == "coff") {
      t.format = ObjectFormat::coff;
      t.known_format = names_format = true;
    } else if (part == "macho" || part == "wasm" || part == "xcoff" || part == "goff") {
      t.known_format = false;
      names_format = true;
    } else if (!names_format && (starts_with(part, "windows") || starts_with(part, "win32") ||
                                 starts_with(part, "mingw") || starts_with(part, "cygwin") || part == "uefi")) {
      t.format = ObjectFormat::coff;
    } else if (!names_format &&
               (starts_with(part, "darwin") || starts_with(part, "macos") || starts_with(part, "ios"))) {
      t.known_format = false;
    }
    // What llvm-mc marks objects with; systems that are not here take whatever the object needs.
    if (starts_with(part, "freebsd") || starts_with(part, "ps4")) t.os_abi = 9;
    if (starts_with(part, "solaris")) t.os_abi = 6;
    if (starts_with(part, "openbsd")) t.os_abi = 12;
    if (starts_with(part, "hermit")) t.os_abi = 0xFF;
    other_environment |= starts_with(part, "gnu") || starts_with(part, "mingw") || starts_with(part, "cyg") ||
                         starts_with(part, "musl") || part == "w64" || part == "itanium";
    associates |= part == "coreclr" || part == "uefi";
    if (t.machine == Machine::x86 && t.bits == 64 && (part == "gnux32" || part == "muslx32")) t.x32 = true;
    if (t.machine == Machine::aarch64 && part == "gnu_ilp32") t.x32 = true;
    if (t.machine == Machine::x86 && part == "code16") t.bits = 16;
  }
  t.msvc = t.format == ObjectFormat::coff && !other_environment && !associates;
  t.associative_tables = t.msvc || (t.format == ObjectFormat::coff && t.machine == Machine::x86 && associates);
  return t;
}

std::string_view base_name(std::string_view program) {
  program.remove_prefix(host::last_name(program));
  if (program.size() > 4 && program.substr(program.size() - 4) == ".exe") program.remove_suffix(4);
  return program;
}

std::string_view triple_of_program(std::string_view program) {
  program = base_name(program);
  // Debian's names have the version behind: aarch64-linux-gnu-as-2.40.
  const std::size_t last = program.find_last_not_of("0123456789.");
  if (last != program.npos && program[last] == '-' && last + 1 < program.size()) program = program.substr(0, last);
  std::size_t dash = program.find_last_of('-');
  if (dash == std::string_view::npos) return {};
  std::string_view tool = program.substr(dash + 1);
  if (tool != "as" && tool != "xas" && tool != "mc") return {};
  std::string_view triple = program.substr(0, dash);
  if (tool == "mc") {  // x86_64-linux-gnu-llvm-mc
    if (triple == "llvm" || triple.size() < 5 || triple.substr(triple.size() - 5) != "-llvm") return {};
    triple.remove_suffix(5);
  }
  return is_architecture(triple) ? triple : std::string_view();
}

}  // namespace xas
