// SPDX-License-Identifier: Apache-2.0
// A process may have chosen a locale whose numbers have decimal commas: text means the same in it, and objects are the
// same.
#include <clocale>
#include <cstdio>
#include <cstring>
#include <string>

#include "xas/object.hpp"
#include "xas/xas.hpp"

namespace {

struct Case {
  const char* target;
  const char* text;
};

const Case cases[] = {
    {"aarch64-linux-gnu", "\tfmov d0, #1.5\n\tfmov s1, #-2.25e0\n\tfmov v0.2d, #0.125\n\t.double 1.5\n"},
    {"arm-linux-gnueabihf", "\t.fpu neon\n\tvmov.f64 d0, #1.5\n\tvmov.f32 s0, #0.25\n\t.float 0.1\n"},
    {"x86_64-linux-gnu", "\t.double 1.5, 1e-3\n\t.float 3.25\n\t.long 'a'\n\t.tfloat 2.5\n"},
};

std::string objects() {
  std::string all;
  for (const Case& c : cases) {
    xas::Context context;
    if (!context.option("--target", c.target) || !context.assemble(c.text)) return "?";
    all.append(context.object().begin(), context.object().end());
  }
  return all;
}

}  // namespace

int main() {
  const std::string expected = objects();
  const char* chosen = nullptr;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "xas_comma"})
    if (!chosen && std::setlocale(LC_ALL, name) && std::strcmp(std::localeconv()->decimal_point, ",") == 0)
      chosen = name;
  if (!chosen) {
    std::printf("0 passed, 1 failed\nno locale with decimal commas (LOCPATH)\n");
    return 1;
  }
  const bool same = expected != "?" && objects() == expected;
  std::printf("%d passed, %d failed\n", same, !same);
  return !same;
}
