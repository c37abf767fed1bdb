// SPDX-License-Identifier: Apache-2.0
// What a target (an instruction set and its conventions) offers the assembler.
//
// A target is handed the text of an instruction's operands and gives back bytes, fixups, and instructions whose size
// depends on a distance. It knows neither the parser nor the object formats' writers; expressions inside operands are
// read for it by the `Emitter` (emitter.h). All targets implement the same set of functions, in the order of `class
// Target`.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "targets/emitter.h"
#include "targets/hash.h"
#include "targets/line_shape.h"
#include "targets/target_info.h"
#include "targets/value.h"
#include "xas/types.hpp"

struct xas_arg;  // include/xas/stream.h

namespace xas {

class NearestName;
struct FrameRegisters;
struct TypedBytesShape;  // targets/typed_shape.h
struct TypedWordShape;

enum class ObjectFormat : u8 { elf, coff };
enum class Machine : u8 { unknown, x86, aarch64, arm };

/// Kinds of fixed-up field. The first ones are common to all targets; a target numbers its own from
/// `first_target_kind`.
enum FixupKind : u16 {
  fixup_data1,  ///< absolute, of 1, 2, 4, 8 bytes
  fixup_data2,
  fixup_data4,
  fixup_data8,
  fixup_pcrel1,  ///< `symbol - .` in data, of 1, 2, 4, 8 bytes: known within a section whatever the symbol's binding
  fixup_pcrel2,
  fixup_pcrel4,
  fixup_pcrel8,
  fixup_none,  ///< no field: a bare relocation (.reloc, TLS call markers)
  first_target_kind = 16,
};
/// Added to the modifier that Target::apply is given, if TargetInfo::marks_addends: the value is what the linker will
/// add to.
inline constexpr u16 modifier_relocated = 0x8000;

// A PC-relative field holds S + A - P, as the ELF specifications write it: symbol plus addend minus the address of the
// field itself. Where the hardware counts from the end of the instruction, FieldFixup::addend is the distance from that
// end to the field, and A includes it.

/// What must be known of a fixup kind to resolve it without the target.
struct FixupInfo {
  u8 size;     ///< bytes of the field, 0 to 8
  bool pcrel;  ///< the field's address is subtracted
  bool aligned = false;  ///< that address is rounded down to a multiple of 4 first
  bool is_thumb_adr = false;  ///< the address of a Thumb function has bit 0 (GNU as on ARM)
  bool branch = false;        ///< a call or jump goes to what is in the field
  bool page = false;          ///< it holds the distance of the pages of 4096 bytes in which the two addresses lie
  bool to_address = false;  ///< a number is the address that a branch goes to, and not a distance (GNU as on ARM)
  u8 pc_ahead = 0;  ///< the processor counts from so many bytes behind the field's address: in the addend (ARM)
};

/// A field as llvm-mc's -show-encoding tells it: the name of its kind, and which bits from its first byte on are its
/// own.
struct EncodedField {
  std::string_view name;
  u8 first_bit = 0;
  u8 bits = 0;
  bool addend_told = false;  ///< FieldFixup::addend and `distance` are a part of the value
  i8 distance = 0;
};

/// The distances (target minus start of the instruction; for forms that hold a value: the values) that a state of a
/// relaxable form can express, both ends included.
struct RelaxRange {
  i64 low, high;
  u8 multiple = 1;  ///< the target's address must be a multiple of this too
  bool contains(i64 distance) const { return distance >= low && distance <= high; }
};

/// How branches are kept from crossing boundaries, and gaps filled by longer instructions (-malign-branch and its kin).
struct PaddingOptions {
  u8 boundary_log2 = 0;   ///< branches are kept within 2^n bytes; 0: they are not
  u8 max_prefixes = 0;    ///< prefixes that an instruction may have when some are added to it
  bool fuses = false;     ///< an instruction that is fused with the branch behind it is kept with it
  bool any_align = false; ///< no-ops of every alignment are replaced by longer instructions before it (llvm-mc)
  bool on() const { return boundary_log2 || any_align; }
};

/// An operand that is said by values (xas_arg in include/xas/stream.h). Registers are Target::parse_register's.
struct TypedOperand {
  enum Kind : u8 { reg_, value_, target_, memory_, list_, text_ } kind = reg_;
  bool zeroing = false, write_back = false, has_element = false, minus = false;
  u8 scale = 0, size = 0, broadcast = 0, count = 0, element = 0;
  int reg = -1, index = -1, segment = -1, mask = -1;  ///< -1: none
  Value value;
  const char* text = nullptr;  ///< ends with a comma or newline; null: none
  const char* name = nullptr;  ///< of the value's symbol, as a text has it, if it is one that targets know by its name

