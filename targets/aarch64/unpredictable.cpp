// Instructions whose registers must differ, and what may follow movprfx.
//
// The architecture says "constrained unpredictable" of a load that writes its own base back, a pair loaded into one
// register, a store-exclusive that reports into a register it uses: LLVM's assembler rejects them, GNU as warns. Memory
// copies with equal registers both reject. Of movprfx GNU as warns too, where LLVM's assembler gives errors; only those
// are given here.
#include <fmt/format.h>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"

namespace xas::aarch64 {

namespace {

struct Registers {
  u32 t, n, t2, s;  ///< as the encodings have them: bits 0, 5, 10 and 16
  explicit Registers(u32 word) : t(word & 31), n(word >> 5 & 31), t2(word >> 10 & 31), s(word >> 16 & 31) {}
};

constexpr u32 no_base = 31;  ///< the stack pointer, which is no other register

/// cpy and set: all registers differ.
std::string_view memory_operation(u32 word) {
  const Registers r(word);
  const bool is_copy = (word >> 22 & 3) != 3;
  const bool is_option = !(word & 0x00000C00);  // setgo has no source
  if (is_copy) {
    if (r.t == r.s) return "invalid CPY instruction, destination and source registers are the same";
    if (r.t == r.n) return "invalid CPY instruction, destination and size registers are the same";
    if (r.s == r.n) return "invalid CPY instruction, source and size registers are the same";
    return {};
  }
  if (r.t == r.n) return "invalid SET instruction, destination and size registers are the same";
  if (is_option) return {};
  if (r.t == r.s) return "invalid SET instruction, destination and source registers are the same";
  if (r.s == r.n) return "invalid SET instruction, source and size registers are the same";
  return {};
}

/// Store-exclusive: the status register is none of those it uses.
std::string_view store_exclusive(u32 word) {
  const Registers r(word);
  const bool pair = word & 0x00200000;
  if (r.s == r.t || (pair && r.s == r.t2) || (r.s == r.n && r.n != no_base))
    return pair ? "unpredictable STXP instruction, status is also a source"
                : "unpredictable STXR instruction, status is also a source";
  return {};
}

/// ldp, stp and their kin. Vector registers are no bases.
std::string_view pair(u32 word) {
  const Registers r(word);
  const bool load = word & 0x00400000, vector = word & 0x04000000;
  const u32 mode = word >> 23 & 3;  // 1: behind, 2: offset, 3: in front
  const bool write_back = mode & 1;
  const bool signed_words = word >> 30 == 1;
  const bool base_unseen = signed_words && mode == 1;  // by LLVM's assembler
  if (write_back && !base_unseen && !vector && r.n != no_base && (r.n == r.t || r.n == r.t2))
    return load ? "unpredictable LDP instruction, writeback base is also a destination"
                : "unpredictable STP instruction, writeback base is also a source";
  // One register twice; LLVM's assembler does not look at all forms.
  const bool unseen = write_back && !vector && !base_unseen;
  if (load && r.t == r.t2 && !unseen) return "unpredictable LDP instruction, Rt2==Rt";
  return {};
}

/// ldr, str with write-back.
std::string_view write_back(u32 word) {
  const Registers r(word);
  if (r.n != r.t || r.n == no_base) return {};
  return word & 0x00C00000 ? "unpredictable LDR instruction, writeback base is also a source"
                           : "unpredictable STR instruction, writeback base is also a source";
}

std::string_view clash(u32 word) {
  if ((word & 0x3B000C00) == 0x19000400 || (word & 0xFFFF0C00) == 0x1DDF0000) return memory_operation(word);
  if ((word & 0x3F400000) == 0x08000000) return store_exclusive(word);
  if ((word & 0x3A000000) == 0x28000000) return pair(word);
  if ((word & 0xFF200C00) == 0xF8200C00) {
    const Registers r(word);
    if (r.t == r.n && r.n != no_base) return "unpredictable LDRA instruction, writeback base is also a destination";
    return {};
  }
  return write_back(word);
}

}  // namespace

/// False if the row's registers clash; for GNU as that is mostly a warning.
bool AArch64Target::distinct(u32 word, const char* where, Emitter& out) const {
  const std::string_view message = clash(word);
  if (message.empty()) return true;
  if (options_.gnu && !message.starts_with("invalid")) {
    out.warning(where, std::string(message));
    return true;
  }
  out.error(where, std::string(message));
  return false;
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
  if ((row.flags & row_distinct) && !distinct(word, where, out)) return false;
  if (options_.gnu) return true;
  repeats_ = row.prefix == prefix_none && !follows_.active;
  const bool stops = (word & 0xFFE0001F) == 0xD4400000 || (word & 0xFFE0001F) == 0xD4200000;  // hlt, brk: debuggers'
  const std::string_view message = follows_.active && !stops ? misplaced(row, o) : std::string_view();
  follows_.active = row.prefix == prefix_itself;
  if (follows_.active) {
    const bool predicated = o.count == 3;
    follows_.destination = u8(o.value[0]);
    follows_.predicate = predicated ? u8(o.value[1]) : 0;
    follows_.element = predicated ? Prefix(prefix_b + (word >> 22 & 3)) : prefix_plain;
  }
  if (message.empty()) return true;
  out.error(where, std::string(message));
  return false;
}

}  // namespace xas::aarch64
