// SPDX-License-Identifier: Apache-2.0
// The public interface: what it returns, and that contexts are independent and can be used again.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "xas/xas.hpp"

TEST_CASE("an object, then errors, then an object again") {
  xas::Context context;
  REQUIRE(context.assemble("\tnop\n"));
  std::string first(context.object().begin(), context.object().end());
  CHECK(first.substr(1, 3) == "ELF");
  CHECK(context.diagnostic_count() == 0);

  CHECK_FALSE(context.assemble("\tnop\n\tfoo\n", "x.s"));
  CHECK(context.object().empty());
  REQUIRE(context.diagnostic_count() == 1);
  const xas_diagnostic& d = context.diagnostic(0);
  CHECK(d.severity == XAS_ERROR);
  CHECK(std::string(d.file) == "x.s");
  CHECK(d.line == 2);
  CHECK(d.column == 2);
  CHECK(d.length == 3);
  CHECK(std::string(d.source_line, d.source_line_size) == "\tfoo");
  CHECK(std::string(context.text()).find("x.s:2:2: error: ") == 0);
  CHECK(std::string(context.text(XAS_TEXT_JSON)).find("\"line\":2") != std::string::npos);

  REQUIRE(context.assemble("\tnop\n"));
  CHECK(std::string(context.object().begin(), context.object().end()) == first);
}

TEST_CASE("characters 0 are told wherever they stand, in lines that have stood before too") {
  using namespace std::string_view_literals;
  xas::Context context;
  CHECK_FALSE(context.assemble("\tnop\n\tnop\0\n\tmovl $100, %eax\n\tmovl $101, %eax\0\n"sv, "x.s"));
  REQUIRE(context.diagnostic_count() == 2);
  CHECK(std::string(context.text()).find("x.s:2:5: error: NUL character") == 0);
  CHECK(std::string(context.text()).find("x.s:4:17: error: NUL character") != std::string::npos);
}

TEST_CASE("options") {
  xas::Context context;
  CHECK(context.option("--32"));
  CHECK_FALSE(context.option("--nope"));
  CHECK(std::string(context.error()).find("unknown option") == 0);
  CHECK_FALSE(context.option("-o", "x.o"));
  CHECK(context.option("--defsym", "N=3"));
  CHECK_FALSE(context.option("--64", "N=3"));
  REQUIRE(context.option("--32"));
  REQUIRE(context.assemble("\t.byte N\n"));
  CHECK(context.object()[4] == 1);  // ELFCLASS32
  context.reset();
  REQUIRE(context.assemble("\tnop\n"));
  CHECK(context.object()[4] == 2);
}

TEST_CASE("an option that is refused changes nothing") {
  xas::Context context;
  CHECK(xas_set_option(context.get(), "--32", "x") == XAS_BAD_OPTION);
  CHECK(context.assemble("movq %rax, %rbx"));
  for (const char* none : {"", "-", "@file", "x"})
    CHECK(xas_set_option(context.get(), none, nullptr) == XAS_BAD_ARGUMENT);
  CHECK_FALSE(context.option("-MD"));
  CHECK(std::string(context.error()) == "option '-MD' belongs to the program, not to the library");
}

TEST_CASE("a character 0 in a string: an error of GNU as") {
  using namespace std::string_view_literals;
  for (const std::string_view text :
       {"\"a\0b\": nop"sv, ".long \"a\0b\""sv, ".globl \"a\0b\""sv, ".ascii \"a\0b\""sv}) {
    xas::Context context;
    CHECK_FALSE(context.assemble(text));
    REQUIRE(context.diagnostic_count() == 1);
    CHECK(std::string(context.diagnostic(0).message) == "NUL character in a string");
    CHECK(context.diagnostic(0).column == text.find('\0') + 1);
    context.option("--compat=llvm");
    CHECK(context.assemble(text));
  }
}

