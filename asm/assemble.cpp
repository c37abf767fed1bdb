// One assembly, top to bottom.
#include "asm/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "asm/object/compress.h"
#include "asm/read/cond.h"
#include "asm/debug/debug.h"
#include "asm/directives/directives.h"
#include "asm/object/emit.h"
#include "asm/layout/layout.h"
#include "asm/unwind/unwind.h"
#include "asm/unwind/win_unwind_piece.h"
#include "objwriter/coff.h"
#include "objwriter/elf.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

constexpr int standard_input_descriptor = 0;

void read_inputs(Reader& in, std::span<const Input> inputs) {
  for (const Input& input : inputs) {
    if (in.finished) return;
    std::string error;
    const SourceBuffer* buffer = nullptr;
    switch (input.kind) {
      case Input::file:
        buffer = in.program().sources.add_file(input.name, 0, error);
        in.inputs.push_back(input.name);
        break;
      case Input::standard_input:
        buffer = in.program().sources.add_descriptor(standard_input_descriptor,
                                                     std::string(in.program().profile.standard_input), error);
        break;
      case Input::memory: buffer = in.program().sources.add_memory(input.name, input.text, error); break;
    }
    if (buffer) {
      if (in.program().stab_lines.on && in.program().sources.statement == nullptr)
        in.program().stab_lines.begin(in, *buffer);
      in.read(*buffer);
    } else {
      in.program().diags.error(0, std::move(error));
    }
  }
}

/// A symbol that has been set again is no alias of what was not defined when it was set first.
void forget_replaced_aliases(Program& program) {
  if (program.records.aliases.empty()) return;
  std::vector<bool> set_again(program.symbols.size());
  for (auto alias = program.records.aliases.rbegin(); alias != program.records.aliases.rend(); ++alias) {
    if (set_again[alias->symbol] && !alias->base_defined) alias->plain = false;
    set_again[alias->symbol] = true;
  }
}

/// What must have been closed, or defined, by the end of the text.
void check_end(Reader& in) {
  finish_conditionals(in);
  in.program().settle_quiet_mentions();
  in.program().settle_signatures();
  check_frames_closed(in.out, in.here());
  in.program().lines.link_views(in.out);
  check_linked_sections(in.program());
  settle_equations(in);
  name_call_graph(in.program());
  if (in.program().profile.aliases_copy_at_once) forget_replaced_aliases(in.program());
  in.out.report_undefined_numeric_labels();
  if (in.out.bundles.locks) in.program().diags.error(in.out.bundles.loc, "this .bundle_lock has no .bundle_unlock");
}

/// --multibyte-handling=warn-sym-only.
void warn_of_multibyte_symbols(Program& program) {
  for (SymbolId id = 0; id < program.symbols.size(); ++id) {
    const Symbol& s = program.symbols[id];
    const std::string_view name = s.text();
    const bool ascii = std::all_of(name.begin(), name.end(), [](char c) { return u8(c) < 0x80; });
    if (!ascii && s.is_defined())
      program.diags.warning(s.loc, fmt::format("symbol '{}' has multibyte characters", name));
  }
}

/// --execstack, --noexecstack.
void mark_stack(Program& program) {
  if (!program.options.exec_stack && !program.options.no_exec_stack) return;
  const u32 before = program.sections.size();
  Section& note = program.section_named(".note.GNU-stack");
  if (program.sections.size() != before) note.type = elf::SHT_PROGBITS;
  note.flags = program.options.exec_stack ? note.flags | elf::SHF_EXECINSTR : note.flags & ~u64(elf::SHF_EXECINSTR);
}

/// A note of what the target's instructions have used (-mx86-used-note).
void make_property_note(Program& program) {
  const std::string note = program.target.property_note();
  if (note.empty()) return;
  Section& section = program.section_named(".note.gnu.property");
  section.type = elf::SHT_NOTE;
  section.flags = elf::SHF_ALLOC;
  section.log2_align = program.info.elf.is_64 ? 3 : 2;
  Subsection& sub = program.sections.sub(section.first);
  std::memcpy(sub.reserve(note.size()), note.data(), note.size());
  sub.size += note.size();
}

/// Code that no one may read (flag 'y' of sections).
void mark_execute_only(Program& program) {
  const u64 flag = program.info.elf.execute_only;
  if (!program.profile.execute_only_text || flag == 0 || program.text->size != 0) return;
  for (u32 i = 0; i < program.sections.size(); ++i) program.text->flags |= program.sections[i].flags & flag;
}

}  // namespace

bool assemble(Reader& in, std::span<const Input> inputs, OutputBuffer& out) {
  // Text to sections: bytes, fixups and fragments; labels get their place among them.
  read_inputs(in, inputs);
  in.out.finish_text();
  mark_thumb_functions(in.program());
  check_end(in);
  if (in.program().options.multibyte_warn_symbols) warn_of_multibyte_symbols(in.program());
  if (in.program().diags.errors()) return false;

  if (in.program().is_coff) finish_coff_sections(in.out, in.here());
  if (in.program().diags.errors()) return false;

  // Sections that are made of records and do not depend on sizes.
  if (!in.program().is_coff) {
    mark_stack(in.program());
    make_property_note(in.program());
    make_call_graph_section(in.program());
    make_memory_tags(in.program());
    make_build_attributes(in.program());
    if (!in.program().profile.arm_attributes_last) make_attributes_section(in.out);
    link_stabs(in.program());
  }

  // Frame and line tables are made of distances between labels, so code has to be settled before they are written.
  layout(in.program());
  if (in.program().diags.errors()) return false;
  encode_codeview(in.program());
  write_piece_runtime_functions(in.out);
  if (in.program().diags.errors()) return false;
  // The sizes of all sections that came from text are final here, but for those with CodeView in them.
  in.program().codeview.source_lines.write(in.program());
  if (in.program().profile.frames_before_lines) generate_frame_sections(in.program());
  generate_debug_sections(in.program());
  if (!in.program().profile.frames_before_lines) generate_frame_sections(in.program());
  generate_pseudo_probes(in.program());
  if (!in.program().is_coff) {
    make_gnu_attributes(in.out);
    make_build_notes(in.program());
  }
  if (in.program().profile.arm_attributes_last) make_attributes_section(in.out);
  if (in.program().diags.errors()) return false;
  // No new sections after this.

  // Settles what the two have added.
  layout(in.program());
  if (in.program().diags.errors()) return false;
  in.program().is_coff ? pad_coff_sections(in.program()) : mark_execute_only(in.program());
  // All sizes and addresses are final here.
  finish_mapping(in.program());

  // Fields whose value is known are patched; the others become relocations, which decide what the symbol table needs.
  obj::Object object;
  ObjectStorage storage;
  make_object(in.program(), object, storage);
  if (in.program().diags.errors()) return false;
  if (in.program().listing.on) make_listing(in.program(), object, storage);
  compress_debug_sections(in.program(), object, storage);

  // Offsets first, then every byte once. Writing fragments can still find a value that does not fit its field.
  std::optional<obj::WriteError> error =
      in.program().is_coff ? obj::write_coff(object, out) : obj::write_elf(object, out);
  if (error) in.program().diags.error(0, std::move(error->message));
  return in.program().diags.errors() == 0;
}

}  // namespace xas
