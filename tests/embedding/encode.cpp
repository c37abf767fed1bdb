// SPDX-License-Identifier: Apache-2.0
// xas_encode against the lists of instructions with their bytes (tests/cases/instructions-*.txt): alone in a text, with
// the directives that hold for it before; and again, when it has stood before. Then addresses, names, labels,
// mistakes; and that a warm context allocates nothing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "xas/xas.hpp"

namespace {

long allocations = 0;

}  // namespace

extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
void* __wrap_malloc(std::size_t size) { return ++allocations, __real_malloc(size); }
void* __wrap_calloc(std::size_t count, std::size_t size) { return ++allocations, __real_calloc(count, size); }
void* __wrap_realloc(void* memory, std::size_t size) { return ++allocations, __real_realloc(memory, size); }
}
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = __real_malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

long passed = 0, failed = 0;

void check(bool good, const std::string& what) {
  ++(good ? passed : failed);
  if (!good && failed <= 60) std::fprintf(stderr, "%s\n", what.c_str());
}

std::string hex(const std::uint8_t* bytes, std::size_t size) {
  std::string text;
  char two[3];
  for (std::size_t i = 0; i < size; ++i) std::snprintf(two, sizeof two, "%02x", bytes[i]), text += two;
  return text;
}

std::string trimmed(const std::string& s) {
  const std::size_t from = s.find_first_not_of(" \t"), to = s.find_last_not_of(" \t");
  return from == s.npos ? "" : s.substr(from, to - from + 1);
}

std::vector<std::string> split(const std::string& s, const char* by) {
  std::vector<std::string> parts;
  for (std::size_t at = 0, end; at <= s.size(); at = end + std::strlen(by)) {
    end = std::min(s.find(by, at), s.size());
    parts.push_back(trimmed(s.substr(at, end - at)));
  }
  return parts;
}

/// The bytes of the last statement of a text, as the list has them; "error" if it is refused.
std::string encoded(xas::Context& context, const std::string& text, unsigned flags = XAS_ENCODE_RELOCATABLE) {
  xas_encode_options how = {sizeof how, flags, nullptr, nullptr};
  xas_encoding e = {};
  e.struct_size = sizeof e;
  if (xas_encode(context.get(), text.data(), text.size(), 0, &how, &e) != XAS_OK) return "error";
  if (e.statement_count == 0) return "";
  const xas_statement& last = e.statements[e.statement_count - 1];
  return hex(e.bytes + last.offset, last.size);
}

/// Options of the targets of the lists.
struct ListTarget {
  const char* name;
  std::vector<const char*> gnu, llvm;
};

const ListTarget targets[] = {
    {"x64", {"--target=x86_64-linux-gnu"}, {"--target=x86_64-linux-gnu"}},
    {"x86_64", {"--target=x86_64-linux-gnu"}, {"--target=x86_64-linux-gnu"}},
    {"i386", {"--target=i386-linux-gnu"}, {"--target=i386-linux-gnu"}},
    {"all-a64", {"--target=aarch64-linux-gnu"}, {"--target=aarch64-linux-gnu"}},
    {"a64", {"--target=aarch64-linux-gnu"}, {"--target=aarch64-linux-gnu"}},
    {"all-a32", {"--target=arm-linux-gnueabihf", "-mcpu=all"}, {"--target=armv8a-linux-gnueabihf"}},
    {"all-t32", {"--target=arm-linux-gnueabihf", "-mcpu=all"}, {"--target=thumbv8a-linux-gnueabihf"}},
};

