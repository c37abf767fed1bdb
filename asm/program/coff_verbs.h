// SPDX-License-Identifier: Apache-2.0
// Verbs that only COFF has, or that mean something else there: fields for the linker, weak symbols, common storage,
// definitions (.def to .endef). symbol_verbs.h has those that both formats share.
//
// They report what is wrong with what is said where the current statement stands.
#pragma once

#include "asm/program/streamer.h"

namespace xas {

/// A field of four bytes here, which is filled when the object is made. A section with an index is aligned to four
/// bytes.
void emit_symbol_index(Streamer& out, SymbolId id, CoffSymbolIndex::Kind kind);
/// The symbol is a handler of 32-bit exceptions, listed in .sxdata; on other machines nothing happens.
void add_safe_handler(Streamer& out, SymbolId id);

/// The symbol is weak; `anti_dependency`: a definition of it is no reason to load its library member.
void make_weak(Streamer& out, SymbolId id, bool anti_dependency);
/// The symbol is global, unless it is weak and the profile lets it stay so.
void make_global(Streamer& out, SymbolId id);

/// Storage that a symbol has without standing in a section of the text.
struct CoffStorage {
  SymbolId id;
  u64 size = 0;  ///< bytes
  u8 log2_align = 0;
  bool has_align = false;  ///< the alignment was said
};

/// The current section becomes a COMDAT of this selection (IMAGE_COMDAT_SELECT_*), or of what that and its own come to.
void make_comdat(Streamer& out, u8 selection);

/// The linker provides the storage; what alignment it is to have, an option in .drectve tells it.
void emit_coff_common(Streamer& out, CoffStorage storage);
/// .bss has it, and the symbol is local.
void emit_coff_local_common(Streamer& out, CoffStorage storage, SourceLoc loc);

/// GNU as puts the text of .ident into read-only data.
void emit_coff_ident(Streamer& out, std::string_view text);
void add_coff_address_significant(Streamer& out, const Name& name);
void add_coff_call(Streamer& out, const CoffState::Call& call);
/// At the end of the text: the calls become edges between symbols, unless a name is a temporary one.
void name_coff_calls(Program& program);

/// Opens the definition of a symbol; CoffState::definition says which is open. Its fields take effect at its end.
void begin_definition(Streamer& out, const Name& name);
void define_storage_class(Streamer& out, u8 storage_class);
void define_type(Streamer& out, u16 type);
void define_value(Streamer& out, Value value);
void define_size(Streamer& out, u16 size);  ///< bytes
/// A dimension of an array, which has up to four; further ones are left out.
void define_dimension(Streamer& out, unsigned number, u16 size);
/// The structure, union or enumeration that the symbol is one of, by its tag.
void define_tag(Streamer& out, const Name& name);
/// Its line. Lines within a function count from that of its .bf.
void define_line(Streamer& out, u16 line);
/// Closes the open definition: the symbol, or a record for debuggers, gets its fields.
void end_definition(Streamer& out);

/// At the end of the text: a definition that is still open is reported, and counts where the profile says so.
void close_definition(Streamer& out);

}  // namespace xas
