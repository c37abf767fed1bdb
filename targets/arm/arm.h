// SPDX-License-Identifier: Apache-2.0
// The ARM target: A32, and Thumb with instructions of 16 and 32 bits.
//
// An instruction goes through these steps: mnemonic.cpp takes its name apart (condition, `s`, width, data types),
// parse.cpp reads the operands into a signature of atoms with values (operand.h), match.cpp walks the mnemonic's rows
// of the present instruction set for the first that fits, and explains when none does; fields.cpp knows how values
// become bits, reloc.cpp what becomes of fields that are not known yet. Thumb's branches and literal loads may grow
// (relax.cpp).
#pragma once

#include <utility>

#include "objwriter/elf_constants.h"
#include "targets/arm/attributes.h"
#include "targets/arm/operand.h"
#include "targets/arm/processor.h"
#include "targets/atom_facts.h"
#include "targets/directive_table.h"
#include "targets/target.h"

namespace xas::arm {

using atoms::Clash;


/// Field kinds beyond the common ones.
enum ArmFixup : u16 {
  fixup_a32_branch = first_target_kind,
  fixup_a32_call,
  fixup_a32_call_conditional,
  fixup_a32_blx,
  fixup_a32_load,    ///< 12 bits and a sign: a literal
  fixup_a32_pool,    ///< the same of `ldr =`, where GNU as subtracts a distance of 0
  fixup_a32_load8,   ///< 4 and 4 bits and a sign
  fixup_a32_pool8,   ///< the same of `ldrh =`
  fixup_a32_adr,
  fixup_a32_adrl,    ///< of two instructions
  fixup_a32_movw,
  fixup_a32_movt,
  fixup_a32_vload,
  fixup_a32_vload16,
  fixup_a32_group_alu,   ///< parts of an address, of group relocations
  fixup_a32_group_load,
  fixup_a32_group_load8,
  fixup_a32_group_vload,
  fixup_t16_b8,
  fixup_t16_b11,
  fixup_t16_cbz,
  fixup_t16_load,
  fixup_t16_adr,
  fixup_t16_byte,    ///< one of the four bytes of an address
  fixup_t32_b20,
  fixup_t32_b24,
  fixup_t32_bl,
  fixup_t32_blx,
  fixup_t32_load,
  fixup_t32_load8,
  fixup_t32_adr,
  fixup_t32_bf,      ///< of branch futures: the branch, where it goes, and where else
  fixup_t32_bf12,
  fixup_t32_bf16,
  fixup_t32_bf18,
  fixup_t32_bf_else,
  fixup_t32_wls,     ///< of low overhead loops: forward
  fixup_t32_le,      ///< and backward
  fixup_t32_movw,
  fixup_t32_movt,
  fixup_t32_vload,
  fixup_t32_vload16,
  fixup_prel31,      ///< of exception tables: 31 bits of a distance
  fixup_tls_call,    ///< marks an instruction, has no field; of A32
  fixup_thumb_tls_call,
  fixup_v4bx,        ///< the same: a bx that linkers may replace for processors without it
  fixup_target1,
  fixup_field,       ///< and those behind it: four for each encoder, of A32, T16 and T32; immediates known after layout
};

/// What nop_style() says: the instruction set, and whether the processor selected there has no-ops proper.
enum ArmNopStyle : u16 { arm_nops = 1, thumb_nops = 2, proper_nops = 4 };

/// Relocation operators, in instructions (:lower16:symbol) and behind symbols (symbol(GOT)).
enum ArmModifier : u16 {
  mod_none, mod_lower16, mod_upper16, mod_lower0_7, mod_lower8_15, mod_upper0_7, mod_upper8_15,
  mod_got, mod_gotoff, mod_got_prel, mod_tlsgd, mod_tlsldm, mod_tlsldo, mod_tpoff, mod_gottpoff, mod_tlscall,
  mod_tlsdesc, mod_plt, mod_prel31, mod_target1, mod_target2, mod_sbrel, mod_none_reloc, mod_gotfuncdesc,
  mod_gotofffuncdesc, mod_tlsgd_fdpic, mod_tlsldm_fdpic, mod_gottpoff_fdpic, mod_funcdesc, mod_imgrel, mod_secrel32,
  mod_secidx,
  mod_tlsdescseq,
  mod_pc_g0_nc, mod_pc_g0, mod_pc_g1_nc, mod_pc_g1, mod_pc_g2,
  mod_sb_g0_nc, mod_sb_g0, mod_sb_g1_nc, mod_sb_g1, mod_sb_g2,
  mod_lower16_sbrel, mod_upper16_sbrel,  ///< :lower16:symbol(sbrel)
  mod_count,
};

/// Where an instruction's operands end: the line, a separator, a comment.
inline bool at_operands_end(const char* p) {
  return *p == '\n' || *p == '\0' || *p == ';' || *p == '@' || (*p == '/' && p[1] == '/');
}

/// Whether a point follows a digit in the operands, as in d0.s16.
inline bool may_have_types(const char* p) {
  for (; !at_operands_end(p); ++p)
    if (*p == '.' && u8(p[-1] - '0') <= 9) return true;
  return false;
}

/// What a mnemonic comes to.
struct Mnemonic {
  const Spelling* spelling = nullptr;
  const Spelling* weaker[3] = {};  ///< with types that say less, for operands that `spelling` has no form for
  u8 condition = 14;
  u8 width = 0;       ///< 2: .n, 4: .w
  bool sets_flags = false;
  bool has_condition = false;
  bool label = false; ///< a branch, which has nothing but a place to go to: registers are names there
  bool exact = false; ///< `spelling` has the types that were written
  bool quad = false;  ///< vaddq: written for quad registers
  u8 vpt = 0;         ///< of MVE: 1: then, 2: else
};

class ArmTarget final : public Target {
 public:
  explicit ArmTarget(const TargetOptions& options, OptionProblems& problems);

