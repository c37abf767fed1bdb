// Call frame information while it is collected: the instructions of the frames that are open.
#include "asm/program/frames.h"

#include "asm/program/streamer.h"

namespace xas {

CfiInsn& add_cfi_insn(Streamer& out, CfiFrame& frame, CfiOp op, u32 reg, i64 offset, u32 extra) {
  BigVector<CfiInsn>& insns = out.program.cfi.insns;
  const u32 index = u32(insns.size());
  (frame.last_insn == no_insn ? frame.first_insn : insns[frame.last_insn].next) = index;
  frame.last_insn = index;
  make_room(insns);
  return insns.emplace_back(CfiInsn{.pos = u32(out.current->size),
                                    .fragment = u32(out.current->fragments.size()),
                                    .next = no_insn,
                                    .reg = reg,
                                    .offset = offset,
                                    .extra = extra,
                                    .op = op});
}

void note_empty_alignment(Streamer& out) {
  const u32 id = out.current->id;
  const u32 open = id < out.program.cfi.open_in.size() ? out.program.cfi.open_in[id] : 0;
  if (!open || !out.program.profile.rules_in_cie) return;
  const CfiFrame& frame = out.program.cfi.frames[open - 1];
  if (out.current->size == frame.start_pos && out.current->fragments.size() == frame.start_fragment)
    add_cfi_insn(out, out.program.cfi.frames[open - 1], CfiOp::place);
}

void check_frames_closed(Streamer& out, SourceLoc end) {
  for (const CfiFrame& f : out.program.cfi.frames) {
    if (f.closed) continue;
    out.program.diags.error(out.program.profile.reports_open_at_end ? end : f.loc,
                            "this frame description is never closed; .cfi_endproc closes it");
  }
}

}  // namespace xas