  bool has_value() const { return value.constant != 0 || !value.is_constant(); }
};

struct TypedInstruction {
  Name mnemonic;      ///< its first word
  const char* rest;   ///< behind which the others stand, if it has prefixes
  const char* where;  ///< the place for messages
  std::span<const TypedOperand> operands;
  u32 number = 0;          ///< not 0: the mnemonic's mnemonic_number, in place of its name
  u32 how = 0;             ///< with a number: XAS_LOCK and its kin of include/xas/stream.h
  bool has_shape = false;  ///< `instruction_fields` are wanted
};

/// How `.p2align` and its kin fill gaps in code.
struct NopRequest {
  u64 size;
  bool gnu;  ///< GNU as's choice of no-ops, else LLVM's
  bool after_data = false;  ///< behind data: see TargetInfo::mapping.notes_data
  u16 style = 0;  ///< what Target::nop_style() said where the gap was asked for; 0: as it says now
  u32 longest = 0;  ///< of one no-op, if the text says so
};

/// What a fixup is turned into when it can't be resolved in the assembler.
struct RelocQuery {
  u16 kind = 0;  ///< FixupKind or the target's
  u16 modifier = 0;
  bool pcrel = false;           ///< PC-relative by its kind, or because `sub` was in the field's own section
  bool has_symbol = false;      ///< the expression names a symbol (even if that is an absolute number)
  bool section_symbol = false;  ///< the relocation will name the symbol's section in place of the symbol
  bool local = false;           ///< the symbol is defined, neither global nor weak
  bool merge_section = false;   ///< the symbol is in a section with SHF_MERGE
  i64 constant = 0;             ///< the constant beside the symbol as it was written, FieldFixup::addend included
  bool is_got_symbol = false;   ///< the symbol is _GLOBAL_OFFSET_TABLE_
  bool from_got = false;        ///< the modifier stands for `symbol - _GLOBAL_OFFSET_TABLE_`: Target::got_distance
  ObjectFormat format = ObjectFormat::elf;
  bool gnu = true;     ///< profile: GNU as's choice where the assemblers differ
  bool relax = false;  ///< -mrelax-relocations
  // ARM
  bool function = false;        ///< the symbol's type is STT_FUNC
  bool thumb_function = false;
};
struct RelocChoice {
  u32 type = 0;
  std::string error;  ///< not empty: there is no such relocation, and why
  i8 bias = 0;        ///< added to what a field without a separate addend holds: some count from the field's end
  bool no_addend = false;  ///< the field holds the bias alone
  bool covered =
      false;  ///< it is done by the relocation of the field before (ARM's pairs); the field is filled all the same
  bool zero_addend = false;///< it is an error if the field would not be zero
  bool symbol_size = false;///< the symbol's size, which may be known already
};

struct TargetOptions {
  Machine machine = Machine::x86;
  ObjectFormat format = ObjectFormat::elf;
  bool gnu = true;               ///< the profile (asm/options/profile.h): GNU as, else LLVM
  u32 release = 240;             ///< its release: 240 is GNU as 2.40, 22 is LLVM 22
  unsigned bits = 64;            ///< x86: 16, 32 or 64
  bool x32 = false;              ///< addresses of 32 bits: x86's x32, AArch64's ILP32
  bool big_endian = false;
  bool thumb = false;            ///< ARM: starts in Thumb
  bool intel_syntax = false;
  bool naked_registers = false;  ///< registers without %
  bool relax_relocations = true; ///< -mrelax-relocations=
  bool relax_all = false;        ///< -mc-relax-all
  bool lfi = false;              ///< code is confined to a sandbox (triples x86_64_lfi, aarch64_lfi)
  bool frame_steps = false;      ///< --scfi: instructions are described (targets/frame_step.h)
  bool no_op_fills = true;       ///< alignment filled with single no-ops is like any other; cleared by -n
  int optimize = 0;              ///< -O0 .. -O2, -Os is 3
  std::string arch;              ///< -march= / -mattr= / -mcpu=, as written; empty: everything is accepted
  std::string cpu;
  bool arch_is_last = false;     ///< of both, -march= stands behind -mcpu=
  std::string tune;
  std::vector<std::pair<std::string, std::string>> extra;  ///< other target options: name without dashes, value

