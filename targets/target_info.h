// SPDX-License-Identifier: Apache-2.0
// TargetInfo: what the assembler must know of a target that does not change during an assembly. A target fills it in
// once.
#pragma once

#include <string_view>

#include "targets/instruction_fields.h"
#include "xas/types.hpp"

namespace xas {

/// What a label that marks Thumb code has in Symbol::other (TargetInfo::Labels::thumb). Not written to the object.
inline constexpr u8 other_thumb = 0x80;       ///< a function, whose address has the lowest bit set
inline constexpr u8 other_thumb_code = 0x40;  ///< any label
inline constexpr u8 other_thumb_untyped =
    0x20;  ///< in the end: a function by .thumb_func alone, without a type (GNU as)
inline constexpr u8 other_thumb_marks = other_thumb | other_thumb_code | other_thumb_untyped;

/// The ABIs that .sframe knows.
enum : u8 {
  SFRAME_ABI_AARCH64_ENDIAN_BIG = 1,
  SFRAME_ABI_AARCH64_ENDIAN_LITTLE = 2,
  SFRAME_ABI_AMD64_ENDIAN_LITTLE = 3,
};

/// Whether data that are the first to name a .L symbol, with a modifier, list it: as other data do, not (its definition
/// does), or as the operands of an instruction do.
enum class DataNames : u8 { listed, not_listed, operands };

/// Facts about the target that do not change during an assembly, by topic. What is not said here does nothing.
struct TargetInfo {
  std::string_view name;  ///< "x86_64", "i386", "aarch64", ...
  u8 address_size;        ///< bytes of an address: 4 or 8
  bool big_endian = false;
  bool doubles_are_mixed = false;  ///< the word of the sign comes first, whatever the byte order (FPA)

  struct Syntax {
    u8 word_size = 2;                 ///< bytes of `.word`
    u8 extended_size = 12;            ///< bytes of `.ds.x`'s units: of extended precision, as GNU as pads it
    bool align_is_log2 = false;       ///< `.align n` means 2**n
    u8 align_alone_log2 = 0;          ///< what `.align` alone aligns to, and `.align 0` in GNU as
    std::string_view comment = {};    ///< a comment starts here anywhere in a line: "#" or "//" or "@"
    char line_comment = '#';          ///< starts a comment as the first character of a line
    bool numbers_have_names = false;  ///< Target::named_number knows some, as the text is now
    bool slash_line_comment = false;  ///< so does '/' at the start of a statement (x86)
    char separator = ';';
    std::string_view operand_start = {};  ///< characters that may start an operand, beside those of names, for GNU as's
                                          ///< preprocessor, which keeps blanks before them
    bool registers_are_values = false;    ///< .set name, register
    bool percent_modifiers = false;       ///< %gotpcrel(symbol)
    bool at_modifiers = true;             ///< symbol@gotpcrel
    bool paren_modifiers = false;         ///< symbol(GOT) in place of symbol@GOT
    bool arm_directives = false;          ///< .fnstart, .thumb_set and their kin (asm/directives/arm.cpp)
    bool labels_begin_lines = false;      ///< a name at the start of a line is a label, without a colon (-mccs)
  } syntax;

  struct Names {
    bool wide = false;                ///< may contain '@' and '?'; only what a modifier is named after is one
    bool at_sign = false;  ///< '@' is a part of names where no operand stands (x86, ELF, LLVM)
    bool dot_l_temporary = true;      ///< names that begin with .L are temporary
    bool dot_x_temporary = false;     ///< names that begin with .X are
    bool plain_l_temporary = false;   ///< names that begin with L are
    bool dollar_m_temporary = false;  ///< names that begin with $M are
  } names;

  struct Elf {
    u16 machine = 0;
    u32 flags = 0;
    u8 os_abi = 0;  ///< ELFOSABI_*
    bool is_64 = true;
    bool rela = true;
    bool all_section_symbols = false;  ///< GNU as lists a symbol for every section, needed or not
    bool merge_keeps_symbols = false;  ///< GNU as names the symbol in PC-relative references to mergeable sections
    bool marks_routines = true;  ///< exception tables name the routines that read them, so that linkers keep these
    u64 execute_only = 0;        ///< the flag of sections that no one may read, if there is one
    std::string_view attributes_section = {};  ///< of Target::attributes, and of those of GNU's; empty: there is none
    u32 attributes_type = 0;                   ///< its SHT_*
    std::string_view attributes_vendor = {};
  } elf;

