// ARM: labels of Thumb code.
#include "asm/arm.h"

#include "asm/assembler.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

/// A function in Thumb code is marked: by .thumb_func, or (LLVM) because its type is known by then.
void on_arm_label(Assembler& a, SymbolId id) {
  Symbol& s = a.symbols[id];
  const bool typed =
      !a.profile.gnu && a.target.thumb() && !a.is_coff && (s.type == STT_FUNC || s.type == STT_GNU_IFUNC);
  if (a.arm.next_is_thumb || typed) {
    if (!a.is_coff) {
      s.other |= other_thumb;
      if (s.type == 0) s.type = STT_FUNC;
    }
  }
  a.arm.next_is_thumb = false;
}

}  // namespace xas