  /// The profile is GNU as's, of this release or a later one; of an earlier one. The same of LLVM.
  bool gnu_since(u32 first) const { return gnu && release >= first; }
  bool gnu_before(u32 first) const { return gnu && release < first; }
  bool llvm_since(u32 first) const { return !gnu && release >= first; }
  bool llvm_before(u32 first) const { return !gnu && release < first; }
};

class Target {
 public:
  virtual ~Target() = default;

  virtual const TargetInfo& info() const = 0;

  // Statements

  /// An instruction whose mnemonic (as written) is `mnemonic` and whose operands start at `p`. Returns false, with
  /// nothing emitted and nothing reported, if there is no such mnemonic. Otherwise leaves `p` behind the last operand
  /// (the caller checks that the statement ends there); errors have been reported, and then nothing is emitted.
  virtual bool instruction(const Name& mnemonic, const char*& p, Emitter& out) = 0;

  /// For messages, of a name that is no mnemonic or directive: what to write in its place, if the target knows the name
  /// from another syntax or instruction set; otherwise empty, and the names that it has are offered to `nearest`.
  virtual std::string explain_unknown(std::string_view /*name, in lower case*/, NearestName& /*nearest*/) const {
    return {};
  }

  /// The same of an instruction whose operands are values.
  virtual bool typed_instruction(const TypedInstruction&, Emitter&) { return false; }

  /// The same text gives the same bytes, wherever it stands, until a directive of the target: instructions that read no
  /// symbol may be remembered.
  virtual bool is_context_free() const { return false; }
  /// The last directive has left all instructions the meaning that they had: what is remembered of them holds.
  virtual bool keeps_meanings() const { return false; }

  // The keys of the line cache (line_shape.h). False: the line at `line.p` has no shape. Numbers of one class take one
  // form of an instruction, and a name that is a label or undefined means nothing but a field's symbol.

  virtual bool instruction_shape(const LineText& /*line*/, InstructionShape&) const { return false; }
  /// The same of an instruction by its mnemonic's number and at most TypedShape::max_operands operands, in which the
  /// fields that their kinds do not have are zero. Also false for operands that are not what they must be.
  virtual bool typed_shape(u32 /*number*/, std::span<const xas_arg>, TypedBytesShape&) const { return false; }
  /// Of the last instruction that was assembled; null without shapes.
  virtual const InstructionFields* instruction_fields() const { return nullptr; }
  /// The same for targets whose instructions are words (TargetInfo::Lines::words).
  virtual bool word_shape(const LineText& /*line*/, WordShape&) const { return false; }
  virtual bool typed_shape(u32 /*number*/, std::span<const xas_arg>, TypedWordShape&) const { return false; }
  /// Of the last instruction that was assembled, whose line these are pieces of.
  virtual WordFields word_fields(const WordPieces&) const { return {}; }
  /// `$` by itself is where the current statement stands, like `.`
  virtual bool dollar_is_here() const { return false; }
  /// The name is a number in this syntax; asked if TargetInfo::syntax.numbers_have_names says so.
  virtual bool named_number(std::string_view /*name*/, i64& /*number*/) const { return false; }

  /// Of two encodings, the one that takes fewer bytes is selected (ARM), as mapping symbols and labels say.
  virtual bool thumb() const { return false; }
  /// The mapping symbol of instructions, of two characters.
  virtual const char* code_mapping() const { return "$x"; }
  /// That of the encoding that is not selected.
  virtual const char* other_code_mapping() const { return code_mapping(); }
  /// What instructions are aligned to.
  virtual unsigned code_log2() const { return unsigned(std::countr_zero(unsigned(info().code.min_instruction))); }

  /// A label is defined. Whether a directive before it has said that it is a function in Thumb code. Called if
  /// TargetInfo::Labels::watched.
  virtual bool on_label() { return false; }

  /// A directive that only this target knows (.code32, .arch, ...). Same contract.
  virtual bool directive(Name name, const char*& p, Emitter& out) = 0;

  /// Number of the register written at `p` (with its prefix, if any), p moved behind it; -1 if none. For `.set r,%eax`.
  virtual int parse_register(const char*& p) = 0;
  /// The same in an operand of a directive that is always a register, so that its prefix may be missing.
  virtual int parse_directive_register(const char*& p) { return parse_register(p); }

