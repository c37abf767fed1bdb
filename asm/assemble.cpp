// SPDX-License-Identifier: Apache-2.0
// One assembly, top to bottom.
#include "asm/assemble.h"

#include "asm/object/compress.h"
#include "asm/read/cond.h"
#include "asm/debug/debug.h"
#include "asm/directives/directives.h"
#include "asm/object/emit.h"
#include "asm/object/made_sections.h"
#include "asm/layout/layout.h"
#include "asm/program/elf_sections.h"
#include "asm/program/symbol_verbs.h"
#include "asm/program/thumb_labels.h"
#include "asm/unwind/unwind.h"
#include "asm/unwind/win_unwind_piece.h"
#include "objwriter/coff.h"
#include "objwriter/elf.h"

namespace xas {

namespace {

constexpr int standard_input_descriptor = 0;

void read_inputs(Reader& reader, std::span<const Input> inputs) {
  for (const Input& input : inputs) {
    if (reader.finished) return;
    std::string error;
    const SourceBuffer* buffer = nullptr;
    switch (input.kind) {
      case Input::file:
        buffer = reader.program().sources.add_file(input.name, 0, error);
        reader.inputs.push_back(input.name);
        break;
      case Input::standard_input:
        buffer = reader.program().sources.add_descriptor(standard_input_descriptor,
                                                     std::string(reader.program().profile.standard_input), error);
        break;
      case Input::memory: buffer = reader.program().sources.add_memory(input.name, input.text, error); break;
    }
    if (buffer) {
      if (reader.program().stab_lines.on && reader.program().sources.statement == nullptr)
        reader.program().stab_lines.begin(reader.out, *buffer);
      reader.read(*buffer);
      if (const std::string& why = reader.program().sources.input_error(); !why.empty())
        reader.program().diags.error(0, why);
    } else {
      reader.program().diags.error(0, std::move(error));
    }
  }
}

}  // namespace

bool assemble(Reader& reader, std::span<const Input> inputs, OutputBuffer& out) {
  // Text to sections: bytes, fixups and fragments; labels get their place among them.
  read_inputs(reader, inputs);
  return finish(reader, out);
}

bool finish(Reader& reader, OutputBuffer& out) {
  check_stream_closed(reader.out);
  settle_pc_places(reader.program());
  if (reader.out.frame_synthesis) reader.out.frame_synthesis->finish(reader.out);
  reader.out.finish_text();
  mark_thumb_functions(reader.program());

  // What must have been closed, or defined, by the end of the text.
  finish_conditionals(reader);
  reader.program().resolve_quiet_references();
  reader.program().resolve_signatures();
  check_frames_closed(reader.out, reader.here());
  reader.program().lines.link_views(reader.out);
  check_linked_sections(reader.program());
  resolve_equations(reader);
  finish_symbols(reader.program());
  reader.out.report_undefined_numeric_labels();
  if (reader.out.bundles.locks)
    reader.program().diags.error(reader.out.bundles.loc, "this .bundle_lock has no .bundle_unlock");
  if (reader.program().options.multibyte_warn_symbols) warn_of_multibyte_symbols(reader.program());
  if (reader.program().diags.errors()) return false;

  // Sections that are made of records and do not depend on sizes.
  if (reader.program().is_coff)
    make_coff_sections_before_layout(reader.out, reader.here());
  else
    make_sections_before_layout(reader.out);
  if (reader.program().diags.errors()) return false;

  // Frame and line tables are made of distances between labels, so the layout of code has to be final before they are
  // written.
  layout(reader.program());
  if (reader.program().diags.errors() == 0) check_pc_sections(reader.program());
  if (reader.program().diags.errors()) return false;
  encode_codeview(reader.program());
  write_piece_runtime_functions(reader.out);
  if (reader.program().diags.errors()) return false;
  // The sizes of all sections that came from text are final here, but for those with CodeView in them.
  reader.program().codeview.source_lines.write(reader.program());
  if (reader.program().profile.frames_before_lines) generate_frame_sections(reader.program());
  generate_debug_sections(reader.program());
  if (!reader.program().profile.frames_before_lines) generate_frame_sections(reader.program());
  generate_pseudo_probes(reader.program());
  generate_stack_maps(reader.program());
  if (!reader.program().is_coff) {
    make_gnu_attributes(reader.out);
    make_build_notes(reader.program());
  }
  if (reader.program().profile.arm_attributes_last) make_attributes_section(reader.out);
  if (reader.program().diags.errors()) return false;
  // No new sections after this.

  // Lays out what the two have added.
  layout(reader.program());
  if (reader.program().diags.errors()) return false;
  if (reader.program().is_coff && reader.program().options.output == Options::Output::object)
    pad_coff_sections(reader.program());
  // All sizes and addresses are final here.
  finish_mapping(reader.program());

  if (reader.program().options.output == Options::Output::encodings) {
    const std::string& text = reader.program().encodings.text;
    if (!out.resize(text.size())) throw std::bad_alloc();
    std::ranges::copy(text, out.data());
    return true;
  }

  // Fields whose value is known are patched; the others become relocations, which decide what the symbol table needs.
  obj::Object object;
  ObjectStorage storage;
  make_object(reader.program(), object, storage);
  if (reader.program().diags.errors()) return false;
  if (reader.program().options.listing.parts) {
    take_contents(object, storage);
    reader.program().listing.write(reader.program(), &object);
  }
  compress_debug_sections(reader.program(), object, storage);

  if (reader.program().options.output == Options::Output::raw) return write_raw(reader.program(), object, out);
  if (reader.program().options.output == Options::Output::hex) return write_hex(reader.program(), object, storage, out);

  // Offsets first, then every byte once. Writing fragments can still find a value that does not fit its field.
  std::optional<obj::WriteError> error =
      reader.program().is_coff ? obj::write_coff(object, out) : obj::write_elf(object, out);
  if (error) reader.program().diags.error(0, std::move(error->message));
  return reader.program().diags.errors() == 0;
}

}  // namespace xas
