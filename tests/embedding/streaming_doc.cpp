// SPDX-License-Identifier: Apache-2.0
// Prints docs/streaming.md: for each directive in the tables of asm/directives the function of xas/stream.h that says
// the same, or why there is none; a test compares it with the file. Each that xas_directive is for is said by it once.
//
//     build/test/tests/embedding/streaming_doc > docs/streaming.md
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asm/directives/codeview.h"
#include "asm/directives/coff.h"
#include "asm/directives/debug.h"
#include "asm/directives/seh.h"
#include "asm/directives/topics.h"
#include "xas/xas.hpp"

namespace {

using Handler = xas::DirectiveHandler;

constexpr const char* any = "`xas_directive`";
constexpr const char* language =
    "none: it steers how text is read, and the caller has a language of his own; `xas_feed`";
constexpr const char* listings = "none: it is about listings, which show a text";
constexpr const char* nothing = "none: it has no effect";
constexpr const char* refused = "none: no object of these targets has it";

/// What takes the place of those that a handler reads; null: `any`.
const char* verb_of(const xas::Directive& d) {
  static const std::map<Handler, const char*> verbs = {
      {xas::directive_data, "`xas_integer`, `xas_data`"},
      {xas::directive_word, "`xas_integer`, `xas_data`"},
      {xas::directive_address, "`xas_integer`, `xas_data`"},
      {xas::directive_leb, "`xas_leb128`"},
      {xas::directive_ascii, "`xas_bytes`"},
      {xas::directive_base64, "`xas_bytes`"},
      {xas::directive_octa, "`xas_integer`, twice"},
      {xas::directive_float, "`xas_bytes`, of the number's own"},
      {xas::directive_float_block, "`xas_fill`, `xas_bytes`"},
      {xas::directive_fill, "`xas_fill`"},
      {xas::directive_space, "`xas_fill`"},
      {xas::directive_units, "`xas_fill`"},
      {xas::directive_org, "`xas_org`"},
      {xas::directive_align, "`xas_align`, `xas_align_filled`"},
      {xas::directive_even, "`xas_align`"},
      {xas::directive_incbin, "`xas_bytes`, or `xas_directive`"},
      {xas::directive_popsection, "`xas_pop_section`"},
      {xas::directive_previous, "`xas_switch_section`"},
      {xas::directive_loc, "`xas_loc`; `xas_directive` for views and isa"},
      {xas::directive_cfi, "`xas_cfi`"},
      {xas::directive_cfi_startproc, "`xas_cfi_begin`"},
      {xas::directive_cfi_endproc, "`xas_cfi_end`"},
      {xas::directive_seh_proc, "`xas_seh_begin`"},
      {xas::directive_seh_endproc, "`xas_seh_end`"},
      {xas::directive_seh_handler, "`xas_seh_handler`"},
      {xas::directive_seh_foreign, nothing},
      {xas::directive_pcsection, "`xas_tag_pc`, `xas_tag_range`"},
      {xas::directive_pcsection_offset, "`xas_pc_offset_size`"},
      {xas::directive_set, "`xas_assign`; `xas_expression` for what is no `xas_value`"},
      {xas::directive_size, "`xas_set_size`"},
      {xas::directive_comm, "`xas_common`"},
      {xas::directive_coff_comm, "`xas_common`"},
      {xas::directive_binding, "`xas_declare`"},
      {xas::directive_visibility, "`xas_declare`"},
      {xas::directive_coff_global, "`xas_declare`"},
      {xas::directive_type, "`xas_declare`; `xas_directive` for types without a name"},
      {xas::directive_section, "`xas_open_section`; `xas_switch_section` from then on"},
      {xas::directive_coff_section, "`xas_open_section`; `xas_switch_section` from then on"},
      {xas::directive_standard_section, "`xas_open_section`; `xas_switch_section` from then on"},
      {xas::directive_coff_standard_section, "`xas_open_section`; `xas_switch_section` from then on"},
      {xas::directive_line, "`xas_place`"},
      {xas::directive_linefile, "`xas_place`"},
      {xas::directive_include, language},
      {xas::directive_end, language},
      {xas::directive_mri, language},
      {xas::directive_error, language},
      {xas::directive_abort, language},
      {xas::directive_fail, language},
      {xas::directive_print, language},
      {xas::directive_list, listings},
      {xas::directive_eject, listings},
      {xas::directive_title, listings},
      {xas::directive_page_size, listings},
      {xas::directive_ignore, nothing},
      {xas::directive_mach_o, refused},
      {xas::directive_cfi_compact, refused},
  };
  if (d.name == ".cfi_llvm_def_aspace_cfa" || d.name == ".largecomm" || d.name == ".tls_common") return any;
  if (d.name.starts_with(".seh_") && verbs.find(d.handler) == verbs.end()) return "`xas_seh`";
  if (d.name == ".pushsection") return "`xas_push_section`, `xas_open_section`";
  if (d.handler == xas::directive_coff_weak) return d.name == ".weak" ? "`xas_declare`" : any;
  if (d.handler == xas::directive_set && d.arg == xas::set_equation) return any;
  const auto known = verbs.find(d.handler);
  return known == verbs.end() ? any : known->second;
}

/// The directive without operands, said and written: the same number of mistakes.
bool says_the_same(std::string_view name, const char* target) {
  xas::Context said, written;
  for (xas::Context* c : {&said, &written}) c->option("--target", target);
  const std::string text(name);
  written.assemble(text + "\n");
  if (xas_begin(said.get()) != XAS_OK) return false;
  const xas_status status = xas_directive(said.get(), text.c_str(), nullptr, 0);
  xas_finish(said.get());
  return status != XAS_BAD_ARGUMENT && said.error_count() == written.error_count() &&
         said.object().size() == written.object().size();
}

long failed = 0;

void topic(const char* title, std::span<const xas::Directive> directives, const char* whole = nullptr,
           const char* target = "x86_64-linux-gnu") {
  std::vector<std::pair<std::string, std::string>> rows;  // what says them, names
  for (const xas::Directive& d : directives) {
    const std::string verb = whole ? whole : verb_of(d);
    if (verb.find("xas_directive") != verb.npos && !says_the_same(d.name, target)) {
      std::fprintf(stderr, "%s: xas_directive says something else than the text\n", std::string(d.name).c_str());
      ++failed;
    }
    std::size_t i = 0;
    while (i < rows.size() && rows[i].first != verb) ++i;
    if (i == rows.size()) rows.push_back({verb, ""});
    rows[i].second += (rows[i].second.empty() ? "`" : ", `") + std::string(d.name) + "`";
  }
  std::printf("\n### %s\n\n| directives | functions |\n|---|---|\n", title);
  for (const auto& [verb, names] : rows) std::printf("| %s | %s |\n", names.c_str(), verb.c_str());
}

}  // namespace