void run_list(const std::string& header, const std::vector<std::string>& lines) {
  const std::vector<std::string> fields = split(header, "|");
  if (fields.size() < 3 || fields.back() != "instructions") return;
  const ListTarget* target = nullptr;
  for (const ListTarget& t : targets)
    if (fields[1] == t.name) target = &t;
  if (!target) return;
  for (const bool llvm : {false, true}) {
    xas::Context context;
    bool left_out = false, good = context.option(llvm ? "--compat=llvm" : "--compat=gnu");
    for (const char* option : llvm ? target->llvm : target->gnu) good &= context.option(option);
    for (const std::string& field : fields) {
      if (!field.starts_with(llvm ? "llvm" : "gnu")) continue;
      for (const std::string& option : split(field.substr(llvm ? 4 : 3), " ")) {
        left_out |= option == "-";
        if (!option.empty() && option != "-") good &= context.option(option.c_str());
      }
    }
    if (left_out) continue;
    check(good, header + ": " + context.error());
    std::string before;
    std::map<std::string, std::string> of_line;
    for (const std::string& given : lines) {
      const std::string line = trimmed(given);
      if (line.empty() || line[0] == '#') continue;
      const std::vector<std::string> parts = split(line, "//");
      if (line[0] == '.') {
        before += line + "\n";
        continue;
      }
      std::string expected = parts.size() > 1 ? parts[1] : "error";
      if (llvm && parts.size() > 2 && parts[2].starts_with("llvm ")) expected = parts[2].substr(5);
      const std::string found = encoded(context, before + parts[0]);
      check(found == expected,
            header + (llvm ? " (llvm): " : " (gnu): ") + parts[0] + ": " + found + " and not " + expected);
      const std::string again = encoded(context, before + parts[0]);
      check(again == found, header + ": " + parts[0] + ": " + again + " when it has stood before");
    }
  }
}

void run_file(const char* path) {
  std::ifstream file(path);
  std::string header;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("=== ")) {
      if (!header.empty()) run_list(header, lines);
      header = line.substr(4);
      lines.clear();
    } else {
      lines.push_back(line);
    }
  }
  if (!header.empty()) run_list(header, lines);
}

struct Name {
  const char* name;
  std::uint64_t value;
};
const Name names[] = {{"near_by", 0x401000},   {"far_away", 0x7f0000000000}, {"low", 0x1234}, {"page", 0x456789},
                      {"at_64_kib", 0x410000}, {"at_2_mib", 0x600000},       {"at_256_mib", 0x10400000},
                      {"high", 0xf2345678},    {"odd", 0xf2345679}};

int resolve(void*, const char* name, std::uint64_t, xas_use, std::uint64_t* value) {
  for (const Name& n : names)
    if (std::strcmp(n.name, name) == 0) return *value = n.value, 1;
  return 0;
}

struct Placed {
  const char* option;
  const char* text;
  const char* bytes;  ///< checked by linking the same with GNU ld, -Ttext=0x400000 and --defsym
};
const Placed placed[] = {
    {"--target=x86_64-linux-gnu", "call near_by", "e8fb0f0000"},
    {"--target=x86_64-linux-gnu", "jmp near_by", "e9fb0f0000"},
    {"--target=x86_64-linux-gnu", "jmp 0x400010", "eb0e"},
    {"--target=x86_64-linux-gnu", "call 0x400010", "e80b000000"},
    {"--target=x86_64-linux-gnu", "jne 0x3fff00", "0f85fafeffff"},
    {"--target=x86_64-linux-gnu", "leaq near_by(%rip), %rax", "488d05f90f0000"},
    {"--target=x86_64-linux-gnu", "movl $low, %eax", "b834120000"},
    {"--target=x86_64-linux-gnu", "movabsq $far_away, %rax", "48b800000000007f0000"},
    {"--target=x86_64-linux-gnu", "1: decl %eax; jnz 1b; nop", "ffc875fc90"},
    {"--target=x86_64-linux-gnu", "loop: decl %eax; jnz loop", "ffc875fc"},
    {"--target=x86_64-linux-gnu", ".quad near_by, loop; loop:", "00104000000000001000400000000000"},
    {"--target=i386-linux-gnu", "call near_by", "e8fb0f0000"},
    {"--target=i386-linux-gnu", "movl near_by, %ecx", "8b0d00104000"},
    {"--target=aarch64-linux-gnu", "bl near_by", "00040094"},
    {"--target=aarch64-linux-gnu", "adrp x0, page", "a00200d0"},
    {"--target=aarch64-linux-gnu", "add x0, x0, :lo12:page", "00241e91"},
    {"--target=aarch64-linux-gnu", "cbz x1, near_by", "018000b4"},
    // Numbers are distances to both reference assemblers, wherever the code stands.
    {"--target=aarch64-linux-gnu", "b 16; bl -4", "04000014ffffff97"},
    {"--target=aarch64-linux-gnu", "cbz x0, 16; tbz x0, #1, 16; b.eq 16", "800000b48000083680000054"},
    {"--target=aarch64-linux-gnu", "adr x0, 16; ldr x0, 16", "8000001080000058"},
    {"--target=arm-linux-gnueabihf", "bl near_by", "fe0300eb"},
    {"--target=arm-linux-gnueabihf", "movw r0, #:lower16:page", "890706e3"},
};