  const TargetInfo& info() const override { return info_; }
  bool instruction(const Name& mnemonic, const char*& p, Emitter& out) override;
  std::string explain_unknown(std::string_view name, NearestName& nearest) const override;
  bool typed_instruction(const TypedInstruction& instruction, Emitter& out) override;

  // For messages: whether a row may be used, and whether it takes the operands, of which it takes the atoms; else
  // `failed` is the number of the field that does not hold its value.
  bool is_usable(const Row& row, const Mnemonic& m) const;
  bool fits(const Row& row, const Mnemonic& m, const Operands& o, unsigned& failed) const;

  bool directive(Name name, const char*& p, Emitter& out) override;
  int parse_register(const char*& p) override;
  bool has_register(int number) const override;
  int dwarf_number(int number) const override;
  WinRegister win_register(int number) const override;
  bool is_context_free() const override { return !is_in_other_block(); }
  bool keeps_meanings() const override { return keeps_meanings_; }
  bool thumb() const override { return marks_.thumb; }
  const char* code_mapping() const override { return thumb() ? "$t" : "$a"; }
  const char* other_code_mapping() const override { return thumb() ? "$a" : "$t"; }
  unsigned code_log2() const override { return thumb() ? 1 : 2; }
  bool on_label() override { return std::exchange(marks_.next_is_thumb, false); }
  bool word_shape(const LineText& line, WordShape& shape) const override;
  WordFields word_fields(const WordPieces& pieces) const override;
  u16 modifier(std::string_view name) const override;
  std::string_view modifier_name(u16 modifier) const override;
  EncodedField encoded_field(const FieldFixup& field, const Value& value, const u8* instruction) const override;
  std::string operator_text(u16 modifier, std::string_view symbol) const override;

  unsigned relax_size(u16 form, u8 state) const override;
  RelaxRange relax_range(u16 form, u8 state) const override;
  u8 relax_unresolved_state(u16 form) const override;
  bool relax_pcrel(u16) const override { return true; }
  FieldFixup relax_write(u16 form, u8 state, u8* out) const override;
  bool relax_write_known(u16 form, u8 state, i32 distance, u8* out) const override;

