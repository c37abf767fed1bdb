// SPDX-License-Identifier: Apache-2.0
// String tables: sharing of tails, order, and agreement with a plain reference implementation.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "objwriter/strtab.h"

using namespace xas;
using obj::StringTable;

namespace {

std::string table_of(const std::vector<std::string>& strings, StringTable::Order order,
                     std::vector<u32>* offsets = nullptr) {
  StringTable table;
  for (const std::string& s : strings) table.add(s);
  table.finish(order);
  std::string bytes(table.size(), '?');
  bytes[0] = '\0';  // the start of the table is its user's
  table.write(reinterpret_cast<u8*>(bytes.data()));
  for (u32 i = 0; i < strings.size(); ++i) {
    REQUIRE(table.offset(i) + strings[i].size() < bytes.size());
    CHECK(bytes.c_str() + table.offset(i) == strings[i]);
    if (offsets) offsets->push_back(table.offset(i));
  }
  return bytes;
}

/// The definition: descending by reversed text, each a tail of the last one kept or kept itself.
std::string reference(const std::vector<std::string>& strings, StringTable::Order order) {
  std::set<std::string, std::greater<>> reversed;
  for (std::string s : strings) {
    std::reverse(s.begin(), s.end());
    reversed.insert(s);
  }
  std::vector<std::string> kept;
  for (const std::string& s : reversed)
    if (!s.empty() && (kept.empty() || kept.back().compare(0, s.size(), s) != 0)) kept.push_back(s);
  for (std::string& s : kept) std::reverse(s.begin(), s.end());
  if (order == StringTable::Order::as_added)
    std::sort(kept.begin(), kept.end(), [&](const std::string& a, const std::string& b) {
      return std::find(strings.begin(), strings.end(), a) < std::find(strings.begin(), strings.end(), b);
    });
  std::string bytes(1, '\0');
  for (const std::string& s : kept) bytes += s + '\0';
  return bytes;
}

}  // namespace

TEST_CASE("tails share bytes") {
  using namespace std::string_literals;
  std::vector<u32> offsets;
  CHECK(table_of({".text", ".rela.text", "", "xt", ".data", ".text"}, StringTable::Order::as_added, &offsets) ==
        "\0.rela.text\0.data\0"s);
  CHECK(offsets == std::vector<u32>{6, 1, 0, 9, 12, 6});
  CHECK(table_of({".text", ".rela.text", "", "xt", ".data", ".text"}, StringTable::Order::sorted) ==
        "\0.rela.text\0.data\0"s);
  CHECK(table_of({"b", "a", "c"}, StringTable::Order::sorted) == "\0c\0b\0a\0"s);
  CHECK(table_of({}, StringTable::Order::sorted) == "\0"s);
  CHECK(table_of({"", ""}, StringTable::Order::as_added) == "\0"s);
}

TEST_CASE("string tables agree with the definition") {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    // Few letters make many tails and equal strings; a common tail sends the sort several keys deep.
    std::vector<std::string> strings;
    const std::string tail = round % 3 == 0 ? "" : round % 3 == 1 ? "_tail" : std::string(40, 'x');
    for (unsigned n = random() % (round < 50 ? 300 : 3000); n > 0; --n) {
      std::string s;
      for (unsigned length = random() % (round % 2 ? 4 : 20); length > 0; --length) s += char("ab\xff"[random() % 3]);
      strings.push_back(random() % 5 ? s + tail : s);
    }
    for (auto order : {StringTable::Order::as_added, StringTable::Order::sorted})
      CHECK(table_of(strings, order) == reference(strings, order));
  }
}

TEST_CASE("long strings with a long common tail") {
  std::vector<std::string> strings;
  for (int i = 0; i < 20; ++i) strings.push_back(std::string(1, char('a' + i)) + std::string(1000000, 'x'));
  for (int i = 0; i < 20; ++i) strings.push_back(strings[0]);
  CHECK(table_of(strings, StringTable::Order::sorted).size() == 1 + 20 * 1000002);
}
