// SPDX-License-Identifier: Apache-2.0
// What the assembler keeps for COFF objects beside sections and symbols, and what it makes of it.
//
// COFF knows less than ELF (no sizes, no visibility, no groups) and has things of its own: storage classes and types,
// weak symbols that name a default, COMDAT sections that name a symbol or another section, file names as symbols.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/options/options.h"
#include "asm/program/coff_sdb.h"
#include "targets/hash.h"
#include "targets/value.h"

namespace xas {

class Program;
class Streamer;
struct Section;
struct Symbol;

/// `.def name` ... `.endef`: fields that were given.
struct CoffDefinition {
  SymbolId symbol = no_symbol;  ///< no_symbol: none is open
  bool existed = false;         ///< something had named it before
  u16 type = 0;
  u8 storage_class = 0;
  Value value = {};
  bool has_value = false;
  bool declared = false;        ///< .scl or .type was given
  SdbFields fields = {};
  SourceLoc loc = 0;
};

/// A field of four bytes that takes the index of a symbol in the symbol table (.symidx, .safeseh, addresses of
/// functions in tables of them), or the number of its section or its offset there (.secnum, .secoffset). They are known
/// when the object is made.
struct CoffSymbolIndex {
  enum Kind : u32 { index, section_number, section_offset } kind = index;
  u32 subsection;
  u32 pos, fragment;
  SymbolId symbol;
  SourceLoc loc;
};

/// GNU as moves a function or static symbol to where its .def stands. What only debuggers know stands there too.
struct CoffMove {
  SymbolId symbol;           ///< no_symbol: `sdb` is meant
  SymbolId before;           ///< the first symbol that was met behind it
  u32 sdb = ~u32(0);         ///< index in CoffState::sdb
};

struct CoffState {
  CoffDefinition definition;
  std::vector<CoffSymbolIndex> symbol_indices;
  std::vector<CoffMove> moves;
  std::vector<SdbSymbol> sdb;
  std::unordered_map<std::string_view, u32> tags;        ///< index in `sdb`
  std::unordered_map<SymbolId, SdbFields> sdb_fields;    ///< of symbols of the text
  u16 base_line = 0;                                     ///< of the last .bf
  std::unordered_set<SymbolId> safe_handlers;
  std::vector<SymbolId> weakref_targets;
  std::vector<Name> address_significant;  ///< .addrsig_sym makes no symbol of a name
  struct Call {
    Name from, to;
    u64 count;
    SourceLoc loc;
  };
  std::vector<Call> calls;                ///< neither does .cg_profile, until the end of the text
  std::vector<std::vector<SymbolId>> offset_labels;  ///< by section: see coff_anchor
  bool invented_debug_info = false;  ///< GNU as lists the symbols of three of its sections before those of the text's
  std::string_view unique_name;  ///< of the first global symbol, which makes the names of weak defaults unique
};

/// The flags of a section that llvm-mc has before the text names it, and that the text can't change; 0: it is none.
u32 predefined_characteristics(const Program& program, std::string_view name);

/// Default flags of new sections and of .text, .data and .bss.
u32 coff_default_characteristics(const Program& program, std::string_view name);

/// Sets what `characteristics` mean for the assembler: nobits, code.
void apply_characteristics(Program& program, Section& section, u32 characteristics);

/// The COFF section of this name and COMDAT (selection 0: none), made with these flags if there is none.
/// Sections of one name and COMDAT are one if `unique` is the same too.
Section& coff_section(Program& program, std::string_view name, u32 characteristics, u8 selection = 0,
                      SymbolId comdat = no_symbol, u32 unique = 0);

/// .section has named it in a form that GNU as can't read: with a COMDAT selection, or a number. It is LLVM's in both
/// profiles.
bool has_llvm_form(const Section& section);

/// GNU as's section `name` for what it makes of this code: named after the code's section, and of its COMDAT.
Section& companion_section(Program& program, const Section& code, std::string_view name, u32 characteristics);

/// The .xdata (or .pdata) that goes with a code section; made if needed.
Section& unwind_section(Program& program, u32 code, std::string_view name);

/// .weakref of this symbol, which is weak if nothing else names or defines it.
void note_weakref_target(Program& program, SymbolId target);

/// A COMDAT has one section beside those that are associated with it; others are errors.
void check_comdats(Program& program);

/// LLVM leaves the symbol out of the symbol table: its name is a temporary one, and no .def says that it is static.
bool is_coff_temporary(const Symbol& symbol);

/// The symbol that a relocation names for a place in a section, `addend` bytes from its start; the addend is left over.
/// It is the section's, or, on ARM64, where fields hold no more than 21 bits, a label that every megabyte has.
SymbolId coff_anchor(Program& program, u32 section, i64& addend);

}  // namespace xas