  FragmentSizes fragment_sizes() const override;
  unsigned written_pieces(const u8* code, u64 left, u8 (&sizes)[max_written_pieces]) const override;

  FixupInfo fixup_info(u16 kind) const override;
  bool final_value(u16 kind, u16 modifier, i64& value) const override;
  std::string apply(u16 kind, u16 modifier, i64 value, u8* field) const override;
  bool apply_distance(u16 kind, i64 distance, u8* field) const override;
  BranchReach branch_reach(u16 kind) const override;
  unsigned write_stub(u8 stub, u64 address, u8 (&out)[max_stub]) const override;
  RelocChoice relocation(const RelocQuery& query) const override;
  bool may_resolve(const RelocQuery& query) const override;
  bool match_call(const RelocQuery& query, u16& kind, u8* field) const override;
  bool needs_symbol(const RelocQuery& query) const override;
  bool is_tls(u16 modifier) const override;
  bool uses_got(u16) const override { return false; }
  bool keeps_absolute(u16 m, bool) const override { return m >= mod_got && m <= mod_funcdesc; }
  int relocation_number(std::string_view name, ObjectFormat format) const override;

  u16 nop_style() const override {
    return u16((thumb_ ? thumb_nops : arm_nops) | (processor_.has_nops ? proper_nops : 0));
  }
  u16 end_nop_style(bool other) const override { return thumb() != other ? thumb_nops : arm_nops; }
  u8 nop_unit(u16 style) const override { return style & thumb_nops ? 2 : 4; }
  void write_nops(u8* out, const NopRequest& request) const override;

  void set_attribute(u32 tag, u64 number, std::string_view text) override;
  std::string attributes(const AttributeRules& rules) const override;
  bool alternative_half() const override;

  // For build attributes: what has been chosen (features.cpp), and what rows that were used need by name.
  bool chosen(std::string_view feature) const { return processor_.chosen(feature); }
  bool used(std::string_view feature, bool thumb) const;
  /// GNU as: number (Tag_CPU_arch) and profile of the first architecture that has all instructions which were used; 0
  /// if there is none.
  std::pair<u8, char> used_architecture() const;
  /// An instruction of this set that is no coprocessor's.
  bool has_used(bool thumb) const;
  /// One of floating point or vectors.
  bool has_used_floating(bool thumb) const;
  bool selects(std::string_view feature) const { return processor_.selects(feature); }

  int dwarf_register(const char*& p) const override;
  bool stack_map_register(const char*& p, StackMapRegister& r) const override;
  bool is_call(const u8* code, unsigned size) const override;
  bool is_nop(const u8* code, unsigned size) const override;
  CfiDefaults cfi_defaults() const override;

 private:
  // What the constructor does, in this order.
  void choose_processor(OptionProblems& problems);
  void read_option(std::string_view name, const std::string& value, std::vector<std::string>& errors);
  void choose_mode();
  void fill_info();

  void set_triple(std::string_view arch);
  void set_eabi(const std::string& version, std::vector<std::string>& errors);

  /// A field that waits for its value.
  struct Pending {
    u16 kind;
    u8 expr;  ///< its number, or none: the operand is a number itself
    u8 atom;
  };
  struct Encoded {
    u32 word;
    unsigned pending = 0;
    Pending fields[3];
    u16 relaxable = 0xFFFF;  ///< the form, if the instruction may grow; the field is fields[0]
    bool truncated = false;  ///< a number has more than 32 bits
    bool pool = false;       ///< the field is the address of a literal,
    bool pool_reaches_far = false;  ///< as far as that of a word
    u8 pool_atom = 0;
    static constexpr u8 none = 0xFF;
    void wait(u16 kind, i64 expr, unsigned atom) {
      if (pending < 3) fields[pending++] = {kind, u8(expr), u8(atom)};
    }
  };