void run_placed() {
  for (const Placed& p : placed) {
    xas::Context context;
    check(context.option(p.option), p.option);
    for (int i = 0; i < 2; ++i) {
      xas_encode_options how = {sizeof how, 0, resolve, nullptr};
      xas_encoding e = {};
      e.struct_size = sizeof e;
      const xas_status status = xas_encode(context.get(), p.text, std::strlen(p.text), 0x400000, &how, &e);
      const std::string found = status == XAS_OK ? hex(e.bytes, e.size) : std::string(context.text());
      check(found == p.bytes, std::string(p.text) + ": " + found + " and not " + p.bytes);
      check(e.relocation_count == 0, std::string(p.text) + " leaves relocations");
    }
  }
}

/// The same with XAS_ENCODE_STUBS. What objdump makes of the bytes stands behind them.
const Placed with_stubs[] = {
    {"--target=x86_64-linux-gnu", "call far_away", "e800000000ff250000000000000000007f0000"},
    {"--target=x86_64-linux-gnu", "jne far_away; jmp far_away", "7502eb00ff250000000000000000007f0000"},
    {"--target=x86_64-linux-gnu", "call near_by", "e8fb0f0000"},
    // jecxz reaches 127 bytes: over the jump behind it, to any
    {"--target=x86_64-linux-gnu", "jrcxz near_by", "e300ff25000000000010400000000000"},
    // i386: distances wrap around
    {"--target=i386-linux-gnu", "call high", "e87356f4f1"},
    {"--target=i386-linux-gnu", "jmp high; je high", "e97356f4f10f846d56f4f1"},
    {"--target=i386-linux-gnu", "jmp 0x80400000; je 0x803fffff", "e9fbffff7f0f84f4ffff7f"},
    // ldr x16, .+8; br x16; .xword
    {"--target=aarch64-linux-gnu", "bl far_away", "010000945000005800021fd600000000007f0000"},
    {"--target=aarch64-linux-gnu", "bl at_256_mib", "010000945000005800021fd60000401000000000"},
    {"--target=aarch64-linux-gnu", "b at_2_mib", "00000814"},
    {"--target=aarch64-linux-gnu", "b.eq at_2_mib", "200000545000005800021fd60000600000000000"},
    {"--target=aarch64-linux-gnu", "tbz x0, #1, at_64_kib", "200008365000005800021fd60000410000000000"},
    {"--target=aarch64-linux-gnu", "cbz x0, at_64_kib", "000008b4"},
    {"--target=aarch64_be-linux-gnu", "bl far_away", "010000945000005800021fd600007f0000000000"},
    // ldr pc, [pc, #-4]; .word
    {"--target=arm-linux-gnueabihf", "bl high", "ffffffeb04f01fe5785634f2"},
    {"--target=arm-linux-gnueabihf", "bleq odd; b odd", "0000000bffffffea04f01fe5795634f2"},
    {"--target=arm-linux-gnueabihf", "bl at_2_mib", "feff07eb"},
    {"--target=armeb-linux-gnueabihf", "bl high", "ebffffffe51ff004f2345678"},
    // movw ip, #lower; movt ip, #upper; bx ip
    {"--target=thumbv7-linux-gnueabihf", "nop; bl high", "c04600f000f845f2796ccff2342c6047"},
    {"--target=thumbv7-linux-gnueabihf", ".syntax unified; b high; beq high", "00e0ffd045f2796ccff2342c6047"},
    {"--target=thumbv7-linux-gnueabihf", "b high", "ffe745f2796ccff2342c6047"},
    {"--target=thumbv7-linux-gnueabihf", "bl odd", "00f000f845f2796ccff2342c6047"},
};

