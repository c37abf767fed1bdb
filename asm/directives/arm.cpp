// Directives of ARM that make or mark symbols and sections.
#include "asm/arm.h"
#include "asm/directives/directives.h"
#include "asm/parse.h"
#include "objwriter/elf_constants.h"
#include "targets/arm/arm.h"

namespace xas {

namespace {

/// .thumb_func: the next label is a function in Thumb code.
void thumb_func(Assembler& a) {
  if (!a.target.thumb()) {  // it selects Thumb as well
    const char* bits = "16\n";
    a.target.directive(Name{".code", 5, 0}, bits, a);
  }
  if (!at_end_of_statement(a)) return a.error_here(".thumb_func has no operand");
  a.arm.next_is_thumb = true;
}

/// .thumb_set alias, symbol: as .set, and the alias is a function in Thumb code.
void thumb_set(Assembler& a) {
  const SourceLoc loc = a.here();
  SymbolId id;
  if (!parse_symbol(a, id, "symbol name") || !expect_comma(a, "the symbol")) return;
  assign_from_text(a, id, loc, true);
  Symbol& s = a.symbols[id];
  if (a.is_coff) return;
  if (!a.profile.gnu) {
    // Of a symbol that is not defined yet it is no more than an assignment.
    if (s.kind == SymbolKind::expression || s.kind == SymbolKind::undefined) return;
    s.type = elf::STT_FUNC;
  }
  s.other |= other_thumb;
}

/// .even: a multiple of 2.
void even(Assembler& a) { a.emit_align(1, 0, 0, 0, a.here()); }

/// .rel31 bit, expression: a word with that highest bit, and the distance to the expression in the others.
void rel31(Assembler& a) {
  i64 bit;
  const char* where = a.p;
  if (!a.absolute(bit, "the highest bit")) return;
  if (bit != 0 && bit != 1) return a.error(where, "the highest bit is 0 or 1");
  if (!expect_comma(a, "the bit")) return;
  const SourceLoc loc = a.here();
  Value to;
  if (!a.expression(a.p, to)) return;
  a.pin_dot(to);
  a.emit_int(u64(bit) << 31, 4);
  a.add_fixup(u32(a.current->size) - 4, arm::fixup_prel31, to, loc);
}

constexpr u32 Tag_ABI_FP_16bit_format = 38;

/// .float16_format ieee|alternative: of .float16, and what the build attributes say of it.
void float16_format(Assembler& a) {
  skip_blanks(a);
  const std::string_view name(a.p, name_length(a.p));
  if (name != "ieee" && name != "alternative") return a.error_here("expected ieee or alternative");
  a.p += name.size();
  ArmAttribute& attribute = a.arm.attributes[Tag_ABI_FP_16bit_format];
  attribute.number = name == "ieee" ? 1 : 2;
}

void extended(Assembler& a) { directive_float(a, float_10); }

struct ArmDirective {
  std::string_view name;
  void (*handler)(Assembler&);
};

constexpr ArmDirective directives[] = {{".thumb_func", thumb_func}, {".thumb_set", thumb_set}, {".even", even},
                                       {".rel31", rel31}, {".float16_format", float16_format},
                                       {".extend", extended}, {".ldouble", extended},
                                       {".eabi_attribute", directive_eabi_attribute}};

}  // namespace

bool has_alternative_half(const Assembler& a) {
  if (a.options.target.machine != Machine::arm) return false;
  const auto said = a.arm.attributes.find(Tag_ABI_FP_16bit_format);
  if (said != a.arm.attributes.end()) return said->second.number == 2;
  for (const auto& [name, value] : a.options.target.extra)
    if (name == "mfp16-format") return value == "alternative";
  return false;
}

bool arm_directive(Assembler& a, std::string_view name) {
  for (const ArmDirective& d : directives) {
    if (!text::equals_ignoring_case(name, d.name)) continue;
    d.handler(a);
    return true;
  }
  return ehabi_directive(a, name);
}

}  // namespace xas