  /// The IT block that is open, as the processor keeps it: the condition of the next instruction; the lowest bit of the
  /// condition of each one behind it, and a 1. 0: none is open.
  struct ItBlock {
    u8 state = 0;
    static ItBlock of_one(u8 condition) { return {u8(condition << 4 | 8)}; }
    /// How many instructions are still to come.
    unsigned left() const { return state ? 4 - unsigned(std::countr_zero(state)) : 0; }
    u8 next() const { return state >> 4; }
    void leave() { state = state & 7 ? u8((state & 0xE0) | (state << 1 & 0x1F)) : u8(0); }
  };

  /// The IT block that conditional instructions have opened by themselves. Those that follow join it.
  struct ImplicitIt {
    u8 count = 0;       ///< of its instructions; 0: there is none that can be joined
    u8 condition = 0;   ///< of the first
    u8 mask = 0;
    u32 size = 0;       ///< bytes of the section from `it` on
    const char* end = nullptr;  ///< of the last instruction's text
    Emitter::Place place;       ///< behind it
  };

  bool read_instruction(const Name& mnemonic, const char*& p, Emitter& out);
  /// The next instruction belongs to a VPT block, or may be taken into an IT block that was not written.
  bool is_in_other_block() const { return blocks_.vpt_left || blocks_.implicit.count; }
  /// What the next instruction depends on (Emitter::block).
  u8 block() const { return is_in_other_block() ? Emitter::other_block : blocks_.it.state; }
  void enter(u8 block) {
    if (block != Emitter::other_block) blocks_.it.state = block;  // else that is known here
  }

  // mnemonic.cpp
  bool resolve(std::string_view name, Mnemonic& m) const;
  struct Suffixes;
  bool resolve_base(std::string_view base, const Suffixes& suffixes, Mnemonic& m) const;
  bool resolve_infix(std::string_view head, std::string_view types, std::string_view fronts, Mnemonic& m) const;
  bool resolve_quad(std::string_view head, std::string_view types, Mnemonic& m) const;
  bool it_instruction(std::string_view name, const char*& p, const char* where, Emitter& out);
  bool enter_vpt(const Row& row, const Mnemonic& m, const char* where, Emitter& out);
  bool enter_it(const Mnemonic& m, const char* where, Emitter& out);
  bool is_neutral(const Mnemonic& m) const;
  bool join_implicit_it(const Mnemonic& m, Operands& o, const char* where, Emitter& out);
  void leave_vpt() {
    if (blocks_.vpt_left) --blocks_.vpt_left, blocks_.vpt_pattern >>= 1;
  }
  void leave_it() { blocks_.it.leave(); }

  // parse.cpp
  bool parse_operands(const char*& p, u8 names, Operands& o, Emitter& out);
  bool parse_operand(const char*& p, bool name, Operands& o, Emitter& out);
  bool parse_immediate(const char*& p, Operands& o, Emitter& out);
  /// What follows the `#` or `$` at `at`, which may have none.
  bool parse_value(const char*& p, const char* at, Operands& o, Emitter& out);
  bool parse_number_before(const char*& p, char close, Atom atom, const char* where, const char* expected, Operands& o,
                           Emitter& out);
  bool parse_brackets(const char*& p, Operands& o, Emitter& out);
  bool parse_offset_register(const char*& p, Operands& o, Emitter& out);
  bool parse_after_register(const char*& p, const Register& r, Operands& o, Emitter& out);
  bool parse_alignment(const char*& p, Operands& o, Emitter& out);
  bool read_any_register(const char*& p, Register& r, Emitter& out);
  bool parse_shift(const char*& p, Operands& o, Emitter& out, bool& done);

  // typed_instruction.cpp
  bool take_typed(const TypedInstruction& i, Emitter& out);
  bool push_operands(const TypedInstruction& i, u8 names, Operands& o, Emitter& out);
  void with_weaker_types(std::string_view name, Mnemonic& m) const;
  bool numbered_mnemonic(const TypedInstruction& i, Mnemonic& m, Emitter& out) const;
  bool named_mnemonic(const TypedInstruction& i, Mnemonic& m, bool& done, Emitter& out);
  bool typed_operand(const TypedOperand& t, bool name, const char* where, Operands& o, Emitter& out);
  bool typed_memory(const TypedOperand& t, const char* where, Operands& o, Emitter& out);