  /// Whether it is a number that parse_register gives.
  virtual bool has_register(int) const { return false; }
  /// Such a register as unwind information of Windows has it: its class and its number there. Classes are letters:
  /// x86's 'r' and 'v' (xmm), ARM64's 'x', 'd', 'q', 'z' and 'p', ARM's 'r'; 0: it has no place there.
  struct WinRegister {
    char kind = 0;
    u8 number = 0;
  };
  virtual WinRegister win_register(int) const { return {}; }

  /// Number of the relocation modifier `name` (what follows '@', or stands between colons); 0 if there is none.
  virtual u16 modifier(std::string_view name) const = 0;
  /// What `%name(symbol)` is, as a modifier behind the symbol; `from_here`: and `- .`. 0: unknown.
  virtual u16 percent_modifier(std::string_view /*name*/, bool& /*from_here*/) const { return 0; }
  virtual std::string_view modifier_name(u16 modifier) const = 0;
  /// What the modifier of a symbol becomes in a sum with 0, which is something else than the symbol alone.
  virtual u16 modifier_with_zero(u16 modifier) const { return modifier; }

  // -show-encoding

  /// How LLVM calls the field of an instruction.
  virtual EncodedField encoded_field(const FieldFixup& field, const Value& value, const u8* instruction) const = 0;
  /// A symbol with a relocation operator: foo@PLT, :lo12:foo
  virtual std::string operator_text(u16 modifier, std::string_view symbol) const = 0;

  // Instructions that grow

  /// Size in bytes of a relaxable instruction of `form` in `state` (0 is the smallest).
  virtual unsigned relax_size(u16 form, u8 state) const = 0;
  /// What a state reaches; the last state reaches everything (INT64_MIN, INT64_MAX), and `apply` reports what does not
  /// fit even there.
  virtual RelaxRange relax_range(u16 form, u8 state) const = 0;
  /// The state it needs if its target is left to the linker.
  virtual u8 relax_unresolved_state(u16 form) const = 0;
  virtual bool relax_pcrel(u16 form) const = 0;
  /// Writes it in its final state, fields zero; returns its field.
  virtual FieldFixup relax_write(u16 form, u8 state, u8* out) const = 0;
  /// Writes one whose target is `distance` bytes from its start, if that needs no more; false: relax_write does it.
  virtual bool relax_write_known(u16, u8, i32, u8*) const { return false; }

  // Fragments of GNU as, in bytes: asm/debug/memory_blocks.h

  struct FragmentSizes {
    u16 header = 0;                  ///< of what describes one; 0: the assembler has none
    u8 branch_fixed = 0;             ///< of a branch that may grow, what does not
    u8 branch_room = 0;              ///< and what is kept for the rest
    u16 max_padding_room = 0;        ///< what is kept for no-ops of an alignment
    bool padding_as_needed = false;  ///< but not more than they can need
    bool padding_by_skip = false;    ///< nor more than may be skipped, if that is limited

    u64 padding_room(unsigned log2, u64 max_skip) const {
      u64 room = max_padding_room;
      if (padding_as_needed) room = std::min(room, (u64(1) << log2) - 1);
      return padding_by_skip && max_skip ? std::min(room, max_skip) : room;
    }
  };
  virtual FragmentSizes fragment_sizes() const { return {}; }
  static constexpr unsigned max_written_pieces = 24;
  /// The pieces in which it writes the instruction at `code`; 0 stands for one byte by itself. Returns how many there
  /// are; 0: there is no telling.
  virtual unsigned written_pieces(const u8* /*code*/, u64 /*left*/, u8 (&)[max_written_pieces]) const { return 0; }

  // Fixups

