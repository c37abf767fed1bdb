// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the directives of PC sections, stack maps and bitstreams, among labels, code, data and sections.
// Bytes choose lines and what stands in them, so that most texts get far. Nothing may crash; an object must be
// readable, and its stack maps sound.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "objwriter/metadata/stack_map.h"
#include "objwriter/read/object.h"
#include "xas/xas.hpp"

using namespace xas;

namespace {

/// $n is a number, $s a small one, $r a register, $l a label, $d a section, $c a constant with its type, $o a location.
constexpr std::string_view lines[] = {
    "$l:", "nop", "call far", ".byte $n", ".p2align $s", ".skip $s", ".long $l - .", "jmp $l", ".text", ".data",
    ".section $d,\"ax\"", ".previous", ".pushsection $d", ".popsection", ".size f, . - f", ".set a, $n", ".org $s",
    ".cfi_startproc", ".cfi_endproc", ".struct $n", ".subsection $s", ".uleb128 $l - $l", ".nops $s", ".macro m",
    ".endm",
    // PC sections
    ".pcsection \"t\"", ".pcsection \"t!C\", ($c, $c)", ".pcsection $l, \"t\", ($c)",
    ".pcsection $l, $l, \"u!C\", ($c)", ".pcsection $l + $n, \"t\", ($c), \"u\", ($c)", ".pcsection_offset $s",
    ".pcsection $l, $l + $s, \"t\"",
    // Stack maps
    ".stackmap_function $l, $s", ".stackmap_function f, dynamic", ".stackmap $n, $s, $o, $o", ".stackmap 1, $s",
    ".patchpoint $n, $s, $o", ".patchpoint 2, $s, target($n), $o", ".patchpoint_begin 3, $s", ".patchpoint_end",
    ".statepoint $n, cc($s), deopt($o), gc($o, $o), alloca($o)", ".stackmap 5, 0, liveout($r:$s, $r)",
    ".stackmap_section \"maps\", \"aw\"", ".stackmap_section \"maps\", \"awo\"",
    // Bitstreams
    ".bs_begin \"TEST\"", ".bs_block $s, $s", ".bs_block 0, 2", ".bs_end_block", ".bs_abbrev $s, fixed($s), vbr($s)",
    ".bs_abbrev 1, array(char6)", ".bs_abbrev $s, blob", ".bs_abbrev 1, fixed($s), array(fixed($s))",
    ".bs_record $s, $n, $n", ".bs_record_as 4, $s, $n", ".bs_record_as 4, 1, \"text\"",
    ".bs_record_as $s, $n, a / 32, $n", ".bs_position a", ".bs_bits $n, $s", ".bs_record 1, \"$n\"", ".bs_end"};

constexpr std::string_view numbers[] = {"0",
                                        "1",
                                        "-1",
                                        "4",
                                        "255",
                                        "256",
                                        "0x7fffffff",
                                        "0x80000000",
                                        "0xffffffff",
                                        "0x100000000",
                                        "-0x8000000000000000",
                                        "0xffffffffffffffff",
                                        "a",
                                        "b"};
constexpr std::string_view labels[] = {"f", "g", "1f", "1b", "outside", ".", "h"};
constexpr std::string_view sections[] = {".text.f", ".data", "t", "maps", ".bss"};
constexpr std::string_view constants[] = {"i8 $n",  "i16 $n",  "i24 $s",    "i32 $l - .", "i64 $n",
                                          "ptr $l", "i128 $n", "float 1.5", "i1 $n",      "i12 $l - $l"};
constexpr std::string_view registers[2][6] = {{"%rax", "%rsp", "%xmm3", "%ah", "%r15d", "%eip"},
                                              {"x0", "sp", "q3", "w7", "d31", "z0"}};
constexpr std::string_view locations[] = {"reg($r)",   "reg($r):$s",    "direct($r, $n)", "indirect($r, $s):$s",
                                          "const($n)", "constindex($n)"};

class Text {
 public:
  Text(const std::uint8_t* data, std::size_t size) : data_(data), size_(size), arm_(next() & 1) {}
  bool more() const { return at_ < size_; }
  bool arm() const { return arm_; }
  void line() {
    put(lines[next() % std::size(lines)]);
    text_ += '\n';
  }
  const std::string& text() const { return text_; }

 private:
  std::uint8_t next() { return at_ < size_ ? data_[at_++] : 0; }
  template <std::size_t N>
  void put_one(const std::string_view (&list)[N]) {
    put(list[next() % N]);
  }
  void put(std::string_view pattern) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '$') {
        text_ += pattern[i];
        continue;
      }
      switch (pattern[++i]) {
        case 'n': put_one(numbers); break;
        case 's': text_ += std::to_string(next() % 40); break;
        case 'r': put_one(registers[arm_]); break;
        case 'l': put_one(labels); break;
        case 'd': put_one(sections); break;
        case 'c': put_one(constants); break;
        case 'o': put_one(locations); break;
      }
    }
  }

  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
  bool arm_;
  std::string text_;
};

Context context_for(const char* target) {
  Context made;
  made.option("--target", target);
  return made;
}

void check(std::span<const u8> bytes) {
  read::Object object;
  read::Error error;
  if (!read::read_object(bytes, object, error)) std::abort();
  for (const read::Section& section : object.sections) {
    std::vector<read::Reloc> relocs;
    if (!object.relocations(section, relocs, error)) std::abort();
    if (section.name != ".llvm_stackmaps") continue;  // others may have bytes of the text's own in them
    std::vector<stack_map::Map> maps;
    std::vector<stack_map::Problem> problems;
    if (!stack_map::decode_all(section.data, object.big_endian, maps, problems, error) || !problems.empty())
      std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Context contexts[] = {context_for("x86_64-linux-gnu"), context_for("aarch64-linux-gnu")};
  Text text(data, size);
  while (text.more()) text.line();
  Context& context = contexts[text.arm()];
  if (context.assemble(text.text()))
    check(context.object());
  else if (context.error_count() == 0)
    std::abort();
  return 0;
}