  // typed.cpp
  bool read_typed_register(const char*& p, Register& r, unsigned& type, unsigned& index, Emitter& out);
  void typed_alias(Name name, const char*& p, Emitter& out);
  bool resolve_typed(std::string_view name, const char* p, Mnemonic& m, Emitter& out);

  // lists.cpp
  struct RegisterList;
  bool parse_list(const char*& p, Operands& o, Emitter& out);
  bool parse_register_list(const char*& p, const char* open, Operands& o, Emitter& out);
  bool parse_list_element(const char*& p, RegisterList& list, Operands& o, Emitter& out);
  bool parse_further_registers(const char*& p, Operands& o, Emitter& out);
  bool parse_list_index(const char*& p, RegisterList& list, Operands& o, Emitter& out);
  bool push_list(const RegisterList& list, const char* open, Operands& o, Emitter& out);

  // match.cpp
  /// Of rows of A32.
  bool may_be_conditional(const Row& row) const {
    return row.condition != 255 && (options_.gnu || !(row.flags & row_no_it_llvm));
  }
  bool usable(const Row& row, const Mnemonic& m) const { return usable(row, m, blocks_.it); }
  bool usable(const Row& row, const Mnemonic& m, ItBlock it) const;
  bool encode(const Row& row, const Mnemonic& m, const Operands& o, Encoded& e, unsigned& failed) const;
  void emit(const Row& row, const Encoded& e, const Mnemonic& m, const Operands& o, Emitter& out);
  bool stands_alone(const Row& row, const Mnemonic& m, const Operands& o, ItBlock it) const;
  void match(const Mnemonic& m, Operands& o, const char* where, const char* end, Emitter& out);
  bool is_only_misplaced(const Mnemonic& m, const Operands& o) const;
  bool is_unavailable(const Spelling& s, const Mnemonic& m, const Operands& o) const;
  bool has_sum_for_label(const Encoded& e, const Operands& o) const;
  bool is_aligned_jump(const Row& row, const Operands& o, const char* where, Emitter& out) const;
  bool match_spellings(const Mnemonic& m, Operands& o, const char* where, Emitter& out);
  bool match_rows(const Spelling& s, const Mnemonic& m, const Operands& o, const char* where, Emitter& out);

  // explain.cpp
  std::string explain_condition(const Mnemonic& m, u8 wanted) const;
  std::string explain_unusable(const Row& row, const Mnemonic& m, std::string_view name) const;
  void explain_with_flags(std::span<const Row> rows, Mnemonic m, const Operands& o, const char* where,
                          Emitter& out) const;
  bool explain_vector_kin(std::string_view name, const Mnemonic& m, const Operands& o, Emitter& out) const;
  void explain(const Mnemonic& m, const Operands& o, const char* where, const char* end, Emitter& out) const;
  bool adds_low(u32 word, const Operands& o) const;
  // unpredictable.cpp
  bool is_sound(const Row& row, u32 word, const Operands& o, const char* where, Emitter& out) const;
  std::string_view unavailable(const Row& row, u32 word) const;
  bool marks_bx() const;
  /// Whether LLVM overlooks a target that is an odd number of bytes away.
  bool takes_odd_distance(u16 kind) const {
    return !options_.gnu && options_.format == ObjectFormat::elf &&
           (kind == fixup_t32_b20 || kind == fixup_t32_b24 || kind == fixup_t32_bl);
  }
  /// Whether a call of T32 reaches less far than its field, which LLVM minds.
  bool has_short_calls(u16 kind) const { return kind == fixup_t32_bl && processor_.short_calls; }
  bool has_eabi() const { return info_.elf.flags >= elf::EF_ARM_EABI_VER4; }
  unsigned write(u32 word, bool narrow, u8* out) const;

