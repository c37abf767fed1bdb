// One assembly, top to bottom.
#include "asm/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "asm/compress.h"
#include "asm/cond.h"
#include "asm/directives/directives.h"
#include "asm/emit.h"
#include "asm/layout.h"
#include "asm/win_unwind_piece.h"
#include "objwriter/coff.h"
#include "objwriter/elf.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

constexpr int standard_input_descriptor = 0;

void read_inputs(Assembler& a, std::span<const Input> inputs) {
  for (const Input& input : inputs) {
    if (a.finished) return;
    std::string error;
    const SourceBuffer* buffer = nullptr;
    switch (input.kind) {
      case Input::file:
        buffer = a.sources.add_file(input.name, 0, error);
        a.inputs.push_back(input.name);
        break;
      case Input::standard_input:
        buffer = a.sources.add_descriptor(standard_input_descriptor, std::string(a.profile.standard_input), error);
        break;
      case Input::memory: buffer = a.sources.add_memory(input.name, input.text, error); break;
    }
    if (buffer) {
      if (a.stab_lines.on && a.statement_start == nullptr) a.stab_lines.begin(a, *buffer);
      a.read(*buffer);
    } else {
      a.diags.error(0, std::move(error));
    }
  }
}

/// A symbol that has been set again is no alias of what was not defined when it was set first.
void forget_replaced_aliases(Assembler& a) {
  if (a.aliases.empty()) return;
  std::vector<bool> set_again(a.symbols.size());
  for (auto alias = a.aliases.rbegin(); alias != a.aliases.rend(); ++alias) {
    if (set_again[alias->symbol] && !alias->base_defined) alias->plain = false;
    set_again[alias->symbol] = true;
  }
}

/// What must have been closed, or defined, by the end of the text.
void check_end(Assembler& a) {
  finish_conditionals(a);
  a.settle_quiet_mentions();
  a.settle_signatures();
  check_frames_closed(a);
  a.lines.link_views(a);
  check_linked_sections(a);
  settle_equations(a);
  name_call_graph(a);
  if (a.profile.aliases_copy_at_once) forget_replaced_aliases(a);
  a.report_undefined_numeric_labels();
  if (a.bundles.locks) a.diags.error(a.bundles.loc, "this .bundle_lock has no .bundle_unlock");
}

/// --multibyte-handling=warn-sym-only.
void warn_of_multibyte_symbols(Assembler& a) {
  for (SymbolId id = 0; id < a.symbols.size(); ++id) {
    const Symbol& s = a.symbols[id];
    const std::string_view name = s.text();
    const bool ascii = std::all_of(name.begin(), name.end(), [](char c) { return u8(c) < 0x80; });
    if (!ascii && s.is_defined()) a.diags.warning(s.loc, fmt::format("symbol '{}' has multibyte characters", name));
  }
}

/// --execstack, --noexecstack.
void mark_stack(Assembler& a) {
  if (!a.options.exec_stack && !a.options.no_exec_stack) return;
  const u32 before = a.sections.size();
  Section& note = a.section_named(".note.GNU-stack");
  if (a.sections.size() != before) note.type = elf::SHT_PROGBITS;
  note.flags = a.options.exec_stack ? note.flags | elf::SHF_EXECINSTR : note.flags & ~u64(elf::SHF_EXECINSTR);
}

/// A note of what the target's instructions have used (-mx86-used-note).
void make_property_note(Assembler& a) {
  const std::string note = a.target.property_note();
  if (note.empty()) return;
  Section& section = a.section_named(".note.gnu.property");
  section.type = elf::SHT_NOTE;
  section.flags = elf::SHF_ALLOC;
  section.log2_align = a.info.elf64 ? 3 : 2;
  Subsection& sub = a.sections.sub(section.first);
  std::memcpy(sub.reserve(note.size()), note.data(), note.size());
  sub.size += note.size();
}

/// Code that no one may read (flag 'y' of sections).
void mark_execute_only(Assembler& a) {
  constexpr u64 flag = elf::SHF_ARM_PURECODE;
  static_assert(flag == elf::SHF_AARCH64_PURECODE);
  const Machine machine = a.options.target.machine;
  if (!a.profile.execute_only_text || (machine != Machine::arm && machine != Machine::aarch64) || a.text->size != 0)
    return;
  for (u32 i = 0; i < a.sections.size(); ++i) a.text->flags |= a.sections[i].flags & flag;
}

}  // namespace

bool assemble(Assembler& a, std::span<const Input> inputs, OutputBuffer& out) {
  // Text to sections: bytes, fixups and flexes; labels get their place among them.
  read_inputs(a, inputs);
  a.finish_literals();
  mark_thumb_functions(a);
  check_end(a);
  if (a.options.multibyte_warn_symbols) warn_of_multibyte_symbols(a);
  if (a.diags.errors()) return false;

  if (a.is_coff) finish_coff_sections(a);
  if (a.diags.errors()) return false;

  // Sections that are made of records and do not depend on sizes.
  if (!a.is_coff) {
    mark_stack(a);
    make_property_note(a);
    make_call_graph_section(a);
    make_memory_tags(a);
    make_build_attributes(a);
    if (!a.profile.gnu) make_arm_attributes(a);
    link_stabs(a);
  }

  // Frame and line tables are made of distances between labels, so code has to be settled before they are written.
  layout(a);
  if (a.diags.errors()) return false;
  encode_codeview(a);
  write_piece_runtime_functions(a);
  if (a.diags.errors()) return false;
  // The sizes of all sections that came from text are final here, but for those with CodeView in them.
  a.codeview.source_lines.write(a);
  if (a.profile.frames_before_lines) generate_frame_sections(a);
  generate_debug_sections(a);
  if (!a.profile.frames_before_lines) generate_frame_sections(a);
  generate_pseudo_probes(a);
  if (!a.is_coff) {
    make_gnu_attributes(a);
    make_build_notes(a);
  }
  if (a.profile.gnu) make_arm_attributes(a);
  if (a.diags.errors()) return false;
  // No new sections after this.

  // Settles what the two have added.
  layout(a);
  if (a.diags.errors()) return false;
  a.is_coff ? pad_coff_sections(a) : mark_execute_only(a);
  // All sizes and addresses are final here.
  a.finish_mapping();

  // Fields whose value is known are patched; the others become relocations, which decide what the symbol table needs.
  obj::Object object;
  ObjectStorage storage;
  make_object(a, object, storage);
  if (a.diags.errors()) return false;
  if (a.listing.on) make_listing(a, object, storage);
  compress_debug_sections(a, object, storage);

  // Offsets first, then every byte once. Writing flexes can still find a value that does not fit its field.
  std::optional<obj::WriteError> error = a.is_coff ? obj::write_coff(object, out) : obj::write_elf(object, out);
  if (error) a.diags.error(0, std::move(error->message));
  return a.diags.errors() == 0;
}

}  // namespace xas
