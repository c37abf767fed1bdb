// SPDX-License-Identifier: Apache-2.0
// --stackmaps: every map of an object's or image's section, with its relocations applied.
#include <map>

#include "asm/dump/dump.h"
#include "objwriter/elf_constants.h"
#include "objwriter/metadata/dwarf_registers.h"
#include "objwriter/metadata/stack_map.h"

namespace xas::dump {
namespace {

using namespace read;
using namespace stack_map;

bool is_stack_map(std::string_view name) {
  // lld-link cuts names to eight characters; ".lsm$m" is the short name that both linkers for Windows keep.
  return name == ".llvm_stackmaps" || name == "llvm_stackmaps" || name == ".llvm_st" || name == ".lsm" ||
         name.starts_with(".lsm$");
}

class StackMapDumper : TableDumper {
 public:
  StackMapDumper(Session& session, const Input& input, const Object& object)
      : TableDumper(session, input, object), machine_(dwarf::machine_of(object.machine, object.is_elf())) {}

  void dump() {
    for (const Section& section : object_.sections) {
      const bool chosen = options_.section.empty() ? is_stack_map(section.name) : section.name == options_.section;
      if (chosen && !section.data.empty()) dump_section(section);
    }
  }

 private:
  /// A function whose address has been relocated.
  struct Target {
    std::string name;
    std::optional<Place> place;
    u64 address = 0;
    u64 size = 0;  ///< of the symbol, or 0
  };

  void dump_section(const Section& section) {
    std::vector<Map> maps;
    std::vector<Problem> problems;
    Error wrong;
    const bool whole = decode_all(section.data, object_.big_endian, maps, problems, wrong);
    if (!read_relocations(section)) return;
    for (const Map& map : maps) {
      std::vector<Target> targets;
      for (u64 i = 0; i < map.functions.size(); ++i) targets.push_back(target(map, i));
      if (options_.verify)
        verify(map, targets, problems);
      else if (options_.json)
        print_json(section, map, targets);
      else
        print_text(section, map, targets);
    }
    if (options_.verify) {
      for (const Problem& problem : problems) error(section, problem.offset, problem.message);
    }
    if (!whole) error(section, wrong.offset, wrong.message);
  }

  /// By the field's offset in the section.
  bool read_relocations(const Section& section) {
    fields_.clear();
    Error wrong;
    std::vector<Reloc> relocs;
    bool done = true;
    if (!object_.linked) {
      done = object_.relocations(section, relocs, wrong);
      has_addend_ = section.first_relocations && object_.sections[section.first_relocations].type != elf::SHT_REL;
    } else if (object_.is_elf()) {
      done = read_dynamic_relocations(section, relocs, wrong);
    }
    if (!done) {
      session_.error(input_, fmt::format("offset {:#x}", wrong.offset), wrong.message);
      return false;
    }
    for (const Reloc& reloc : relocs) fields_.emplace(reloc.offset, reloc);
    return true;
  }

  /// What the loader applies to the section. Addends in the fields, and SHT_RELR, are in the contents already.
  bool read_dynamic_relocations(const Section& section, std::vector<Reloc>& relocs, Error& wrong) {
    for (const Section& from : object_.sections) {
      if (from.type != elf::SHT_RELA || !(from.flags & elf::SHF_ALLOC)) continue;
      std::vector<Reloc> all;
      if (!object_.relocation_section(from, all, wrong)) return false;
      for (Reloc& reloc : all) {
        if (reloc.offset - section.address >= section.size) continue;
        reloc.offset -= section.address;
        relocs.push_back(reloc);
      }
    }
    return true;
  }

