// SPDX-License-Identifier: Apache-2.0
// isagen: instruction tables (targets/*/*.isa) to constexpr arrays. Built and run before everything else.
//
//   isagen x86|aarch64|arm OUT.inc OUT.h FILES...  reads, type-checks and writes arrays and the public header; nothing
//                                                  is written when a table has a mistake
//   isagen --self-test                             shows the checker tables with one mistake each
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "targets/isagen/a64_table.h"
#include "targets/isagen/arm_table.h"
#include "targets/isagen/x86_table.h"

using namespace xas::isagen;

namespace {

int report(const std::vector<TableError>& errors) {
  for (const TableError& e : errors) fmt::print(stderr, "{}:{}: error: {}\n", e.file, e.line, e.message);
  return errors.empty() ? 0 : 1;
}

struct Outputs {
  std::string arrays, header;
};

/// What is written; empty if a table has a mistake.
template <class Table>
Outputs outputs_of(Table table, void (*check_reachable)(Table&), std::string (*write)(const Table&),
                   std::string (*write_header)(const Table&)) {
  if (table.errors.empty()) check_reachable(table);
  if (report(table.errors)) return {};
  return {write(table), write_header(table)};
}

bool write_file(const char* path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) fmt::print(stderr, "isagen: cannot write {}\n", path);
  return bool(out);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--self-test") == 0)
    return self_test() + a64::self_test() + arm::self_test() ? 1 : 0;
  const std::string_view target = argc > 1 ? argv[1] : "";
  if (argc < 5 || (target != "x86" && target != "aarch64" && target != "arm")) {
    fmt::print(stderr, "usage: isagen x86|aarch64|arm OUT.inc OUT.h FILES... | isagen --self-test\n");
    return 2;
  }
  std::vector<SourceText> files;
  for (int i = 4; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    if (!in) {
      fmt::print(stderr, "isagen: cannot read {}\n", argv[i]);
      return 1;
    }
    std::stringstream text;
    text << in.rdbuf();
    files.push_back({argv[i], text.str()});
  }
  const Outputs outputs = target == "x86" ? outputs_of(read_x86(files), check_reachable, write_x86, write_x86_header)
                          : target == "arm"
                              ? outputs_of(arm::read(files), arm::check_reachable, arm::write, arm::write_header)
                              : outputs_of(a64::read(files), a64::check_reachable, a64::write, a64::write_header);
  if (outputs.arrays.empty() || outputs.header.empty()) return 1;
  return write_file(argv[2], outputs.arrays) && write_file(argv[3], outputs.header) ? 0 : 1;
}
