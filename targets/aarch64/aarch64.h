// SPDX-License-Identifier: Apache-2.0
// The AArch64 target: A64 code, little- and big-endian data.
//
// An instruction goes through three steps: parse.cpp reads operands into a signature of atoms with values (operand.h),
// match.cpp walks the mnemonic's rows for the first that has that signature and whose fields hold the values
// (fields.cpp), and explains when none does; reloc.cpp knows what becomes of fields that are not known yet.
// Instructions have four bytes, are little-endian even where data are not, and none of them grows.
#pragma once

#include <bitset>
#include <optional>

#include "targets/aarch64/lfi.h"
#include "targets/aarch64/operand.h"
#include "targets/directive_table.h"
#include "targets/target.h"

namespace xas::aarch64 {

/// Field kinds beyond the common ones.
enum A64Fixup : u16 {
  fixup_branch26 = first_target_kind,
  fixup_call26,
  fixup_branch19,
  fixup_branch14,
  fixup_branch9,
  fixup_back16,
  fixup_literal19,
  fixup_adr,
  fixup_adrp_addend,///< COFF: adrp of a symbol, whose addend counts bytes
  fixup_adrp,
  fixup_add12,
  fixup_offset1,    ///< scaled offsets of loads and stores of 1 to 16 bytes
  fixup_offset2,
  fixup_offset4,
  fixup_offset8,
  fixup_offset16,
  fixup_unscaled,
  fixup_movz,       ///< movz and movn: signed operators choose between the two
  fixup_movk,
  fixup_logical32,
  fixup_logical64,
  fixup_mov32,      ///< mov of a number: movz, movn or orr
  fixup_mov64,
  fixup_tls_call,   ///< marks an instruction, has no field
  fixup_tls_add,
  fixup_tls_load,
  fixup_field,      ///< and those behind it: the encoder of that number, for immediates known after layout
};

inline constexpr unsigned max_features = 512;
using FeatureSet = std::bitset<max_features>;

class AArch64Target final : public Target {
 public:
  explicit AArch64Target(const TargetOptions& options, OptionProblems& problems);

  const TargetInfo& info() const override { return info_; }
  bool instruction(const Name& mnemonic, const char*& p, Emitter& out) override;
  std::string explain_unknown(std::string_view name, NearestName& nearest) const override;
  bool typed_instruction(const TypedInstruction& instruction, Emitter& out) override;
  bool directive(Name name, const char*& p, Emitter& out) override;
  int parse_register(const char*& p) override;
  bool has_register(int number) const override;
  int dwarf_number(int number) const override;
  bool apply_distance(u16 kind, i64 distance, u8* field) const override;
  WinRegister win_register(int number) const override;

  // For messages: whether a row may be used, and whether it takes the operands, of which it takes the atoms; else
  // `failed` is the number of the field that does not hold its value.
  bool is_usable(const Row& row) const;
  bool is_selectable(u16 needs) const;  ///< they are met, or can be by selecting features in this profile
  bool fits(const Row& row, const Operands& o, unsigned& failed) const;

  bool is_context_free() const override { return repeats_ && !options_.frame_steps; }
  bool word_shape(const LineText& line, WordShape& shape) const override;
  bool typed_shape(u32 number, std::span<const xas_arg> args, TypedWordShape& shape) const override;
  WordFields word_fields(const WordPieces& pieces) const override;
  u16 modifier(std::string_view name) const override;
  u16 percent_modifier(std::string_view name, bool& from_here) const override;
  std::string_view modifier_name(u16 modifier) const override;
  EncodedField encoded_field(const FieldFixup& field, const Value& value, const u8* instruction) const override;
  std::string operator_text(u16 modifier, std::string_view symbol) const override;

  unsigned relax_size(u16, u8) const override { return 4; }
  RelaxRange relax_range(u16, u8) const override { return {INT64_MIN, INT64_MAX}; }
  u8 relax_unresolved_state(u16) const override { return 0; }
  bool relax_pcrel(u16) const override { return true; }
  FieldFixup relax_write(u16, u8, u8*) const override { return {}; }

  FragmentSizes fragment_sizes() const override;
  unsigned written_pieces(const u8* code, u64 left, u8 (&sizes)[max_written_pieces]) const override;

  FixupInfo fixup_info(u16 kind) const override;
  bool final_value(u16 kind, u16 modifier, i64& value) const override;
  std::string apply(u16 kind, u16 modifier, i64 value, u8* field) const override;
  BranchReach branch_reach(u16 kind) const override;
  unsigned write_stub(u8 stub, u64 address, u8 (&out)[max_stub]) const override;
  RelocChoice relocation(const RelocQuery& query) const override;
  bool may_resolve(const RelocQuery& query) const override;
  bool needs_symbol(const RelocQuery& query) const override;
  bool is_tls(u16 modifier) const override;
  bool uses_got(u16) const override { return false; }
  bool keeps_absolute(u16, bool) const override { return false; }
  u64 field_bits(u16 modifier) const override { return is_auth(modifier) ? auth_[modifier - first_auth] : 0; }
  int relocation_number(std::string_view name, ObjectFormat format) const override;
  int last_relocation() const override;
  AbiNote abi_note() const override;

