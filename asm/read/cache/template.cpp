// SPDX-License-Identifier: Apache-2.0
// Exact lines and templates of the line cache (line_cache.h): instructions are copied, or put together from the
// template of their shape.
#include "asm/read/cache/put_together.h"

namespace xas {

/// The next of these is known by its spelling, if its line, which ends at `end`, is `mnemonic name`.
void KnownInstructions::learn_branch(const SymbolTemplate& t, std::string_view name, const char* text, const char* end,
                             u32 word) {
  Spelling spelling;
  u32 size;
  KnownBranch* const known = branches_.entry(text, spelling, size);
  if (!known || (t.is_branch && t.constant) || t.modifier || (t.is_branch && t.where)) return;
  if (text + size + 1 != name.data() || name.data() + name.size() != end) return;
  *known = {spelling, t, shapes_.instructions.generation(), word, u8(size)};
}

void KnownInstructions::learn_exact_line(u64 size) {
  if (FinalBytes* const made = exact_lines_.put(unknown_.exact.key)) {
    made->size = u8(out_.current->size - size);
    made->block = out_.block;
    std::memcpy(made->bytes, out_.current->data + size, made->size);
  }
}

/// Nothing but its bytes has to be put in place, now and later on.
static bool is_all_bytes(const Program& program, const WordTemplate& t) {
  return !t.fields.alone || (t.fields.size == 2 && !program.lines.wants_pieces);
}
static bool is_all_bytes(const Program&, const InstructionTemplate&) { return true; }

/// From the template of the shape of the unknown line. False if there is none, or it is not good for this one.
template <bool in_block, class Shape, class Templates>
inline bool KnownInstructions::take_shape(const Shape& shape, const Templates& table, const char* text) {
  const u64 size = out_.current->size;
  const auto* const known = table.find(shape.key);
  if (!known || !put_together(*known, shape, shape.name, text)) return false;
  if constexpr (in_block) out_.block = known->block;
  if (unknown_.is_short && shape.name.empty() && is_all_bytes(program(), *known)) learn_exact_line(size);
  return true;
}

template <bool in_block>
[[gnu::always_inline]] inline const char* KnownInstructions::known_instruction(const char* text) {
  unknown_.text = nullptr;
  ExactLine& line = unknown_.exact;
  bool is_short = line.read(text);
  if constexpr (in_block) is_short = is_short && line.add_block(out_.block);
  unknown_.is_short = is_short;
  if (is_short) {
    if (const FinalBytes* known = exact_lines_.find(line.key); known && !out_.current->nobits) {
      if (out_.mapping < Mapping::code) [[unlikely]]
        out_.map_code();
      out_.out = out_.current->reserve(2 * Emitter::max_instruction);
      if (program().lines.pending) {
        program().sources.statement = text;  // -g asks for its line
        program().lines.before_instruction(out_);
      }
      std::memcpy(out_.out, known->bytes, FinalBytes::max_bytes);
      out_.advance(known->size);
      out_.current->has_instructions = true;
      out_.block = known->block;
      return text + line.size;
    }
  }

  if (calls_.begins(text)) return nullptr;
  unknown_.shaped = Shaped::no;
  if (!out_.current->nobits) {
    const LineText here{text, program().sources.current->end, program().chars.wide_names};
    if (!program().info.lines.words) {
      InstructionShape& shape = unknown_.shape;
      if (program().target.instruction_shape(here, shape)) {
        if (take_shape<false>(shape, shapes_.instructions, text)) return shape.end;
        unknown_.shaped = Shaped::bytes;
      }
    } else if (!out_.has_register_aliases) {
      WordShape& shape = unknown_.word_shape;
      if (program().target.word_shape(here, shape) && (!in_block || block_in_key(shape.key, out_.block))) {
        if (take_shape<in_block>(shape, shapes_.words, text)) return shape.end;
        unknown_.shaped = Shaped::words;
      }
    }
  }
  if (!is_short && unknown_.shaped == Shaped::no) return nullptr;
  begin_unknown(text);
  return nullptr;
}

const char* KnownInstructions::line_in_block(const char* text) {
  if (!out_.bundles.log2 && out_.block != Emitter::other_block) return known_instruction<true>(text);
  unknown_.text = nullptr;
  return nullptr;
}

const char* KnownInstructions::line(const char* text) {
  if (out_.bundles.log2 || out_.block) [[unlikely]]
    return line_in_block(text);
  return known_instruction<false>(text);
}

void KnownInstructions::begin_unknown(const char* text) {
  unknown_.text = text;
  unknown_.where = out_.current;
  unknown_.mapped = out_.mapping >= Mapping::code;
  unknown_.size = out_.current->size;
  unknown_.fragments = out_.current->fragments.size();
  unknown_.fixups = out_.current->fixups.size();
  unknown_.messages = program().diags.list().size();
  unknown_.rows = program().lines.rows.size();
}

void KnownInstructions::begin_values() {
  unknown_.text = nullptr;
  if (out_.bundles.log2 || out_.block || out_.reserved.watching || out_.current->nobits) return;
  begin_unknown(program().sources.statement);
}

}  // namespace xas
