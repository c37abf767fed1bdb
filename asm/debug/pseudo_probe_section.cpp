// SPDX-License-Identifier: Apache-2.0
// .pseudo_probe sections, one for each section with code that has probes.
//
//   function := guid (8 bytes) | number of probes | number of inlined functions | probe... | inlined...
//   inlined  := index of the call's probe | function
//   probe    := index | type, attributes, flag (1 byte) | address or distance | [discriminator]
//
// Numbers are ULEB128, distances SLEB128. All addresses are distances from the probe before, across inlined functions
// too. The first is from the start of the symbol that the code is part of. If that is not the function that the probes
// are of (a part that was split off), a first probe of index 0 says so: in place of an address it has the MD5 number of
// the symbol's name.
#include "asm/debug/debug.h"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "asm/program/coff.h"
#include "asm/text/md5.h"
#include "asm/program/section_writer.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"
#include "objwriter/endian.h"

namespace xas {

namespace {

enum : u8 {
  attribute_sentinel = 2,
  attribute_has_discriminator = 4,
  flag_distance = 0x80,
};

/// A function, inlined or not, with the probes that are its own.
struct ProbeTree {
  std::map<std::pair<u64, u64>, ProbeTree*> inlined;  ///< by guid and index of the call's probe
  std::vector<u32> probes;
};

/// The low 8 bytes of a name's MD5 number.
u64 name_guid(std::string_view name) {
  u8 digest[16];
  md5(name, digest);
  return load_int(digest, 8);
}

class ProbeWriter {
 public:
  ProbeWriter(Program& program, Section& section) : program_(program), w_(program, section) {}

  void top_level(const ProbeTree& root, const Symbol& function) {
    const u64 symbol_guid = name_guid(function.text());
    for (const auto& [site, tree] : root.inlined) {
      section_ = program_.sections.sub(function.where).section;
      last_ = program_.label_offset(function);
      write(*tree, site.first, site.first != symbol_guid ? &symbol_guid : nullptr);
    }
  }

 private:
  void write(const ProbeTree& tree, u64 guid, const u64* sentinel) {
    w_.put(guid, 8);
    w_.put_uleb(tree.probes.size() + (sentinel != nullptr));
    w_.put_uleb(tree.inlined.size());
    if (sentinel) {
      w_.put_uleb(0);
      w_.put1(attribute_sentinel << 4);
      w_.put(*sentinel, 8);
    }
    for (u32 i : tree.probes) probe(program_.pseudo_probes.probes[i]);
    for (const auto& [site, inner] : tree.inlined) {
      w_.put_uleb(site.second);
      write(*inner, site.first, nullptr);
    }
  }

  void probe(const PseudoProbe& p) {
    const Subsection& code = program_.sections.sub(p.subsection);
    if (code.section != section_) {
      return program_.diags.error(
          p.loc, fmt::format("this probe is not in the section of '{}'", program_.symbols[p.function].text()));
    }
    const u64 at = code.offset(p.pos, p.fragment);
    const u8 attributes = u8(p.attributes | (p.discriminator ? attribute_has_discriminator : 0));
    w_.put_uleb(p.index);
    w_.put1(flag_distance | attributes << 4 | p.type);
    w_.put_sleb(i64(at - last_));
    if (p.discriminator) w_.put_uleb(p.discriminator);
    last_ = at;
  }

  Program& program_;
  SectionWriter w_;
  u32 section_ = 0;
  u64 last_ = 0;  ///< place of the probe before
};

/// COFF: one section for all code, but for that of COMDATs, which have their own.
Section& coff_probe_section(Program& program, const Section& of) {
  constexpr u32 flags =
      coff::IMAGE_SCN_CNT_INITIALIZED_DATA | coff::IMAGE_SCN_MEM_DISCARDABLE | coff::IMAGE_SCN_MEM_READ;
  if (!of.comdat) return coff_section(program, ".pseudo_probe", flags);
  return coff_section(program, ".pseudo_probe", flags | coff::IMAGE_SCN_LNK_COMDAT,
                      coff::IMAGE_COMDAT_SELECT_ASSOCIATIVE, of.group);
}

/// The section for the probes of a section's code: linked to it, and in its group.
Section& probe_section(Program& program, u32 code) {
  if (program.is_coff) return coff_probe_section(program, program.sections[code]);
  Section& s = program.sections.create(program.symbols.keep(".pseudo_probe"));
  const Section& of = program.sections[code];
  s.type = elf::SHT_PROGBITS;
  s.flags = elf::SHF_LINK_ORDER | (of.group != no_symbol ? u64(elf::SHF_GROUP) : 0);
  s.group = of.group;
  s.comdat = of.comdat;
  s.loc = of.loc;
  s.link_order = program.section_symbol(program.sections[code]);
  program.section_symbol(s);
  return s;
}

}  // namespace

void generate_pseudo_probes(Program& program) {
  const PseudoProbes& all = program.pseudo_probes;
  if (all.probes.empty()) return;
  std::deque<ProbeTree> trees;
  std::unordered_map<SymbolId, ProbeTree*> roots;
  std::vector<SymbolId> functions;  // in order
  const auto child = [&](ProbeTree* of, u64 guid, u64 index) {
    ProbeTree*& tree = of->inlined[{guid, index}];
    if (!tree) tree = &trees.emplace_back();
    return tree;
  };
  for (u32 i = 0; i < all.probes.size(); ++i) {
    const PseudoProbe& p = all.probes[i];
    ProbeTree*& root = roots[p.function];
    if (!root) {
      root = &trees.emplace_back();
      functions.push_back(p.function);
      if (program.symbols[p.function].kind != SymbolKind::label) {
        return program.diags.error(
            p.loc, fmt::format("'{}', of which this is a probe, is not defined", program.symbols[p.function].text()));
      }
    }
    ProbeTree* tree = root;
    u64 index = 0;
    for (u32 n = 0; n < p.inlining_count; ++n) {
      const ProbeInlining& inlining = all.inlinings[p.first_inlining + n];
      tree = child(tree, inlining.guid, index);
      index = inlining.index;
    }
    child(tree, p.guid, index)->probes.push_back(i);
  }
  const auto code_of = [&](SymbolId id) { return program.sections.sub(program.symbols[id].where).section; };
  // LLVM takes functions out of a hash table, and so the newest of a section first, if they are few; with many of them
  // the order depends on where its memory lies.
  std::reverse(functions.begin(), functions.end());
  std::stable_sort(functions.begin(), functions.end(), [&](SymbolId l, SymbolId r) { return code_of(l) < code_of(r); });
  Section* section = nullptr;
  u32 code = ~u32(0);
  for (SymbolId function : functions) {
    if (code_of(function) != code) section = &probe_section(program, code = code_of(function));
    ProbeWriter(program, *section).top_level(*roots[function], program.symbols[function]);
  }
}

}  // namespace xas
