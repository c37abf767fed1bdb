// COFF objects as text. Each line is one fact: the header, a section, a row of its contents, a relocation, a symbol.
// Names stand in place of indices, so that lines can be compared one by one, and sorted to tell another order from
// other content.
#include "coff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace diff {
namespace {

struct Line {
  std::string kind;  ///< without names of the program: what differences are counted by
  std::string text;
  auto operator<=>(const Line&) const = default;
};

/// Reads with every offset checked: the file may come from a program with a fault.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }

  std::vector<Line> lines() {
    const bool big = number(0, 4) == 0xffff0000;
    const std::uint64_t sections = big ? number(44, 4) : number(2, 2);
    symbols_at_ = big ? number(48, 4) : number(8, 4);
    symbols_ = big ? number(52, 4) : number(12, 4);
    record_ = big ? 20 : 18;
    strings_at_ = symbols_at_ + symbols_ * record_;
    add("header", fmt::format("machine {:#x}, {} sections, flags {:#x}, stamp {:#x}", number(big ? 6 : 0, 2), sections,
                              big ? 0 : number(18, 2), number(big ? 8 : 4, 4)));
    read_symbols(big);
    for (std::uint64_t i = 0; i < sections && !failed_; ++i) read_section(i + 1, (big ? 56 : 20) + 40 * i);
    for (auto& line : symbol_lines_) lines_.push_back(std::move(line));
    return std::move(lines_);
  }

 private:
  std::uint64_t number(std::uint64_t at, unsigned size) {
    if (at + size > bytes_.size() || at + size < at) return failed_ = true, 0;
    std::uint64_t v = 0;
    for (unsigned i = 0; i < size; ++i) v |= std::uint64_t(bytes_[at + i]) << (8 * i);
    return v;
  }
  std::string text(std::uint64_t at, std::uint64_t limit) {
    std::string s;
    for (; limit-- && at < bytes_.size() && bytes_[at]; ++at) s.push_back(char(bytes_[at]));
    return s;
  }
  std::string hex(std::uint64_t at, std::uint64_t n) {
    std::string s;
    for (std::uint64_t i = 0; i < n; ++i) s += fmt::format("{:02x}", number(at + i, 1));
    return s;
  }
  void add(std::string kind, std::string line) { lines_.push_back({std::move(kind), std::move(line)}); }

  void read_symbols(bool big) {
    for (std::uint64_t i = 0; i < symbols_ && !failed_;) {
      const std::uint64_t at = symbols_at_ + i * record_;
      const bool long_name = number(at, 4) == 0 && number(at + 4, 4) != 0;
      const std::string name = long_name ? text(strings_at_ + number(at + 4, 4), ~0ull) : text(at, 8);
      names_[i] = name;
      const unsigned wide = big ? 4 : 2;
      const std::uint64_t aux = number(at + record_ - 1, 1), storage_class = number(at + record_ - 2, 1);
      symbol_lines_.push_back(
          {fmt::format("symbol of class {}", storage_class),
           fmt::format("{}: value {:#x}, section {}, type {:#x}, auxiliary {}", name, number(at + 8, 4),
                       number(at + 12, wide), number(at + 12 + wide, 2), hex(at + record_, aux * record_))});
      i += 1 + aux;
    }
  }

  void read_section(std::uint64_t index, std::uint64_t header) {
    std::string name = text(header, 8);
    if (name.size() > 1 && name[0] == '/' && name[1] != '/')
      name = text(strings_at_ + std::strtoull(name.c_str() + 1, nullptr, 10), ~0ull);
    const std::uint64_t size = number(header + 16, 4), contents = number(header + 20, 4),
                        flags = number(header + 36, 4);
    std::uint64_t relocs = number(header + 24, 4), count = number(header + 32, 2);
    const std::string general = general_section_name(name.substr(0, name.find('$')));
    add(fmt::format("section {}", general), fmt::format("{} {}: size {:#x}, flags {:#x}", index, name, size, flags));
    constexpr std::uint64_t IMAGE_SCN_CNT_UNINITIALIZED_DATA = 0x80, IMAGE_SCN_LNK_NRELOC_OVFL = 0x1000000;
    if (contents && !(flags & IMAGE_SCN_CNT_UNINITIALIZED_DATA)) {
      for (std::uint64_t at = 0; at < size && !failed_; at += 16) {
        add(fmt::format("contents of {}", general),
            fmt::format("{} {:#x}: {}", name, at, hex(contents + at, std::min<std::uint64_t>(16, size - at))));
      }
    }
    if (flags & IMAGE_SCN_LNK_NRELOC_OVFL) {
      count = number(relocs, 4) - 1;
      relocs += 10;
    }
    for (std::uint64_t i = 0; i < count && !failed_; ++i, relocs += 10) {
      const auto symbol = names_.find(number(relocs + 4, 4));
      add(fmt::format("relocation of type {} in {}", number(relocs + 8, 2), general),
          fmt::format("{} {:#x}: {}", name, number(relocs, 4), symbol == names_.end() ? "nothing" : symbol->second));
    }
  }

  std::span<const std::uint8_t> bytes_;
  std::vector<Line> lines_, symbol_lines_;
  std::map<std::uint64_t, std::string> names_;
  std::uint64_t symbols_at_ = 0, symbols_ = 0, strings_at_ = 0, record_ = 18;
  bool failed_ = false;
};

}  // namespace

bool is_coff(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < 20) return false;
  const unsigned machine = bytes[0] | bytes[1] << 8;
  const bool big = machine == 0 && bytes[2] == 0xff && bytes[3] == 0xff;
  return big || machine == 0x8664 || machine == 0x14c || machine == 0xaa64 || machine == 0x1c4;
}

std::vector<Difference> compare_coff(std::span<const std::uint8_t> oracle, std::span<const std::uint8_t> subject) {
  Reader left_reader(oracle), right_reader(subject);
  std::vector<Line> left = left_reader.lines(), right = right_reader.lines();
  if (left_reader.failed()) return {{"the oracle's object cannot be read", ""}};
  if (right_reader.failed()) return {{"xas' object cannot be read", ""}};
  const auto first = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  const auto told = [](const Line* line) { return line ? line->text : std::string("nothing"); };
  const Line* a = first.first == left.end() ? nullptr : &*first.first;
  const Line* b = first.second == right.end() ? nullptr : &*first.second;
  if (!a && !b) return {{"bytes between the parts of the file", "", true}};
  const std::string detail = fmt::format("{}; xas {}", told(a), told(b));
  const std::string kind = a ? a->kind : b->kind;
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  if (left == right) return {{fmt::format("order of {}", kind), detail, true}};
  return {{kind, detail}};
}

}  // namespace diff