  void write_nops(u8* out, const NopRequest& request) const override;

  int dwarf_register(const char*& p) const override;
  bool stack_map_register(const char*& p, StackMapRegister& r) const override;
  bool is_call(const u8* code, unsigned size) const override;
  bool is_nop(const u8* code, unsigned size) const override;
  void write_patch_call(const Value& to, int scratch, Emitter& out, const char* where) const override;
  std::string property_note() const override;
  CfiDefaults cfi_defaults() const override;
  const FrameRegisters* frame_registers() const override;

 private:
  void read_option(std::string_view name, const std::string& value, std::vector<std::string>& errors);
  void fill_info();

  /// A field that waits for its value.
  struct Pending {
    u16 kind;
    u8 expr;  ///< index into Operands::expr; `page_of_number`: the atom's number, for adrp
    u8 atom;
  };
  static constexpr u8 page_of_number = 0xFF;
  struct Encoded {
    u32 word;
    unsigned pending = 0;
    Pending fields[2];
    bool pool = false;   ///< the field is the address of a literal
    u8 pool_bits = 0;    ///< see enc_literal_pool
    u8 pool_atom = 0;
    void wait(u16 kind, i64 expr, unsigned atom) {
      if (pending < 2) fields[pending++] = {kind, u8(expr), u8(atom)};
    }
  };

  // coff_reloc.cpp
  RelocChoice coff_relocation(const RelocQuery& query) const;

  // parse.cpp
  bool parse_operands(const char*& p, u8 names, Operands& o, Emitter& out);
  bool parse_operand(const char*& p, bool name, Operands& o, Emitter& out);
  bool parse_immediate(const char*& p, Operands& o, Emitter& out);
  bool parse_brackets(const char*& p, Operands& o, Emitter& out, bool write_back);
  bool parse_list(const char*& p, Operands& o, Emitter& out);
  struct RegisterList;
  bool add_tile_to_list(const Register& one, const char* at, RegisterList& list, Emitter& out) const;
  bool add_to_list(const Register& one, const char* at, RegisterList& list, Emitter& out) const;
  bool parse_list_items(const char*& p, RegisterList& list, Operands& o, Emitter& out);
  bool parse_after_register(const char*& p, const Register& r, Operands& o, Emitter& out);
  bool read_own_register(const char*& p, Register& r) const;
  bool read_any_register(const char*& p, Register& r, Emitter& out);
  bool parse_word(const char*& p, Operands& o, Emitter& out, bool& done);

  // typed_instruction.cpp
  bool typed_operand(const TypedOperand& t, bool name, const char* where, Operands& o, Emitter& out);
  bool typed_memory(const TypedOperand& t, const char* where, Operands& o, Emitter& out);

  // match.cpp
  bool encode(const Row& row, const Operands& o, Encoded& e, unsigned& failed) const;
  bool encode_field(const Encoder& e, const Field& f, const Operands& o, Encoded& to) const;
  void put_fields(const Encoded& e, const Operands& o, u8 at, Emitter& out);
  void emit(const Row& row, const Encoded& e, const Operands& o, const char* where, Emitter& out);

  // lfi.cpp
  void emit_confined(const Row& row, const Encoded& e, const Operands& o, const char* where, Emitter& out);

  // frame_steps.cpp
  void describe_branch(const Row& row, const Operands& o, const Encoded& e, const char* where, Emitter& out) const;
  bool describe_sum(const Operands& o, const Encoded& e, const char* where, Emitter& out) const;
  bool describe_transfer(u32 word, const char* where, Emitter& out) const;
  void describe(const Row& row, const Operands& o, const Encoded& e, const char* where, Emitter& out) const;

  void match_suffixed(const Spelling& s, const Operands& o, Atom suffix, const char* where, const char* end,
                      Emitter& out);
  bool match(const Spelling& s, const Operands& o, const char* where, Emitter& out);
  bool read_as_symbol(const Spelling& s, Operands& o, const char*& p, bool typed, Emitter& out);
  bool slow_mnemonic(Name mnemonic, const char*& p, Emitter& out);
  bool assemble(const Spelling& s, const char* where, const char*& p, Emitter& out);
  bool assemble_suffixed(const Spelling& s, std::string_view suffix, const char* where, const char*& p, Emitter& out);

  // fields.cpp
  bool encode_special(const Encoder& e, const Field& f, const Operands& o, Encoded& to) const;
  bool encode_later(const Encoder& e, const Field& f, const Operands& o, Encoded& to) const;

  // word_fields.cpp
  bool fits_no_row_before(const WordPieces& pieces, WordFields& fields) const;
  bool add_field(const Field& f, const WordPieces& pieces, WordFields& fields) const;

  // unpredictable.cpp
  bool allowed(const Row& row, const Operands& o, u32 word, const char* where, Emitter& out);
  bool distinct(const Row& row, u32 word, const char* where, Emitter& out) const;
  std::string_view misplaced(const Row& row, const Operands& o) const;