TEST_CASE("the statements of an encoded text") {
  using Statement = std::array<std::size_t, 3>;  // its place in the text, that of its bytes, their number
  const auto statements = [](std::string_view text, const char* target = "x86_64-linux-gnu") {
    xas::Context context;
    context.option("--target", target);
    std::vector<Statement> found;
    const xas::Encoding e = context.encode(text);
    CHECK(e);
    for (const xas_statement& s : e.statements()) found.push_back({s.text_offset, s.offset, s.size});
    return found;
  };
  using All = std::vector<Statement>;
  CHECK(statements(".macro m\nnop\n.endm\nm\ninc %eax\nret\nnop\n") ==
        All{{0, 0, 0}, {19, 0, 1}, {21, 1, 2}, {30, 3, 1}, {34, 4, 1}});
  CHECK(statements(".rept 3; nop; .endr; inc %eax") == All{{0, 0, 3}, {21, 3, 2}});
  CHECK(statements("x: nop\ny:\n ret") == All{{0, 0, 1}, {7, 1, 0}, {11, 1, 1}});
  CHECK(statements("# one\n nop # two\n/* three\n */ ret; # four\n/ five\n") == All{{7, 0, 1}, {30, 1, 1}});
  CHECK(statements("// one\n nop\n# two", "aarch64-linux-gnu") == All{{8, 0, 4}});
}

TEST_CASE("included text through a callback") {
  xas::Context context;
  context.include_callback(
      [](void*, const char* path, const char** text, size_t* size) {
        if (std::strcmp(path, "a.inc") != 0) return 0;
        *text = "\tfoo\n";
        *size = 5;
        return 1;
      },
      nullptr);
  CHECK_FALSE(context.assemble("\t.include \"a.inc\"\n", "x.s"));
  REQUIRE(context.diagnostic_count() == 1);
  CHECK(std::string(context.diagnostic(0).file) == "a.inc");
  REQUIRE(context.diagnostic(0).note_count == 1);
  CHECK(context.diagnostic(0).notes[0].line == 1);
  CHECK(std::string(context.dependency(0)) == "a.inc");
  CHECK_FALSE(context.assemble("\t.include \"b.inc\"\n"));
  context.include_callback([](void*, const char*, const char**, size_t* size) { return *size = 5, 1; }, nullptr);
  CHECK_FALSE(context.assemble("\t.include \"a.inc\"\n"));  // a size without a text
}

TEST_CASE("a callback can't use its context") {
  struct Asked {
    xas::Context context;
    xas_status status = XAS_OK;
    std::string error;
    void note(xas_status s) { status = s, error = xas_error(context.get()); }
  } asked;
  xas_context* const context = asked.context.get();
  asked.context.include_callback(
      [](void* user, const char*, const char** text, size_t* size) {
        auto* a = static_cast<Asked*>(user);
        a->note(xas_assemble(a->context.get(), "nop\n", 4, nullptr));
        *text = "\tnop\n";
        *size = 5;
        return 1;
      },
      &asked);
  CHECK(asked.context.assemble("\t.include \"a.inc\"\n"));
  CHECK(asked.status == XAS_BAD_ARGUMENT);
  CHECK(asked.error == "a callback can't use the context that it is called from");
  CHECK(std::string(xas_error(context)).empty());
  asked.status = XAS_OK;
  REQUIRE(xas_begin(context) == XAS_OK);
  CHECK(xas_feed(context, "\t.include \"a.inc\"\n", 18) == XAS_OK);
  CHECK(asked.status == XAS_BAD_ARGUMENT);
  CHECK(xas_finish(context) == XAS_OK);

  asked.status = XAS_OK;
  const xas_encode_options how = {sizeof how, 0,
                                  [](void* user, const char*, uint64_t, xas_use, uint64_t* value) {
                                    auto* a = static_cast<Asked*>(user);
                                    a->note(xas_begin(a->context.get()));
                                    *value = 7;
                                    return 1;
                                  },
                                  &asked};
  xas_encoding made = {};
  made.struct_size = sizeof made;
  CHECK(xas_encode(context, "mov $seven, %eax", 16, 0, &how, &made) == XAS_OK);
  CHECK(made.size == 5);
  CHECK(asked.status == XAS_BAD_ARGUMENT);
}

