// SPDX-License-Identifier: Apache-2.0
// pc-section-test generate SEED COUNT: LLVM IR with COUNT functions whose instructions have !pcsections metadata, to
// standard output. One instruction a node: llc writes the constants of a shared node once, behind all of its PCs.
//
// pc-section-test convert: llc's assembly on standard input, with its tables turned back into .pcsection lines. An
// entry that is alone in its table for a function stands before its instruction, the others name their place.
//
// pc-section-test compare OURS THEIRS: both objects have the same code, and the same tables: contents, flags, links,
// groups, relocations (by place: the symbols that are named may differ). The order of sections is not compared.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "objwriter/elf_constants.h"
#include "objwriter/read/object.h"

using namespace xas;

namespace {

// generate

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  void print(unsigned count) {
    for (unsigned i = 0; i < count; ++i) function(i);
    fmt::print("declare void @callee(ptr)\n");
    for (const std::string& line : nodes_) fmt::print("{}\n", line);
  }

 private:
  unsigned below(unsigned n) { return unsigned(random_() % n); }

  std::string constant() {
    static constexpr unsigned widths[] = {1, 3, 7, 8, 8, 12, 16, 24, 31, 32, 33, 48, 63, 64, 128};
    switch (below(12)) {
      case 0: return "ptr null";
      case 1: return fmt::format("float {}.0", below(100));
      case 2: return fmt::format("double -{}.5", below(100));
      default: break;
    }
    const unsigned bits = widths[below(std::size(widths))];
    if (bits == 1) return below(2) ? "i1 true" : "i1 false";
    const u64 value = (u64(random_()) << 32 | random_()) & ((u64(1) << std::min(bits - 1, 62u)) - 1);
    return fmt::format("i{} {}{}", bits, below(3) ? "" : "-", value >> below(bits));
  }

  /// `!N`, for a node of its own: sections with groups of constants.
  std::string node(std::string_view prefix) {
    std::string text = "!{";
    for (unsigned sections = 1 + below(2), i = 0; i < sections; ++i) {
      fmt::format_to(std::back_inserter(text), "{}!\"{}{}{}\"", i ? ", " : "", prefix, below(3), below(3) ? "" : "!C");
      for (unsigned groups = below(3); groups != 0; --groups) {
        std::string group = "!{";
        for (unsigned n = 1 + below(3); n != 0; --n) group += constant() + (n > 1 ? ", " : "}");
        fmt::format_to(std::back_inserter(text), ", !{}", nodes_.size());
        nodes_.push_back(fmt::format("!{} = {}", nodes_.size(), group));
      }
    }
    nodes_.push_back(fmt::format("!{} = distinct {}}}", nodes_.size(), text));
    return fmt::format("!{}", nodes_.size() - 1);
  }

  void function(unsigned number) {
    const unsigned kind = below(5);
    if (kind == 0) fmt::print("$f{} = comdat any\n", number);
    fmt::print("define {}void @f{}(ptr %p, i32 %n) optsize{}{} {{\n", kind == 1 ? "internal " : "", number,
               kind == 0   ? " comdat"
               : kind == 2 ? fmt::format(" section \"{}\"", below(2) ? "other_text" : ".text.x")
                           : "",
               below(3) ? fmt::format(" !pcsections {}", node("fn")) : "");
    const unsigned steps = 1 + below(4);
    for (unsigned i = 0; i < steps; ++i) {
      const std::string mark = below(4) ? fmt::format(", !pcsections {}", node("pc")) : "";
      switch (below(4)) {
        case 0: fmt::print("  store atomic i32 {}, ptr %p seq_cst, align 4{}\n", i, mark); break;
        case 1: fmt::print("  store volatile i32 %n, ptr %p, align 4{}\n", mark); break;
        case 2: fmt::print("  %v{} = load volatile i32, ptr %p, align 4{}\n", i, mark); break;
        case 3: fmt::print("  call void @callee(ptr %p){}\n", mark); break;
      }
    }
    if (below(2)) {
      fmt::print("  %c = icmp eq i32 %n, 0\n  br i1 %c, label %a, label %b\n");
      fmt::print("a:\n  store volatile i32 7, ptr %p, align 4, !pcsections {}\n  br label %b\nb:\n", node("br"));
    }
    fmt::print("  ret void\n}}\n");
    if (kind == 1) fmt::print("@use{} = global ptr @f{}\n", number, number);
  }

  std::mt19937 random_;
  std::vector<std::string> nodes_;
};

// convert

struct Entry {
  std::string table;
  std::string place;           ///< the label that it names
  std::string end;             ///< of a range
  bool compress = false;
  std::string constants;
};

