// SPDX-License-Identifier: Apache-2.0
// --bitstream: streams as `.bs_*` text, as a tree of what the blocks hold, or as JSON.
#include <algorithm>
#include <map>

#include "asm/dump/dump.h"
#include "xas/xas.hpp"
#include "objwriter/metadata/bitstream_text.h"

namespace xas::dump {
namespace {

using namespace bitstream;

/// One source's parts, read before anything is printed.
struct Streams {
  std::vector<Part> parts;
  std::vector<StreamFacts> facts;
};

bool read_streams(Session& session, const Input& input, const StreamSource& source, Streams& streams) {
  Error error;
  if (split(source.bytes, streams.parts, streams.facts, error)) return true;
  std::string place = fmt::format("bit {}", error.bit);
  if (!source.section.empty()) place = fmt::format("{}, {}", source.section, place);
  session.error(input, place, error.message);
  return false;
}

void begin_json(Session& session, const Input& input, const StreamSource& source, const Reader& reader, u64 offset,
                std::string_view kind) {
  Output& out = session.out;
  session.json_start(input);
  if (!source.section.empty()) out.json_field("section", source.section);
  out.json_field("kind", kind);
  out.json_field("bit", offset * 8 + reader.start());
  out.json_field("depth", reader.depth());
  out.json_field("block", reader.block());
}

void print_json(Session& session, const Input& input, const StreamSource& source, const Part& part,
                const StreamFacts& facts) {
  Reader reader(source.bytes.subspan(part.offset, part.size));
  Output& out = session.out;
  for (;;) {
    const Item item = reader.next();
    if (item == Item::end || item == Item::error) return;
    if (item == Item::enter) {
      begin_json(session, input, source, reader, part.offset, "block");
      if (const auto name = block_name(facts, reader.magic(), reader.block()); !name.empty()) {
        out.json_field("name", name);
      }
      out.json_field("width", reader.width());
      out.json_field("words", reader.words());
      out.json_line();
    } else if (item == Item::record) {
      const Record& record = reader.record();
      begin_json(session, input, source, reader, part.offset, "record");
      out.json_field("abbreviation", record.abbreviation);
      out.json_field("code", record.code);
      if (const auto name = record_name(facts, reader.magic(), reader.block(), record.code); !name.empty()) {
        out.json_field("name", name);
      }
      out.json_key("values");
      out.json_begin('[');
      for (u64 value : record.values) out.json_number(value);
      out.json_end(']');
      if (record.has_blob) out.json_hex("blob", record.blob);
      out.json_line();
    }
  }
}

/// What all blocks of one number, at the same place of the tree, hold together.
struct Node {
  u64 blocks = 0, bits = 0, abbreviations = 0;
  struct Records {
    u64 count = 0, bits = 0, abbreviated = 0;
  };
  std::map<u64, Records> records;
  std::map<u64, Node> children;
};

void print_node(Output& out, const StreamFacts& facts, std::string_view magic, u64 block, const Node& node,
                unsigned depth) {
  const auto name = block_name(facts, magic, block);
  out.print("{:{}}block {}{}{}: {} of them, {} bits, {} abbreviations\n", "", 2 * depth, block, name.empty() ? "" : " ",
            name, node.blocks, node.bits, node.abbreviations);
  for (const auto& [code, records] : node.records) {
    const auto record = record_name(facts, magic, block, code);
    out.print("{:{}}record {}{}{}: {} of them, {} bits, {} by abbreviation\n", "", 2 * depth + 2, code,
              record.empty() ? "" : " ", record, records.count, records.bits, records.abbreviated);
  }
  for (const auto& [child, under] : node.children) print_node(out, facts, magic, child, under, depth + 1);
}

void print_tree(Session& session, const Input& input, const StreamSource& source, const Part& part,
                const StreamFacts& facts) {
  Reader reader(source.bytes.subspan(part.offset, part.size));
  Node root;
  std::vector<Node*> open = {&root};
  for (;;) {
    const Item item = reader.next();
    if (item == Item::end || item == Item::error) break;
    const u64 bits = reader.position() - reader.start();
    if (item == Item::enter) {
      Node& node = open.back()->children[reader.block()];
      ++node.blocks;
      node.bits += bits;
      open.push_back(&node);
      continue;
    }
    Node& node = *open.back();
    node.bits += bits;
    if (item == Item::abbreviation) ++node.abbreviations;
    if (item == Item::record) {
      Node::Records& records = node.records[reader.record().code];
      ++records.count;
      records.bits += bits;
      records.abbreviated += reader.record().abbreviation != UNABBREV_RECORD;
    }
    if (item == Item::leave) open.pop_back();
  }
  Output& out = session.out;
  out.print("{}{}{}: stream at byte {}, {} bytes\n", input.name(), source.section.empty() ? "" : ", ", source.section,
            part.offset, part.size);
  for (const auto& [block, node] : root.children) print_node(out, facts, reader.magic(), block, node, 1);
}

/// Whether the text that would be printed gives the same bytes.
void verify_text(Session& session, const Input& input, const StreamSource& source, const Streams& streams) {
  std::string text;
  print_parts(source.bytes, streams.parts, streams.facts, [&](std::string_view part) { text += part; });
  Context assembler;
  assembler.option("--target=x86_64-linux-gnu");
  assembler.option("-filetype=raw");
  if (!assembler.assemble(text, "text")) {
    session.error(input, "the text is refused", assembler.text());
    return;
  }
  const std::span<const u8> made = assembler.object();
  if (!std::equal(made.begin(), made.end(), source.bytes.begin(), source.bytes.end())) {
    const auto at =
        std::mismatch(made.begin(), made.end(), source.bytes.begin(), source.bytes.end()).first - made.begin();
    session.error(input, fmt::format("offset {:#x}", at), "the text gives another byte");
  }
}

bool holds_streams(std::string_view section) {
  return section == ".llvmbc" || section == ".llvm.lto" || section == "__clangast" || section == ".remarks";
}

}  // namespace

std::vector<StreamSource> stream_sources(const Options& options, const Input& input, const read::Object* object) {
  std::vector<StreamSource> sources;
  if (!object) {
    if (options.section.empty()) sources.push_back({{}, input.bytes});
    return sources;
  }
  for (const read::Section& section : object->sections) {
    const bool chosen = options.section.empty() ? holds_streams(section.name) : section.name == options.section;
    if (chosen && !section.data.empty()) sources.push_back({section.name, section.data});
  }
  return sources;
}

void dump_bitstreams(Session& session, const Input& input, const read::Object* object) {
  const auto sources = stream_sources(session.options, input, object);
  for (const StreamSource& source : sources) {
    Streams streams;
    if (!read_streams(session, input, source, streams)) continue;
    if (session.options.verify) {
      verify_text(session, input, source, streams);
      continue;
    }
    if (!session.options.tree && !session.options.json) {
      session.out.print("        /* {}{}{} */\n", input.name(), source.section.empty() ? "" : ", ", source.section);
      print_parts(source.bytes, streams.parts, streams.facts, [&](std::string_view part) { session.out.write(part); });
      continue;
    }
    std::size_t stream = 0;
    for (const Part& part : streams.parts) {
      if (part.kind != Part::Kind::stream) continue;
      const StreamFacts& facts = streams.facts[stream++];
      if (session.options.json)
        print_json(session, input, source, part, facts);
      else
        print_tree(session, input, source, part, facts);
    }
  }
}

}  // namespace xas::dump
