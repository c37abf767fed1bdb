// SPDX-License-Identifier: Apache-2.0
// How directives are written: what is told where something is missing in one. In brackets stands what may be left out.
#include "asm/directives/usage.h"

#include <algorithm>
#include <iterator>

namespace xas {

namespace {

constexpr std::string_view values = "value, ...", names = "name, ...", strings = "\"text\", ...",
                           alignment = "alignment[, fill[, most]]", condition = "expression", two_texts = "text, text",
                           two_strings = "\"text\", \"text\"", floats = "number, ...",
                           common = "name, size[, alignment]", section = "name[, \"flags\"[, @type[, entry size]]]",
                           bytes = "size[, fill]", definition = "name, expression", frame_place = "register, offset";

constexpr struct {
  std::string_view name, operands;
} usages[] = {
    // Data
    {".byte", values},
    {".short", values},
    {".hword", values},
    {".value", values},
    {".word", values},
    {".2byte", values},
    {".int", values},
    {".long", values},
    {".4byte", values},
    {".quad", values},
    {".xword", values},
    {".dword", values},
    {".8byte", values},
    {".octa", values},
    {".uleb128", values},
    {".sleb128", values},
    {".float", floats},
    {".single", floats},
    {".double", floats},
    {".ascii", strings},
    {".asciz", strings},
    {".string", strings},
    {".string8", strings},
    {".string16", strings},
    {".string32", strings},
    {".base64", strings},
    {".fill", "count[, size[, value]]"},
    {".skip", bytes},
    {".space", bytes},
    {".zero", "size"},
    {".org", "place[, fill]"},
    {".align", alignment},
    {".balign", alignment},
    {".p2align", "exponent[, fill[, most]]"},
    {".incbin", "\"file\"[, skip[, count]]"},
    {".reloc", "offset, type[, expression]"},
    // Sections
    {".section", section},
    {".pushsection", section},
    {".subsection", "number"},
    {".attach_to_group", "name"},
    // Symbols
    {".globl", names},
    {".global", names},
    {".weak", names},
    {".local", names},
    {".hidden", names},
    {".internal", names},
    {".protected", names},
    {".type", "name, @function (or @object, @tls_object, @notype, ...)"},
    {".size", "name, size"},
    {".set", definition},
    {".equ", definition},
    {".equiv", definition},
    {".eqv", definition},
    {".comm", common},
    {".common", common},
    {".lcomm", "name, size"},
    {".largecomm", common},
    {".weakref", "alias, name"},
    {".symver", "name, name@VERSION"},
    {".addrsig_sym", "name"},
    {".cg_profile", "from, to, count"},
    // Others
    {".ident", "\"text\""},
    {".version", "\"text\""},
    {".include", "\"file\""},
    {".print", "\"text\""},
    {".error", "\"text\""},
    {".warning", "\"text\""},
    {".file", "[number ]\"name\""},
    {".loc", "file line[ column][ options]"},
    {".line", "number"},
    {".stabs", "\"text\", type, other, desc, value"},
    {".stabn", "type, other, desc, value"},
    {".stabd", "type, other, desc"},
    {".func", "name[, label]"},
    // Macros and loops
    {".macro", "name[ parameter[=default], ...]"},
    {".purgem", "name"},
    {".rept", "count"},
    {".irp", "parameter, value, ..."},
    {".irpc", "parameter, characters"},
    // Conditionals
    {".if", condition},
    {".ifne", condition},
    {".ifeq", condition},
    {".ifge", condition},
    {".ifgt", condition},
    {".ifle", condition},
    {".iflt", condition},
    {".elseif", condition},
    {".ifc", two_texts},
    {".ifnc", two_texts},
    {".ifeqs", two_strings},
    {".ifnes", two_strings},
    {".ifdef", "name"},
    {".ifndef", "name"},
    {".ifnotdef", "name"},
    // Frames
    {".cfi_sections", ".eh_frame[, .debug_frame]"},
    {".cfi_def_cfa", frame_place},
    {".cfi_def_cfa_register", "register"},
    {".cfi_def_cfa_offset", "offset"},
    {".cfi_adjust_cfa_offset", "difference"},
    {".cfi_offset", frame_place},
    {".cfi_rel_offset", frame_place},
    {".cfi_val_offset", frame_place},
    {".cfi_register", "register, register"},
    {".cfi_restore", "register"},
    {".cfi_undefined", "register"},
    {".cfi_same_value", "register"},
    {".cfi_return_column", "register"},
    {".cfi_escape", values},
    {".cfi_personality", "encoding[, name]"},
    {".cfi_lsda", "encoding[, label]"},
    // ARM
    {".thumb_set", definition},
    {".save", "{register, ...}"},
    {".vsave", "{register, ...}"},
    {".pad", "#size"},
    {".setfp", "register, register[, #offset]"},
    {".movsp", "register[, #offset]"},
    {".personality", "name"},
    {".personalityindex", "0, 1 or 2"},
    {".unwind_raw", "offset, byte, ..."},
    {".eabi_attribute", "tag, value"},
};

}  // namespace

std::string_view directive_operands(std::string_view name) {
  const auto usage = std::ranges::find_if(usages, [&](const auto& each) { return each.name == name; });
  return usage == std::end(usages) ? std::string_view() : usage->operands;
}

}  // namespace xas
