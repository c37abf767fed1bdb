// SPDX-License-Identifier: Apache-2.0
#include "asm/read/unknown.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/directives/arm.h"
#include "asm/directives/directives.h"
#include "asm/directives/usage.h"
#include "asm/read/macro.h"
#include "targets/advice.h"
#include "targets/nearest_name.h"
#include "targets/text.h"

namespace xas {

namespace {

/// A directive of another assembler.
struct Foreign {
  std::string_view name;  ///< lower case
  std::string_view whose;
  std::string_view instead;  ///< what is written here
};

constexpr std::string_view nasm = "NASM", masm = "MASM", both = "NASM and MASM", armasm = "armasm";
constexpr std::string_view bytes = "'.byte', or '.ascii' for text";
constexpr std::string_view undefined = "nothing: names that are not defined are external";

constexpr Foreign before_operands[] = {
    {"section", nasm, "'.section'"},
    {"segment", both, "'.section'"},
    {"global", nasm, "'.globl'"},
    {"public", masm, "'.globl'"},
    {"export", armasm, "'.globl'"},
    {"extern", nasm, undefined},
    {"extrn", masm, undefined},
    {"extrndef", masm, undefined},
    {"externdef", masm, undefined},
    {"import", armasm, undefined},
    {"common", nasm, "'.comm'"},
    {"bits", nasm, "'.code64', '.code32' or '.code16'"},
    {"use16", nasm, "'.code16'"},
    {"use32", nasm, "'.code32'"},
    {"use64", nasm, "'.code64'"},
    {"default", nasm, "an address relative to the place as name(%rip), in Intel syntax [rip + name]"},
    {"org", both, "'.org'"},
    {"align", both, "'.balign'"},
    {"alignb", nasm, "'.balign'"},
    {"include", both, "'.include'"},
    {"incbin", nasm, "'.incbin'"},
    {"times", nasm, "'.rept count', the statement and '.endr', or '.fill'"},
    {"db", both, bytes},
    {"dw", both, "'.short'"},
    {"dd", both, "'.long'"},
    {"dq", both, "'.quad'"},
    {"dt", both, "'.tfloat'"},
    {"resb", nasm, "'.zero' with a number of bytes"},
    {"resw", nasm, "'.zero' with a number of bytes"},
    {"resd", nasm, "'.zero' with a number of bytes"},
    {"resq", nasm, "'.zero' with a number of bytes"},
    {"struc", nasm, "'.struct'"},
    {"invoke", masm, "the arguments' moves and 'call'"},
    {"assume", masm, "nothing: there are no segments to assume"},
    {"option", masm, "nothing in its place"},
    {"includelib", masm, "nothing, and give the library to the linker"},
    {"title", masm, "'.title'"},
    {"end", masm, "'.end'"},
    {"area", armasm, "'.section'"},
    {"entry", armasm, "nothing, and name the entry to the linker"},
    {"dcb", armasm, bytes},
    {"dcw", armasm, "'.short'"},
    {"dcd", armasm, "'.long'"},
    {"dcq", armasm, "'.quad'"},
    {"preserve8", armasm, "'.eabi_attribute 25, 1'"},
    {"ltorg", armasm, "'.ltorg'"},
    {"macro", armasm, "'.macro'"},
    {"mend", armasm, "'.endm'"},
    {".mend", "other assemblers", "'.endm'"},
    {".model", masm, "nothing in its place"},
    {".code", masm, "'.text'"},
    {".const", masm, "'.section .rodata'"},
    {".data?", masm, "'.bss'"},
    {".stack", masm, "nothing: the linker makes the stack"},
    {".386", masm, "'.arch i386'"},
    {".486", masm, "'.arch i486'"},
    {".586", masm, "'.arch i586'"},
    {".686", masm, "'.arch i686'"},
    {".386p", masm, "'.arch i386'"},
    {".486p", masm, "'.arch i486'"},
    {".586p", masm, "'.arch i586'"},
    {".686p", masm, "'.arch i686'"},
    {".xmm", masm, "'.arch .sse2'"},
    {".db", "other assemblers", bytes},
    {".dw", "other assemblers", "'.short'"},
    {".dd", "other assemblers", "'.long'"},
    {".dq", "other assemblers", "'.quad'"},
    {".ds", "other assemblers", "'.zero'"},
    {".segment", "other assemblers", "'.section'"},
    {".import", "other assemblers", undefined},
    {".export", "other assemblers", "'.globl'"},
};

/// The same behind a name: `{}` stands for it.
constexpr Foreign behind_name[] = {
    {"db", both, "'{}: .byte', or '.ascii' for text"},
    {"dw", both, "'{}: .short'"},
    {"dd", both, "'{}: .long'"},
    {"dq", both, "'{}: .quad'"},
    {"dt", both, "'{}: .tfloat'"},
    {"byte", masm, "'{}: .byte'"},
    {"word", masm, "'{}: .short'"},
    {"dword", masm, "'{}: .long'"},
    {"qword", masm, "'{}: .quad'"},
    {"real4", masm, "'{}: .float'"},
    {"real8", masm, "'{}: .double'"},
    {"resb", nasm, "'{}: .zero' with a number of bytes"},
    {"resw", nasm, "'{}: .zero' with a number of bytes"},
    {"resd", nasm, "'{}: .zero' with a number of bytes"},
    {"resq", nasm, "'{}: .zero' with a number of bytes"},
    {"equ", both, "'.set {}, value'"},
    {"proc", masm, "'{}:'"},
    {"endp", masm, "'.size {0}, . - {0}', or nothing"},
    {"macro", masm, "'.macro {}'"},
    {"segment", masm, "'.section {}'"},
    {"ends", masm, "nothing: the next section ends this one"},
    {"dcb", armasm, "'{}: .byte', or '.ascii' for text"},
    {"dcw", armasm, "'{}: .short'"},
    {"dcd", armasm, "'{}: .long'"},
    {"dcq", armasm, "'{}: .quad'"},
    {"rn", armasm, "'{} .req register'"},
};

template <std::size_t size>
const Foreign* find(const Foreign (&table)[size], std::string_view name) {
  const Foreign* const end = table + size;
  const Foreign* const f = std::find_if(table, end, [&](const Foreign& each) { return each.name == name; });
  return f == end ? nullptr : f;
}

Machine machine_of(const Reader& reader) {
  const auto& syntax = reader.program().info.syntax;
  return syntax.slash_line_comment ? Machine::x86 : syntax.arm_directives ? Machine::arm : Machine::aarch64;
}

std::string word_at(const Reader& reader, const char* p) {
  return text::lower({p, name_length(reader.program().chars, p)});
}

/// What begins a comment behind a statement.
std::string_view comment_mark(const Reader& reader) {
  return machine_of(reader) == Machine::x86 ? "'#'" : machine_of(reader) == Machine::arm ? "'@'" : "'//'";
}

/// The statement at p stands behind a ';' that may have been meant to begin a comment.
bool may_be_comment(const Reader& reader, const char* p) {
  const char* const begin = reader.program().sources.current->begin;
  while (p > begin && (p[-1] == ' ' || p[-1] == '\t')) --p;
  return p > begin && p[-1] == ';' && reader.program().chars.separator == ';';
}

/// How the directive of another assembler is written here; empty if it is none.
std::string explain_foreign(Reader& reader, std::string_view written, const std::string& name) {
  std::string whole = name;
  if (*reader.p == '?') whole += '?';  // .data?
  if (const Foreign* f = find(before_operands, whole))
    return fmt::format("that is the syntax of {}; write {}", f->whose, f->instead);
  if (const Foreign* f = find(behind_name, word_at(reader, reader.p)))
    return fmt::format("'{}' behind a name is the syntax of {}; write {}", f->name, f->whose,
                       fmt::format(fmt::runtime(f->instead), written));
  return {};
}

}  // namespace

void report_unknown(Reader& reader, std::string_view name, const char* where) {
  Program& program = reader.program();
  if (!program.diags.keeps_errors()) return reader.error(where, {});
  if (name.starts_with("\xEF\xBB\xBF"))
    return reader.error(where, "a byte-order mark (U+FEFF) stands here; a text is UTF-8 without one");
  const std::string lower = text::lower(name);
  const bool directive = lower[0] == '.';
  NearestName nearest(lower);
  std::string text = fmt::format("unknown {} '{}'", directive ? "directive" : "instruction or directive", name);
  std::string advice = explain_foreign(reader, name, lower);
  const std::string undotted = "." + lower;
  const Name dotted{undotted.data(), u32(undotted.size()), hash_name(undotted)};
  const bool lacks_dot = !directive && lower != "set";  // which x86 has with a condition
  if (advice.empty() && lacks_dot && find_directive(dotted, program.is_coff))
    advice = fmt::format("a directive begins with a dot: '.{}'", lower);
  if (advice.empty()) {
    advice = program.target.explain_unknown(lower, nearest);
    const std::string_view machines = directive ? "" : other_machines(lower, machine_of(reader));
    if (advice.empty() && !machines.empty())
      advice = fmt::format("that is an instruction of {}, and --target= says what this text is for", machines);
  }
  if (!advice.empty()) return reader.error(where, text + "; " + advice);
  reader.macros.offer(nearest);
  offer_directives(nearest, program.is_coff);
  if (program.info.syntax.arm_directives) offer_arm_directives(nearest);
  const bool is_comment = may_be_comment(reader, where) && !nearest.is_close() && !directive;
  reader.error(where, is_comment ? fmt::format("{}; ';' separates statements, and a comment begins with {} here", text,
                                               comment_mark(reader))
                                 : text + nearest.question());
}

void report_unknown(Reader& reader, char c) {
  const char* const p = reader.p;
  std::string text = fmt::format("expected a label, a directive or an instruction, found '{}'", c);
  const std::string word = c == '%' || c == '[' ? word_at(reader, p + 1) : std::string();
  if (c == '%' && (word == "define" || word == "assign" || word == "xdefine"))
    text += "; that is the syntax of NASM; write '.set name, value'";
  else if (c == '%' && (word == "macro" || word == "endmacro" || word == "rep" || word == "include" || word == "if"))
    text += fmt::format("; that is the syntax of NASM; write '.{}'", word == "rep" ? "rept" : word);
  else if (c == '[' && (word == "bits" || word == "section" || word == "global" || word == "extern" || word == "org"))
    text += "; a directive in brackets is the syntax of NASM; write it with a dot and without them";
  else if (c == '<')
    text += "; has this been merged or patched in part?";
  else if (c >= '0' && c <= '9')
    text += "; a name does not begin with a digit, and a numeric label is digits alone: '1:'";
  reader.error_here(std::move(text));
}

bool another_statement_follows(const Reader& reader) {
  const std::string name = word_at(reader, reader.program().sources.statement);
  return std::ranges::find(reader.program().profile.open_directives, name) !=
         reader.program().profile.open_directives.end();
}

void report_unexpected(Reader& reader) {
  constexpr u32 longest = 20;
  const char* const p = reader.p;
  const u32 length = std::max<u32>(1, std::min<u32>(name_length(reader.program().chars, p), longest));
  const std::string directive = word_at(reader, reader.program().sources.statement);
  const DirectiveUsage* const usage = find_directive_usage(directive);
  if (usage && usage->operands.empty() &&
      text::skip_blanks(reader.program().sources.statement + directive.size()) == p)
    return reader.error_here(
        fmt::format("`{}` takes no operands, found '{}'", directive, std::string_view(p, length)));
  std::string text = fmt::format("unexpected '{}' after the end of the statement", std::string_view(p, length));
  const bool x86 = reader.program().info.syntax.slash_line_comment;
  const std::string word = word_at(reader, p);
  if (x86 && word == "ptr")
    text += "; that is Intel syntax, which '.intel_syntax noprefix' selects";
  else if (x86 && *p == '(' && p[1] == '%')
    text += "; that is AT&T syntax, which '.att_syntax' selects";
  else if (const std::string advice = unexpected_advice(p, comment_mark(reader)); !advice.empty())
    text += advice;
  else if (!word.empty() || *p == '"' || *p == '%' || *p == '$' || *p == '#' || *p == '@')
    text += "; is a comma missing before it?";
  else if (*p == ')' || *p == ']' || *p == '}')
    text += "; nothing is open that it could close";
  reader.error_here(std::move(text));
}

void Reader::expected(const char* where, std::string_view what) {
  constexpr u32 longest = 20;
  const bool ends = *where == '\n' || *where == '\0' || *where == '\r' || *where == program().chars.separator ||
                    *where == program().chars.line_comment;
  const u32 length = std::max<u32>(1, std::min<u32>(name_length(program().chars, where), longest));
  const std::string found = ends ? "the end of the line" : fmt::format("'{}'", std::string_view(where, length));
  const std::string directive = word_at(*this, program().sources.statement);
  const DirectiveUsage* const usage = find_directive_usage(directive);
  std::string advice;
  if (usage && !usage->operands.empty()) advice = fmt::format("; it is written '{} {}'", directive, usage->operands);
  if (*where == '%' && !directive.starts_with('.') && machine_of(*this) != Machine::x86)
    advice = "; registers have no '%' here";
  error(where, fmt::format("expected {}, found {}{}", what, found, advice));
}

std::string explain_number(const char* p) {
  const char* q = p;
  while (text::is_name_char(*q)) ++q;
  constexpr std::ptrdiff_t longest = 40;
  const std::string word = text::lower({p, std::size_t(std::min(q - p, longest))});
  std::string text = fmt::format(" '{}'", word);
  const auto digits = [](std::string_view s, std::string_view allowed) {
    return !s.empty() && s.find_first_not_of(allowed) == s.npos;
  };
  constexpr std::string_view hex = "0123456789abcdef", decimal = "0123456789";
  const std::string_view body = std::string_view(word).substr(0, word.size() - 1);
  if (word.ends_with('h') && digits(body, hex)) return text + fmt::format("; in hexadecimal it is '0x{}'", body);
  if (word.starts_with("0x")) return text + "; the digits behind 0x are 0 to 9 and a to f";
  if (word.starts_with("0b")) return text + "; the digits behind 0b are 0 and 1";
  if (word.starts_with('0') && digits(word, decimal))
    return text + "; a number that begins with 0 is octal, with digits from 0 to 7";
  return text + "; numbers are decimal, 0x and hexadecimal, 0b and binary, or 0 and octal; names begin with no digit";
}

void report_unknown(Reader& reader, u32 number) {
  struct Header {
    Machine machine;
    const char* name;
    std::string_view mnemonic;
  } const headers[] = {{Machine::x86, "xas/x86.h", x86_mnemonic(number)},
                       {Machine::aarch64, "xas/aarch64.h", aarch64_mnemonic(number)},
                       {Machine::arm, "xas/arm.h", arm_mnemonic(number)}};
  const Machine own = reader.program().options.target.machine;
  for (const Header& h : headers)
    if (h.machine == own && !h.mnemonic.empty())
      return reader.error(
          fmt::format("the target has no instruction `{}` in this syntax, AT&T's or Intel's", h.mnemonic));
  for (const Header& h : headers)
    if (!h.mnemonic.empty())
      return reader.error(fmt::format("the target has no instruction `{}`; its number is of {}", h.mnemonic, h.name));
  reader.error(fmt::format("the target has no instruction with the number {}", number));
}

}  // namespace xas
