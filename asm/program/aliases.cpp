// SPDX-License-Identifier: Apache-2.0
#include "asm/program/aliases.h"

#include <unordered_map>

#include "asm/program/program.h"

namespace xas {

std::vector<Alias> aliases_behind_their_bases(const Program& program) {
  std::unordered_map<SymbolId, Alias> waiting;
  for (const Alias& alias : program.records.aliases) waiting.insert_or_assign(alias.symbol, alias);
  std::vector<Alias> ordered, path;
  for (const Alias& first : program.records.aliases) {
    for (auto next = waiting.find(first.symbol); next != waiting.end(); next = waiting.find(path.back().base)) {
      path.push_back(next->second);
      waiting.erase(next);
    }
    ordered.insert(ordered.end(), path.rbegin(), path.rend());
    path.clear();
  }
  return ordered;
}

/// A symbol that has been set again is no alias of what was not defined when it was set first.
static void forget_replaced_aliases(Program& program) {
  std::vector<bool> set_again(program.symbols.size());
  for (auto alias = program.records.aliases.rbegin(); alias != program.records.aliases.rend(); ++alias) {
    if (set_again[alias->symbol] && !alias->base_defined) alias->plain = false;
    set_again[alias->symbol] = true;
  }
}

void finish_aliases(Program& program) {
  if (!program.profile.aliases_copy_at_once || program.records.aliases.empty()) return;
  forget_replaced_aliases(program);
  for (const Alias& alias : aliases_behind_their_bases(program)) {
    const Symbol& base = program.symbols[alias.base];
    if (alias.base_defined || !alias.plain || base.has(symbol_section)) continue;
    Symbol& s = program.symbols[alias.symbol];
    if (base.type != 0) s.type = base.type;
    if (program.info.labels.thumb) s.other |= base.other & other_thumb_marks;
  }
}

}  // namespace xas