  struct Coff {
    u16 machine = 0;
    bool offset_labels = false;  ///< relocations name a label of every megabyte of a section: their fields are too
                                 ///< narrow for the distance from its start
  } coff;

  struct Labels {
    bool operands_list = false;  ///< FieldFixup::lists counts
    bool branches_list = false;  ///< so it is in branches that may grow; they begin with the name
    bool watched = false;        ///< Target::on_label
    DataNames data_names = DataNames::listed;
    bool thumb = false;          ///< they know what kind of code they mark (other_thumb), and functions' addresses
                                 ///< say so
  } labels;

  struct Relocations {
    bool marks_addends = false;      ///< see modifier_relocated
    bool by_function = false;        ///< they, and whether there is any, depend on RelocQuery::function and its kin
    bool data_keeps_symbol = false;  ///< those of data may have to name the symbol too: Target::needs_symbol
    bool subtracts_twice = false;  ///< a field that counts from its place may have a label subtracted: what the linker
                                   ///< puts there counts from the label (gnu)
    bool words_wrap = false;         ///< sums of four bytes may wrap, as addresses do, if the profile says so
  } relocations;

  struct Mapping {
    bool symbols = false;            ///< Target::code_mapping and $d tell instructions from data
    bool late_first_data = false;    ///< data at the start of a section are marked when something else follows
    bool fills_are_data = false;     ///< alignments in code are, if they say what fills them
    bool fixups_are_data = false;    ///< what a directive gives to the next instruction is, to GNU as: it has no bytes
    bool notes_data = false;         ///< no mapping symbols, but no-ops have to know whether data stand before them
    bool notes_subsections = false;  ///< of each subsection, and not of the section
    bool after_operands = false;     ///< GNU as marks the first instruction when it has read its operands
  } mapping;

  struct Code {
    u8 min_instruction = 1;        ///< minimum_instruction_length of the line table, and the CIE's code factor (gnu)
    u8 text_log2 = 0;              ///< what .text is aligned to from the start, beside the profile's
    bool late_nops = false;        ///< no-ops of alignments are written at the end, as the mode is then
    bool paddings_stay_open = false;  ///< operands know no difference of labels with an alignment in between (gnu)
    bool late_alignments = false;  ///< alignments are fragments even where their size is known, so that their no-ops
                                   ///< are those of the processor that is selected last
    bool aligned_behind_data = false;  ///< GNU as aligns instructions behind data
    bool single_bundle_nops = false;   ///< padding in bundles is made of the shortest no-ops (GNU as before 2.47)
    bool padded_at_end = false;  ///< sections end at a multiple of four bytes, or of what they are aligned to (gnu)
    bool branches_stay = false;  ///< those that may grow are fragments even if they are known not to
    bool branches_settle = false;  ///< those that are left to the linker grow in the passes of relaxation, too, which
                                   ///< order their relocations (gnu)
    u8 fixed_opcode = 0;         ///< so many of them stand before that part (LLVM); 0: none does
    u8 section_log2 = 0;         ///< what a section of code is aligned to from the start, if the profile says so
  } code;

  struct Literals {
    bool are_words = false;    ///< GNU as writes a pool as one table of words, even of doubles
    bool begin_lines = false;  ///< each begins a row of the line table, as an instruction does
    bool are_reused = false;   ///< one that has been written serves later loads too, if the profile says so
  } literals;

  /// What .sframe says of the target; DWARF's numbers of registers.
  struct Sframe {
    u8 abi = 0;                 ///< SFRAME_ABI_*; 0: there is no .sframe
    bool signs_return = false;  ///< DW_CFA_GNU_window_save switches the signing of return addresses
    u8 stack = 0, frame = 0;    ///< the stack and the frame pointer
    u8 return_address = 0;
    i8 fixed_return = 0;  ///< where the return address always is, counted from the CFA; 0: rows say it
    bool flexible = false;  ///< where the format knows flexible rows, they count from any register
  } sframe;

  /// Lines in the line cache (asm/read/cache/).
  struct Lines {
    bool words = false;      ///< instructions are words: the keys of their lines are WordShape (line_shape.h)
    char branch_letter = 0;  ///< mnemonics of nearly all branches begin with it
    const GroupedRegisterTable* registers = nullptr;  ///< of TypedBytesShape
  } lines;
};

}  // namespace xas
