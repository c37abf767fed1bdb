// SPDX-License-Identifier: Apache-2.0
// Prints docs/directives.md from the tables of directives; a test compares it with the file.
//
//     build/test/tests/directives_doc > docs/directives.md
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "asm/directives/codeview.h"
#include "asm/directives/debug.h"
#include "asm/directives/topics.h"

namespace {

void topic(const char* title, std::span<const xas::Directive> directives) {
  std::vector<std::string> names, ignored, refused;
  for (const xas::Directive& d : directives) {
    auto& list = d.handler == xas::directive_ignore ? ignored
                 : d.handler == xas::directive_mach_o || d.handler == xas::directive_cfi_compact ? refused
                                                                                                : names;
    list.push_back("`" + std::string(d.name) + "`");
  }
  std::printf("\n## %s\n", title);
  const auto print = [](const char* introduction, std::vector<std::string>& list) {
    if (list.empty()) return;
    std::sort(list.begin(), list.end());
    std::printf("\n%s", introduction);
    std::size_t column = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool last = i + 1 == list.size();
      if (column && column + list[i].size() + 2 > 118) std::printf("\n"), column = 0;
      column += std::size_t(std::printf("%s%s%s", column ? " " : "", list[i].c_str(), last ? "" : ","));
    }
    std::printf("\n");
  };
  print("", names);
  print("Read without effect, as in the assembler that knows them:\n", ignored);
  print("Known, and refused in ELF objects of these targets:\n", refused);
}

}  // namespace

int main() {
  std::printf(
      "# Directives\n\n"
      "Made from the tables in asm/directives/ by tests/directives_doc.cpp; a test fails when it is not. Names may be "
      "written\n"
      "in upper case too. What the two reference assemblers do differently is in [differences.md](differences.md).\n");
  topic("Data", xas::data_directives);
  topic("Floating point", xas::float_directives);
  topic("Sections", xas::section_directives);
  topic("Symbols", xas::symbol_directives);
  topic("Macros and loops", xas::macro_directives);
  topic("Conditionals", xas::conditional_directives);
  topic("Call frame information", xas::cfi_directives);
  topic("Line tables", xas::dwarf_directives);
  topic("CodeView", xas::codeview_directives);
  topic("Stack maps", xas::stack_map_directives);
  topic("Bitstreams", xas::bitstream_directives);
  topic("Others", xas::misc_directives);
  std::printf("\nTargets have directives of their own (targets/*/directives.cpp), and so have COFF objects\n"
              "(asm/directives/coff.h).\n");
}