class Converter {
 public:
  void run() {
    for (std::string line; std::getline(std::cin, line);) {
      const auto word_at = line.find_first_not_of(" \t");
      const bool section = word_at != line.npos && (line.compare(word_at, 5, ".text") == 0 ||
                                                    line.compare(word_at, 9, ".section\t") == 0 ||
                                                    line.compare(word_at, 7, ".ltext,") == 0);
      if (section) {
        const bool table = line.find(",\"awo") != line.npos;
        if (!table) flush();
        table_ = table ? line.substr(word_at + 9, line.find(',') - word_at - 9) : "";
        if (table) continue;
      }
      if (!table_.empty()) {
        read_table(line);
        continue;
      }
      if (line.rfind(".Lpcsection", 0) == 0) labels_[line.substr(0, line.find(':'))] = out_.size();
      out_.push_back(line);
    }
    flush();
    if (wide_) fmt::print("\t.pcsection_offset 8\n");
    for (const std::string& line : out_) fmt::print("{}\n", line);
  }

 private:
  [[noreturn]] static void confused(const std::string& line) {
    fmt::print(stderr, "pc-section-test: unknown line in a table: {}\n", line);
    std::exit(1);
  }

  void read_table(const std::string& line) {
    if (line.rfind(".Lpcsection_base", 0) == 0) return void(entries_.push_back({.table = table_}));
    const std::size_t at = line.find_first_not_of(" \t");
    const std::size_t blank = line.find_first_of(" \t", at);
    if (at == line.npos || blank == line.npos) confused(line);
    const std::string directive = line.substr(at, blank - at);
    std::string operand = line.substr(line.find_first_not_of(" \t", blank));
    if (directive != ".ascii" && directive != ".asciz") operand = operand.substr(0, operand.find_first_of(" \t"));
    if (entries_.empty()) confused(line);
    Entry& entry = entries_.back();
    if (const std::size_t minus = operand.find("-.L"); minus != operand.npos) {
      if (operand.find("_base") == operand.npos) {
        entry.end = operand.substr(0, minus);
        entry.compress = directive == ".uleb128";
      } else {
        entry.place = operand.substr(0, minus);
        wide_ |= directive == ".quad" || directive == ".xword";
      }
      return;
    }
    static const std::map<std::string, unsigned> sizes = {{".byte", 1}, {".short", 2},  {".hword", 2}, {".long", 4},
                                                          {".word", 4}, {".quad", 8},   {".xword", 8}};
    if (directive == ".zero") {
      for (int n = std::atoi(operand.c_str()); n > 0; --n) add(entry, "i8 0");
    } else if (directive == ".ascii" || directive == ".asciz") {
      add_ulebs(entry, operand, directive == ".asciz");
    } else if (const auto size = sizes.find(directive); size != sizes.end()) {
      add_number(entry, operand, size->second);
    } else {
      confused(line);
    }
  }

  static void add(Entry& entry, const std::string& constant) {
    entry.constants += (entry.constants.empty() ? "(" : ", ") + constant;
  }

  /// "?4 77" stands for a number of 4 bytes until it is known whether the entry is compressed.
  void add_number(Entry& entry, const std::string& text, unsigned size) {
    add(entry, size == 1 ? fmt::format("i8 {}", text) : fmt::format("?{} {}", size, text));
  }

  void add_ulebs(Entry& entry, const std::string& quoted, bool zero) {
    std::vector<u8> bytes;
    const std::size_t end = quoted.rfind('"');
    for (std::size_t i = 1; i < end; ++i) {
      if (quoted[i] != '\\') {
        bytes.push_back(u8(quoted[i]));
      } else if (quoted[i + 1] >= '0' && quoted[i + 1] <= '7') {
        bytes.push_back(u8(std::stoi(quoted.substr(i + 1, 3), nullptr, 8)));
        i += 3;
      } else {
        static const std::map<char, char> escapes = {{'n', '\n'}, {'t', '\t'}, {'b', '\b'}, {'f', '\f'}, {'r', '\r'}};
        ++i;
        const auto known = escapes.find(quoted[i]);
        bytes.push_back(u8(known == escapes.end() ? quoted[i] : known->second));
      }
    }
    if (zero) bytes.push_back(0);
    entry.compress = true;
    u64 value = 0;
    unsigned shift = 0;
    for (u8 byte : bytes) {
      value |= u64(byte & 0x7f) << shift;
      shift += 7;
      if (byte & 0x80) continue;
      add(entry, fmt::format("i64 {:#x}", value));
      value = shift = 0;
    }
  }

  /// In a compressed entry, the numbers that are not are given byte by byte.
  static std::string constants(const Entry& entry) {
    std::string out;
    for (std::size_t i = 0; i < entry.constants.size(); ++i) {
      if (entry.constants[i] != '?') {
        out += entry.constants[i];
        continue;
      }
      const unsigned size = unsigned(entry.constants[i + 1] - '0');
      const std::size_t end = std::min(entry.constants.find(',', i), entry.constants.size());
      const std::string text = entry.constants.substr(i + 3, end - i - 3);
      if (!entry.compress) {
        out += fmt::format("i{} {}", size * 8, text);
      } else {
        const u64 value =
            text[0] == '-' ? u64(std::strtoll(text.c_str(), nullptr, 0)) : std::strtoull(text.c_str(), nullptr, 0);
        for (unsigned k = 0; k < size; ++k) out += fmt::format("{}i8 {}", k ? ", " : "", u8(value >> (8 * k)));
      }
      i = end - 1;
    }
    return out;
  }

