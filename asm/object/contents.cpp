// SPDX-License-Identifier: Apache-2.0
// A section's final bytes: runs of fixed bytes, copied once, and between them the fragments, written in their final
// form.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "asm/object/emit.h"
#include "asm/program/frame_text.h"
#include "objwriter/endian.h"
#include "xas/leb128.hpp"

namespace xas {

namespace {

/// Repeats the low `size` bytes of `pattern`; what is left over is zero.
void write_pattern(u8* out, u64 n, u64 pattern, unsigned size, bool big_endian) {
  if (size <= 1 || pattern == 0) return void(std::memset(out, int(pattern & 0xff), n));  // zeros may be wider than 8
  u8 unit[8];
  store_int(unit, pattern, size, big_endian);
  for (; n >= size; n -= size, out += size) std::memcpy(out, unit, size);
  std::memset(out, 0, n);
}

class Writer {
 public:
  Writer(Program& program, const Section& section, u32 index, ContentErrors& errors)
      : program_(program), index_(index), code_(section.is_code()), errors_(errors) {}

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

  /// Appends the first bytes between two places of a subsection, at least LineBytes::most if there are so many. Fills
  /// may be of any size: only the beginning of one is made.
  void first_bytes(const Subsection& sub, const LineBytes::Mark& from, const LineBytes::Mark& to, std::string& out) {
    constexpr u64 enough = 2 * LineBytes::most, longest_padding = u64(1) << 20;
    constexpr std::size_t lead = Emitter::max_instruction;  // an immediate changes the opcode before it
    std::vector<u8> bytes(lead);
    u64 done = from.pos;
    const auto room = [&](u64 size) {
      bytes.resize(bytes.size() + size);
      return bytes.data() + bytes.size() - size;
    };
    const auto fixed = [&](u64 end) {
      const u64 size = std::min(end - done, enough);
      u8* const at = room(size);
      if (sub.data && size) std::memcpy(at, sub.data + done, size);
      done = end;
    };
    u32 k = from.fragment;
    for (; k < to.fragment; ++k) {
      const Fragment& f = sub.fragments[k];
      fixed(f.pos);
      if (bytes.size() >= lead + enough) break;
      const bool is_fill = !sub.data || f.kind == FragmentKind::fill || f.kind == FragmentKind::org;
      if (!is_fill && f.size > longest_padding) break;
      const u64 size = is_fill ? std::min(f.size, enough) : f.size;
      u8* const at = room(size);
      if (sub.nobits || size == 0) continue;
      if (f.kind == FragmentKind::fill) {
        const FillFragment& fill = f.as<FillFragment>();
        write_pattern(at, size, fill.pattern, fill.unit, program_.info.big_endian);
      } else if (f.kind == FragmentKind::org) {
        std::memset(at, f.as<OrgFragment>().fill, size);
      } else {
        fragment(f, sub.offset(f), at);
      }
    }
    if (k == to.fragment) fixed(to.pos);
    out.append(bytes.begin() + lead, bytes.end());
  }

  /// Layout or Fixups::branch has left the target in the fragment.
  void insn(const Fragment& f, u64 place, u8* out) {
    const InsnFragment& insn = f.as<InsnFragment>();
    if (insn.has_distance && program_.target.relax_write_known(insn.form, insn.state, insn.distance, out)) return;
    const FieldFixup field = program_.target.relax_write(insn.form, insn.state, out);
    if (insn.in_field && program_.info.elf.rela) return;
    i64 v = insn.has_distance ? i64(place) + insn.distance : insn.constant;
    const u64 at = place + field.at;
    const u64 from = program_.target.fixup_info(field.kind).aligned ? at & ~u64(3) : at;
    if (!insn.in_field) v += field.addend - (program_.target.relax_pcrel(insn.form) ? i64(from) : 0);
    std::string error = program_.target.apply(field.kind, insn.modifier, v, out + field.at);
    if (!error.empty()) errors_.add(index_, f.loc, std::move(error));
  }

 private:
  void fragment(const Fragment& f, u64 place, u8* out) {
    switch (f.kind) {
      case FragmentKind::insn: insn(f, place, out); break;
      case FragmentKind::align: align(f.as<AlignFragment>(), f.size, out); break;
      case FragmentKind::org: std::memset(out, f.as<OrgFragment>().fill, f.size); break;
      case FragmentKind::fill: {
        const FillFragment& fill = f.as<FillFragment>();
        write_pattern(out, f.size, fill.pattern, fill.unit, program_.info.big_endian);
        break;
      }
      case FragmentKind::piece:
        std::memcpy(out, &program_.pieces.bytes[program_.pieces.all[f.as<PieceFragment>().number].place], f.size);
        break;
      case FragmentKind::leb: leb(f.as<LebFragment>(), f.size, out); break;
      case FragmentKind::grown: break;  // no bytes of its own
      case FragmentKind::padding: {
        const PaddingFragment& padding = f.as<PaddingFragment>();
        if (padding.form != PaddingForm::nops) return void(std::memset(out, padding.prefix, f.size));
        write_nops(out, {.size = f.size, .gnu = program_.profile.gnu_target, .style = padding.nop_style});
        break;
      }
      case FragmentKind::nops: {
        const NopsFragment& nops = f.as<NopsFragment>();
        if (nops.reserved) {
          program_.target.write_reserved_nops(out, {.size = f.size, .gnu = false, .style = nops.nop_style});
          break;
        }
        write_nops(
            out,
            {.size = f.size,
             .gnu = program_.profile.gnu_target,
             .after_data = nops.after_data,
             .style = nops.nop_style,
             .longest = nops.longest});
        break;
      }
      case FragmentKind::prefalign: {
        const PrefalignFragment& prefalign = f.as<PrefalignFragment>();
        if (!prefalign.fills_nops) return void(std::memset(out, prefalign.fill, f.size));
        write_nops(out, {.size = f.size, .gnu = false, .style = prefalign.nop_style});
        break;
      }
    }
  }

