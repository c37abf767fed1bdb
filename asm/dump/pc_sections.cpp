// SPDX-License-Identifier: Apache-2.0
// --pc-sections. In an object, a table shows itself: it is linked to code, and each of its entries begins with a
// relocation. In a linked image a table is bytes, which a schema tells how to read.
#include <fmt/ranges.h>

#include <algorithm>

#include "asm/dump/dump.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas::dump {
namespace {

using namespace read;
using pc_section::Entry;
using pc_section::Schema;

const Schema* find_schema(const Options& options, std::string_view table, std::optional<Schema>& built_in) {
  for (const Schema& schema : options.schemas) {
    if (schema.table == table) return &schema;
  }
  built_in = pc_section::built_in_schema(table);
  return built_in ? &*built_in : nullptr;
}

class PcSectionDumper : TableDumper {
 public:
  PcSectionDumper(Session& session, const Input& input, const Object& object) : TableDumper(session, input, object) {}

  void dump() {
    for (const Section& section : object_.sections) {
      if (section.data.empty() || !is_chosen(section)) continue;
      if (object_.linked)
        dump_linked(section);
      else
        dump_object(section);
    }
  }

 private:
  struct Shown {
    u64 offset = 0;
    std::optional<Place> pc;
    u64 address = 0;
    std::string_view symbol;  ///< the name of one that is not in this file
    Entry entry;              ///< its size and constants, if there is a schema
    bool has_fields = false;
    std::span<const u8> bytes;
  };

  bool is_chosen(const Section& section) const {
    if (!options_.tables.empty()) {
      return std::find(options_.tables.begin(), options_.tables.end(), section.name) != options_.tables.end();
    }
    if (pc_section::built_in_schema(section.name)) return true;
    if (object_.linked || object_.is_coff()) return false;
    constexpr u64 wanted = elf::SHF_WRITE | elf::SHF_ALLOC | elf::SHF_LINK_ORDER;
    const Section* code = object_.section(section.link);
    if (section.type != elf::SHT_PROGBITS || (section.flags & ~u64(elf::SHF_GROUP)) != wanted || !code ||
        !(code->flags & elf::SHF_EXECINSTR)) {
      return false;
    }
    std::vector<Reloc> relocs;
    Error error;
    // What cannot be read is told when the table is dumped.
    if (!object_.relocations(section, relocs, error)) return true;
    return std::any_of(relocs.begin(), relocs.end(), [&](const Reloc& r) { return r.offset == 0 && is_pc(r.type); });
  }

  bool is_pc(u32 type) const { return type == relocs_.pc32 || type == relocs_.pc64; }

  std::string_view code_name(const Section& section) const {
    const Section* code = object_.section(object_.is_elf() ? section.link : section.associated);
    return code ? code->name : std::string_view();
  }

  void dump_object(const Section& section) {
    std::vector<Reloc> relocs;
    if (Error wrong; !object_.relocations(section, relocs, wrong)) {
      session_.error(input_, fmt::format("offset {:#x}", wrong.offset), wrong.message);
      return;
    }
    std::erase_if(relocs, [&](const Reloc& reloc) { return !is_pc(reloc.type); });
    const auto by_offset = [](const Reloc& a, const Reloc& b) { return a.offset < b.offset; };
    if (!std::is_sorted(relocs.begin(), relocs.end(), by_offset)) {
      std::stable_sort(relocs.begin(), relocs.end(), by_offset);
    }
    std::optional<Schema> built_in;
    const Schema* schema = find_schema(options_, section.name, built_in);
    const bool has_addend =
        section.first_relocations && object_.sections[section.first_relocations].type != elf::SHT_REL;
    std::vector<Shown> shown;
    shown.reserve(relocs.size());
    u64 end = 0;
    for (std::size_t i = 0; i < relocs.size(); ++i) {
      const Reloc& reloc = relocs[i];
      // A distance among the constants is no entry; without a schema there is no telling.
      if (schema && i != 0 && reloc.offset < end) continue;
      if (reloc.offset != end && (schema || i == 0)) {
        return error(section, end, fmt::format("bytes {:#x} to {:#x} belong to no entry", end, reloc.offset));
      }
      const unsigned size = reloc.type == relocs_.pc64 ? 8 : 4;
      if (!object_.bytes().holds(section.offset, reloc.offset) || reloc.offset > section.data.size() ||
          size > section.data.size() - reloc.offset) {
        return error(section, reloc.offset, "a relocation reaches beyond the table");
      }
      const u64 field = object_.bytes().number(section.offset + reloc.offset, size);
      i64 contents = size == 4 ? i64(i32(u32(field))) : i64(field);
      if (!has_addend && size == 4) contents -= relocs_.pc32_bias;
      const Pointed pointed = pointed_by(object_, reloc, has_addend, contents);
      Shown entry;
      entry.offset = reloc.offset;
      const Section* code = object_.section(pointed.place.section);
      if (!code) {
        return error(
            section, reloc.offset,
            fmt::format("the PC is in no section of this file, but at {}{:+}", pointed.symbol, pointed.addend));
      }
      if (pointed.place.offset > code->size) {
        return error(section, reloc.offset,
                     fmt::format("the PC is at {:#x} of {}, which has {:#x} bytes", pointed.place.offset, code->name,
                                 code->size));
      }
      entry.pc = pointed.place;
      if (schema) {
        if (!read_fields(section, *schema, entry, size)) return;
        end = entry.entry.end;
      } else {
        end = i + 1 < relocs.size() ? std::max(relocs[i + 1].offset, reloc.offset + size) : section.data.size();
        end = std::min<u64>(end, section.data.size());
        entry.bytes = section.data.subspan(reloc.offset + size, end - reloc.offset - size);
      }
      shown.push_back(std::move(entry));
    }
    if (schema && end != section.data.size()) {
      return error(section, end, fmt::format("bytes {:#x} to {:#x} belong to no entry", end, section.data.size()));
    }
    print(section, shown);
  }