TEST_CASE("a mnemonic that is a number has its name in messages") {
  xas::Context context;
  context.option("--target", "aarch64-linux-gnu");
  std::vector<xas::Arg> args;
  for (const char* name : {"x0", "x1", "x2"}) {
    args.emplace_back(XAS_ARG_REGISTER);
    args.back().reg = xas_register_named(context.get(), name);
  }
  args.emplace_back(XAS_ARG_WORD);
  args.back().text = "zz";
  CHECK_FALSE(context.encode(xas::Mnemonic(xas_mnemonic_named("csel")), args));
  REQUIRE(context.diagnostic_count() == 1);
  CHECK(std::string(context.diagnostic(0).message).starts_with("`csel` does not take this operand here; it takes "));
}

TEST_CASE("xas_encode says which argument is wrong") {
  xas::Context context;
  xas_encoding made = {};
  const auto reason = [&](const char* text, xas_encoding* result) {
    CHECK(xas_encode(context.get(), text, 3, 0, nullptr, result) == XAS_BAD_ARGUMENT);
    return std::string(xas_error(context.get()));
  };
  CHECK(reason("nop", nullptr) == "xas_encode: `result` is a null pointer");
  CHECK(reason("nop", &made) == "xas_encode: `struct_size` is not the structure's size");
  CHECK(reason(nullptr, &made) == "xas_encode: `text` is a null pointer");
}

TEST_CASE("messages name what is no UTF-8 by its bytes") {
  xas::Context context;
  CHECK_FALSE(context.assemble("movl $1, %e\xE9\n\x01\n"));
  REQUIRE(context.diagnostic_count() == 2);
  CHECK(std::string(context.diagnostic(0).message).starts_with("unknown register '%e<e9>'"));
  for (const unsigned flags : {0u, unsigned(XAS_TEXT_JSON)})
    CHECK(context.text(flags).find("'%e<e9>'") != std::string_view::npos);
}

TEST_CASE("messages name a byte-order mark, and show what nobody would see") {
  xas::Context context;
  for (const char* const text : {"\xEF\xBB\xBFnop\n", "\xEF\xBB\xBF.globl f\n", "\xEF\xBB\xBF# text\n"}) {
    CHECK_FALSE(context.assemble(text));
    REQUIRE(context.diagnostic_count() == 1);
    const xas_diagnostic& d = context.diagnostic(0);
    CHECK(d.line == 1);
    CHECK(d.column == 1);
    CHECK(std::string(d.message) == "a byte-order mark (U+FEFF) stands here; a text is UTF-8 without one");
    CHECK(context.text().find("\n <U+FEFF>") != std::string_view::npos);
  }
  CHECK_FALSE(context.assemble("movl $1, %e\xE2\x80\xAE\n"));  // writes what follows from right to left
  CHECK(std::string(context.diagnostic(0).message).starts_with("unknown register '%e<U+202E>'"));
}

TEST_CASE("an include callback holds at once") {
  const auto no_file = [](void* user, const char*, const char**, size_t*) { return ++*static_cast<int*>(user), 0; };
  constexpr std::string_view text = ".include \"/dev/null\"\n";
  int asked = 0;
  xas::Context context;
  xas_context* const c = context.get();
  context.include_callback(no_file, &asked);
  REQUIRE(xas_begin(c) == XAS_OK);
  CHECK(xas_feed(c, text.data(), text.size()) == XAS_ERRORS);
  CHECK(asked == 1);
  context.include_callback(nullptr, nullptr);  // the file system again
  CHECK(xas_feed(c, text.data(), text.size()) == XAS_OK);
  context.include_callback(no_file, &asked);
  CHECK(xas_feed(c, text.data(), text.size()) == XAS_ERRORS);
  CHECK(asked == 2);
  CHECK(xas_finish(c) == XAS_ERRORS);

  CHECK_FALSE(context.encode(text));
  CHECK(asked == 3);
  context.include_callback(nullptr, nullptr);
  CHECK(context.encode(text));
  context.include_callback(no_file, &asked);
  CHECK_FALSE(context.encode(text));
  CHECK(asked == 4);
}