void run_stubs() {
  for (const Placed& p : with_stubs) {
    xas::Context context;
    check(context.option(p.option), p.option);
    const xas::Encoding e = context.encode(p.text, 0x400000, XAS_ENCODE_STUBS, resolve);
    const std::string found = e ? hex(e.raw.bytes, e.raw.size) : std::string(context.text());
    check(found == p.bytes, std::string(p.option) + " " + p.text + ": " + found + " and not " + p.bytes);
    check(e.relocations().empty(), std::string(p.text) + " leaves relocations");
  }
  const Placed out_of_reach[] = {
      {"--target=x86_64-linux-gnu", "call far_away; leaq far_away(%rip), %rax", ""},
      {"--target=arm-linux-gnueabihf", "blx high", ""},
      {"--target=arm-linux-gnueabihf", ".arch armv7-a; bl high; .thumb; bl high", ""},
      {"--target=thumbv7-linux-gnueabihf", "cbz r0, high", ""},
      {"--target=thumbv6m-linux-gnueabihf", ".cpu cortex-m0; bl high", ""},
  };
  for (const Placed& p : out_of_reach) {
    xas::Context context;
    check(context.option(p.option), p.option);
    check(context.encode(p.text, 0x400000, XAS_ENCODE_STUBS, resolve).status == XAS_ERRORS,
          std::string(p.text) + " is encoded");
  }
}

