// A section's final bytes: runs of fixed bytes, copied once, and between them the fragments, written in their final form.
#include <algorithm>
#include <cstring>

#include "asm/object/emit.h"
#include "asm/program/frame_text.h"
#include "asm/program/leb128.h"

namespace xas {

namespace {

/// Repeats the low `size` bytes of `pattern`; what is left over is zero.
void write_pattern(u8* out, u64 n, u64 pattern, unsigned size, bool big_endian) {
  if (size <= 1) return void(std::memset(out, int(pattern & 0xff), n));
  u8 unit[8];
  for (unsigned i = 0; i < size; ++i) unit[big_endian ? size - 1 - i : i] = u8(i < 8 ? pattern >> (8 * i) : 0);
  for (; n >= size; n -= size, out += size) std::memcpy(out, unit, size);
  std::memset(out, 0, n);
}

class Writer {
 public:
  Writer(Program& program, const Section& section) : program_(program), code_(section.is_code()) {}

  u8* subsection(const Subsection& sub, u8* out) {
    u64 done = 0;
    for (const Fragment& f : sub.fragments) {
      if (f.pos != done) std::memcpy(out, sub.data + done, f.pos - done);
      out += f.pos - done;
      done = f.pos;
      if (f.size) fragment(f, sub.offset(f), out);
      out += f.size;
    }
    if (sub.size != done) std::memcpy(out, sub.data + done, sub.size - done);
    return out + (sub.size - done);
  }

 private:
  void fragment(const Fragment& f, u64 place, u8* out) {
    switch (f.kind) {
      case FragmentKind::insn: insn(f, place, out); break;
      case FragmentKind::align:
        if (f.fill_size == 0) {
          nops(out, f.size, u16(f.fill));
        } else {
          write_pattern(out, f.size, u64(f.constant), f.fill_size, program_.info.big_endian);
        }
        break;
      case FragmentKind::org: std::memset(out, int(f.fill), f.size); break;
      case FragmentKind::fill:
        if (f.form == codeview_form) {
          std::memcpy(out, program_.codeview.pieces[f.fill].bytes.data(), f.size);
          break;
        }
        write_pattern(out, f.size, f.fill, f.fill_size, program_.info.big_endian);
        break;
      case FragmentKind::leb: {
        const bool known = f.add == no_symbol && f.sub == no_symbol;
        const i64 number = known ? f.constant : program_.resolve(value(f)).value;
        if (f.state == leb_is_advance)
          write_advance(out, number, f.size, program_.info.big_endian);
        else write_leb128(out, u64(number), f.state, f.size);
        break;
      }
      case FragmentKind::padding:
        if (f.form == padding_nops) {
          program_.target.write_nops(out, {.size = f.size, .gnu = program_.profile.gnu_target, .style = u16(f.fill)});
        } else {
          std::memset(out, f.fill_size, f.size);
        }
        break;
      case FragmentKind::nops:
        program_.target.write_nops(
            out, {.size = f.size, .gnu = program_.profile.gnu_target, .style = f.form, .longest = f.fill});
        break;
      case FragmentKind::prefalign:
        if (f.fill_size == 0) {
          program_.target.write_nops(out, {.size = f.size, .gnu = false, .style = u16(f.fill)});
        } else {
          std::memset(out, int(f.fill), f.size);
        }
        break;
    }
  }

  static Value value(const Fragment& f) { return {.constant = f.constant, .add = f.add, .sub = f.sub}; }

  /// Layout or Fixups::branch has left the target in the fragment.
  void insn(const Fragment& f, u64 place, u8* out) {
    if (f.has_target && program_.target.relax_write_known(f.form, f.state, i32(f.sub), out)) return;
    const FieldFixup field = program_.target.relax_write(f.form, f.state, out);
    if (f.fill_size && program_.info.elf.rela) return;
    i64 v = f.has_target ? i64(place) + i32(f.sub) : f.constant;
    const u64 at = place + field.at;
    const u64 from = program_.target.fixup_info(field.kind).aligned ? at & ~u64(3) : at;
    if (!f.fill_size) v += field.addend - (program_.target.relax_pcrel(f.form) ? i64(from) : 0);
    std::string error = program_.target.apply(field.kind, u16(f.fill), v, out + field.at);
    if (!error.empty()) program_.diags.error(f.loc, std::move(error));
  }

  void nops(u8* out, u64 n, u16 style) {
    if (n == 0) return;
    if (!code_) return void(std::memset(out, 0, n));
    program_.target.write_nops(out, {.size = n, .gnu = program_.profile.gnu_target, .style = style});
  }

  Program& program_;
  bool code_;
};

}  // namespace

void borrow_contents(Program& program, u32 index, const ObjectStorage& storage, obj::Contents& contents) {
  const Subsection& only = program.sections.sub(program.sections[index].first);
  if (only.next == ~u32(0) && only.fragments.empty()) {
    contents.data = only.data;
  } else {
    contents.write = write_contents;
  }
  contents.producer = &storage;
  contents.id = index;
}

void write_contents(const void* producer, u32 index, u8* out) {
  Program& program = *static_cast<const ObjectStorage*>(producer)->program;
  const Section& section = program.sections[index];
  Writer writer(program, section);
  for (u32 id = section.first; id != ~u32(0); id = program.sections.sub(id).next)
    out = writer.subsection(program.sections.sub(id), out);
}

}  // namespace xas