TEST_CASE("what is refused has a reason") {
  xas::Context context;
  xas_context* const c = context.get();
  const auto reason = [c] { return std::string(xas_error(c)); };
  const char* const paths[] = {"/dev/null", nullptr};
  CHECK(xas_set_option(c, nullptr, nullptr) == XAS_BAD_ARGUMENT);
  CHECK(reason() == "xas_set_option: `option` is a null pointer");
  CHECK(xas_set_option(c, "32", nullptr) == XAS_BAD_ARGUMENT);
  CHECK(reason() == "xas_set_option: an option begins with '-'");
  CHECK(xas_set_option(c, "--\xFF\n", nullptr) == XAS_BAD_OPTION);
  CHECK(reason().starts_with("unknown option '--<ff><0a>'"));
  CHECK(xas_assemble(c, nullptr, 1, nullptr) == XAS_BAD_ARGUMENT);
  CHECK(reason() == "xas_assemble: `text` is a null pointer");
  CHECK(xas_assemble_files(c, nullptr, 1) == XAS_BAD_ARGUMENT);
  CHECK(reason() == "xas_assemble_files: `paths` is a null pointer");
  CHECK(xas_assemble_files(c, paths, 2) == XAS_BAD_ARGUMENT);
  CHECK(reason() == "xas_assemble_files: a path is a null pointer");
  CHECK(xas_assemble_files(c, nullptr, 0) == XAS_OK);
  CHECK(reason().empty());
  CHECK(xas_load(c, "nop", 3, nullptr, nullptr, nullptr) == XAS_BAD_ARGUMENT);
  CHECK(reason() == "xas_load: `code` is a null pointer");
  xas_encoding made = {};
  made.struct_size = sizeof made;
  CHECK(xas_encode_instruction(c, 0, 0, nullptr, 0, 0, &made) == XAS_BAD_ARGUMENT);
  CHECK(reason() == "xas_encode_instruction: `mnemonic` is 0");
  const xas_arg symbol = xas::operands::imm(xas::SymbolHandle(1));
  CHECK(xas_encode_instruction(c, 1, 0, &symbol, 1, 0, &made) == XAS_BAD_ARGUMENT);
  CHECK(reason() == "xas_encode_instruction: operand 1: it has a symbol or modifier; here operands are numbers");
  CHECK(xas_encode_instruction(c, 1, 0, &symbol, SIZE_MAX, 0, &made) == XAS_BAD_ARGUMENT);
  CHECK(reason().find("`count` is more than 16") != std::string::npos);
}

TEST_CASE("null pointers") {
  CHECK(xas_assemble(nullptr, "", 0, nullptr) == XAS_BAD_ARGUMENT);
  CHECK(xas_load(nullptr, "", 0, nullptr, nullptr, nullptr) == XAS_BAD_ARGUMENT);
  CHECK(xas_modifier(nullptr, "lo12") == XAS_NO_MODIFIER);
  CHECK(xas_register_named(nullptr, "eax") == 0);
  CHECK(xas_dwarf_number(nullptr, 1) == -1);
  CHECK(xas_symbol_named(nullptr, "f", 1) == 0);
  CHECK(xas_current_section(nullptr) == 0);
  CHECK(xas_offset(nullptr, nullptr) == 0);
  CHECK(xas_mnemonic_named(nullptr) == 0);
  CHECK(xas_mnemonic_named("") == 0);
  CHECK(xas_code_label(nullptr, nullptr) == nullptr);
  CHECK(xas_code_bytes(nullptr, nullptr) == nullptr);
  xas_code_free(nullptr);
  xas_set_include_callback(nullptr, nullptr, nullptr);
  xas_reset(nullptr);
  CHECK(xas_object(nullptr, nullptr) == nullptr);
  CHECK(xas_diagnostic_at(nullptr, 0) == nullptr);
  xas_destroy(nullptr);
  xas::Context context;
  CHECK(xas_assemble(context.get(), nullptr, 1, nullptr) == XAS_BAD_ARGUMENT);
  CHECK(xas_set_option(context.get(), nullptr, nullptr) == XAS_BAD_ARGUMENT);
  CHECK(context.assemble(""));
}
