// SPDX-License-Identifier: Apache-2.0
// A compiler that writes its frames as data can't know how far apart two labels are, so it uses DW_CFA_advance_loc4
// with four bytes for every advance. GNU as follows each entry of .eh_frame and .debug_frame, operand by operand, up to
// its instructions, and there turns such an advance into the shortest one. It asks the section's first entry for the
// unit of advances, and gives up where that is not a CIE of version 1.
//
// Source of the format: DWARF 2, 6.4.1 and 7.23.
#include "asm/program/frame_text.h"

#include <cstring>

#include "asm/program/dwarf_cfa.h"
#include "asm/program/streamer.h"
#include "objwriter/endian.h"

namespace xas {

namespace {


using State = FrameText::State;

/// What descriptions need to know of the CIE that the section begins with. It must have ended: GNU as does not look
/// into bytes that are not followed by an alignment yet.
bool read_cie(Streamer& out, FrameText& t) {
  Section& section = out.current_section();
  const Subsection& sub = out.program.sections.sub(section.first);
  const u64 end = !t.is_later ? 0 : sub.fragments.empty() ? sub.size : sub.fragments.front().pos;
  const u8* const p = sub.data;
  const u8 identifier = section.name.starts_with(".debug_frame") ? 0xFF : 0;
  if (end < 10 || !p) return false;
  for (unsigned i = 4; i < 8; ++i) {
    if (p[i] != identifier) return false;
  }
  if (p[8] != 1) return false;
  const auto* const text = reinterpret_cast<const char*>(p + 9);
  const void* const zero = std::memchr(text, 0, std::size_t(end - 9));
  if (!zero) return false;
  const std::string_view augmentation(text, std::size_t(static_cast<const char*>(zero) - text));
  u64 at = 9 + augmentation.size() + 1;
  if (augmentation == "eh") {
    at += out.program.info.address_size;
  } else if (!augmentation.empty() && augmentation[0] != 'z') {
    return false;
  }
  if (at >= end) return false;
  t.code_align = p[at] < 0x80 ? p[at] : 0;
  t.augmented = augmentation.starts_with('z');
  return true;
}

/// How much data descriptions have is told by a LEB128 number, or by single bytes.
void read_augmentation_size(FrameText& t, const Value& value, unsigned size) {
  const u64 number = u64(value.constant);
  if (!value.is_constant() || size > 1) {
    t.state = State::skipped;
    return;
  }
  if (size == 0) {
    t.left = number;
  } else {
    t.left |= (number & 0x7F) << t.shift;
    t.shift += 7;
    if (t.shift > 28) t.state = State::skipped;
    if (number & 0x80) return;
  }
  t.state = t.left == 0 ? State::instructions : State::augmentation;
}

/// An advance that stands right before this operand of four bytes.
bool replace_advance(Streamer& out, const FrameText& t, const Value& value) {
  Subsection& sub = *out.current;
  if (sub.size != t.pos + 1 || sub.fragments.size() != t.fragments) return false;
  if (value.is_constant()) {
    const i64 units = value.constant;
    if (units < 0 || units > 0xFFFF) return false;
    u8* const opcode = sub.data + t.pos;
    if (units < 0x40) {
      *opcode = u8(DW_CFA_advance_loc | units);
    } else {
      *opcode = units < 0x100 ? DW_CFA_advance_loc1 : DW_CFA_advance_loc2;
      out.emit_int(u64(units), units < 0x100 ? 1 : 2);
    }
    return true;
  }
  if (value.add == no_symbol || value.sub == no_symbol || value.modifier || t.code_align != 1) return false;
  --sub.size;  // the opcode is a part of the fragment
  out.add_fragment(LebFragment{.number = value, .encoding = LebEncoding::advance}, out.program.sources.statement_loc());
  return true;
}

}  // namespace

u64 advance_size(i64 bytes) {
  if (bytes < 0) return 5;
  return bytes == 0 ? 0 : bytes < 0x40 ? 1 : bytes < 0x100 ? 2 : bytes < 0x10000 ? 3 : 5;
}

void write_advance(u8* out, i64 bytes, u64 size, bool big_endian) {
  if (size == 0) return;
  if (size == 1) {
    *out = u8(DW_CFA_advance_loc | bytes);
    return;
  }
  *out = size == 2 ? DW_CFA_advance_loc1 : size == 3 ? DW_CFA_advance_loc2 : DW_CFA_advance_loc4;
  store_int(out + 1, u64(bytes), unsigned(size - 1), big_endian);
}

FrameText* frame_text_of(Program& program, std::string_view section) {
  if (section.starts_with(".eh_frame"))
    return section.size() > 9 && section[9] == '_' ? nullptr : &program.frame_texts[0];
  return section.starts_with(".debug_frame") ? &program.frame_texts[1] : nullptr;
}

bool shorten_advance(Streamer& out, const Value& given, unsigned size) {
  FrameText& t = *out.frame_text;
  Value value = given;
  out.fold(value);
  if (t.state != State::idle && out.program.symbols[t.end].is_defined()) {
    t.state = State::idle;
    t.is_later = true;
  }
  switch (t.state) {
    case State::idle:
      if (size == 4 && value.add != no_symbol && value.add != dot_symbol && !value.modifier &&
          !out.program.symbols[value.add].is_defined()) {
        t.state = State::size;
        t.end = value.add;
      }
      break;
    case State::size: t.state = State::link; break;
    case State::link: t.state = State::start; break;
    case State::start:
      t.has_cie = t.has_cie || read_cie(out, t);
      t.left = t.shift = 0;
      t.state = !t.has_cie ? State::skipped : t.augmented ? State::augmentation_size : State::instructions;
      break;
    case State::augmentation_size: read_augmentation_size(t, value, size); break;
    case State::augmentation:
      if (size == 0 || size > t.left) t.state = State::skipped;
      else if ((t.left -= size) == 0) t.state = State::instructions;
      break;
    case State::instructions:
      if (size == 1 && value.is_constant() && value.constant == DW_CFA_advance_loc4) {
        t.state = State::advance;
        t.pos = out.current->size;
        t.fragments = u32(out.current->fragments.size());
      }
      break;
    case State::advance: t.state = State::instructions; return size == 4 && replace_advance(out, t, value);
    case State::skipped: break;
  }
  return false;
}

}  // namespace xas
