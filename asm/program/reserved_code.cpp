// SPDX-License-Identifier: Apache-2.0
// See reserved_code.h.
#include "asm/program/reserved_code.h"

#include <fmt/format.h>

#include "asm/program/streamer.h"

namespace xas {

ReservedCode::Space* ReservedCode::open_in(u32 subsection) {
  for (Space& space : open_)
    if (space.subsection == subsection) return &space;
  return nullptr;
}

void ReservedCode::open_shadow(Streamer& out, u64 bytes, SourceLoc loc) {
  if (bytes == 0) return;
  u32 padding = none;
  if (!out.program.target.pads_shadows_late()) {
    if (!out.start_instruction()) return;
    padding = u32(out.current->fragments.size());
    out.add_fragment(NopsFragment{.bytes = {}, .nop_style = out.program.target.nop_style(), .reserved = true}, loc);
  }
  open_.push_back(
      {out.current->id, false, 0, bytes, out.current->size, u32(out.current->fragments.size()), padding, loc});
  out.watches_labels = watching = true;
}

void ReservedCode::open_patch_point(Streamer& out, u64 id, u64 bytes, SourceLoc loc) {
  open_.push_back({out.current->id, true, id, bytes, out.current->size, u32(out.current->fragments.size()), none, loc});
  out.watches_labels = watching = true;
}

/// Bytes that are missing at `pos`, the last of the code; `counted` bytes behind it count too. What may grow counts in
/// its shortest form.
u64 ReservedCode::missing(const Streamer& out, const Space& space, u64 pos, u64 counted) const {
  const Subsection& sub = out.program.sections.sub(space.subsection);
  u64 used = pos - space.pos + counted;
  for (u32 i = space.fragments; i < sub.fragments.size() && used < space.bytes; ++i) {
    const Fragment& f = sub.fragments[i];
    if (f.kind == FragmentKind::insn) used += out.program.target.relax_size(f.as<InsnFragment>().form, 0);
  }
  return used < space.bytes ? space.bytes - used : 0;
}

void ReservedCode::remove(Streamer& out, const Space& space) {
  const u32 subsection = space.subsection;
  std::erase_if(open_, [&](const Space& s) { return s.subsection == subsection; });
  if (out.current->id == subsection) watching = false;
}

/// At the end of what its subsection has now.
void ReservedCode::close(Streamer& out, Space& space) {
  Subsection& sub = out.program.sections.sub(space.subsection);
  const u64 nops = missing(out, space, sub.size, 0);
  if (space.padding != none) {
    sub.fragments[space.padding].as<NopsFragment>().bytes.constant = i64(nops);
  } else if (nops != 0) {
    out.program.target.write_reserved_nops(sub.reserve(nops), {.size = nops, .gnu = false});
    sub.size += nops;
  }
  remove(out, space);
}

bool ReservedCode::close_shadow(Streamer& out, std::string_view what, SourceLoc loc) {
  Space* const space = watching ? open_in(out.current->id) : nullptr;
  if (!space) return true;
  if (!space->is_patch_point) {
    close(out, *space);
    return true;
  }
  out.program.diags.error(loc, fmt::format("{} inside of a patch point would be overwritten", what));
  out.program.diags.note(space->loc, "the patch point begins here");
  return false;
}

void ReservedCode::close_patch_point(Streamer& out, SourceLoc loc) {
  Space* const space = open_in(out.current->id);
  if (!space || !space->is_patch_point)
    return out.program.diags.error(loc, "there is no patch point that ends here; .patchpoint_begin begins one");
  const Space closed = *space;
  remove(out, closed);
  if (out.current->fragments.size() != closed.fragments) return;  // reported
  const u64 used = out.current->size - closed.pos;
  if (used > closed.bytes) {
    return out.program.diags.error(
        loc, fmt::format("patch point {} has {} bytes, {} are reserved", closed.id, used, closed.bytes));
  }
  const u64 unit = u64(1) << out.program.target.code_log2();
  if (used % unit != 0)
    return out.program.diags.error(
        loc, fmt::format("patch point {} has {} bytes, no multiple of {}", closed.id, used, unit));
  if (used == closed.bytes || !out.start_instruction()) return;
  const u64 nops = closed.bytes - used;
  out.program.target.write_reserved_nops(out.current->reserve(nops), {.size = nops, .gnu = false});
  out.current->size += nops;
}

bool ReservedCode::in_patch_point(const Streamer& out) {
  const Space* const space = open_in(out.current->id);
  return space && space->is_patch_point;
}

void ReservedCode::switched(Streamer& out) { watching = open_in(out.current->id) != nullptr; }

void ReservedCode::finish(Streamer& out) {
  while (!open_.empty()) {
    Space& space = open_.back();
    if (!space.is_patch_point) {
      close(out, space);
    } else {
      out.program.diags.error(space.loc, "this patch point has no .patchpoint_end");
      remove(out, space);
    }
  }
}

ReservedCode::Mark ReservedCode::begin_instruction(const Streamer& out) {
  watching = false;
  return {out.current->size, u32(out.current->fragments.size()), u32(out.current->fixups.size()),
          out.program.symbols.size()};
}

void ReservedCode::end_instruction(Streamer& out, const Mark& mark) {
  Subsection& sub = *out.current;
  Space* const space = open_in(sub.id);
  watching = space != nullptr;
  if (!space) return;
  const bool grows = sub.fragments.size() != mark.fragments;
  if (space->is_patch_point) {
    if (grows)
      out.program.diags.error(out.program.sources.statement_loc(),
                              "an instruction that may still grow has no place inside of a patch point");
    return;
  }
  const u64 size = sub.size - mark.pos;
  if (grows || size == 0 || !out.program.target.is_call(sub.data + mark.pos, unsigned(size))) return;
  if (space->padding != none) {
    sub.fragments[space->padding].as<NopsFragment>().bytes.constant = i64(missing(out, *space, mark.pos, 0));
    return remove(out, *space);
  }
  // The no-ops stand before the call, so that it ends where the shadow does, or behind.
  const u64 nops = missing(out, *space, mark.pos, size);
  remove(out, *space);
  if (nops == 0) return;
  u8* const at = sub.reserve(nops) - size;
  std::memmove(at + nops, at, size);
  out.program.target.write_reserved_nops(at, {.size = nops, .gnu = false});
  sub.size += nops;
  for (u32 i = mark.fixups; i < sub.fixups.size(); ++i) sub.fixups[i].pos += u32(nops);
  for (SymbolId id = mark.symbols; id < out.program.symbols.size(); ++id) {
    Symbol& s = out.program.symbols[id];
    if (s.kind == SymbolKind::label && s.where == sub.id && s.value >= mark.pos) s.value += nops;
  }
}

}  // namespace xas
