// SPDX-License-Identifier: Apache-2.0
// The C interface by calls that make little sense: any of them in any order, with handles of assemblies before, null
// pointers and numbers that are none. Nothing crashes or hangs, and each call that is refused has a reason.
//
//     misuse [FIRST LAST]      seeds of the random numbers
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <random>
#include <vector>

#include "xas/x86.h"
#include "xas/xas.h"

namespace {

int failed = 0;

class Caller {
 public:
  explicit Caller(std::uint32_t seed) : seed_(seed), random_(seed) {}
  ~Caller() {
    xas_code_free(code_);
    xas_destroy(xas_);
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  void run() {
    for (std::uint32_t n = below(200); n > 0; --n) {
      switch (below(9)) {
        case 0: ends(); break;
        case 1: pieces(); break;
        case 2: names(); break;
        case 3: symbols(); break;
        case 4: sections(); break;
        case 5: data(); break;
        case 6: instructions(); break;
        case 7: tables(); break;
        case 8: one_in(4) ? contexts() : results(); break;
      }
    }
    if (xas_assembly(xas_)) said("xas_finish", xas_finish(xas_));
  }

 private:
  // What is handed in

  std::uint32_t below(std::uint32_t n) { return random_() % n; }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return all.begin()[below(std::uint32_t(all.size()))];
  }
  template <class T>
  T* or_null(T* p) {
    return one_in(30) ? nullptr : p;
  }
  std::int64_t number() {
    return one_of<std::int64_t>(
        {0, 1, -1, 8, 127, -129, 1000, INT64_MIN, INT64_MAX, 0x7fffffff, std::int64_t(random_())});
  }
  xas_symbol symbol() {
    const auto last = std::uint32_t(symbols_.size());
    return one_in(20) ? random_() : symbols_[one_in(8) || last < 6 ? below(last) : last - 1 - below(6)];
  }
  xas_section section() { return one_in(20) ? random_() : sections_[below(std::uint32_t(sections_.size()))]; }
  xas_value value() {
    xas_value v = {};
    if (one_in(2)) v.constant = number();
    if (one_in(2)) v.add = symbol();
    if (one_in(5)) v.subtract = symbol();
    if (one_in(9)) v.modifier = one_in(3) ? random_() : xas_modifier(xas_, one_of({"GOTPCREL", "@PLT", ":lo12:", "x"}));
    return v;
  }
  /// One that makes no section of gigabytes.
  xas_value small_value() {
    xas_value v = value();
    v.constant %= 1000;
    return v;
  }
  xas_register reg() {
    return one_in(8) ? below(40000)
                     : one_of<xas_register>({XAS_X86_EAX, XAS_X86_RSP, XAS_X86_XMM1, XAS_X86_RIP, 2079, 0});
  }
  xas_arg arg() {
    xas_arg a = {};
    a.kind = xas_arg_kind(below(one_in(20) ? 9 : 6));
    a.reg = reg();
    if (one_in(3)) a.index = reg();
    if (one_in(9)) a.segment = reg(), a.mask = reg();
    a.scale = std::uint8_t(below(9)), a.count = std::uint8_t(below(5)),
    a.flags = std::uint8_t(one_in(4) ? below(17) : 0);
    if (one_in(4))
      a.size = std::uint8_t(below(9)), a.broadcast = std::uint8_t(below(17)), a.element = std::uint8_t(below(20));
    a.value = value();
    a.text = one_of<const char*>({nullptr, "lsl #3", "eq", "(%rsp", "", "a,b", "\"", "$1"});
    return a;
  }
  const char* text() {
    return one_of<const char*>({"nop",
                                "x: ret\n",
                                "jmp x",
                                ".macro m\nnop\n.endm",
                                "m",
                                ".if 1",
                                ".end",
                                ".err",
                                ".struct 4",
                                ".include \"a\"",
                                ".text 3",
                                ".bss",
                                ".code32",
                                ".endif",
                                ".set q,q+1",
                                ".eqv z,y",
                                ".rept 3\nnop",
                                ".uleb128 x-y",
                                ".p2align 4",
                                "1: jmp 1b",
                                ".abort",
                                ".weak x",
                                ".set x,5",
                                ".loc 1 2",
                                ".file 1 \"a.c\"",
                                ".previous",
                                ".org 100",
                                "add x0,x1,#1",
                                ".thumb",
                                "x = 7",
                                ".popsection",
                                ".incbin \"b\"",
                                ".bundle_align_mode 4"});
  }
  static int include(void* user, const char*, const char** text, std::size_t* size) {
    auto* const caller = static_cast<Caller*>(user);
    *text = caller->one_in(3) ? nullptr : "nop\n";
    *size = 4;
    return caller->one_in(2);
  }
  static int resolve(void* user, const char*, std::uint64_t, xas_use, std::uint64_t* value) {
    *value = static_cast<Caller*>(user)->random_();
    return static_cast<Caller*>(user)->one_in(2);
  }

  // What has to come of it

