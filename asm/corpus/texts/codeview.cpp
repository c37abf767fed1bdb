// SPDX-License-Identifier: Apache-2.0
// CodeView: functions with inlined functions, line numbers and ranges of variables with gaps, over code whose size has
// yet to be found; FPO data of i386.
#include <string>
#include <vector>

#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {
namespace {

class Writer {
 public:
  explicit Writer(Text& text) : text_(text), local_(text.machine == Machine::i386 ? "L" : ".L") {}

  void write() {
    text_.line(".text\n.p2align 4");
    for (unsigned f = 1; f <= files_; ++f) file(f);
    const unsigned functions = 1 + text_.below(4);
    for (unsigned f = 0; f < functions; ++f) function(f);
    tables();
    if (text_.machine == Machine::i386 && text_.one_in(2)) frame_pointer_omission();
  }

 private:
  void file(unsigned number) {
    constexpr unsigned digits[] = {0, 32, 40, 64};  // of no checksum, MD5, SHA-1, SHA-256
    const unsigned kind = text_.below(4);
    std::string sum;
    for (unsigned i = 0; i < digits[kind]; ++i) sum += "0123456789ABCDEF"[text_.below(16)];
    text_.line(".cv_file {} \"f{}.c\"{}", number, number, kind ? fmt::format(" \"{}\" {}", sum, kind) : "");
  }

  void function(unsigned number) {
    if (text_.one_in(4))
      text_.line(".section .text,\"xr\",discard,g{}", number);
    else if (text_.one_in(3))
      text_.line(".text");
    if (text_.machine == Machine::arm) text_.line(".thumb_func");
    text_.line(".globl g{}\ng{}:\n.cv_func_id {}", number, number, next_id_);
    const unsigned own = next_id_++;
    const std::string start = fmt::format("g{}", number), end = fmt::format("{}end{}", local_, number);
    std::vector<unsigned> ids = {own};
    for (unsigned n = text_.below(5); n; --n) {
      text_.line(".cv_inline_site_id {} within {} inlined_at {} {} {}", next_id_,
                 ids[text_.below(unsigned(ids.size()))], 1 + text_.below(files_), 1 + text_.below(300),
                 text_.below(10));
      tables_.push_back(fmt::format(".cv_inline_linetable {} {} {} {} {}", next_id_, 1 + text_.below(files_),
                                    1 + text_.below(60), start, end));
      ids.push_back(next_id_++);
    }
    std::vector<std::string> labels = {start};
    for (unsigned n = 1 + text_.below(30); n; --n) {
      if (text_.below(3)) location(ids[text_.below(unsigned(ids.size()))]);
      if (text_.one_in(4)) {
        labels.push_back(fmt::format("{}tmp{}", local_, next_label_++));
        text_.line("{}:", labels.back());
      }
      code();
    }
    text_.line("{}:", end);
    labels.push_back(end);
    tables_.push_back(fmt::format(".cv_linetable {}, {}, {}", own, start, end));
    for (unsigned n = text_.below(4); n; --n) ranges(labels);
  }

  void location(unsigned function) {
    const auto odd = text_.any({"0", "1", "50", "5000", "70000", "15728640", "16707566", "16777215"});
    std::string line = text_.one_in(3) ? std::string(odd) : std::to_string(1 + text_.below(60));
    if (text_.below(3)) line += fmt::format(" {}", text_.below(100));
    if (text_.one_in(4)) line += " prologue_end";
    if (text_.one_in(4)) line += fmt::format(" is_stmt {}", text_.below(2));
    text_.line(".cv_loc {} {} {}", function, 1 + text_.below(files_), line);
  }

  void code() {
    const bool arm = text_.machine == Machine::arm, arm64 = text_.machine == Machine::arm64;
    switch (text_.below(8)) {
      case 0: return text_.line(".p2align {}", arm64 ? 4 : arm ? 2 : 1 + text_.below(6));
      case 1: return text_.line(".zero {}", 4 * text_.below(50));
      case 2: return text_.line(".zero {}", 4 * text_.below(20000));
      case 3: return text_.line("{} ext", arm || arm64 ? "bl" : "call");
      case 4:
        if (arm) return text_.line("b 9f\n.zero {}\n9:", 2000 + 2 * text_.below(50));
        if (!arm64) return text_.line("je 9f\n.skip {}\n9:", 110 + text_.below(25));
        return text_.line("b 9f\nnop\n9:");
      default: return text_.line("nop");
    }
  }

  void ranges(const std::vector<std::string>& labels) {
    std::string line = ".cv_def_range";
    for (std::size_t i = 0; i + 1 < labels.size(); i += 2) {
      i += text_.below(3);
      if (i + 1 < labels.size()) line += fmt::format(" {} {}", labels[i], labels[i + 1]);
    }
    if (!line.ends_with("range")) {
      const unsigned reg = text_.below(400);
      const int offset = int(text_.below(600)) - 300;
      switch (text_.below(4)) {
        case 0: line += fmt::format(", reg, {}", reg); break;
        case 1: line += fmt::format(", frame_ptr_rel, {}", offset); break;
        case 2: line += fmt::format(", subfield_reg, {}, {}", reg, text_.below(4096)); break;
        default: line += fmt::format(", reg_rel, {}, {}, {}", reg, text_.below(65536), offset); break;
      }
      tables_.push_back(line);
    }
  }

  void tables() {
    text_.line(".section .debug$S,\"dr\"\n.p2align 2\n.long 4");
    while (!tables_.empty()) {
      const auto next = tables_.begin() + text_.below(unsigned(tables_.size()));
      text_.line("{}", *next);
      tables_.erase(next);
    }
    for (unsigned n = text_.below(4); n; --n) text_.line(".cv_filechecksumoffset {}", 1 + text_.below(files_));
    if (text_.one_in(2)) text_.line(".cv_string \"hello\"");
    text_.line("{}", text_.any({".cv_filechecksums\n.cv_stringtable", ".cv_stringtable\n.cv_filechecksums"}));
  }

  void frame_pointer_omission() {
    text_.line(".text\n.cv_fpo_proc _h {}\n_h:", 4 * text_.below(5));
    for (unsigned n = text_.below(6); n; --n) {
      const auto reg = text_.any({"%eax", "%ebx", "%ecx", "%edx", "%esi", "%edi", "%ebp"});
      text_.line("push {}\n.cv_fpo_pushreg {}", reg, reg);
    }
    const bool frame = text_.one_in(2);
    if (frame) text_.line("mov %esp, %ebp\n.cv_fpo_setframe %ebp");
    if (text_.one_in(2)) text_.line("sub $8, %esp\n.cv_fpo_stackalloc {}", 4 + 4 * text_.below(99));
    if (frame && text_.one_in(2)) text_.line("and $-16, %esp\n.cv_fpo_stackalign 16");
    text_.line(".cv_fpo_endprologue\nnop\n.skip {}\nret\n.cv_fpo_endproc", text_.below(50));
    text_.line(".section .debug$S,\"dr\"\n.cv_fpo_data _h");
  }

  Text& text_;
  const std::string_view local_;  ///< prefix of temporary names
  const unsigned files_ = 1 + text_.below(5);
  unsigned next_id_ = 0, next_label_ = 0;
  std::vector<std::string> tables_;
};

}  // namespace

void codeview(Text& text) { Writer(text).write(); }

}  // namespace xas::corpus::texts
