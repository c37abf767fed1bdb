// SPDX-License-Identifier: Apache-2.0
// One assembly, top to bottom.
#include "asm/assemble.h"

#include <algorithm>
#include <new>
#include <set>

#include "asm/debug/debug.h"
#include "asm/directives/directives.h"
#include "asm/layout/layout.h"
#include "asm/listing/listing_text.h"
#include "asm/object/compress.h"
#include "asm/object/emit.h"
#include "asm/object/made_sections.h"
#include "asm/program/aliases.h"
#include "asm/program/elf_sections.h"
#include "asm/program/symbol_verbs.h"
#include "asm/program/thumb_labels.h"
#include "asm/read/cond.h"
#include "asm/read/listing.h"
#include "asm/unwind/unwind.h"
#include "asm/unwind/win_unwind_piece.h"
#include "objwriter/coff.h"
#include "objwriter/elf.h"

namespace xas {

namespace {

constexpr int standard_input_descriptor = 0;

void read_inputs(Reader& reader, std::span<const Input> inputs) {
  Program& program = reader.program();
  for (const Input& input : inputs) {
    if (reader.finished) return;
    std::string error;
    const SourceBuffer* buffer = nullptr;
    switch (input.kind) {
      case Input::file:
        buffer = program.sources.add_file(input.name, 0, error);
        reader.inputs.push_back(input.name);
        break;
      case Input::standard_input:
        buffer = program.sources.add_descriptor(standard_input_descriptor, std::string(program.profile.standard_input),
                                                error);
        break;
      case Input::memory: buffer = program.sources.add_memory(input.name, input.text, error); break;
    }
    if (buffer) {
      if (program.stab_lines.on && program.sources.statement == nullptr) program.stab_lines.begin(reader.out, *buffer);
      reader.read(*buffer);
      if (const std::string& why = program.sources.input_error(); !why.empty()) program.diags.error(0, why);
    } else {
      program.diags.error(0, std::move(error));
    }
  }
}

/// What must have been closed, or defined, by the end of the text.
void end_text(Reader& reader) {
  Program& program = reader.program();
  Streamer& out = reader.out;
  if (program.line_bytes.on) mark_end(program);
  reader.line_cache.instructions.end();
  check_stream_closed(out);
  settle_pc_places(program);
  if (out.frame_synthesis) out.frame_synthesis->finish(out);
  out.finish_text();
  finish_aliases(program);
  mark_thumb_functions(program);

  finish_conditionals(reader);
  program.resolve_quiet_references();
  program.resolve_texts();
  check_frames(out, reader.here());
  program.lines.link_views(out);
  check_linked_sections(program);
  resolve_equations(reader);
  finish_symbols(program);
  out.report_undefined_numeric_labels();
  if (out.bundles.locks) program.diags.error(out.bundles.loc, "this .bundle_lock has no .bundle_unlock");
  if (program.options.multibyte_warn_symbols) warn_of_multibyte_symbols(program);
}

/// What is wrong with sizes and fields, although there is no object to come because of other errors. Nothing more is
/// said of lines that have an error already, which may be the cause.
void check_what_was_read(Program& program) {
  const u32 errors_before = program.diags.errors();
  const std::size_t listed_before = program.diags.list().size();
  const auto line_of = [&](SourceLoc loc) {
    const Location at = loc ? program.sources.locate(loc) : Location();
    return std::pair(std::string(at.file), at.line);
  };
  std::set<std::pair<std::string, u32>> lines;
  for (const Diag& d : program.diags.list())
    if (d.severity == Severity::error) lines.insert(line_of(d.loc));
  layout(program);
  const bool has_sizes = program.diags.errors() == errors_before;
  obj::Object object;
  ObjectStorage storage;
  make_object(program, object, storage);
  if (has_sizes) check_branches(program);
  program.diags.drop_errors(listed_before, [&](SourceLoc loc) { return !lines.contains(line_of(loc)); });
}

/// Adds the sections that are made of what was collected. There are no new ones after this.
void make_sections(Streamer& out) {
  Program& program = out.program;
  generate_codeview_source_lines(program);
  if (program.profile.frames_before_lines) generate_frame_sections(program);
  generate_debug_sections(program);
  if (!program.padding.widens()) program.lines.rows = {};  // the table has them
  if (!program.profile.frames_before_lines) generate_frame_sections(program);
  generate_pseudo_probes(program);
  generate_stack_maps(program);
  if (!program.is_coff) make_gnu_attributes(out);
  if (program.profile.arm_attributes_last) {
    make_build_attributes(program);
    make_attributes_section(out);
  }
  if (!program.is_coff) make_build_notes(program);
}

void put(const std::string& text, OutputBuffer& out) {
  if (!out.set_size(text.size())) throw std::bad_alloc();
  std::ranges::copy(text, out.data());
}

/// Writes the object, or what is asked for in its place. All sizes and addresses are final.
bool write_output(Program& program, OutputBuffer& out) {
  using Output = Options::Output;
  const Output output = program.options.output;
  if (output == Output::encodings) return put(program.encodings.text, out), true;

  // Fields whose value is known are patched; the others become relocations, which decide what the symbol table needs.
  obj::Object object;
  ObjectStorage storage;
  make_object(program, object, storage);
  if (program.diags.errors()) {
    if (program.profile.checks_after_errors) check_branches(program);
    return false;
  }
  if (output == Output::lines) return check_branches(program), program.diags.errors() == 0;
  if (program.listing.on) {
    take_contents(object, storage);
    storage.errors.report(program.diags);
    if (output == Output::hex) put(listing_hex(program, object), out);
    if (program.options.listing.parts) program.listing.text = listing_text(program, &object);
  }
  if (output == Output::hex) return true;

  // From here on several threads may work: they read the Program, and write the contents of their sections.
  object.threads = program.options.threads;
  if (object.threads.most > 1) settle_numbers(program);
  compress_debug_sections(program, object, storage);
  program.symbols.end_lookup();

  // Offsets first, then every byte once. Writing fragments can still find a value that does not fit its field.
  std::optional<obj::WriteError> error;
  if (output == Output::raw) {
    write_raw(program, object, out);
  } else {
    error = program.is_coff ? obj::write_coff(object, out) : obj::write_elf(object, out);
  }
  storage.errors.report(program.diags);
  if (error) program.diags.error(0, std::move(error->message));
  return program.diags.errors() == 0;
}

/// After errors, sizes and fields may have been left undecided: lines without errors have bytes all the same. Nothing
/// more is said of what is wrong.
void make_line_bytes(Program& program) {
  if (!program.fields_decided) {
    const std::size_t listed = program.diags.list().size();
    const u32 errors_before = program.diags.errors();
    layout(program);
    if (program.diags.errors() != errors_before) layout(program);  // sizes that are wrong are 0 now
    obj::Object object;
    ObjectStorage storage;
    make_object(program, object, storage);
    program.diags.drop_errors(listed, [](SourceLoc) { return false; });
  }
  take_line_bytes(program);
}

/// From the end of the text to the object. False if there are errors.
bool make_output(Reader& reader, OutputBuffer& out) {
  Program& program = reader.program();
  end_text(reader);
  if (program.diags.errors()) {
    if (program.profile.checks_after_errors) check_what_was_read(program);
    return false;
  }

  // Sections that are made of records and do not depend on sizes.
  make_sections_before_layout(reader.out, reader.here());
  if (program.diags.errors()) return false;

  // Frame and line tables are made of distances between labels, so the layout of code has to be final before they are
  // written.
  layout(program);
  if (program.diags.errors()) {
    check_what_was_read(program);
    return false;
  }
  check_pc_sections(program);
  if (program.diags.errors()) return false;
  encode_codeview(program);
  fill_unwind_pieces(program);
  write_piece_runtime_functions(reader.out);
  if (program.diags.errors()) return false;
  // The sizes of all sections that came from text are final here, but for those with CodeView in them.
  make_sections(reader.out);
  if (program.diags.errors()) return false;

  // Lays out what has been added.
  layout(program);
  if (program.diags.errors()) return false;
  if (program.is_coff && program.options.output == Options::Output::object) pad_coff_sections(program);
  finish_mapping(program);
  return write_output(program, out);
}

}  // namespace

bool assemble(Reader& reader, std::span<const Input> inputs, OutputBuffer& out) {
  // Text to sections: bytes, fixups and fragments; labels get their place among them.
  read_inputs(reader, inputs);
  return finish(reader, out);
}

bool finish(Reader& reader, OutputBuffer& out) {
  if (reader.aborted) return false;
  const bool made = make_output(reader, out);
  if (reader.program().line_bytes.on) make_line_bytes(reader.program());
  return made;
}

}  // namespace xas
