// Branches that grow: jmp and jcc, two bytes while the distance fits in eight bits.
//
// A form is the number of the row's grown form (the generator counts them), times two, plus one where the long form
// has a 16-bit distance. Prefixes stand in front of the form and are no part of it.
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

const GrownForm& grown(u16 form) { return x86_grown[form >> 1]; }
unsigned distance_size(u16 form) { return form & 1 ? 2 : 4; }

}  // namespace

void X86Target::branch(const Row& row, Statement& s, Emitter& out) {
  const Operand& target = s.ops[0];
  u8* o = out.out;
  const bool small = row.operand_size ? row.operand_size == size_16 : mode_ == 16 && !(s.prefixes & prefix_data);
  if (s.prefixes & prefix_notrack) *o++ = 0x3E;
  if (s.segment_prefix) *o++ = s.segment_prefix == 2 ? 0x2E : 0x3E;
  if ((row.operand_size && small != (mode_ == 16)) || (s.prefixes & prefix_data)) *o++ = 0x66;
  if (s.prefixes & (prefix_bnd | prefix_repne)) *o++ = 0xF2;
  if (s.prefixes & prefix_rep) *o++ = 0xF3;
  if (s.rex) *o++ = u8(0x40 | s.rex);
  if (o != out.out) out.advance(unsigned(o - out.out));
  const u16 form = u16(row.grow * 2 + small);
  if ((s.prefixes & (want_disp8 | want_disp32 | want_disp16)) || options_.relax_all) {
    const u8 state = s.prefixes & want_disp8 ? 0 : 1;
    FieldFixup field = relax_write(form, state, out.out);
    out.fixup(field, target.value, target.where);
    out.advance(relax_size(form, state));
    return;
  }
  out.relaxable(form, target.value, target.where);
}

unsigned X86Target::relax_size(u16 form, u8 state) const {
  return state == 0 ? 2 : (grown(form).map ? 2 : 1) + distance_size(form);
}

RelaxRange X86Target::relax_range(u16, u8 state) const {
  if (state == 0) return {-128 + 2, 127 + 2};
  return {INT64_MIN, INT64_MAX};
}

u8 X86Target::relax_unresolved_state(u16) const { return 1; }

bool X86Target::relax_pcrel(u16) const { return true; }

FieldFixup X86Target::relax_write(u16 form, u8 state, u8* out) const {
  // From a table: putting the structure together byte by byte and loading it whole would stall.
  static constexpr FieldFixup fields[] = {{fixup_branch8, 1, -1},
                                          {fixup_branch32, 1, -4},
                                          {fixup_branch16, 1, -2},
                                          {fixup_branch32, 2, -4},
                                          {fixup_branch16, 2, -2}};
  const GrownForm& g = grown(form);
  if (state == 0) {
    out[0] = g.short_opcode;
    out[1] = 0;
    return fields[0];
  }
  const bool two_bytes = g.map;
  if (two_bytes) *out++ = 0x0F;
  *out++ = g.opcode;
  for (unsigned i = 0; i < distance_size(form); ++i) out[i] = 0;
  return fields[1 + 2 * two_bytes + (form & 1)];
}

}  // namespace xas::x86