  void fail(const char* function, const char* what) {
    std::printf("FAIL: seed %u: %s: %s\n", seed_, function, what);
    ++failed;
  }
  void said(const char* function, xas_status status) {
    const bool refused = status == XAS_BAD_ARGUMENT || status == XAS_BAD_OPTION || status == XAS_OUT_OF_MEMORY;
    if (refused != (*xas_error(xas_) != '\0')) fail(function, refused ? "no reason" : xas_error(xas_));
  }
  /// The same of what gives a handle or a number.
  void gave(const char* function, bool good) {
    if (good == (*xas_error(xas_) != '\0')) fail(function, good ? xas_error(xas_) : "no reason");
  }

  // The calls

  void ends() {
    if (one_in(5)) said("xas_finish", xas_finish(xas_));
    said("xas_begin", xas_begin(xas_));
  }
  void pieces() {
    const char* const piece = or_null(text());
    if (one_in(4)) said("xas_place", xas_place(xas_, one_of<const char*>({nullptr, "", "a.toy"}), below(3)));
    said("xas_feed", xas_feed(xas_, piece, piece ? std::strlen(piece) : 3));
  }
  void names() {
    const char* const name = or_null(one_of({"x", "y", "q", "", "_GLOBAL_OFFSET_TABLE_"}));
    const xas_symbol s = one_in(3) ? xas_new_label(xas_) : xas_symbol_named(xas_, name, name ? std::strlen(name) : 1);
    gave("xas_symbol_named", s != 0);
    if (s) symbols_.push_back(s);
    const xas_register r = xas_register_named(xas_, or_null(one_of({"eax", "%eax", "x0", "r4", "st(1)", "", "eax\n"})));
    gave("xas_register_named", r != 0);
    gave("xas_dwarf_number", xas_dwarf_number(xas_, one_in(2) ? r : random_()) != -1);
    gave("xas_modifier", xas_modifier(xas_, or_null(one_of({"PLT", "", ":", "@", "lo12"}))) != XAS_NO_MODIFIER);
    xas_value v;
    said("xas_expression", xas_expression(xas_, or_null(one_of({"1+2", "x+1", "x-y", "q  ", "(  "})), 3, or_null(&v)));
  }
  void symbols() {
    const xas_value v = value();
    switch (below(6)) {
      case 0: return said("xas_declare", xas_declare(xas_, symbol(), xas_attribute(below(14))));
      case 1: return said("xas_assign", xas_assign(xas_, symbol(), or_null(&v), one_in(2)));
      case 2: return said("xas_set_size", xas_set_size(xas_, symbol(), or_null(&v)));
      case 3: return said("xas_common", xas_common(xas_, symbol(), std::uint64_t(number()), below(40)));
      default: return said("xas_label", xas_label(xas_, symbol()));
    }
  }
  void sections() {
    xas_section_request r = {};
    r.struct_size = one_in(30) ? below(100) : sizeof r;
    r.name = or_null(one_of({".text", ".data", ".bss", ".foo", "abc", ""}));
    r.name_size = r.name ? std::strlen(r.name) : 0;
    r.flags = one_of<const char*>({nullptr, "ax", "aw", "aMS", "axG", "ao", "xr", "dr", "b", "zzz", ""});
    if (one_in(4)) r.type = below(20), r.entry_size = below(5), r.unique = below(4), r.subsection = int(below(5)) - 1;
    if (one_in(3)) r.group = symbol(), r.selection = below(9);
    if (one_in(3)) r.linked_to = symbol();
    xas_section made;
    said("xas_open_section", xas_open_section(xas_, or_null(&r), &made));
    if (made) sections_.push_back(made);
    if (one_in(2)) said("xas_switch_section", xas_switch_section(xas_, section()));
    if (one_in(4)) said("xas_push_section", xas_push_section(xas_));
    if (one_in(4)) said("xas_pop_section", xas_pop_section(xas_));
    gave("xas_current_section", xas_current_section(xas_) != 0);
    std::uint64_t offset;
    xas_offset(xas_, or_null(&offset));
  }
  void data() {
    const xas_value v = small_value();
    said("xas_data", xas_data(xas_, or_null(&v), below(10)));
    switch (below(6)) {
      case 0: return said("xas_bytes", xas_bytes(xas_, or_null("abc"), 3));
      case 1: return said("xas_integer", xas_integer(xas_, random_(), below(10)));
      case 2: return said("xas_leb128", xas_leb128(xas_, or_null(&v), one_in(2)));
      case 3: return said("xas_fill", xas_fill(xas_, or_null(&v), below(10), random_()));
      case 4: return said("xas_align", xas_align(xas_, one_in(9) ? 64 : below(8), one_in(3) ? random_() : 0));
      default: return said("xas_org", xas_org(xas_, or_null(&v), std::uint8_t(random_())));
    }
  }
  void instructions() {
    xas_arg args[16];
    for (xas_arg& a : args) a = arg();
    const std::size_t count = one_in(40) ? SIZE_MAX : one_in(10) ? below(17) : below(4);
    const auto mnemonic = one_of<xas_mnemonic>({XAS_X86_MOVL, XAS_X86_ADDL, XAS_X86_CALL, XAS_X86_LEAQ, 0, 12345,
                                                xas_mnemonic_named("b"), xas_mnemonic_named("ldr")});
    const std::uint32_t how = one_in(8) ? random_() : one_in(4) ? std::uint32_t(XAS_LOCK) : 0;
    said("xas_emit", xas_emit(xas_, mnemonic, how, or_null(args), count));
    const char* const name =
        one_of({"movl", "lock addl", "{vex} nop", "b.eq", "", " ", ".byte", "ldr", "lock", "{", "x:"});
    said("xas_instruction", xas_instruction(xas_, or_null(name), or_null(args), count));
    xas_encoding e = {};
    e.struct_size = one_in(30) ? below(50) : sizeof e;
    said("xas_encode_instruction",
         xas_encode_instruction(xas_, mnemonic, how, or_null(args), count, random_(), or_null(&e)));
  }
  void tables() {
    const xas_value a = value(), b = value();
    const xas_line line = {one_in(20) ? below(40) : sizeof line, below(3), below(9), below(9), below(2), below(40)};
    const xas_pc_constant constants[] = {{value(), below(9)}, {value(), 4}};
    const xas_pc_tag tags[] = {{sizeof *tags, or_null("pcs"), 3, one_in(2), or_null(constants), below(3)}};
    const xas_operand operands[] = {
        {xas_operand_kind(below(one_in(9) ? 5 : 3)), value(), one_of({"x", "\"", "a\nb"}), 1}};
    switch (below(9)) {
      case 0: return said("xas_loc", xas_loc(xas_, or_null(&line)));
      case 1: return said("xas_cfi_begin", xas_cfi_begin(xas_, one_in(2)));
      case 2: return said("xas_cfi_end", xas_cfi_end(xas_));
      case 3: return said("xas_seh_begin", xas_seh_begin(xas_));
      case 4: return said("xas_seh", xas_seh(xas_, xas_seh_rule(below(60)), reg(), number()));
      case 5: return said("xas_seh_handler", xas_seh_handler(xas_, or_null(&a), below(5)));
      case 6: return said("xas_tag_range", xas_tag_range(xas_, or_null(&a), or_null(&b), or_null(tags), below(2)));
      case 7:
        return said("xas_directive",
                    xas_directive(xas_, or_null(one_of({".byte", ".globl", ".section", ".if", ".reloc", "x", ""})),
                                  or_null(operands), below(2)));
      default:
        return said("xas_cfi", xas_cfi(xas_, xas_cfi_rule(below(21)), one_in(9) ? random_() : below(20), number()));
    }
  }
  void contexts() {
    const char* const all = or_null(text());
    const std::size_t size = all ? std::strlen(all) : 3;
    switch (below(6)) {
      case 0: return xas_reset(xas_);
      case 1: return xas_set_include_callback(xas_, one_in(2) ? include : nullptr, this);
      case 2: return said("xas_assemble", xas_assemble(xas_, all, size, nullptr));
      case 3: {
        xas_code_free(code_);
        code_ = nullptr;
        return said("xas_load", xas_load(xas_, all, size, one_in(2) ? resolve : nullptr, this, or_null(&code_)));
      }
      case 4: {
        xas_encoding e = {};
        e.struct_size = sizeof e;
        const xas_encode_options how = {sizeof how, below(5), one_in(2) ? resolve : nullptr, this};
        return said("xas_encode", xas_encode(xas_, all, size, random_(), or_null(&how), or_null(&e)));
      }
      default:
        return said("xas_set_option",
                    xas_set_option(xas_,
                                   or_null(one_of({"--32", "--64", "--target=aarch64-linux-gnu", "-g", "-a", "-", "",
                                                   "--target=arm-linux-gnueabihf", "--target=x86_64-w64-mingw32",
                                                   "--compat=llvm", "-msyntax=intel", "--target=x", "--gstabs"})),
                                   nullptr));
    }
  }
  void results() {
    std::size_t size;
    std::uint64_t address;
    xas_object(xas_, &size);
    xas_listing(xas_, &size);
    xas_printed(xas_, &size);
    xas_diagnostics_text(xas_, below(4), &size);
    for (std::size_t i = 0; i <= xas_diagnostic_count(xas_); ++i) xas_diagnostic_at(xas_, i);
    xas_dependency_at(xas_, 0);
    xas_encoded_label(xas_, or_null("x"), or_null(&address));
    xas_code_label(code_, or_null("x"));
    xas_code_bytes(code_, or_null(&size));
  }

  std::uint32_t seed_;
  std::mt19937 random_;  // whose numbers are the same everywhere
  xas_context* xas_ = xas_create();
  xas_code* code_ = nullptr;
  std::vector<xas_symbol> symbols_{0, 1, XAS_HERE};  // of all assemblies
  std::vector<xas_section> sections_{0, 1, 9};
};

}  // namespace

int main(int argc, char** argv) {
  const unsigned first = argc > 2 ? unsigned(std::atoi(argv[1])) : 0;
  const unsigned last = argc > 2 ? unsigned(std::atoi(argv[2])) : 1000;
  for (unsigned seed = first; seed <= last; ++seed) Caller(seed).run();
  std::printf("%u rounds, %d failed\n", last - first + 1, failed);
  return failed != 0;
}