  // word_fields.cpp
  bool add_field(const Field& f, const WordPieces& pieces, WordFields& fields) const;
  bool refuses(const Row& row, const Field& f, const WordPieces& pieces, WordFields& fields) const;
  bool fits_no_row_before(const WordPieces& pieces, WordFields& fields) const;

  // literal.cpp
  void emit_literal(const Row& row, const Encoded& e, const Mnemonic& m, const Operands& o, Emitter& out);
  i64 literal_move(const Row& row, const Mnemonic& m, u32 rt, u32 v) const;
  i64 literal_vector_move(u32 word, bool is_double, u64 v) const;

  // fields.cpp
  bool encode_field(const Row& row, const Encoder& e, const Field& f, const Operands& o, Encoded& to) const;
  bool encode_special(const Row& row, const Encoder& e, const Field& f, const Operands& o, Encoded& to) const;
  bool encode_list(const Encoder& e, const Field& f, const Operands& o, u32& word) const;
  bool encode_number(const Encoder& e, const Field& f, const Operands& o, u32& word) const;
  bool encode_later(const Row& row, const Encoder& e, const Field& f, const Operands& o, Encoded& to) const;
  bool encode_distance(const Row& row, const Encoder& e, const Field& f, const Operands& o, Encoded& to) const;
  bool subtracts_zero(const Row& row) const;
  bool only_adds(const Row& row) const;
  bool apply_encoder(const Encoder& e, i64 value, u32& word) const;

  // directives.cpp
  static std::span<const DirectiveRow<ArmTarget>> directives();
  void directive_inst(const char*& p, unsigned width, Emitter& out);
  void directive_ltorg(const char*& p, unsigned, Emitter& out);
  void directive_unreq(const char*& p, unsigned, Emitter& out);
  void directive_thumb(const char*& p, unsigned, Emitter& out);
  void directive_arm(const char*& p, unsigned, Emitter& out);
  void directive_code(const char*& p, unsigned, Emitter& out);
  void directive_syntax(const char*& p, unsigned, Emitter& out);
  void directive_arch(const char*& p, unsigned is_cpu, Emitter& out);
  void directive_fpu(const char*& p, unsigned, Emitter& out);
  void directive_arch_extension(const char*& p, unsigned, Emitter& out);
  void directive_object_arch(const char*& p, unsigned, Emitter& out);
  void directive_tlsdescseq(const char*& p, unsigned, Emitter& out);
  void directive_float16_format(const char*& p, unsigned, Emitter& out);
  void directive_thumb_func(const char*& p, unsigned, Emitter& out);
  bool alias_statement(Name name, const char*& p, Emitter& out);
  void set_thumb(bool thumb, const char* where, Emitter& out, unsigned log2_align = 0);

  // features.cpp
  bool set_fpu(std::string_view text, bool replaces);
  void set_attributes(std::string_view text);
  bool has_used(bool thumb, bool floating) const;
  FeatureSet used_features() const;
  bool can_grow(u16 kind) const;
  bool has_thumb_nops() const;

  // attributes.cpp
  void set_half_format(bool alternative);
  bool has_half_format() const;
  void set_gnu_attributes(BuildAttributes& all) const;
  void set_llvm_attributes(BuildAttributes& all) const;
  void add_processor_attributes();

  // arm.cpp
  u32 old_abi_flags() const;

  // apply.cpp
  bool write_branch(u16 kind, u32 opcode, i64 value, u8* at) const;
  // reloc.cpp
  std::string put_adrl(i64 value, u8* at) const;
  bool put_other_form(const Encoder& e, i64 value, u32& word) const;
  u32 load(const u8* at, u16 kind) const;
  void store(u8* at, u16 kind, u32 word) const;