/// Structures of programs built with another version of the header, and flags that there are none of.
void run_versions() {
  xas::Context context;
  struct Later {
    xas_encode_options known;
    std::size_t more;
  } later = {{sizeof(Later), 0, nullptr, nullptr}, 0};
  struct LaterEncoding {
    xas_encoding known;
    std::size_t more;
  } made = {};
  made.known.struct_size = sizeof made;
  made.more = 7;
  const auto encode = [&] { return xas_encode(context.get(), "nop", 3, 0, &later.known, &made.known); };
  check(encode() == XAS_OK && made.known.size == 1 && made.known.struct_size == sizeof made && made.more == 0,
        "structures of a later version");
  check(xas_encode_instruction(context.get(), xas_mnemonic_named("nop"), 0, nullptr, 0, 0, &made.known) == XAS_OK &&
            made.known.size == 1 && made.known.struct_size == sizeof made,
        "the same of xas_encode_instruction");
  later.more = 1;
  check(encode() == XAS_BAD_ARGUMENT, "a field of a later version");
  later.more = 0;
  for (const std::size_t size : {std::size_t(0), sizeof(xas_encode_options) - 1, ~std::size_t(0)}) {
    later.known.struct_size = size;
    check(encode() == XAS_BAD_ARGUMENT, "options of no version's size: " + std::to_string(size));
  }
  later.known.struct_size = sizeof later;
  for (const std::size_t size : {std::size_t(0), sizeof(xas_encoding) - 1, ~std::size_t(0)}) {
    made.known.struct_size = size;
    check(encode() == XAS_BAD_ARGUMENT, "a result of no version's size: " + std::to_string(size));
  }
  made.known.struct_size = sizeof made;
  for (const unsigned flags : {4u, 0x80u, 0x80000001u}) {
    later.known.flags = flags;
    check(encode() == XAS_BAD_OPTION && *context.error(), "unknown flags");
  }

  xas_context* const c = context.get();
  check(xas_begin(c) == XAS_OK, "a stream");
  struct LaterSection {
    xas_section_request known;
    std::size_t more;
  } section = {{}, 0};
  section.known.struct_size = sizeof section;
  section.known.name = ".text";
  section.known.name_size = 5;
  check(xas_open_section(c, &section.known, nullptr) == XAS_OK, "a section of a later version");
  struct LaterLine {
    xas_line known;
    std::size_t more;
  } line = {{sizeof(LaterLine), 1, 1, 0, 0, XAS_LINE_PROLOGUE_END}, 0};
  const xas_operand file[] = {{XAS_OPERAND_WORD, {}, "1 \"a.c\"", 7}};
  check(xas_directive(c, ".file", file, 1) == XAS_OK && xas_loc(c, &line.known) == XAS_OK, "a line of a later version");
  check(xas_feed(c, "nop", 3) == XAS_OK, "code");
  struct LaterTag {
    xas_pc_tag known;
    std::size_t more;
  } tags[2] = {{{sizeof(LaterTag), "one", 3, 0, nullptr, 0}, 0}, {{sizeof(LaterTag), "two", 3, 0, nullptr, 0}, 0}};
  check(xas_tag_pc(c, nullptr, &tags[0].known, 2) == XAS_OK, "tags of a later version");
  check(xas_feed(c, "nop", 3) == XAS_OK && xas_finish(c) == XAS_OK, "an object of them");
  std::size_t size;
  const auto* object = reinterpret_cast<const char*>(xas_object(c, &size));
  check(std::string_view(object, size).find("two") != std::string_view::npos, "the second tag");

  check(xas_begin(c) == XAS_OK, "another");
  section.more = line.more = tags[1].more = 1;
  check(xas_open_section(c, &section.known, nullptr) == XAS_BAD_ARGUMENT, "an unknown field of a section");
  check(xas_loc(c, &line.known) == XAS_BAD_ARGUMENT, "an unknown field of a line");
  check(xas_tag_pc(c, nullptr, &tags[0].known, 2) == XAS_BAD_ARGUMENT, "an unknown field of a tag");
  line.more = 0;
  line.known.flags = 0x80;
  check(xas_loc(c, &line.known) == XAS_BAD_ARGUMENT, "unknown flags of a line");
  xas_arg arg = {};
  arg.kind = XAS_ARG_REGISTER;
  arg.reg = xas_register_named(c, "eax");
  arg.flags = 0x80;
  check(xas_instruction(c, "incl", &arg, 1) == XAS_BAD_ARGUMENT, "unknown flags of an operand");
  check(xas_finish(c) == XAS_ERRORS, "no object");
}

