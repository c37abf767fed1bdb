// SPDX-License-Identifier: Apache-2.0
// Modules of LLVM bitcode, by LLVM's "LLVM Bitcode File Format" and what releases since have added: version 2, in which
// the records of global values begin with the place of their name in the STRTAB block behind the module; the
// IDENTIFICATION block; linkages 16 to 19.
#include "objwriter/metadata/bitcode.h"

namespace xas::bitstream {
namespace {

enum : u64 {
  MODULE_BLOCK = 8,
  IDENTIFICATION_BLOCK = 13,
  VALUE_SYMTAB_BLOCK = 14,
  TYPE_BLOCK = 17,
  MODULE_STRTAB_BLOCK = 19,
  GLOBALVAL_SUMMARY_BLOCK = 20,
  STRTAB_BLOCK = 23,
  FULL_LTO_GLOBALVAL_SUMMARY_BLOCK = 24,
};

// Records of the module block
enum : u64 {
  VERSION = 1,
  TRIPLE = 2,
  DATALAYOUT = 3,
  ASM = 4,
  SECTIONNAME = 5,
  GLOBALVAR = 7,
  FUNCTION = 8,
  ALIAS_OLD = 9,
  ALIAS = 14,
  SOURCE_FILENAME = 16,
  IFUNC = 18,
};

enum class Linkage : u8 { external, weak, appending, internal, extern_weak, common, private_, available_externally };

Linkage linkage_of(u64 number) {
  switch (number) {
    case 1:  // weak and linkonce, each of any and of one definition, in the numbers of two times
    case 4:
    case 10:
    case 11:
    case 16:
    case 17:
    case 18:
    case 19: return Linkage::weak;
    case 2: return Linkage::appending;
    case 3: return Linkage::internal;
    case 7: return Linkage::extern_weak;
    case 8: return Linkage::common;
    case 9:
    case 13:
    case 14: return Linkage::private_;
    case 12: return Linkage::available_externally;
    default: return Linkage::external;
  }
}

struct Global {
  u64 name_offset = 0, name_size = 0;
  std::string name;
  Linkage linkage = Linkage::external;
  bool is_code = false;
  bool is_declaration = false;
  bool is_constant = false;
  u64 section = 0;  ///< from 1
};

std::string characters(std::span<const u64> values) {
  std::string text;
  for (u64 value : values) text += char(value);
  return text;
}

/// The letter of llvm-nm for a symbol of a module.
char letter_of(const Global& global, bool is_apple) {
  const bool undefined = global.is_declaration || global.linkage == Linkage::available_externally;
  if (global.linkage == Linkage::extern_weak) return 'w';
  if (global.linkage == Linkage::weak) return undefined ? 'w' : 'W';
  if (undefined) return 'U';
  if (global.linkage == Linkage::common) return 'C';
  const bool local = global.linkage == Linkage::internal;
  if (global.is_code) return local ? 't' : 'T';
  if (is_apple && global.is_constant) return local ? 's' : 'S';
  return local ? 'd' : 'D';
}

class ModuleReader {
 public:
  ModuleReader(std::span<const u8> stream, std::vector<Module>& modules) : reader_(stream), modules_(modules) {}

  bool read(Error& error) {
    for (;;) {
      const Item item = reader_.next();
      if (item == Item::error) return error = reader_.error(), false;
      if (item == Item::end) break;
      bool done = true;
      switch (reader_.block()) {
        case IDENTIFICATION_BLOCK: done = read_identification(); break;
        case MODULE_BLOCK: done = read_module(); break;
        case STRTAB_BLOCK: done = read_strtab(); break;
        case BLOCKINFO: done = pass_block(); break;
        default: done = reader_.skip(); break;
      }
      if (!done) return error = reader_.error(), false;
    }
    name_symbols({});
    return true;
  }

 private:
  /// Reads a block for what its definitions do, and for nothing else.
  bool pass_block() {
    const unsigned outside = reader_.depth() - 1;
    while (reader_.depth() > outside) {
      if (reader_.next() == Item::error) return false;
    }
    return true;
  }

  /// Calls `record` for the records of this block; blocks in it are given to `block`, which must leave them.
  template <typename OnRecord, typename OnBlock>
  bool read_block(OnRecord&& record, OnBlock&& block) {
    for (;;) {
      switch (reader_.next()) {
        case Item::error:
        case Item::end: return false;
        case Item::leave: return true;
        case Item::abbreviation: break;
        case Item::record: record(reader_.record()); break;
        case Item::enter:
          if (!block(reader_.block())) return false;
          break;
      }
    }
  }

  bool read_identification() {
    producer_.clear();
    epoch_ = 0;
    return read_block(
        [&](const Record& record) {
          if (record.code == 1) producer_ = characters(record.values);
          if (record.code == 2 && !record.values.empty()) epoch_ = record.values[0];
        },
        [&](u64) { return reader_.skip(); });
  }

  bool read_module() {
    modules_.push_back({});
    pending_.push_back({modules_.size() - 1, {}, {}});
    Module& module = modules_.back();
    module.producer = producer_;
    module.epoch = epoch_;
    function_types_.clear();
    bool has_summary = false, has_module_table = false;
    const bool done = read_block([&](const Record& record) { read_module_record(module, record); },
                                 [&](u64 block) {
                                   switch (block) {
                                     case BLOCKINFO: return pass_block();
                                     case TYPE_BLOCK: return read_types();
                                     case VALUE_SYMTAB_BLOCK:
                                       return module.version < 2 ? read_value_names() : reader_.skip();
                                     case GLOBALVAL_SUMMARY_BLOCK: has_summary = true; break;
                                     case FULL_LTO_GLOBALVAL_SUMMARY_BLOCK: module.kind = Module::Kind::full_lto; break;
                                     case MODULE_STRTAB_BLOCK: has_module_table = true; break;
                                     default: break;
                                   }
                                   return reader_.skip();
                                 });
    if (has_summary) module.kind = Module::Kind::thin_lto;
    if (has_module_table) module.kind = Module::Kind::index;
    return done;
  }