  bool read_fields(const Section& section, const Schema& schema, Shown& shown, unsigned pc_size) {
    Error wrong;
    if (!pc_section::decode_entry(section.data, shown.offset, schema, pc_size, object_.is_64 ? 8 : 4,
                                  object_.big_endian, shown.entry, wrong)) {
      error(section, wrong.offset, wrong.message);
      return false;
    }
    shown.has_fields = true;
    return true;
  }

  void dump_linked(const Section& section) {
    std::optional<Schema> built_in;
    const Schema* schema = find_schema(options_, section.name, built_in);
    if (!schema) {
      return error(section, 0,
                   fmt::format("what is in the table? add --schema {}=FIELD,... (see --help)", section.name));
    }
    std::vector<Shown> shown;
    for (u64 at = 0; at < section.data.size();) {
      Shown entry;
      entry.offset = at;
      if (!read_fields(section, *schema, entry, schema->pc_size)) return;
      entry.address = section.address + at + u64(entry.entry.distance);
      if (!object_.is_64) entry.address = u32(entry.address);
      entry.pc = places_.of_address(entry.address);
      if (!entry.pc)
        return error(section, at, fmt::format("the PC {:#x} is in no section of this file", entry.address));
      at = entry.entry.end;
      shown.push_back(std::move(entry));
    }
    print(section, shown);
  }

  void print(const Section& section, const std::vector<Shown>& entries) {
    if (options_.verify) return;
    Output& out = session_.out;
    if (!options_.json) {
      const std::string_view code = code_name(section);
      out.print("{}: {}{}{}, {} bytes, {} {}\n", input_.name(), section.name, code.empty() ? "" : " for ", code,
                section.data.size(), entries.size(), entries.size() == 1 ? "entry" : "entries");
    }
    for (const Shown& entry : entries) options_.json ? print_json(section, entry) : print_text(entry);
  }

  static std::string value_text(const pc_section::Value& value) {
    return value.high ? fmt::format("{:#x}{:016x}", value.high, value.low) : fmt::format("{}", value.low);
  }

  void print_text(const Shown& entry) {
    Output& out = session_.out;
    const Nearest nearest = places_.nearest(*entry.pc);
    std::string place;
    if (!nearest.name.empty())
      place = fmt::format("{}+{}", nearest.name, nearest.offset);
    else
      place = fmt::format("{}+{}", object_.sections[entry.pc->section].name, entry.pc->offset);
    out.print("  {:#04x}  {}", entry.offset, place);
    if (object_.linked) out.print(" ({:#x})", entry.address);
    if (entry.entry.size) out.print("  size {}", *entry.entry.size);
    for (const auto& value : entry.entry.constants) out.print("  {}", value_text(value));
    if (!entry.has_fields && !entry.bytes.empty()) out.print("  bytes {:02x}", fmt::join(entry.bytes, " "));
    out.write("\n");
  }

  void print_json(const Section& section, const Shown& entry) {
    Output& out = session_.out;
    const Nearest nearest = places_.nearest(*entry.pc);
    session_.json_start(input_);
    out.json_field("section", section.name);
    out.json_field("offset", entry.offset);
    out.json_field("code", object_.sections[entry.pc->section].name);
    out.json_field("pc", object_.linked ? entry.address : entry.pc->offset);
    if (!nearest.name.empty()) {
      out.json_field("symbol", nearest.name);
      out.json_field("symbol_offset", nearest.offset);
    }
    if (entry.entry.size) out.json_field("size", *entry.entry.size);
    if (entry.has_fields) {
      out.json_key("constants");
      out.json_begin('[');
      for (const auto& value : entry.entry.constants) {
        // Numbers of more than 64 bits are text.
        if (value.size == 16)
          out.json_string(fmt::format("{:#x}{:016x}", value.high, value.low));
        else
          out.json_number(value.low);
      }
      out.json_end(']');
    } else {
      out.json_hex("bytes", entry.bytes);
    }
    out.json_line();
  }
};

}  // namespace

void dump_pc_sections(Session& session, const Input& input, const Object* object) {
  if (object) PcSectionDumper(session, input, *object).dump();
}

}  // namespace xas::dump