  virtual FixupInfo fixup_info(u16 kind) const = 0;
  /// Puts the final `value` into the field at `field`. A non-empty answer is the error: the value does not fit.
  virtual std::string apply(u16 kind, u16 modifier, i64 value, u8* field) const = 0;
  /// The same of a field without modifier, if what it takes is plain to see: a distance that fits. False: nothing is
  /// put there, and `apply` is asked.
  virtual bool apply_distance(u16 /*kind*/, i64 /*distance*/, u8* /*field*/) const { return false; }
  /// Where all addresses are known: makes of `value`, a number or a distance, what a linker would put into a field of
  /// this kind. False if a linker has to make something else than that, such as an entry of a table.
  virtual bool final_value(u16 /*kind*/, u16 modifier, i64& /*value*/) const { return modifier == 0; }
  /// How far a call or jump goes whose field is of a kind, and by what it goes further.
  struct BranchReach {
    i64 bytes = INT64_MAX;  ///< either way
    u8 stub = 0;            ///< the target's number for a jump to any address that it can go to; 0: there is none
  };
  virtual BranchReach branch_reach(u16 /*kind*/) const { return {}; }
  static constexpr unsigned max_stub = 16;
  /// Writes such a jump to `address`, for any place that instructions may stand at; returns its size.
  virtual unsigned write_stub(u8 /*stub*/, u64 /*address*/, u8 (&)[max_stub]) const { return 0; }
  /// The relocation that a fixup left to the linker becomes.
  virtual RelocChoice relocation(const RelocQuery& query) const = 0;
  /// False if a field of this kind and modifier is left to the linker even when its target is a local label of the
  /// field's own section (`pcrel`), or an absolute number (not `pcrel`). Not asked of the common kinds without
  /// modifier.
  virtual bool may_resolve(const RelocQuery& query) const = 0;
  /// ARM: makes a call of a function in its own section the one that enters the function's instruction set (`bl` or
  /// `blx`), and the field's kind that of the new instruction. True if it was the wrong one of the same instruction
  /// set.
  virtual bool match_call(const RelocQuery&, u16& /*kind*/, u8* /*field*/) const { return false; }
  /// True if a relocation with this modifier or kind must name the symbol itself, never its section.
  virtual bool needs_symbol(const RelocQuery& query) const = 0;
  /// What a data field with this modifier holds while its relocation has the rest.
  virtual u64 field_bits(u16) const { return 0; }
  /// The modifier makes its symbol a TLS symbol (STT_TLS).
  virtual bool is_tls(u16 modifier) const = 0;
  /// The modifier makes GNU as put an undefined _GLOBAL_OFFSET_TABLE_ into the symbol table.
  virtual bool uses_got(u16 modifier) const = 0;
  /// The modifier with which a field of this kind holds `symbol - _GLOBAL_OFFSET_TABLE_`; 0 if there is none.
  virtual u16 got_distance(u16 /*kind*/) const { return 0; }
  /// Whether the linker is asked although the symbol is a number; `local`: it is no global one.
  virtual bool keeps_absolute(u16 modifier, bool local) const = 0;
  /// Relocation number for `.reloc`'s name ("R_X86_64_NONE", "BFD_RELOC_32"); -1 if unknown.
  virtual int relocation_number(std::string_view name, ObjectFormat format) const = 0;
  /// Bytes of the field to which GNU as adds the addend of a `.reloc` of this number, where relocations have no
  /// addends; 0: it does not.
  virtual unsigned relocation_size(u32 /*number*/) const { return 0; }
  /// A `.reloc` that makes its place a data field, as `.long foo@imgrel` is one.
  struct RelocatedField {
    u8 size;  ///< bytes
    u16 modifier;
  };
  /// `.reloc`'s names of such fields (llvm-mc's for COFF); nothing if it is none.
  virtual std::optional<RelocatedField> relocated_field(std::string_view /*name*/, ObjectFormat) const { return {}; }
  /// Type of the relocations that come after all others of a section, for they overwrite what those change; -1: none.
  virtual int last_relocation() const { return -1; }

  // Padding

  virtual PaddingOptions padding() const { return {}; }
  /// `.noopt`
  virtual void stop_optimizing() {}

  /// The kind of no-ops that the processor and mode selected at this point of the text call for.
  virtual u16 nop_style() const { return 0; }
  /// Bytes of the longest no-op of that kind, as far as a text can ask for one.
  virtual unsigned longest_nop(u16 /*style*/) const { return 255; }
  /// The kind behind the last code of a section that the target pads (TargetInfo::Code::padded_at_end). `other`: that
  /// code is not of the encoding that is selected (thumb()).
  virtual u16 end_nop_style(bool /*other*/) const { return nop_style(); }
  /// Bytes of the shortest no-op of a kind.
  virtual u8 nop_unit(u16 /*style*/) const { return info().code.min_instruction; }
  virtual void write_nops(u8* out, const NopRequest& request) const = 0;
  /// An explicit one-byte fill of this value in code asks for no-ops too (0x90 on x86); -1: there is none.
  virtual int nop_fill() const { return -1; }
  /// The kind of a field of four bytes that is sign-extended where it is used (.slong).
  virtual u16 signed_data_kind() const { return fixup_data4; }

  /// Contents of a .note.gnu.property: what the instructions so far have used, or have; empty: none is asked for.
  virtual std::string property_note() const { return {}; }

