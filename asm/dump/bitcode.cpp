// SPDX-License-Identifier: Apache-2.0
// --bitcode: the modules of an input, with their symbols.
#include "objwriter/metadata/bitcode.h"
#include "asm/dump/dump.h"
#include "objwriter/metadata/bitstream_text.h"

namespace xas::dump {
namespace {

using namespace bitstream;

void print_module(Session& session, const Input& input, const StreamSource& source, const Module& module) {
  Output& out = session.out;
  if (session.options.json) {
    session.json_start(input);
    if (!source.section.empty()) out.json_field("section", source.section);
    out.json_field("producer", module.producer);
    out.json_field("epoch", module.epoch);
    out.json_field("version", module.version);
    out.json_field("triple", module.triple);
    out.json_field("data_layout", module.data_layout);
    out.json_field("source", module.source_file);
    out.json_field("kind", module_kind_name(module.kind));
    out.json_key("symbols");
    out.json_begin('[');
    for (const ModuleSymbol& symbol : module.symbols) {
      out.json_begin();
      out.json_field("letter", std::string_view(&symbol.letter, 1));
      out.json_field("name", symbol.name);
      out.json_end();
    }
    out.json_end(']');
    out.json_line();
    return;
  }
  out.print("{}{}{}: {} module by {}, epoch {}\n", input.name(), source.section.empty() ? "" : ", ", source.section,
            module_kind_name(module.kind), module.producer.empty() ? "an unnamed producer" : module.producer,
            module.epoch);
  if (!module.triple.empty()) out.print("  triple {}\n", module.triple);
  if (!module.data_layout.empty()) out.print("  data layout {}\n", module.data_layout);
  if (!module.source_file.empty()) out.print("  source {}\n", module.source_file);
  if (module.has_assembly) out.print("  assembler text, whose symbols are not listed\n");
  for (const ModuleSymbol& symbol : module.symbols) out.print("  {} {}\n", symbol.letter, symbol.name);
}

}  // namespace

void dump_bitcode(Session& session, const Input& input, const read::Object* object) {
  using read::FileKind;
  const bool is_stream = input.kind == FileKind::bitcode || input.kind == FileKind::bitcode_wrapper;
  if (!object && !is_stream) {
    session.error(input, "", fmt::format("no bitcode: it is {}", read::kind_name(input.kind)));
    return;
  }
  for (const StreamSource& source : stream_sources(session.options, input, object)) {
    std::vector<Part> parts;
    std::vector<StreamFacts> facts;
    std::vector<Module> modules;
    Error error;
    bool done = split(source.bytes, parts, facts, error);
    for (const Part& part : parts) {
      if (part.kind != Part::Kind::stream || !done) continue;
      done = read_modules(source.bytes.subspan(part.offset, part.size), modules, error);
      if (!done) error.bit += part.offset * 8;
    }
    if (!done) {
      session.error(input, fmt::format("{}{}bit {}", source.section, source.section.empty() ? "" : ", ", error.bit),
                    error.message);
      continue;
    }
    for (const Module& module : modules) print_module(session, input, source, module);
  }
}

}  // namespace xas::dump