  bool read_types() {
    constexpr u64 numentry = 1, function_old = 9, struct_name = 19, function = 21;
    return read_block(
        [&](const Record& record) {
          if (record.code != numentry && record.code != struct_name) {
            function_types_.push_back(record.code == function_old || record.code == function);
          }
        },
        [&](u64) { return reader_.skip(); });
  }

  /// Before version 2, names stand in the module's symbol table, by the number of the value.
  bool read_value_names() {
    constexpr u64 entry = 1, function_entry = 3;
    std::vector<Global>& globals = pending_.back().globals;
    return read_block(
        [&](const Record& record) {
          const std::size_t skipped = record.code == entry ? 1 : record.code == function_entry ? 2 : 0;
          if (!skipped || record.values.size() < skipped || record.values[0] >= globals.size()) return;
          globals[record.values[0]].name = characters(std::span<const u64>(record.values).subspan(skipped));
        },
        [&](u64) { return reader_.skip(); });
  }

  void read_module_record(Module& module, const Record& record) {
    const std::span<const u64> values(record.values);
    switch (record.code) {
      case VERSION: module.version = values.empty() ? 0 : values[0]; break;
      case TRIPLE: module.triple = characters(values); break;
      case DATALAYOUT: module.data_layout = characters(values); break;
      case SOURCE_FILENAME: module.source_file = characters(values); break;
      case ASM: module.has_assembly = true; break;
      case SECTIONNAME: pending_.back().sections.push_back(characters(values)); break;
      case GLOBALVAR:
      case FUNCTION:
      case ALIAS:
      case ALIAS_OLD:
      case IFUNC: read_global(module, record.code, values); break;
      default: break;
    }
  }

  void read_global(const Module& module, u64 code, std::span<const u64> values) {
    Global global;
    if (module.version >= 2) {
      if (values.size() < 2) return;
      global.name_offset = values[0];
      global.name_size = values[1];
      values = values.subspan(2);
    }
    const auto value = [&](std::size_t i) { return i < values.size() ? values[i] : 0; };
    switch (code) {
      case GLOBALVAR:
        global.is_constant = value(1) & 1;
        global.is_declaration = value(2) == 0;
        global.linkage = linkage_of(value(3));
        global.section = value(5);
        break;
      case FUNCTION:
        global.is_code = true;
        global.is_declaration = value(2) != 0;
        global.linkage = linkage_of(value(3));
        global.section = value(6);
        break;
      case ALIAS_OLD:
        global.is_code = is_function_type(value(0));
        global.linkage = linkage_of(value(2));
        break;
      case ALIAS:
        global.is_code = is_function_type(value(0));
        global.linkage = linkage_of(value(3));
        break;
      default:  // IFUNC
        global.is_code = true;
        global.linkage = linkage_of(value(3));
        break;
    }
    pending_.back().globals.push_back(std::move(global));
  }

  bool is_function_type(u64 type) const { return type < function_types_.size() && function_types_[type]; }

  bool read_strtab() {
    std::string_view table;
    const bool done = read_block(
        [&](const Record& record) {
          if (record.has_blob) table = {reinterpret_cast<const char*>(record.blob.data()), record.blob.size()};
        },
        [&](u64) { return reader_.skip(); });
    name_symbols(table);
    return done;
  }

  /// A string table is for the modules in front of it.
  void name_symbols(std::string_view table) {
    for (Pending& pending : pending_) {
      Module& module = modules_[pending.module];
      const std::size_t mangling = module.data_layout.find("m:");
      const char style = mangling == std::string::npos || mangling + 2 >= module.data_layout.size()
                             ? 'e'
                             : module.data_layout[mangling + 2];
      const bool is_apple = module.triple.find("-apple-") != std::string::npos;
      for (Global& global : pending.globals) {
        if (module.version >= 2 && global.name_offset <= table.size()) {
          global.name = table.substr(global.name_offset, global.name_size);
        }
        const bool in_metadata = global.section != 0 && global.section <= pending.sections.size() &&
                                 pending.sections[global.section - 1] == "llvm.metadata";
        if (global.linkage == Linkage::private_ || global.name.empty() || global.name.starts_with("llvm.") ||
            in_metadata) {
          continue;
        }
        std::string name = std::move(global.name);
        if (name[0] == '\1')
          name.erase(0, 1);
        else if (style == 'o' || style == 'x')
          name.insert(0, "_");
        module.symbols.push_back({letter_of(global, is_apple), std::move(name)});
      }
    }
    pending_.clear();
  }

  struct Pending {
    std::size_t module;
    std::vector<Global> globals;  ///< by the number of the value
    std::vector<std::string> sections;
  };

  Reader reader_;
  std::vector<Module>& modules_;
  std::vector<Pending> pending_;
  std::string producer_;
  u64 epoch_ = 0;
  std::vector<bool> function_types_;
};

}  // namespace

std::string_view module_kind_name(Module::Kind kind) {
  switch (kind) {
    case Module::Kind::thin_lto: return "ThinLTO";
    case Module::Kind::full_lto: return "full with summary";
    case Module::Kind::index: return "index";
    default: return "plain";
  }
}

bool read_modules(std::span<const u8> stream, std::vector<Module>& modules, Error& error) {
  return ModuleReader(stream, modules).read(error);
}

}  // namespace xas::bitstream
