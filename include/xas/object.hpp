// SPDX-License-Identifier: Apache-2.0
// Building objects without text: sections, symbols, bytes and relocations in, an ELF or COFF object out. For compilers
// that encode instructions themselves; xas.hpp is for those that print assembly.
//
//     using namespace xas::object;
//     Builder o(Machine::x86_64);
//     auto text = o.section(".text", code_section);
//     auto main = o.symbol("main");
//     o.define(main, text);
//     o.append(text, machine_code);
//     o.relocate(text, 8, R_X86_64_PLT32, o.symbol("puts"), -4);
//     if (auto object = o.write(); !object.empty()) save(object);
//     else std::fputs(o.error().c_str(), stderr);
//
// Sections, symbols and groups are referred to by handles that `section`, `symbol` and `group` return. A mistake (a
// handle of another builder, an offset beyond the end, a symbol defined twice, ...) never stops the program: what it
// asked for is left out, the first one is kept as error(), and write() gives nothing.
// Names and bytes are copied. Relocation types are the format's numbers for the machine (R_*, IMAGE_REL_*). Section
// types and flags are those of the ELF specification, as in <elf.h>; for COFF they are translated. Nothing here throws
// but for lack of memory.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "xas/types.hpp"

#pragma GCC visibility push(default)
namespace xas::object {

enum class Machine : u8 { x86_64, x32, i386, aarch64, aarch64_be, arm, arm_be };
/// coff: of x86_64, i386, aarch64 and arm (Thumb-2), for Windows.
enum class Format : u8 { elf, coff };
enum class Binding : u8 { local, global, weak, unique };
enum class SymbolType : u8 { none, object, function, tls, ifunc };
enum class Visibility : u8 { normal, internal, hidden, protected_ };

/// sh_type, sh_flags, sh_addralign (bytes, a power of two) and sh_entsize of a section. In COFF only SHT_PROGBITS and
/// SHT_NOBITS have a meaning, and alignments up to 8192.
struct SectionOptions {
  u32 type = 1;  ///< SHT_PROGBITS
  u64 flags = 0;
  u64 align = 1;
  u64 entsize = 0;
  u32 characteristics = 0;  ///< COFF: IMAGE_SCN_* without the alignment, in place of what `flags` stand for
};
inline constexpr SectionOptions code_section = {1, 0x6, 16};        ///< SHF_ALLOC | SHF_EXECINSTR
inline constexpr SectionOptions data_section = {1, 0x3, 8};         ///< SHF_ALLOC | SHF_WRITE
inline constexpr SectionOptions constants_section = {1, 0x2, 8};    ///< SHF_ALLOC
inline constexpr SectionOptions strings_section = {1, 0x32, 1, 1};  ///< SHF_ALLOC | SHF_MERGE | SHF_STRINGS
inline constexpr SectionOptions zeros_section = {8, 0x3, 8};        ///< SHT_NOBITS, SHF_ALLOC | SHF_WRITE
inline constexpr SectionOptions tls_section = {1, 0x403, 8};        ///< SHF_ALLOC | SHF_WRITE | SHF_TLS
inline constexpr SectionOptions debug_section = {1, 0, 1};          ///< not loaded

/// Where a stack map's record finds a value (docs/stack-maps.md). Registers have their DWARF numbers.
struct Location {
  enum Kind : u8 {
    reg = 1,
    direct,          ///< the address register + value is the value
    indirect,        ///< the value is in memory at register + value
    constant,        ///< `value`; in the pool if it does not fit in 32 bits
    constant_index,  ///< `value`, in the pool
  } kind = reg;
  u16 size = 8;   ///< of what is found, in bytes; not 0
  u16 dwarf = 0;
  i64 value = 0;  ///< of direct and indirect 32 bits
};
/// A register that is live across a record.
struct LiveOut {
  u16 dwarf = 0;
  u8 size = 0;  ///< in bytes; not 0
};

/// A constant behind a PC (docs/pc-sections.md): 1, 2, 4 or 8 bytes, not aligned. A number that does not fit, with or
/// without a sign, is a mistake.
struct PcConstant {
  u64 value = 0;
  u8 size = 4;
};
/// A table that gets an entry, and what stands in it. Name and constants are copied.
struct PcTag {
  std::string_view section;
  bool compress = false;  ///< option C: constants of 2 to 8 bytes, and the size of a range, are ULEB128
  std::span<const PcConstant> constants = {};
};

/// One object under construction. May be moved.
class Builder {
 public:
  // Handles, good until `reset`.
  enum class Section : u32 {};
  enum class Symbol : u32 {};
  enum class Group : u32 {};

  /// An empty object.
  explicit Builder(Machine machine, Format format = Format::elf);
  ~Builder();
  Builder(Builder&&) noexcept;
  Builder& operator=(Builder&&) noexcept;

  /// Starts a new object; all handles are void. Keeps the memory.
  void reset(Machine machine, Format format = Format::elf);

  // Sections

  /// A new section at the end of those that there are. Several may have the same name.
  Section section(std::string_view name, const SectionOptions& options);

  /// Adds bytes at the end of a section. Sections of type SHT_NOBITS take only `zeros` and `align`.
  void append(Section section, std::span<const u8> bytes);
  void append(Section section, std::string_view text);

  /// Adds an integer of `size` bytes (1 to 8) in the machine's byte order.
  void integer(Section section, u64 value, unsigned size);

