// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/instructions/assemble.h"

#include <algorithm>

#include "objwriter/elf_constants.h"

namespace xas::corpus {

namespace {

constexpr std::string_view label_prefix = "at_";

}  // namespace

std::string_view Labelled::text(const Dialect& dialect, std::span<const std::string_view> lines,
                                const std::vector<bool>& left_out) {
  text_ = dialect.head;
  head_lines_ = u32(std::count(text_.begin(), text_.end(), '\n'));
  placed_.clear();
  count_ = lines.size();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (left_out[i]) continue;
    text_ += label_prefix;
    text_ += fmt::format_int(placed_.size()).c_str();
    text_ += ":\n ";
    text_ += lines[i];
    text_ += '\n';
    placed_.push_back(u32(i));
  }
  text_ += label_prefix;
  text_ += "end:\n";
  return text_;
}

std::size_t Labelled::line_at(u32 number) const {
  if (number <= head_lines_) return count_;
  const std::size_t at = (number - head_lines_ - 1) / 2;
  return at < placed_.size() ? placed_[at] : count_;
}

bool Labelled::read(std::span<const u8> bytes, std::vector<Assembled>& result) {
  read::Error error;
  object_ = read::Object();
  if (!read::read_object(bytes, object_, error)) return false;
  u32 section = 0;
  u64 end = 0;
  std::vector<u64> starts(placed_.size() + 1, ~u64(0));
  for (const read::Symbol& symbol : object_.symbols) {
    if (!symbol.name.starts_with(label_prefix)) continue;
    const std::string_view number = symbol.name.substr(label_prefix.size());
    section = symbol.section;
    // A label of Thumb code may have bit 0 set.
    const u64 value = object_.machine == elf::EM_ARM ? symbol.value & ~u64(1) : symbol.value;
    if (number == "end")
      end = value;
    else if (const auto index = parse_number(number); index && *index < placed_.size())
      starts[*index] = value;
  }
  const read::Section* code = object_.section(section);
  if (!code) return placed_.empty();
  starts.back() = end;
  relocs_.clear();
  relocations_.clear();
  if (!object_.relocations(*code, relocs_, error)) return false;
  std::stable_sort(relocs_.begin(), relocs_.end(), [](auto& a, auto& b) { return a.offset < b.offset; });
  relocations_.reserve(relocs_.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const u64 start = starts[i], stop = starts[i + 1];
    if (start > stop || stop > code->data.size()) return false;
    Assembled& line = result[placed_[i]];
    line.accepted = true;
    line.bytes = code->data.subspan(start, stop - start);
    const std::size_t first = relocations_.size();
    for (; next < relocs_.size() && relocs_[next].offset < stop; ++next) {
      const read::Reloc& r = relocs_[next];
      const read::Symbol& symbol = object_.symbols[r.symbol];
      const read::Section* named = symbol.type == elf::STT_SECTION ? object_.section(symbol.section) : nullptr;
      relocations_.push_back({u32(r.offset - start), r.type, r.addend, named ? named->name : symbol.name});
    }
    line.relocations = {relocations_.data() + first, relocations_.size() - first};
  }
  return true;
}

bool Assembler::drop_errors(std::vector<bool>& dropped) {
  bool any = false;
  for (std::size_t i = 0; i < context_.diagnostic_count(); ++i) {
    const xas_diagnostic& d = context_.diagnostic(i);
    if (d.severity != XAS_ERROR) continue;
    const std::size_t line = labelled_.line_at(d.line);
    if (line >= dropped.size()) continue;
    any = true;
    if (dropped[line]) continue;
    dropped[line] = true;
    messages_[line] = d.message;
    result_[line].column = d.column;
  }
  return any;
}

std::span<const Assembled> Assembler::assemble(std::span<const std::string_view> lines, unsigned group) {
  if (group_ != int(group)) {
    dialect_ = dialect_of(request_, group);
    context_.reset();
    for (const std::string& option : dialect_.options) {
      if (!context_.option(option.c_str())) throw std::runtime_error(fmt::format("{}: {}", option, context_.error()));
    }
    group_ = int(group);
  }
  result_.assign(lines.size(), {});
  messages_.assign(lines.size(), {});
  std::vector<bool> dropped(lines.size());
  // Errors of operands are found while the text is read, those of distances only in a text that has no other.
  while (!context_.assemble(labelled_.text(dialect_, lines, dropped), "corpus")) {
    if (drop_errors(dropped)) continue;
    throw std::runtime_error(fmt::format("an error without a line: {}", context_.text()));
  }
  if (!labelled_.read(context_.object(), result_)) throw std::runtime_error("labels that do not fit the text");
  for (std::size_t i = 0; i < lines.size(); ++i) result_[i].message = messages_[i];
  return result_;
}

}  // namespace xas::corpus
