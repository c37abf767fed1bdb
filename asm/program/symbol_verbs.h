// SPDX-License-Identifier: Apache-2.0
// Verbs about symbols beside the Streamer's own (labels, assignments): binding, visibility, type, size, common storage,
// aliases, and what is recorded of symbols for the end. coff_verbs.h has those of COFF.
//
// They report what is wrong with what is said where the current statement stands.
#pragma once

#include "asm/program/streamer.h"

namespace xas {

/// Gives the symbol a binding. What holds of two different ones is the profile's choice, and may be an error.
void set_binding(Streamer& out, SymbolId id, Binding wanted);
void set_visibility(Streamer& out, SymbolId id, u8 visibility);  ///< STV_*

/// Gives the symbol a type (STT_*), which the profile may combine with the one that it has. `unique`: its binding is
/// STB_GNU_UNIQUE from here on.
void set_type(Streamer& out, SymbolId id, u8 type, bool unique);
/// STT_COMMON: GNU as makes a common symbol of what is not defined, whose size emit_common may still tell.
void set_common_type(Streamer& out, SymbolId id);

/// The symbol's size, which may be an expression that only layout knows.
void set_size(Streamer& out, SymbolId id, Value value, SourceLoc loc);

/// Assigns a value that has just been read, before which the program had `first` symbols: where a new symbol is made of
/// one that is redefined, it is met before those of the value.
void assign_after_value(Streamer& out, SymbolId id, const Value& value, SymbolId first, SourceLoc loc,
                        bool redefinable);

/// The name stands for a register of the target.
void name_register(Streamer& out, SymbolId id, u32 number, SourceLoc loc);
/// The symbol is an expression whose text is read again at every use; `value` is what it comes to here.
void equate(Streamer& out, SymbolId id, Value value, SourceLoc loc);
/// At the end of the text such a symbol gets the value that is listed.
void end_equation(Streamer& out, SymbolId id, Value value, SourceLoc loc);

/// What defines or declares the symbol from here on has no effect (.lto_discard), until end_discards.
void discard_definitions(Streamer& out, SymbolId id);
void end_discards(Streamer& out);
/// The name becomes an alias of the target as soon as that is defined.
void alias_when_defined(Streamer& out, const Name& name, SymbolId target, SourceLoc loc);

/// The symbol is listed, and no expression names it.
void declare(Streamer& out, SymbolId id);
/// The symbol is listed, as if an expression named it.
void refer_to(Streamer& out, SymbolId id);
/// The alias stands for a symbol that is weak if nothing but such aliases names it.
void refer_weakly(Streamer& out, SymbolId alias, SymbolId to);
/// The symbol's memory is tagged (MTE).
void tag_memory(Streamer& out, SymbolId id);

/// Storage that a symbol has without standing in a section of the text.
struct CommonStorage {
  SymbolId id;
  u64 size = 0;   ///< bytes
  u64 align = 0;  ///< bytes; 0: it is 1, or follows from the size, as the profile has it
  bool large = false;      ///< of the large code model (.largecomm)
  bool tls = false;
};

/// Alignment in bytes of `size` bytes of storage for which none is given: of a common symbol the next power of two, of
/// what .lcomm allocates the one before.
u64 natural_alignment(const Program& program, u64 size, bool common);
/// The common symbol has a size already, which stays, and here has another one.
void warn_of_common_size(Streamer& out, const Symbol& s, u64 size);
/// The exponent of the largest alignment that a common symbol may have; in COFF linkers may take less.
unsigned largest_common_log2_align(const Program& program);
/// The linker, or .bss if the symbol is local, provides the storage.
void emit_common(Streamer& out, CommonStorage storage);
/// .bss has it, and the symbol is local.
void emit_local_common(Streamer& out, CommonStorage storage);
/// What has a value that may be redefined is a new symbol without one; `id` becomes its handle.
void forget_value(Program& program, SymbolId& id);

/// The symbol `id` is listed before `place`, whichever was met first.
void list_before(Streamer& out, SymbolId place, SymbolId id);
/// A symbol that names the source file.
void add_file_symbol(Streamer& out, std::string_view name);
void add_version(Streamer& out, const SymbolVersion& version);
/// The object has a table of symbols whose address counts, even if it is empty.
void list_address_significance(Streamer& out);
void add_address_significant(Streamer& out, SymbolId id);
void add_call_edge(Streamer& out, const CallGraphEdge& edge);
/// At the end of the text: the names in the call graph and of tables of lines become symbols.
void finish_symbols(Program& program);
/// At the end of the text: warns of names that are not ASCII (--multibyte-handling=warn-sym-only).
void warn_of_multibyte_symbols(Program& program);

}  // namespace xas