void run_results() {
  xas::Context context;
  xas_encoding e = {};
  e.struct_size = sizeof e;
  const char* text = "push %rbp\n call puts; jmp other # a comment\nend: ret\n";
  check(xas_encode(context.get(), text, std::strlen(text), 0x1000, nullptr, &e) == XAS_OK, "several statements");
  check(e.size == 12 && e.statement_count == 4 && e.relocation_count == 2, "their number");
  if (e.statement_count == 4) {
    check(e.statements[1].text_offset == 11 && e.statements[1].offset == 1 && e.statements[1].size == 5, "the second");
    check(e.statements[2].size == 5 && e.statements[3].offset == 11 && e.statements[3].size == 1, "the others");
  }
  if (e.relocation_count == 2) {
    check(std::strcmp(e.relocations[0].symbol, "puts") == 0 && e.relocations[0].offset == 2 &&
              e.relocations[0].type == 4 && e.relocations[0].addend == -4,
          "a relocation");
  }
  std::uint64_t address = 0;
  check(xas_encoded_label(context.get(), "end", &address) && address == 0x100b, "a label");
  check(!xas_encoded_label(context.get(), "puts", &address), "no label");

  text = "nop\n movl $1, %ebz\n";
  check(xas_encode(context.get(), text, std::strlen(text), 0, nullptr, &e) == XAS_ERRORS, "a mistake");
  check(e.size == 0 && context.diagnostic_count() == 1, "no bytes, one message");
  if (context.diagnostic_count()) {
    check(context.diagnostic(0).line == 2 && context.diagnostic(0).column == 11, "its place");
  }
  check(encoded(context, "nop") == "90" && context.diagnostic_count() == 0, "right again");
  check(encoded(context, ".code32; inc %eax") == "40" && encoded(context, "inc %eax") == "ffc0", "nothing stays");
  check(encoded(context, ".data; .long 1") == "error", "another section");
  check(encoded(context, ".text 1; nop; .text 0") == "error", "subsections");
  check(encoded(context, "") == "" && encoded(context, "# nothing") == "", "nothing");
  xas_encode_options how = {sizeof how, 0, resolve, nullptr};
  text = "lea far_away(%rip), %rax";
  check(xas_encode(context.get(), text, std::strlen(text), 0x400000, &how, &e) == XAS_ERRORS, "out of reach");
  check(xas_encode(context.get(), nullptr, 1, 0, nullptr, &e) == XAS_BAD_ARGUMENT, "no text");

  // What takes a linker keeps its name, though the resolver knows it.
  context.option("--target=aarch64-linux-gnu");
  how.flags = 0;
  text = "adrp x0, :got:near_by; ldr x0, [x0, :got_lo12:near_by]";
  check(xas_encode(context.get(), text, std::strlen(text), 0x400000, &how, &e) == XAS_OK && e.relocation_count == 2 &&
            !std::strcmp(e.relocations[0].symbol, "near_by") && !std::strcmp(e.relocations[1].symbol, "near_by") &&
            e.relocations[0].addend == 0,
        "an entry of the linker's table");
  text = "adrp x0, far_away";
  check(xas_encode(context.get(), text, std::strlen(text), 0x400000, &how, &e) == XAS_ERRORS &&
            std::strstr(context.diagnostic(0).message, "out of reach (-4294967296 to 4294963200)"),
        "a page out of reach, in bytes");
  check(xas_encode(context.get(), "nop", 3, 0, nullptr, nullptr) == XAS_BAD_ARGUMENT, "no result");
}

/// How many allocations the second of two encodings makes.
void run_allocations() {
  const struct {
    const char* option;
    const char* text;
  } warm[] = {{"--target=x86_64-linux-gnu", "movl $1, 8(%rsp,%rcx,4)"},
              {"--target=x86_64-linux-gnu", "call near_by"},
              {"--target=x86_64-linux-gnu", "leaq near_by(%rip), %rax"},
              {"--target=x86_64-linux-gnu", "call unknown"},
              {"--target=x86_64-linux-gnu", "inc %eax; ret"},
              {"--target=x86_64-linux-gnu", "vaddps %zmm1, %zmm2, %zmm3{%k1}"},
              {"--target=aarch64-linux-gnu", "add x0, x1, #2"},
              {"--target=aarch64-linux-gnu", "fmov d0, #1.5"},
              {"--target=aarch64-linux-gnu", "cbz x1, near_by"},
              {"--target=arm-linux-gnueabihf", "add r0, r1, #2"}};
  for (const auto& w : warm) {
    xas::Context context;
    context.option(w.option);
    xas_encode_options how = {sizeof how, 0, resolve, nullptr};
    xas_encoding e = {};
    e.struct_size = sizeof e;
    for (int i = 0; i < 5; ++i) xas_encode(context.get(), w.text, std::strlen(w.text), 0x400000, &how, &e);
    const long before = allocations;
    for (int i = 0; i < 10; ++i) xas_encode(context.get(), w.text, std::strlen(w.text), 0x400000, &how, &e);
    const long made = allocations - before;
    check(made == 0, std::string(w.text) + ": " + std::to_string(made) + " allocations in ten encodings");
  }
}

}  // namespace

int main(int count, char** files) {
  for (int i = 1; i < count; ++i) run_file(files[i]);
  run_placed();
  run_stubs();
  run_versions();
  run_results();
  run_allocations();
  std::printf("%ld passed, %ld failed\n", passed, failed);
  return failed != 0;
}
