// SPDX-License-Identifier: Apache-2.0
#include "asm/program/aliases.h"

#include <unordered_map>

#include "asm/program/program.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

template <class Counts>
static std::vector<Alias> put_in_order(const Program& program, const Counts& counts) {
  std::unordered_map<SymbolId, Alias> waiting;
  for (const Alias& alias : program.records.aliases)
    if (counts(alias)) waiting.insert_or_assign(alias.symbol, alias);
  std::vector<Alias> ordered, path;
  for (const Alias& first : program.records.aliases) {
    if (waiting.empty()) break;
    for (auto next = waiting.find(first.symbol); next != waiting.end(); next = waiting.find(path.back().base)) {
      path.push_back(next->second);
      waiting.erase(next);
    }
    ordered.insert(ordered.end(), path.rbegin(), path.rend());
    path.clear();
  }
  return ordered;
}

std::vector<Alias> aliases_behind_their_bases(const Program& program) {
  return put_in_order(program, [](const Alias&) { return true; });
}

std::vector<Alias> late_aliases_behind_their_bases(const Program& program) {
  return put_in_order(program, [](const Alias& alias) { return !alias.takes_at_once && alias.plain; });
}

u8 stronger_type(u8 old, u8 fresh) {
  for (u8 weak : {STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_GNU_IFUNC, STT_TLS}) {
    if (old == weak) return fresh;
    if (fresh == weak) return old;
  }
  return fresh;
}

void take_from_base(const Program& program, Symbol& alias, const Symbol& base) {
  alias.type = stronger_type(alias.type, base.type == STT_TLS ? u8(STT_OBJECT) : base.type);
  if (program.info.labels.thumb && base.is_defined())
    alias.other = u8((alias.other & ~other_thumb_marks) | (base.other & other_thumb_marks));
}

/// A symbol that has been set again is no alias of what was not defined when it was set first.
static void forget_replaced_aliases(Program& program) {
  std::vector<bool> set_again(program.symbols.size());
  for (auto alias = program.records.aliases.rbegin(); alias != program.records.aliases.rend(); ++alias) {
    if (set_again[alias->symbol] && !alias->takes_at_once) alias->plain = false;
    set_again[alias->symbol] = true;
  }
}

void finish_aliases(Program& program) {
  if (!program.profile.aliases_copy_at_once || program.records.aliases.empty()) return;
  forget_replaced_aliases(program);
  for (const Alias& alias : late_aliases_behind_their_bases(program)) {
    const Symbol& base = program.symbols[alias.base];
    if (!base.has(symbol_section)) take_from_base(program, program.symbols[alias.symbol], base);
  }
}

}  // namespace xas
