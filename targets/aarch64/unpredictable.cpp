// SPDX-License-Identifier: Apache-2.0
// Registers that must differ, which rows and their mnemonics say (`clash` in facts.isa), and what may follow movprfx.
// Of movprfx GNU as warns, where LLVM's assembler gives errors; only those are given here.
#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"

namespace xas::aarch64 {

/// False if registers clash that must differ.
bool AArch64Target::distinct(const Row& row, u32 word, const char* where, Emitter& out) const {
  const Facts& facts = facts_of(row);
  for (const ClashUse* use = a64_clash_uses + facts.clashes; use != a64_clash_uses + facts.clashes + facts.clash_count;
       ++use) {
    if (!clashes(a64_clash_tests + use->tests, word)) continue;
    const Clash& clash = a64_clashes[use->clash];
    const bool is_error = (options_.gnu ? clash.gnu : clash.llvm) == Severity::error;
    if (is_error) out.error(where, std::string(clash.message));
    else out.warning(where, std::string(clash.message));
    return !is_error;
  }
  return true;
}

/// Why the row may not follow the movprfx before it; empty if it may.
std::string_view AArch64Target::misplaced(const Row& row, const Operands& o) const {
  if (row.prefix == prefix_none || row.prefix >= prefix_itself)
    return "instruction is unpredictable when following a movprfx, suggest replacing movprfx with mov";
  if (o.value[0] != follows_.destination)
    return "instruction is unpredictable when following a movprfx writing to a different destination";
  // The destination again, other than where it stands for itself.
  for (unsigned i = 1; i < o.count; ++i) {
    const Atom a = o.atom(i);
    const bool vector = (a >= atom_z && a < atom_p) || (a >= atom_b && a < atom_write);
    if (!vector || o.value[i] != follows_.destination) continue;
    bool tied = false;
    for (const Field* f = a64_fields + row.fields; f != a64_fields + row.fields + row.field_count; ++f)
      tied |= f->atom == i && a64_encoders[f->encoder].encoding == enc_same && a64_encoders[f->encoder].low == 0;
    if (!tied)
      return "instruction is unpredictable when following a movprfx and destination also used as non-destructive "
             "source";
  }
  if (follows_.element == prefix_plain) return {};
  if (row.prefix == prefix_plain)
    return "instruction is unpredictable when following a predicated movprfx, suggest using unpredicated movprfx";
  if (o.value[1] != follows_.predicate)
    return "instruction is unpredictable when following a predicated movprfx using a different general predicate";
  if (row.prefix != follows_.element)
    return "instruction is unpredictable when following a predicated movprfx with a different element size";
  return {};
}

/// Checks beside the form itself; false after an error.
bool AArch64Target::allowed(const Row& row, const Operands& o, u32 word, const char* where, Emitter& out) {
  if ((row.flags & row_distinct) && !distinct(row, word, where, out)) return false;
  if (options_.gnu) return true;
  const bool anywhere = row.prefix == prefix_anywhere;
  repeats_ = (row.prefix == prefix_none || anywhere) && !follows_.active;
  const std::string_view message = follows_.active && !anywhere ? misplaced(row, o) : std::string_view();
  follows_.active = row.prefix == prefix_itself;
  out.block = follows_.active ? Emitter::other_block : 0;
  if (follows_.active) {
    const bool predicated = o.count == 3;
    follows_.destination = u8(o.value[0]);
    follows_.predicate = predicated ? u8(o.value[1]) : 0;
    follows_.element = predicated ? Prefix(prefix_b + (o.atom(0) - atom_z_b)) : prefix_plain;
  }
  if (message.empty()) return true;
  out.error(where, std::string(message));
  return false;
}

}  // namespace xas::aarch64