  void align(const AlignFragment& align, u64 size, u8* out) {
    if (align.pattern_size)
      return write_pattern(out, size, align.pattern, align.pattern_size, program_.info.big_endian);
    if (size == 0) return;
    if (!code_) return void(std::memset(out, 0, size));
    write_nops(out, {.size = size,
                     .gnu = program_.profile.gnu_target,
                     .after_data = align.after_data,
                     .style = align.nop_style});
  }

  void leb(const LebFragment& leb, u64 size, u8* out) {
    const i64 number = leb.number.is_constant() ? leb.number.constant : program_.resolve(Value(leb.number)).value;
    if (leb.encoding == LebEncoding::advance) return write_advance(out, number, size, program_.info.big_endian);
    write_leb128(out, u64(number), leb.encoding == LebEncoding::is_signed, size);
  }

  void write_nops(u8* out, const NopRequest& request) { program_.target.write_nops(out, request); }

  Program& program_;
  u32 index_;  ///< of the section
  bool code_;
  ContentErrors& errors_;
};

}  // namespace

void ContentErrors::add(u32 section, SourceLoc loc, std::string message) {
  const std::lock_guard lock(mutex_);
  list_.push_back({section, loc, std::move(message)});
}

void ContentErrors::report(Diags& diags) {
  std::stable_sort(list_.begin(), list_.end(), [](const Error& a, const Error& b) { return a.section < b.section; });
  for (Error& e : list_) diags.error(e.loc, std::move(e.message));
  list_.clear();
}

void settle_numbers(Program& program) {
  for (u32 id = 0; id < program.sections.subsections(); ++id) {
    for (Fragment& f : program.sections.sub(id).fragments) {
      if (f.kind != FragmentKind::leb) continue;
      FragmentValue& number = f.as<LebFragment>().number;
      if (!number.is_constant()) number = Value{.constant = program.resolve(Value(number)).value};
    }
  }
}

void borrow_contents(Program& program, u32 index, const ObjectStorage& storage, obj::Contents& contents) {
  const Section& section = program.sections[index];
  if (section.nobits) return;
  const Subsection& only = program.sections.sub(section.first);
  if (only.next == ~u32(0) && only.fragments.empty()) {
    contents.data = only.data;
  } else {
    contents.write = write_contents;
  }
  contents.producer = &storage;
  contents.id = index;
}

void write_contents(const void* producer, u32 index, u8* out) {
  const ObjectStorage& storage = *static_cast<const ObjectStorage*>(producer);
  Program& program = *storage.program;
  const Section& section = program.sections[index];
  Writer writer(program, section, index, storage.errors);
  for (u32 id = section.first; id != ~u32(0); id = program.sections.sub(id).next) {
    Subsection& sub = program.sections.sub(id);
    out = writer.subsection(sub, out);
    if (!storage.keeps_contents) sub.release_contents();
  }
}

void take_contents(obj::Object& object, ObjectStorage& storage) {
  for (obj::Section& s : object.sections) {
    if (s.contents.data || !s.contents.write || s.omitted) continue;
    std::vector<u8>& bytes = storage.bytes.emplace_back(s.size);
    s.contents.write(s.contents.producer, s.contents.id, bytes.data());
    s.contents = {.data = bytes.data()};
  }
}

void take_line_bytes(Program& program) {
  LineBytes& lines = program.line_bytes;
  std::vector<std::size_t> ends(lines.marks.size()), next(program.sections.subsections(), lines.marks.size());
  u32 count = 0;
  for (std::size_t i = lines.marks.size(); i-- > 0;) {
    const LineBytes::Mark& mark = lines.marks[i];
    ends[i] = std::exchange(next[mark.subsection], i);
    if (mark.line != LineBytes::none) count = std::max(count, mark.line + 1);
  }
  lines.first.assign(count, {});
  ContentErrors errors;  // check_branches reports them
  for (std::size_t i = 0; i < lines.marks.size(); ++i) {
    const LineBytes::Mark& mark = lines.marks[i];
    if (mark.line == LineBytes::none || ends[i] == lines.marks.size()) continue;
    const Subsection& sub = program.sections.sub(mark.subsection);
    std::string& bytes = lines.first[mark.line];
    if (bytes.size() >= LineBytes::most || sub.before.size() != sub.fragments.size()) continue;
    Writer(program, program.sections[sub.section], sub.section, errors)
        .first_bytes(sub, mark, lines.marks[ends[i]], bytes);
    if (bytes.size() > LineBytes::most) bytes.resize(LineBytes::most);
  }
}

void check_branches(Program& program) {
  ContentErrors errors;
  u8 scratch[2 * Emitter::max_instruction];  // an immediate changes the opcode before it
  for (u32 i = 0; i < program.sections.size(); ++i) {
    const Section& section = program.sections[i];
    Writer writer(program, section, i, errors);
    for (u32 id = section.first; id != ~u32(0); id = program.sections.sub(id).next) {
      const Subsection& sub = program.sections.sub(id);
      for (const Fragment& f : sub.fragments)
        if (f.kind == FragmentKind::insn) writer.insn(f, sub.offset(f), scratch + Emitter::max_instruction);
    }
  }
  errors.report(program.diags);
}

}  // namespace xas