  /// A note (ELF) about what all code of the object keeps to, in a section group of its own. Both texts end with a zero
  /// there.
  struct AbiNote {
    std::string_view section;  ///< empty: there is none
    std::string_view owner, description;
  };
  virtual AbiNote abi_note() const { return {}; }

  // Stack maps, and code that a runtime overwrites

  struct StackMapRegister {
    int dwarf = -1;  ///< number of it, or of the register that it is part of; -1: it has none
    u16 size = 0;    ///< in bytes; 0: not fixed
    u8 bit = 0;      ///< where it begins in the one that it is part of
  };
  /// The register written at `p`, p moved behind it. False: there is none.
  virtual bool stack_map_register(const char*& /*p*/, StackMapRegister&) const { return false; }
  /// No-ops behind what is missing in a record's shadow, or (false) at the record.
  virtual bool pads_shadows_late() const { return false; }
  /// No-ops that a runtime overwrites.
  virtual void write_reserved_nops(u8* out, const NopRequest& request) const { write_nops(out, request); }
  /// These bytes are one instruction, a call (or a no-op).
  virtual bool is_call(const u8* /*code*/, unsigned /*size*/) const { return false; }
  virtual bool is_nop(const u8* /*code*/, unsigned /*size*/) const { return false; }
  /// Writes a call of an absolute address through a register, by its DWARF number; -1: the target's choice. What cannot
  /// be done is reported.
  virtual void write_patch_call(const Value&, int /*scratch*/, Emitter& out, const char* where) const {
    out.error(where, "this target has no call of an absolute address; .patchpoint_begin takes any code");
  }

  // Build attributes (TargetInfo::attributes_section)

  /// A directive says an attribute.
  virtual void set_attribute(u32 /*tag*/, u64 /*number*/, std::string_view /*text*/) {}
  struct AttributeRules {
    bool of_used;           ///< what was selected by options and what instructions need counts too; else directives
                            ///< alone
    bool omit_zero;         ///< attributes of value 0 are left out
    bool nodefaults_first;  ///< Tag_nodefaults stands before the others
  };
  /// The section's bytes, of the architecture's own vendor: what directives have said, and what follows from what was
  /// selected and used.
  virtual std::string attributes(const AttributeRules&) const { return {}; }
  /// Numbers of half precision are in ARM's own format, with larger numbers in place of infinities.
  virtual bool alternative_half() const { return false; }

  // Unwinding

  /// DWARF number of the register written at `p` ("%rsp", "rsp", "sp", ...), p moved behind it; -1 if none.
  virtual int dwarf_register(const char*& p) const = 0;
  /// That of a register by the number that parse_register gives; -1: it has none.
  virtual int dwarf_number(int number) const = 0;
  struct CfiDefaults {
    u8 code_align;
    i8 data_align;
    u8 return_column;
    u8 cfa_register;  ///< the initial rules: CFA = register + offset, return address at CFA + return_offset
    u8 cfa_offset;
    bool has_return_rule;
    i8 return_offset;
  };
  virtual CfiDefaults cfi_defaults() const = 0;
  /// Whose steps frames can be made of; null where instructions are not described.
  virtual const FrameRegisters* frame_registers() const { return nullptr; }
};

/// What is wrong with options.
struct OptionProblems {
  std::vector<std::string> errors;
  std::vector<std::string> warnings;  ///< the option is ignored

  /// A processor that is not known: LLVM goes on without it.
  void unknown_processor(const TargetOptions& options, std::string what) {
    if (options.gnu) errors.push_back(std::move(what));
    else warnings.push_back(std::move(what) + " (ignored)");
  }
};

/// The target that `options.machine` names. Never throws on bad options: those that it refuses are appended to
/// `problems`.
std::unique_ptr<Target> make_target(const TargetOptions& options, OptionProblems& problems);
std::unique_ptr<Target> make_x86_target(const TargetOptions& options, OptionProblems& problems);
std::unique_ptr<Target> make_aarch64_target(const TargetOptions& options, OptionProblems& problems);
std::unique_ptr<Target> make_arm_target(const TargetOptions& options, OptionProblems& problems);

/// For messages: the mnemonic of this number (mnemonic_number), in any syntax of the machine; empty: there is none.
std::string_view x86_mnemonic(u32 number);
std::string_view aarch64_mnemonic(u32 number);
std::string_view arm_mnemonic(u32 number);

}  // namespace xas