  Target target(const Map& map, u64 i) const {
    const u64 at = map.address_place(i);
    // On 32-bit targets the low half is what a relocation is for.
    const unsigned wide = dwarf::pointer_size(machine_);
    const u64 in_field = wide == 4 && object_.big_endian ? at + 4 : at;
    u64 address = map.functions[i].address;
    const auto found = fields_.find(in_field);
    Target made;
    if (!object_.linked) {
      if (found != fields_.end()) {
        const Pointed pointed = pointed_by(object_, found->second, has_addend_, i64(address));
        if (pointed.place.section)
          made.place = pointed.place;
        else
          made.name = fmt::format("{}{:+}", pointed.symbol, pointed.addend);
        address = pointed.place.offset;
      }
    } else {
      if (found != fields_.end()) {
        const Reloc& reloc = found->second;
        const bool named = reloc.type == relocs_.abs64 && reloc.symbol < object_.dynamic_symbols.size();
        if (reloc.type == relocs_.relative)
          address = u64(reloc.addend);
        else if (named)
          address = object_.dynamic_symbols[reloc.symbol].value + u64(reloc.addend);
      }
      made.place = places_.of_address(address);
    }
    made.address = address;
    if (made.place) {
      const Nearest nearest = places_.nearest(*made.place);
      if (!nearest.name.empty() && nearest.offset <= 1) {  // one off is the bit of Thumb
        made.name = nearest.name;
        made.size = nearest.size;
      } else {
        made.name = fmt::format("{}+{:#x}", object_.sections[made.place->section].name, made.place->offset);
      }
    }
    if (made.name.empty()) made.name = fmt::format("{:#x}", address);
    return made;
  }

  /// What takes the object to see; the section alone has been looked at already.
  void verify(const Map& map, const std::vector<Target>& targets, std::vector<Problem>& problems) const {
    const auto problem = [&](u64 offset, std::string message) {
      if (problems.size() < max_problems) problems.push_back({offset, std::move(message)});
    };
    std::size_t next = 0;
    for (std::size_t i = 0; i < map.functions.size(); ++i) {
      const Target& function = targets[i];
      if (!function.place) {
        problem(map.address_place(i), fmt::format("function {} is in no section of this file", function.name));
      }
      for (u64 k = 0; k < map.functions[i].records && next < map.records.size(); ++k) {
        const Record& record = map.records[next++];
        if (function.size && record.offset > function.size) {
          problem(record.at, fmt::format("record {} is at {}+{}, which has {} bytes", record.id, function.name,
                                         record.offset, function.size));
        }
      }
    }
    for (const Record& record : map.records) {
      for (const Location& location : record.locations) {
        const bool has_register = location.kind <= Kind::indirect;
        if (has_register && register_of(machine_, location.dwarf).name.empty()) {
          problem(record.at, fmt::format("a location of record {} is in register {}, which is not there", record.id,
                                         location.dwarf));
        }
      }
      for (const LiveOut& live_out : record.live_outs) {
        if (register_of(machine_, live_out.dwarf).name.empty()) {
          problem(record.at,
                  fmt::format("a live-out of record {} is register {}, which is not there", record.id, live_out.dwarf));
        }
      }
    }
  }

  std::string register_name(u16 number) const {
    const std::string name = register_of(machine_, number).name;
    return name.empty() ? fmt::format("r#{}", number) : name;
  }

  std::string location_text(const Map& map, const Location& location) const {
    const u16 usual = location.kind == Kind::reg ? register_of(machine_, location.dwarf).size
                      : location.kind == Kind::direct || location.kind == Kind::indirect
                          ? u16(dwarf::pointer_size(machine_))
                          : u16(8);
    const std::string size = location.size == usual ? "" : fmt::format(":{}", location.size);
    switch (location.kind) {
      case Kind::reg:
        return fmt::format("reg {}{}{}", register_name(location.dwarf),
                           location.offset ? fmt::format("+{} bits", location.offset) : "", size);
      case Kind::direct: return fmt::format("direct({}, {}){}", register_name(location.dwarf), location.offset, size);
      case Kind::indirect:
        return fmt::format("indirect({}, {}){}", register_name(location.dwarf), location.offset, size);
      case Kind::constant: return fmt::format("const {}{}", location.offset, size);
      case Kind::constant_index:
        if (u32(location.offset) >= map.constants.size()) return fmt::format("const #{}{}", u32(location.offset), size);
        return fmt::format("const {} #{}{}", map.constants[u32(location.offset)], u32(location.offset), size);
    }
    return fmt::format("kind {}", u8(location.kind));
  }

  static std::string count(std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  }

