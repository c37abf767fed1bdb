// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/instructions/agreement.h"

#include <algorithm>

namespace xas::corpus {

namespace {

// A row is the form's hash (upper half first), what most of its lines come to with the number of exceptions to it, and
// the ids of these exceptions, first those to what GNU as does, then those to what llvm-mc does.
constexpr u32 gnu_bit = 1u << 31, llvm_bit = 1u << 30;
constexpr unsigned gnu_shift = 15;
constexpr u32 count_mask = (1u << 15) - 1;
constexpr std::size_t row_head = 3;

u32 count_of(u32 head, bool llvm) { return (llvm ? head : head >> gnu_shift) & count_mask; }

constexpr u32 x86_64_att[] = {
#include "asm/corpus/instructions/agreement/x86_64_att.inc"
};
constexpr u32 x86_64_intel[] = {
#include "asm/corpus/instructions/agreement/x86_64_intel.inc"
};
constexpr u32 i386_att[] = {
#include "asm/corpus/instructions/agreement/i386_att.inc"
};
constexpr u32 i386_intel[] = {
#include "asm/corpus/instructions/agreement/i386_intel.inc"
};
constexpr u32 x86_16_att[] = {
#include "asm/corpus/instructions/agreement/x86_16_att.inc"
};
constexpr u32 x86_16_intel[] = {
#include "asm/corpus/instructions/agreement/x86_16_intel.inc"
};
constexpr u32 aarch64[] = {
#include "asm/corpus/instructions/agreement/aarch64.inc"
};
constexpr u32 arm[] = {
#include "asm/corpus/instructions/agreement/arm.inc"
};
constexpr u32 thumb[] = {
#include "asm/corpus/instructions/agreement/thumb.inc"
};

std::span<const u32> table_of(const Request& request) {
  const bool intel = request.syntax == Syntax::intel;
  switch (request.machine) {
    case Machine::x86_64: return intel ? std::span<const u32>(x86_64_intel) : x86_64_att;
    case Machine::i386: return intel ? std::span<const u32>(i386_intel) : i386_att;
    case Machine::x86_16: return intel ? std::span<const u32>(x86_16_intel) : x86_16_att;
    case Machine::aarch64: return aarch64;
    case Machine::arm: return arm;
    case Machine::thumb: return thumb;
  }
  return {};
}

}  // namespace

AgreementTable::AgreementTable(const Request& request)
    : known_(request.values != Values::random && !request.llvm && !request.invalid && !request.all_encodings) {
  if (!known_) return;
  const std::span<const u32> table = table_of(request);
  for (std::size_t i = 0; i + row_head <= table.size();) {
    const u32 head = table[i + 2];
    rows_.emplace(u64(table[i]) << 32 | table[i + 1], &table[i + 2]);
    i += row_head + count_of(head, false) + count_of(head, true);
  }
}

Agreement AgreementTable::find(u64 form, u64 line) const {
  if (!known_) return {};
  const auto found = rows_.find(form);
  if (found == rows_.end()) return {true, true, true};
  const u32 head = *found->second, by_gnu = count_of(head, false), by_llvm = count_of(head, true);
  const std::span<const u32> exceptions(found->second + 1, by_gnu + by_llvm);
  auto excepted = [&](std::span<const u32> ids) { return std::find(ids.begin(), ids.end(), line >> 32) != ids.end(); };
  return {bool(head & gnu_bit) != excepted(exceptions.first(by_gnu)),
          bool(head & llvm_bit) != excepted(exceptions.subspan(by_gnu)), true};
}

void AgreementRow::write(u64 form, Output& out) const {
  u32 head = 0;
  std::vector<u32> ids;
  for (const bool llvm : {false, true}) {
    auto agrees = [&](const Line& line) { return llvm ? line.agreement.by_llvm : line.agreement.by_gnu; };
    const std::size_t count = std::size_t(std::count_if(lines_.begin(), lines_.end(), agrees));
    const bool most = count * 2 >= lines_.size();
    head |= u32(most ? lines_.size() - count : count) << (llvm ? 0 : gnu_shift);
    if (most) head |= llvm ? llvm_bit : gnu_bit;
    for (const Line& line : lines_)
      if (agrees(line) != most) ids.push_back(line.id);
  }
  if (head == (gnu_bit | llvm_bit)) return;
  out.print("{:#x}, {:#x}, {:#x},", form >> 32, form & 0xFFFFFFFF, head);
  for (const u32 id : ids) out.print(" {:#x},", id);
  out.print("\n");
}

}  // namespace xas::corpus
