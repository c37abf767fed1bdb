// SPDX-License-Identifier: Apache-2.0
// What the tables say that x86 instructions do, for some of each kind: the manuals' words, and the order of operands.
#include <doctest/doctest.h>

#include <string>

#include "targets/x86/tables.h"

using namespace xas;
using namespace xas::x86;

namespace {

/// The facts of the first row of an AT&T mnemonic that has so many operands and takes memory or not.
const Facts& facts_of_first(std::string_view name, unsigned operands, bool memory = false) {
  const Spelling* spelling = find_spelling(name, hash_name(name));
  REQUIRE(spelling);
  for (unsigned i = 0; i < spelling->count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling->first + i]];
    bool takes_memory = false;
    for (unsigned k = 0; k < row.count; ++k)
      takes_memory |= (x86_kinds[row.kind[k]][space_other] & class_bit("m32")) != 0;
    if (row.count == operands && (takes_memory || !memory)) return facts_of(row);
  }
  FAIL("no such row");
  return x86_facts[0];
}

u16 flags(std::string_view letters) {
  u16 bits = 0;
  for (char c : letters) bits = u16(bits | flag_bit(c));
  return bits;
}

constexpr u8 read_write = access_read | access_write;

}  // namespace

TEST_CASE("x86: access to operands stands in AT&T's order") {
  const Facts& add = facts_of_first("addl", 2);
  CHECK(add.access(0) == access_read);
  CHECK(add.access(1) == read_write);
  CHECK(facts_of_first("cmpl", 2).access(1) == access_read);
  CHECK(facts_of_first("movl", 2).access(1) == access_write);
  CHECK(facts_of_first("leal", 2).access(0) == access_none);
  CHECK(facts_of_first("xchgl", 2, true).access(0) == read_write);
  CHECK(facts_of_first("vaddps", 3).access(2) == access_write);
  CHECK(facts_of_first("vfmadd231ps", 3).access(2) == read_write);
  CHECK(facts_of_first("sqrtss", 2).access(1) == (access_write | access_keep));
  const Facts& mulx = facts_of_first("mulxl", 3);
  CHECK(mulx.access(0) == access_read);
  CHECK(mulx.access(1) == access_write);
  CHECK(mulx.access(2) == access_write);
}

TEST_CASE("x86: implied registers and memory") {
  CHECK(facts_of_first("cpuid", 0).reads == (resource_ax | resource_cx));
  CHECK(facts_of_first("cpuid", 0).writes == (resource_ax | resource_bx | resource_cx | resource_dx));
  CHECK(facts_of_first("mull", 1).writes == (resource_ax | resource_dx));
  CHECK(facts_of_first("mulb", 1).writes == resource_ax);
  CHECK(facts_of_first("pushq", 1).writes == (resource_sp | resource_mem));
  CHECK(facts_of_first("popq", 1).reads == (resource_sp | resource_mem));
  CHECK(facts_of_first("movsb", 0).reads == (resource_si | resource_di | resource_mem));
  CHECK(facts_of_first("smovb", 2).es_operand == 1);
  CHECK(facts_of_first("cmpsb", 2).es_operand == 0);
  CHECK(facts_of_first("lodsb", 1).es_operand == no_operand);
  CHECK(facts_of_first("blendvps", 2).reads == resource_xmm0);
  CHECK(facts_of_first("blendvps", 3).reads == 0);
}

TEST_CASE("x86: flags, by the members of families too") {
  const Facts& adc = facts_of_first("adcl", 2);
  CHECK(adc.flags_read == flags("C"));
  CHECK(adc.flags_written == flags("OSZAPC"));
  const Facts& and_ = facts_of_first("andl", 2);
  CHECK(and_.flags_cleared == flags("OC"));
  CHECK(and_.flags_undefined == flags("A"));
  CHECK(facts_of_first("incl", 1).flags_written == flags("OSZAP"));
  CHECK(facts_of_first("stc", 0).flags_set == flags("C"));
  CHECK(facts_of_first("jbe", 1).flags_read == flags("CZ"));
  CHECK(facts_of_first("setg", 1).flags_read == flags("OSZ"));
  CHECK(facts_of_first("cmovnpl", 2).flags_read == flags("P"));
  CHECK(facts_of_first("loop", 1).flags_read == 0);
  CHECK(facts_of_first("loopne", 1).flags_read == flags("Z"));
}

TEST_CASE("x86: branches and fusing") {
  CHECK(facts_of_first("jne", 1).branch == Branch::jcc);
  CHECK(facts_of_first("jecxz", 1).branch == Branch::loop);
  CHECK(facts_of_first("call", 1).branch == Branch::call);
  CHECK(facts_of_first("lret", 0).branch == Branch::ret_far);
  CHECK(facts_of_first("addl", 2).branch == Branch::none);
  CHECK(facts_of_first("testl", 2).fuses == fuse_all);
  CHECK(facts_of_first("subl", 2).fuses == fuse_cmp);
  CHECK(facts_of_first("decl", 1).fuses == fuse_inc);
  CHECK(facts_of_first("orl", 2).fuses == fuse_none);
}
