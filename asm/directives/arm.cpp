// Directives of ARM that make or mark symbols and sections.
#include "asm/arm.h"
#include "asm/directives/directives.h"
#include "asm/parse.h"

namespace xas {

namespace {

/// .thumb_func [symbol]: the symbol, or the next label, is a function in Thumb code.
void thumb_func(Assembler& a) {
  if (!a.target.thumb()) {  // it selects Thumb as well
    Name thumb{".thumb", 6, 0};
    const char* end = "\n";
    a.target.directive(thumb, end, a);
  }
  if (at_end_of_statement(a)) {
    a.arm.next_is_thumb = true;
    return;
  }
  SymbolId id;
  if (!parse_symbol(a, id, "symbol name")) return;
  if (!a.is_coff) a.symbols[id].other |= other_thumb;
}

/// .thumb_set alias, symbol: as .set, and the alias is a function in Thumb code.
void thumb_set(Assembler& a) {
  const SourceLoc loc = a.here();
  SymbolId id;
  if (!parse_symbol(a, id, "symbol name") || !expect_comma(a, "the symbol")) return;
  assign_from_text(a, id, loc, true);
  if (!a.is_coff) a.symbols[id].other |= other_thumb;
}

/// .even: a multiple of 2.
void even(Assembler& a) { a.emit_align(1, 0, 0, 0, a.here()); }

struct ArmDirective {
  std::string_view name;
  void (*handler)(Assembler&);
};

constexpr ArmDirective directives[] = {{".thumb_func", thumb_func}, {".thumb_set", thumb_set}, {".even", even},
                                       {".eabi_attribute", directive_eabi_attribute}};

}  // namespace

bool arm_directive(Assembler& a, std::string_view name) {
  for (const ArmDirective& d : directives) {
    if (d.name != name) continue;
    d.handler(a);
    return true;
  }
  return ehabi_directive(a, name);
}

}  // namespace xas
