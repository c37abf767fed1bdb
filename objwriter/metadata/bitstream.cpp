// SPDX-License-Identifier: Apache-2.0
// What reader and writer of bitstreams share: scopes of abbreviations, and what a definition may be.
#include <fmt/format.h>

#include "xas/bitstream.hpp"

namespace xas::bitstream {

unsigned char6_value(u64 c) {
  if (c >= 'a' && c <= 'z') return unsigned(c - 'a');
  if (c >= 'A' && c <= 'Z') return unsigned(c - 'A' + 26);
  if (c >= '0' && c <= '9') return unsigned(c - '0' + 52);
  return c == '.' ? 62 : c == '_' ? 63 : 64;
}

std::string operand_text(std::span<const Operand> operands, std::size_t i) {
  const Operand& operand = operands[i];
  switch (operand.kind) {
    case Operand::Kind::literal: return fmt::format("{}", operand.value);
    case Operand::Kind::fixed: return fmt::format("fixed({})", operand.value);
    case Operand::Kind::vbr: return fmt::format("vbr({})", operand.value);
    case Operand::Kind::char6: return "char6";
    case Operand::Kind::blob: return "blob";
    case Operand::Kind::array: break;
  }
  return "array";
}

namespace detail {

Scope& Scopes::enter(u64 block, unsigned width) {
  Scope scope;
  scope.block = block;
  scope.width = width;
  // A BLOCKINFO block replaces all earlier ones.
  if (block == BLOCKINFO) block_info_.clear();
  if (const auto info = block_info_.find(block); info != block_info_.end()) scope.inherited = info->second;
  scopes_.push_back(std::move(scope));
  return scopes_.back();
}

const Abbreviation* Scopes::find(u64 number) const {
  if (number < first_abbreviation) return nullptr;
  const Scope& scope = current();
  u64 i = number - first_abbreviation;
  const u64 inherited = scope.inherited ? scope.inherited->size() : 0;
  if (i < inherited) return &(*scope.inherited)[i];
  i -= inherited;
  return i < scope.own.size() ? &scope.own[i] : nullptr;
}

std::string Scopes::unknown(u64 number) const {
  const Scope& scope = current();
  const u64 known = (scope.inherited ? scope.inherited->size() : 0) + scope.own.size();
  const std::string which = depth() ? fmt::format("in block {}", scope.block) : std::string("outside of all blocks");
  if (known == 0) return fmt::format("abbreviation {} is not defined {} (there is none)", number, which);
  if (known == 1) return fmt::format("abbreviation {} is not defined {} (known: 4)", number, which);
  return fmt::format("abbreviation {} is not defined {} (known: 4 to {})", number, which, known + 3);
}

bool Scopes::define(Abbreviation abbreviation) {
  Scope& scope = current();
  if (depth() == 0 || scope.block != BLOCKINFO) {
    scope.own.push_back(std::move(abbreviation));
    return true;
  }
  if (!scope.described) return false;
  auto& info = block_info_[*scope.described];
  if (!info) info = std::make_shared<std::vector<Abbreviation>>();
  info->push_back(std::move(abbreviation));
  return true;
}

void Scopes::note_record(u64 code, std::span<const u64> values) {
  Scope& scope = current();
  if (depth() && scope.block == BLOCKINFO && code == SETBID && !values.empty()) scope.described = values[0];
}

std::string check_operands(std::span<const Operand> operands) {
  if (operands.empty()) return "an abbreviation has at least one operand, for the record's code";
  for (const Operand& operand : operands) {
    const bool is_vbr = operand.kind == Operand::Kind::vbr;
    if (is_vbr && operand.value == 1) return "vbr(1) would never end: a width is 0, or 2 to 32";
    if ((is_vbr || operand.kind == Operand::Kind::fixed) && operand.value > max_width) {
      return fmt::format("{}: a width is {} to 32", operand_text({&operand, 1}, 0), is_vbr ? "0, or 2" : "0");
    }
  }
  return {};
}

std::string check_usable(std::span<const Operand> operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_array = operands[i].kind == Operand::Kind::array;
    if (!is_array && operands[i].kind != Operand::Kind::blob) continue;
    if (i == 0) return fmt::format("{} cannot be a record's code", is_array ? "an array" : "a blob");
    if (!is_array) return i + 1 == operands.size() ? "" : "a blob is an abbreviation's last operand";
    if (i + 1 == operands.size()) return "an array without an element";
    const Operand::Kind element = operands[i + 1].kind;
    if (element == Operand::Kind::array || element == Operand::Kind::blob) {
      return fmt::format("an array's element is a literal, fixed, vbr or char6, not {}",
                         element == Operand::Kind::blob ? "a blob" : "an array");
    }
    return i + 2 == operands.size() ? "" : "an array is an abbreviation's last operand";
  }
  return {};
}

}  // namespace detail
}  // namespace xas::bitstream