  // literals.cpp
  void literal(const Row& row, const Encoded& e, const Operands& o, const char* mnemonic, Emitter& out);
  void load_literal(const Row& row, const Encoded& e, SymbolId literal, const Operands& o, const char* mnemonic,
                    Emitter& out);

  // reloc.cpp
  /// The number behind _g in an operator's name; -1 if there is none.
  static int movw_group(u16 modifier);
  /// An offset to the thread pointer that LLVM takes for negative until the linker knows better: movn, not movz.
  static bool is_signed_tls(u16 modifier);
  bool is_refused(const RelocQuery& q) const;
  /// There is a relocation for the operator in a field of that kind.
  static bool takes_operator(u16 kind, u16 modifier);
  /// Relocations name functions, and not their sections.
  bool names_functions() const { return options_.gnu_since(247) && !is_coff(); }
  RelocChoice lp64_relocation(const RelocQuery& query) const;
  RelocChoice branch_relocation(const RelocQuery& query) const;
  u16 auth_modifier(std::string_view text) const;
  static constexpr u16 first_auth = 0x300;  // behind those of COFF
  static bool is_auth(u16 modifier) { return modifier >= first_auth; }

  // directives.cpp
  static std::span<const DirectiveRow<AArch64Target>> directives();
  static std::span<const DirectiveRow<AArch64Target>> lfi_directives();
  void directive_inst(const char*& p, unsigned, Emitter& out);
  void directive_ltorg(const char*& p, unsigned, Emitter& out);
  void directive_unreq(const char*& p, unsigned, Emitter& out);
  void directive_tlsdesc(const char*& p, unsigned kind, Emitter& out);
  void directive_variant_pcs(const char*& p, unsigned, Emitter& out);
  void directive_lfi_rewrite(const char*& p, unsigned on, Emitter& out);
  void directive_arch(const char*& p, unsigned is_cpu, Emitter& out);
  void directive_arch_extension(const char*& p, unsigned, Emitter& out);
  bool alias_statement(Name name, const char*& p, Emitter& out);

  // system.cpp
  const NameEntry* system_name(std::string_view name, bool write, bool pair) const;
  bool system_register(std::string_view name, bool write, bool pair, u32& value) const;

  // features.cpp
  bool set_arch(std::string_view text, bool is_cpu, std::string& error);
  void set_attributes(std::string_view text);
  bool set_extension(std::string_view text, std::string& error);
  void profile_features();  ///< those of features.isa in parentheses
  void all_features();
  void enable(unsigned feature);
  void disable(unsigned feature);
  // explain.cpp
  const NameEntry* name_of(const Field& f, const Operands& o) const;
  bool explain_features(const Spelling& s, const Operands& o, const char* where, Emitter& out) const;
  bool explain_kin(std::string_view name, const Operands& o, Emitter& out) const;
  void explain(const Spelling& s, const Operands& o, const char* where, const char* end, Emitter& out) const;

  bool available(u16 needs) const;
  std::string missing(u16 needs) const;

  bool is_coff() const { return options_.format == ObjectFormat::coff; }

  TargetOptions options_;
  TargetInfo info_;
  bool gated_ = false;        ///< only `features_` may be used
  bool marks_bti_ = false;    ///< -aarch64-mark-bti-property
  bool checks_system_registers_ = true;  ///< they are among what may not be used
  bool no_negative_ = false;  ///< -mattr=+no-neg-immediates: `add` of a negative number is no `sub`
  FeatureSet features_;
  /// What a signed pointer's field holds beside the address, for each @AUTH(...) that was read; modifiers from
  /// `first_auth` on are these.
  mutable std::vector<u64> auth_;

  /// The movprfx that the next instruction follows; LLVM's rules only.
  struct {
    bool active = false;
    Prefix element = prefix_none;  ///< prefix_plain: without a predicate
    u8 destination = 0, predicate = 0;
  } follows_;
  Lfi lfi_;
  std::optional<u64> literal_high_;  ///< the upper half of the number behind '=', if it has more than 64 bits
  bool repeats_ = true;  ///< the last instruction's bytes depend on nothing before it
  Operands operands_;    ///< of the last instruction,
  const Row* row_ = nullptr;  ///< its row, null if word_fields can say nothing of it,
  const Row* first_row_;      ///< and the first of its mnemonic
};

/// Modifiers of data in COFF: their numbers start here, beyond those of relocation operators.
inline constexpr u16 first_coff_modifier = 0x200;
/// The modifier of this name, or 0.
u16 coff_modifier(std::string_view name);
std::string_view coff_modifier_name(u16 modifier);
/// For .reloc: IMAGE_REL_ARM64_*; -1 if unknown.
int coff_relocation_number(std::string_view name);

/// The operand names a place that the instruction branches to, or takes the address of.
bool names_address(Encoding e);

/// The 13 bits N:immr:imms of a bitmask immediate of `size` (8 to 64) bits; -1 if it is none.
int logical_immediate(u64 value, unsigned size);

/// The 8 bits of a floating-point immediate, given the double's; -1 if it is none.
int float_immediate(u64 bits);

/// A bit for each byte that is 255; -1 if one is neither that nor 0.
int byte_mask(u64 value);

}  // namespace xas::aarch64