  /// Adds `count` bytes of zero.
  void zeros(Section section, u64 count);

  /// Adds bytes of value `fill` up to a multiple of `align` (a power of two); raises the section's alignment to it.
  void align(Section section, u64 align, u8 fill = 0);

  /// Overwrites bytes from `offset` on, which must be there already.
  void patch(Section section, u64 offset, std::span<const u8> bytes);

  /// Bytes in the section so far: the offset at which the next ones go.
  u64 size(Section section) const;

  /// The linker places the section in the order of `other` and drops it with it (SHF_LINK_ORDER). In COFF it only
  /// drops it, and `other` must be in a group.
  void link_order(Section section, Section other);

  /// The section names symbols by their numbers: its sh_link is the symbol table (SHT_LLVM_ADDRSIG,
  /// SHT_LLVM_CALL_GRAPH_PROFILE). ELF only.
  void link_to_symbols(Section section);

  // Symbols

  /// A symbol. A global, weak or unique one of a name exists once: asking for it again gives the same handle (and makes
  /// a global one weak or unique, if that is asked for); each call for a local one makes a new one.
  /// Undefined symbols that no relocation refers to are left out of the object.
  Symbol symbol(std::string_view name, Binding binding = Binding::global);

  /// The symbol stands for `offset` bytes into the section; without an offset, for its present end.
  void define(Symbol symbol, Section section, u64 offset);
  void define(Symbol symbol, Section section);
  /// The symbol stands for a number, wherever the program is loaded.
  void define_absolute(Symbol symbol, u64 value);
  /// Uninitialised data of `size` bytes that the linker allocates, one for all definitions of the name; `align` is in
  /// bytes, a power of two; COFF has no place for it, and allows what linkers choose by the size, up to 32.
  void define_common(Symbol symbol, u64 size, u64 align);

  /// st_info's type, st_size in bytes, st_other's visibility. COFF keeps of these only that it is a function.
  void set_type(Symbol symbol, SymbolType type);
  void set_size(Symbol symbol, u64 size);
  void set_visibility(Symbol symbol, Visibility visibility);

  /// The symbol for the start of a section, for relocations. In a section whose contents the linker merges, relocations
  /// with an addend have to name a symbol at the very place: symbol plus addend is what the linker takes for the
  /// string.
  Symbol section_symbol(Section section);

  /// The name of the source file, for debuggers and listings.
  void file(std::string_view name);

  // Relocations and groups

  /// The field at `offset` takes the address of `symbol` plus `addend` in the way that `type` tells. Where relocations
  /// have no addends (i386, arm, all of COFF) the addend is put into the field, which must be a plain one of bytes;
  /// addend 0 leaves the field as it is. A type that the machine does not have is a mistake.
  void relocate(Section section, u64 offset, u32 type, Symbol symbol, i64 addend = 0);

  /// Adds a pointer to `symbol` plus `addend`: the field and its relocation.
  void pointer(Section section, Symbol symbol, i64 addend = 0);

  /// A group of sections that the linker keeps or drops together; with `comdat`, it keeps one group of each signature.
  /// In COFF all are, and the signature must be defined in one of the sections.
  Group group(Symbol signature, bool comdat = true);
  /// A section can be in one group only.
  void add_to_group(Group group, Section section);

  // Stack maps (LLVM, "Stack maps and patch points", version 3)

  /// Where they go, in place of ".llvm_stackmaps" with SHF_ALLOC; before the first record. SHF_WRITE is what position-
  /// independent programs need; SHF_LINK_ORDER (ELF) makes a section for each one of code.
  void stack_map_section(std::string_view name, u64 flags);
  /// The function of the records that follow. It may be defined later. `stack_size` in bytes, without the return
  /// address that calls push; ~0: it varies.
  void stack_map_function(Symbol function, u64 stack_size);
  /// A record of the place at `offset` in the function's section. At most 65,535 locations and live-outs, which are
  /// sorted.
  void stack_map(Section code, u64 offset, u64 id, std::span<const Location> locations,
                 std::span<const LiveOut> live_outs = {});

  // PC sections (LLVM, "PC Sections Metadata")

  /// The place at `offset` in `code`, which must be there by `write`, gets an entry in each of the tables.
  void tag_pc(Section code, u64 offset, std::span<const PcTag> tags);
  /// The same for the bytes from `begin` up to `end`, less than 4 GiB.
  void tag_range(Section code, u64 begin, u64 end, std::span<const PcTag> tags);
  /// Bytes of a PC in the entries that follow: 4, as at first, or 8 (64-bit ELF only).
  void pc_offset_size(unsigned bytes);

  // The result

  /// On by default: says that the program needs no executable stack (an empty section .note.GNU-stack; ELF only).
  void mark_stack_not_executable(bool mark);

  /// Off by default: relocations stand in sections of type SHT_CREL, some two bytes each (ELF only).
  void compact_relocations(bool on);

  /// Off by default: COFF's format for more than 65,279 sections (bigobj) also for fewer.
  void big_object(bool on);

  /// The object file; empty if there was an error. It belongs to the builder and is good until the next call of
  /// `write` or `reset`. More can be added, and it can be written again.
  std::span<const u8> write();

  /// The first mistake since the builder was made or reset, or why `write` failed; empty if there was none.
  const std::string& error() const;

 private:
  struct [[gnu::visibility("hidden")]] Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xas::object
#pragma GCC visibility pop
