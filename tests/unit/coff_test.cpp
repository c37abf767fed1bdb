// SPDX-License-Identifier: Apache-2.0
// The COFF writer where no reference assembler is needed to judge it: limits, and names far into the string table.
// tests/object compares whole files.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "objwriter/coff.h"
#include "objwriter/coff_constants.h"
#include "objwriter/coff_format.h"

using namespace xas;

TEST_CASE("section names beyond the decimal form") {
  const std::string long_name(10000000 - 4 - 1, 'x');
  obj::Object o;
  o.machine = coff::IMAGE_FILE_MACHINE_AMD64;
  o.sections.push_back({.name = long_name});
  o.sections.push_back({.name = ".nine_char"});
  o.sections.push_back({.name = ".eight_c"});
  OutputBuffer out;
  REQUIRE(!obj::write_coff(o, out));
  const auto* headers = reinterpret_cast<const coff::SectionHeader*>(out.data() + sizeof(coff::Header));
  CHECK(std::memcmp(headers[0].Name, "/4\0\0\0\0\0\0", 8) == 0);
  CHECK(std::memcmp(headers[1].Name, "//AAmJaA", 8) == 0);  // 10,000,000
  CHECK(std::memcmp(headers[2].Name, ".eight_c", 8) == 0);
}

TEST_CASE("what COFF can't hold") {
  OutputBuffer out;
  obj::Object o;
  o.sections.push_back({.name = ".text", .align = 16384});
  CHECK(obj::write_coff(o, out)->message ==
        "section .text is aligned to 16384 bytes; COFF sections can be aligned to 8192");
  const obj::Reloc reloc = {0, 0, 65536, 0};
  o.sections[0] = {.name = ".text", .relocs = {&reloc, 1}};
  CHECK(obj::write_coff(o, out)->message ==
        "section .text has a relocation of type 65536; those of COFF go up to 65535");
  o.sections[0] = {.name = ".bss", .flags = coff::IMAGE_SCN_CNT_UNINITIALIZED_DATA, .size = u64(1) << 32};
  CHECK(obj::write_coff(o, out)->message == "section .bss has 4294967296 bytes; COFF sections hold 4294967295");
}
