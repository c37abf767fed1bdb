// SPDX-License-Identifier: Apache-2.0
// Forms that LLVM's description of its extensions has and its assembler does not: the same object as with the forms
// that it does take, whose objects tests/coff/ compares.
#include <doctest/doctest.h>

#include <string>

#include "xas/xas.hpp"

namespace {

std::string object_of(const std::string& tables) {
  xas::Context context;
  REQUIRE(context.option("--target=x86_64-windows-msvc"));
  const std::string text =
      "\t.cv_file 1 \"a.c\"\n\t.cv_func_id 0\n\t.cv_inline_site_id 1 within 0 inlined_at 1 1\n"
      "f:\t.cv_loc 0 1 3\n\tnop\n\t.cv_loc 1 1 5\n\tnop\ne:\n\t.section .debug$S,\"dr\"\n" +
      tables;
  REQUIRE_MESSAGE(context.assemble(text), context.text());
  return {context.object().begin(), context.object().end()};
}

}  // namespace

TEST_CASE(".cv_inline_linetable with a comma") {
  CHECK(object_of("\t.cv_inline_linetable 1, 1 2 f e\n") == object_of("\t.cv_inline_linetable 1 1 2 f e\n"));
}

TEST_CASE(".cv_def_range with the bytes of the record") {
  CHECK(object_of("\t.cv_def_range f e, \"A\\021\\021\\000\\000\\000\"\n") ==
        object_of("\t.cv_def_range f e, reg, 17\n"));
}