  /// What mapping symbols and labels say of the code.
  struct Marks {
    bool thumb = false;          ///< LLVM's mapping symbols go by the triple until a directive selects the encoding
    bool next_is_thumb = false;  ///< .thumb_func: the next label is a function in Thumb code
  };
  /// Options that are read once.
  struct Switches {
    bool fix_v4bx = false;     ///< --fix-v4bx: bx may be used on Armv4
    bool fdpic = false;        ///< --fdpic: there are function descriptors
    bool interwork = false;    ///< -mthumb-interwork: `adr` of a Thumb function has bit 0
    bool no_negative = false;  ///< -mattr=+no-neg-immediates: `add` of a negative number is no `sub`
    bool implicit_arm = true;  ///< -mimplicit-it: conditional instructions outside of IT blocks
    bool implicit_thumb = false;
  };
  /// What instructions have used, for build attributes.
  struct Used {
    u8 needs[max_needs] = {};  ///< by Row::features: 1: used in A32, 2: in Thumb
    bool thumb2 = false;       ///< an IT instruction has been written, or a wide move in place of a literal
    u8 it = 0;                 ///< IT instructions, which have no row: as in `needs`
  };
  struct Syntax {
    bool unified = false;  ///< .syntax unified has been read
    bool divided = false;  ///< .syntax divided: Thumb instructions without `s` set flags
  };
  /// Types that stand on operands.
  struct TypedOperands {
    bool any = false;          ///< .dn or .qn has been read
    bool on_operands = false;  ///< in this statement
    unsigned index = 0;        ///< of the alias read last: its index and 1
  };
  /// The last instruction, for word_fields.
  struct LastInstruction {
    Operands operands;
    Mnemonic mnemonic;         ///< what its mnemonic came to,
    const Row* row = nullptr;  ///< its row, null if word_fields can say nothing of it,
    const Row* first_row;      ///< the first one that could have been,
    ItBlock block;             ///< and the IT block that it stood in
  };
  /// The blocks that are open.
  struct OpenBlocks {
    ItBlock it;
    ImplicitIt implicit;
    u8 vpt_left = 0, vpt_pattern = 0;  ///< of VPT: instructions still to come, and a bit for each that is `e`
  };

  TargetOptions options_;
  TargetInfo info_;
  BuildAttributes attributes_;
  bool thumb_ = false;
  Marks marks_;
  Processor processor_{options_};
  Switches switches_;
  bool object_is_old_ = false;  ///< .object_arch of one before Armv5T
  u32 foreign_rows_ = 0;        ///< of RowFlag: rows with one of these are another profile's or a later release's
  Used used_;
  bool keeps_meanings_ = false;  ///< the last directive has named the mode that was chosen already
  Syntax syntax_;
  TypedOperands typed_;
  int bare_ = -1;  ///< the first operand, if it is the number of a coprocessor without its p
  LastInstruction last_;
  OpenBlocks blocks_;

  /// The mnemonics met last, at a place by their hash, as they were written.
  struct Known {
    Mnemonic mnemonic;
    u8 size = 0;
    bool takes_types = false;  ///< has none itself, but may have types on its operands
    char text[22];
  };
  static constexpr unsigned known_log2 = 8;
  Known known_[1 << known_log2];

  bool look_up(std::string_view written, const char* p, Known& known, Mnemonic& m, Emitter& out);
};

/// The name of a processor as GNU as writes it.
std::string shown_processor(std::string_view name);
/// i:imm3:imm8 in their places in T32.
constexpr u32 t32_spread(u32 bits) { return (bits >> 11 & 1) << 26 | (bits >> 8 & 7) << 12 | (bits & 0xFF); }
/// The 12 bits rotate:imm8 of an A32 immediate; -1 if it is none.
int a32_immediate(u32 value);
/// The 12 bits i:imm3:imm8 of a T32 immediate; -1 if it is none.
int t32_immediate(u32 value);
/// The 8 bits of a floating-point immediate, given the double's; -1 if it is none.
int vfp_immediate(u64 bits);
/// op:cmode:imm8 of an Advanced SIMD immediate of elements of `size` bits; -1 if it is none.
int simd_immediate(u64 value, unsigned size);

inline constexpr std::string_view condition_names[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                                       "hi", "ls", "ge", "lt", "gt", "le", "al"};
/// Number of the condition with this name; -1 if it is none.
int condition_number(char a, char b);

}  // namespace xas::arm