int main() {
  std::puts(R"(# Assembly by functions

`xas/stream.h` (C) and `xas::Stream` in `xas/xas.hpp` (C++) make an object out of calls in place of a text: labels, data,
directives, and instructions whose operands are values.

```cpp
#include <cstdio>
#include "xas/x86.h"
#include "xas/xas.hpp"
using namespace xas::x86;  // mnemonics and registers
using namespace xas::operands;

int main() {  // int main() { puts("hello"); return 0; }
  xas::Context context;
  xas::Stream s(context);
  const auto main = s.symbol("main"), puts = s.symbol("puts"), hello = s.new_label();
  s.open_section(".text");
  s.declare(main, XAS_GLOBAL);
  s.label(main);
  s.emit(subq, {imm(8), rsp});
  s.emit(leaq, {mem(rip, hello), rdi});
  s.emit(call, {to(puts)});
  s.emit(xorl, {eax, eax});
  s.feed("addq $8, %rsp; ret");  // the same, as text
  s.label(hello);
  s.bytes({"hello", 6});
  s.open_section(".note.GNU-stack", {.flags = ""});  // Linux: the stack is not executable
  if (!s.finish()) return std::fputs(context.text().data(), stderr), 1;
  std::fwrite(context.object().data(), 1, context.object().size(), stdout);
}
```

- Between `xas_begin` and `xas_finish`, a symbol is a handle: `xas_symbol_named` looks its name up once.
- `xas_place` says which line of the caller's source follows; diagnostics come back with it. Any number will do.
- Functions return at once what `xas_finish` explains: `XAS_ERRORS` means that a diagnostic has been added.
- A context has one assembly at a time: `xas_begin` refuses a second one until `xas_finish`. `xas_encode` and its
  kin are refused until then, too. `xas::Stream` gives up, at the end of its life, what has not been finished, if it is its
  own (`xas_assembly`). Two at a time take two contexts.
- An argument that can't be is told by function and name: ``xas_label: `symbol` is no handle that this assembly has given``.
  Functions that give a handle or a number give 0, or the one that is none, and `xas_error` has the reason.
- Handles are good until `xas_finish`; those of an assembly before are refused.
- A label of `xas_new_label` is in no symbol table, but for one in a mergeable section that a relocation has to name: there it
  gets the name of a local label, `L0^A` of GNU as (shown by readelf) or `.L0 ` of LLVM, which can't be spelt in a text.
- The object is the one that the whole as text would give. What is easier to write than to call goes to `xas_feed`.
- `xas_open_section` makes a section by name, flags (the letters of `.section`) and group, and gives a handle for `xas_switch_section`.
- `xas_emit`, `xas_instruction`, `xas_label`, `xas_data`, `xas_cfi`, `xas_seh`, `xas_loc` and their like make no text;
  `xas_directive` does, and costs what reading the line costs.
- `xas_emit` is quickest with what has stood before, whatever its registers, numbers and symbol: x86 in AT&T syntax without
  prefixes, and AArch64.

`examples/stream.c` is a small compiler in C, `examples/tiny.cpp` one in C++. In Python (`examples/python/xas.py`), `Xas.stream()`
is a context manager, and what is said wrong an exception with its place:

```python
x86 = Xas("x86", 64, syntax="att")
with x86.stream() as s:
    f = s.symbol("f")
    s.place("a.toy", 7)
    s.declare(f, "global")
    s.label(f)
    s.emit("movl", 1, x86.reg("eax"))  # or XasError: a.toy:7:1: error: ...
    s.emit("jmp", s.symbol("g"))
open("a.o", "wb").write(s.object)
```

## Instructions

`xas_emit` (`xas::Stream::emit`) takes a mnemonic and registers as numbers, which `xas/x86.h`, `xas/aarch64.h` and `xas/arm.h`
name: `XAS_X86_ADDL`, `XAS_X86_EAX`; in C++ also `xas::x86::addl`, `xas::x86::eax` (`and_`, `or_`, `xor_`, `not_`, `int_` are spelt
so). The numbers are the same in all versions. Operands have the text's order, which on x86 is AT&T's, or Intel's with the option
`-msyntax=intel`; mnemonics are the syntax's too.

- Prefixes of x86, and ARM's conditions and suffixes, are the last argument: `s.emit(incl, {mem(rax)}, XAS_LOCK)`,
  `s.emit(add, {r0, r1, r2}, XAS_EQ | XAS_SETS_FLAGS)`. A64 has its conditions in the mnemonic: `b_eq`.
- `xas_instruction` takes the mnemonic as text, prefixes and suffixes included: `s.instruction("lock incl", {mem(rax)})`.
- `xas_register_named` and `xas_mnemonic_named` give the number of a name that is read somewhere; `xas_dwarf_number` the number
  that DWARF has for a register, which `xas_cfi` takes: `s.cfi(XAS_CFI_OFFSET, rbp, -16)` asks for it by itself.
- `xas_encode_instruction` (`xas::Context::encode`) gives the bytes of one instruction, without an object:
  `context.encode(addl, {imm(1), eax}).bytes()`.

| C++ | as text |
|---|---|
| `eax`, or `reg(r)` of an `xas_register` | `%eax`, `x0`, `v1.4s` |
| `reg(zmm1).masked(k1, true)` | `%zmm1{%k1}{z}` |
| `reg(v1).at(2)`, `reg(r0).write_back()` | `v1.s[2]`, `r0!` |
| `imm(8)`, `imm(f + 4)` | `$8`, `$f+4`; `#8` |
| `to(f)` | `f`: where a branch goes; x86: data at an address |
| `mem(base, 16)`, `mem(base, xas::Expression(f).with(s.modifier("lo12")))` | `16(%rax)`, `[x0, #16]`, `[x0, :lo12:f]` |
| `mem(base, index, 8, 16)` | `16(%rax,%rcx,8)` |
| `mem(base, index, "lsl #3")` | `[x0, x1, lsl #3]` |
| `mem(x0, 16).write_back()`; `mem(x0)`, `imm(16)` | `[x0, #16]!`; `[x0], #16` |
| `mem(rax).sized(4)`, `.broadcast_to(8)`, `.in_segment(fs)` | `dword ptr [rax]`, `(%rax){1to8}`, `%fs:(%rax)` |
| `list(v0, 4)` | `{v0.16b, v1.16b, v2.16b, v3.16b}` |
| `word("lsl #3")`, `"eq"`, `"{rn-sae}"`, `"{r4, lr}"`, `"1.5"` | the same: what has no value |

Forms, sizes and messages are the text's: the same tables are searched.

## Directives

Which function says what a directive says, for all of them (a test makes this page from the tables):)");
  topic("Data", xas::data_directives);
  topic("Floating point", xas::float_directives);
  topic("Sections", xas::section_directives);
  topic("Symbols", xas::symbol_directives);
  topic("Call frame information", xas::cfi_directives);
  topic("Line tables", xas::dwarf_directives);
  topic("Stack maps", xas::stack_map_directives);
  topic("Bitstreams", xas::bitstream_directives);
  topic("Others", xas::misc_directives);
  topic("Macros and loops", xas::macro_directives, language);
  topic("Conditionals", xas::conditional_directives, language);
  constexpr const char* windows = "x86_64-w64-windows-gnu";
  topic("Windows: sections and symbols", xas::coff_directives, nullptr, windows);
  topic("Windows: unwinding", xas::seh_directives, nullptr, windows);
  topic("Windows: CodeView", xas::codeview_directives, nullptr, windows);
  return failed != 0;
}