  /// The entries of a function become lines, behind it or before their instructions.
  void flush() {
    std::map<std::string, unsigned> count;
    for (const Entry& entry : entries_) ++count[entry.table];
    for (const Entry& entry : entries_) {
      const auto label = labels_.find(entry.place);
      const bool before = entry.end.empty() && count[entry.table] == 1 && label != labels_.end();
      const std::string where = before ? "" : entry.place + ", " + (entry.end.empty() ? "" : entry.end + ", ");
      const std::string groups = entry.constants.empty() ? "" : ", " + constants(entry) + ")";
      const std::string line =
          fmt::format("\t.pcsection {}\"{}{}\"{}", where, entry.table, entry.compress ? "!C" : "", groups);
      if (before) {
        out_[label->second] += "\n" + line;
      } else {
        out_.push_back(line);
      }
    }
    entries_.clear();
  }

  std::vector<std::string> out_;
  std::map<std::string, std::size_t> labels_;  ///< the line of each
  std::string table_;                          ///< whose text this is, or empty
  std::vector<Entry> entries_;                 ///< of the function
  bool wide_ = false;
};

// compare

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What is compared of an object: a line a section, in an order of its own.
std::vector<std::string> facts(const char* path, unsigned& tables) {
  static std::vector<std::string> files;
  files.push_back(read_file(path));
  static std::vector<read::Object> objects;
  read::Object& object = objects.emplace_back();
  read::Error error;
  const std::span<const u8> bytes(reinterpret_cast<const u8*>(files.back().data()), files.back().size());
  if (!read::read_object(bytes, object, error)) {
    fmt::print("FAIL: {}: {}\n", path, error.message);
    std::exit(1);
  }
  std::map<u32, std::string> code;  // a name that both objects have, by number
  for (const read::Section& s : object.sections)
    if (s.flags & elf::SHF_EXECINSTR && s.size != 0) code.emplace(s.index, fmt::format("{}/{}", s.name, code.size()));
  std::vector<std::string> out;
  for (const read::Section& s : object.sections) {
    const bool table = s.flags & elf::SHF_LINK_ORDER && s.type == elf::SHT_PROGBITS;
    if (!table && !code.contains(s.index)) continue;
    tables += table;
    std::vector<u8> data(s.data.begin(), s.data.end());
    std::vector<read::Reloc> relocs;
    if (!object.relocations(s, relocs, error)) std::exit(1);
    const bool rela = s.first_relocations && object.sections[s.first_relocations].type == elf::SHT_RELA;
    std::vector<std::string> places;
    for (const read::Reloc& r : relocs) {
      const read::Symbol& symbol = object.symbols[r.symbol];
      i64 addend = r.addend;
      if (!rela && table) {
        u32 field = 0;
        for (unsigned i = 0; i < 4; ++i) field |= u32(data[r.offset + i]) << (8 * i);
        addend = i32(field);
        std::fill_n(data.begin() + i64(r.offset), 4, u8(0));
      }
      const bool here = table && code.contains(symbol.section);
      places.push_back(
          here ? fmt::format("{:#x} {} {}+{:#x}", r.offset, r.type, code[symbol.section], i64(symbol.value) + addend)
               : fmt::format("{:#x} {} {}{}+{:#x}", r.offset, r.type, symbol.name, table ? "" : "'", addend));
    }
    std::sort(places.begin(), places.end());
    std::string group = "none";
    for (const read::Group& g : object.groups)
      if (g.section == s.group && s.group) group = fmt::format("{} {}", g.signature, g.flags);
    out.push_back(fmt::format("{} {} type {} flags {:#x} align {} entsize {} group {}: {:02x}; {}",
                              table ? s.name : code[s.index], table ? "for " + code[s.link] : "", s.type, s.flags,
                              table ? s.align : 0, s.entsize, group, fmt::join(data, ""), fmt::join(places, ", ")));
  }
  std::sort(out.begin(), out.end());
  return out;
}

int compare(const char* ours, const char* theirs) {
  unsigned tables = 0, their_tables = 0;
  const auto a = facts(ours, tables), b = facts(theirs, their_tables);
  if (a == b && tables != 0) {
    fmt::print("{} tables\n", tables);
    return 0;
  }
  std::vector<std::string> only;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
  for (const std::string& line : only) fmt::print("ours:   {}\n", line);
  only.clear();
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only));
  for (const std::string& line : only) fmt::print("theirs: {}\n", line);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "generate" && argc == 4) {
    Generator(unsigned(std::atoi(argv[2]))).print(unsigned(std::atoi(argv[3])));
    return 0;
  }
  if (mode == "convert" && argc == 2) return Converter().run(), 0;
  if (mode == "compare" && argc == 4) return compare(argv[2], argv[3]);
  std::fputs("usage: pc-section-test generate SEED COUNT | convert | compare OURS THEIRS\n", stderr);
  return 2;
}