  void print_text(const Section& section, const Map& map, const std::vector<Target>& targets) {
    Output& out = session_.out;
    out.print("{}: {}, version {}, {}, {}, {}\n", input_.name(), section.name, version,
              count(map.functions.size(), "function"), count(map.constants.size(), "constant"),
              count(map.records.size(), "record"));
    std::size_t next = 0;
    for (std::size_t i = 0; i < map.functions.size(); ++i) {
      const Function& function = map.functions[i];
      if (function.stack_size == dynamic_size)
        out.print("  {}, stack size dynamic\n", targets[i].name);
      else
        out.print("  {}, stack size {}\n", targets[i].name, function.stack_size);
      for (u64 k = 0; k < function.records && next < map.records.size(); ++k) {
        print_record(map, map.records[next++], fmt::format("{}+", targets[i].name));
      }
    }
    while (next < map.records.size()) print_record(map, map.records[next++], "no function, +");
  }

  void print_record(const Map& map, const Record& record, std::string_view place) {
    Output& out = session_.out;
    out.print("    {} at {}{}: ", record.id, place, record.offset);
    const char* separator = "";
    for (const Location& location : record.locations) {
      out.print("{}{}", separator, location_text(map, location));
      separator = ", ";
    }
    if (record.locations.empty()) out.write("none");
    if (!record.live_outs.empty()) {
      out.write(", liveout(");
      separator = "";
      for (const LiveOut& live_out : record.live_outs) {
        out.print("{}{}:{}", separator, register_name(live_out.dwarf), live_out.size);
        separator = ", ";
      }
      out.write(")");
    }
    out.write("\n");
  }

  void print_json(const Section& section, const Map& map, const std::vector<Target>& targets) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < map.functions.size(); ++i) {
      const Function& function = map.functions[i];
      for (u64 k = 0; k < function.records && next < map.records.size(); ++k) {
        print_json_record(section, map, map.records[next++], targets[i], function.stack_size);
      }
    }
  }

  void print_json_record(const Section& section, const Map& map, const Record& record, const Target& function,
                         u64 stack_size) {
    Output& out = session_.out;
    session_.json_start(input_);
    out.json_field("section", section.name);
    out.json_field("function", function.name);
    if (stack_size == dynamic_size) {
      out.json_key("stack_size");
      out.json_null();
    } else {
      out.json_field("stack_size", stack_size);
    }
    out.json_field("id", record.id);
    out.json_field("symbol", function.name);
    out.json_field("offset", record.offset);
    out.json_field("address", function.address + record.offset);
    out.json_key("locations");
    out.json_begin('[');
    for (const Location& location : record.locations) {
      constexpr const char* kinds[] = {"", "reg", "direct", "indirect", "const", "constindex"};
      const bool known = u8(location.kind) < std::size(kinds);
      out.json_begin();
      out.json_field("kind", known ? kinds[u8(location.kind)] : "unknown");
      if (location.kind <= Kind::indirect) {
        out.json_field("register", register_name(location.dwarf));
        out.json_field("dwarf", location.dwarf);
      }
      out.json_field("size", location.size);
      const bool in_pool = location.kind == Kind::constant_index && u32(location.offset) < map.constants.size();
      if (in_pool) {
        out.json_field("value", map.constants[u32(location.offset)]);
      } else {
        out.json_key(location.kind == Kind::constant ? "value" : "offset");
        out.json_signed(location.offset);
      }
      out.json_end();
    }
    out.json_end(']');
    out.json_key("liveouts");
    out.json_begin('[');
    for (const LiveOut& live_out : record.live_outs) {
      out.json_begin();
      out.json_field("register", register_name(live_out.dwarf));
      out.json_field("dwarf", live_out.dwarf);
      out.json_field("size", live_out.size);
      out.json_end();
    }
    out.json_end(']');
    out.json_line();
  }

  dwarf::Machine machine_;
  std::multimap<u64, Reloc> fields_;
  bool has_addend_ = false;
};

}  // namespace

void dump_stack_maps(Session& session, const Input& input, const Object* object) {
  if (object) StackMapDumper(session, input, *object).dump();
}

}  // namespace xas::dump
