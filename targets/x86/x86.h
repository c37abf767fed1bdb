// SPDX-License-Identifier: Apache-2.0
// The x86 target: 16-, 32- and 64-bit code, in AT&T and Intel syntax.
//
// An instruction goes through three steps. parse_att.cpp and parse_intel.cpp read operands into a Statement. match.cpp
// walks the mnemonic's rows for the first that accepts them, and explain.cpp tells why none does. encode.cpp writes
// bytes and fixups; relax.cpp knows the forms that grow. What is strange about x86 is told where it is handled.
#pragma once

#include "targets/directive_table.h"
#include "targets/target.h"
#include "targets/x86/operand.h"
#include "targets/x86/options.h"

namespace xas::x86 {

/// Field kinds beyond the common ones. The distance from a PC-relative field to the end of its instruction is the
/// fixup's addend.
enum X86Fixup : u16 {
  fixup_imm8 = first_target_kind,  ///< immediate of 8 bits, any reading
  fixup_imm8s,                     ///< sign-extended
  fixup_imm16,
  fixup_imm32,
  fixup_imm32s,  ///< sign-extended to 64 bits
  fixup_imm64,
  fixup_moffs64,
  fixup_disp16,
  fixup_disp32,       ///< displacement; sign-extended in 64-bit mode
  fixup_disp32_abs,   ///< i386: displacement without registers, or in an instruction where LLVM does not say GOT32X
  fixup_disp32_gotx,  ///< i386: GOT32X may be used (mov, and what `gotx` rows are)
  fixup_disp32_gotx_base,  ///< the same with a base register
  fixup_rip32,             ///< disp32(%rip)
  fixup_eip32,             ///< disp32(%eip), which wraps (GNU as)
  fixup_rip32_gotx,        ///< the linker may rewrite the instruction
  fixup_rip32_rex_gotx,
  fixup_rip32_lea_rex,  ///< lea: LLVM says REX_GOTPCRELX too
  fixup_rip32_rex2,     ///< behind a REX2 prefix
  fixup_rip32_rex2_gotx,   ///< the same, or another instruction with four bytes before the field
  fixup_rip32_code5_gotx,  ///< with five bytes before the field (GNU as)
  fixup_rip32_evex_gotx,   ///< behind an EVEX prefix of map 4
  fixup_rip32_evex,
  fixup_branch8,
  fixup_branch16,
  fixup_xbegin16,  ///< the same, but that it does not wrap
  fixup_branch32,  ///< jmp, jcc
  fixup_call16,
  fixup_call32,
  fixup_branch32_foreign,  ///< both, in code that is not of the object's class
  fixup_tls_call,          ///< call *sym@TLSCALL(%rax): marks the instruction, has no field
  fixup_end,
};

/// What may stand behind '@' (reloc.cpp).
enum Modifier : u16 {
  mod_none, mod_plt, mod_got, mod_gotoff, mod_gotpcrel, mod_gotpcrel_norelax, mod_gotplt, mod_pltoff, mod_tpoff,
  mod_dtpoff, mod_tlsgd, mod_tlsld, mod_tlsldm, mod_gottpoff, mod_ntpoff, mod_gotntpoff, mod_indntpoff, mod_tlsdesc,
  mod_tlscall, mod_size, mod_abs8, mod_imgrel, mod_secrel32, mod_secidx, mod_count,
};

// coff_reloc.cpp
RelocChoice choose_coff(const RelocQuery& query, unsigned size, bool amd64);
int coff_relocation_number(std::string_view name, bool amd64);
unsigned coff_relocation_size(u32 number, bool amd64);  ///< Target::relocation_size

bool store_row_is_shorter(const Row& row, const Statement& s);  // vector.cpp
bool is_got(const Operand& o);                                  // reloc.cpp
bool is_simd(const Row& row, const Statement& s);               // prefixes.cpp
/// Number + 1 of %cs or %ds, which are hints before conditional jumps: not taken, taken.
inline bool is_branch_hint(u8 segment_prefix) { return segment_prefix == 2 || segment_prefix == 4; }

/// Bytes of an instruction that processors take.
inline constexpr unsigned max_instruction_size = 15;

struct Placement;  // placement.h
struct Sum;        // optimize_flagless.cpp
struct Cpu;        // cpus.h

/// What no-ops to fill with, as X86Target::nop_style() tells and write_nops understands: the length of the longest in
/// the low bits, whether they are made of nopl, and whether the code has 16 or 64 bits. A style is never 0.
enum NopStyle : u16 { nop_max_size = 15, nop_long = 16, nop_mode16 = 32, nop_mode64 = 64 };

struct Spelling;
class IntelReader;       // parse_intel.cpp
struct IntelTerm;        // intel_operand.h
struct IntelExpression;  // intel_operand.h

/// What Intel operands said beyond what the operands hold.
struct IntelFacts {
  bool far = false;          ///< FAR
  bool far_pointer = false;  ///< segment:offset
  const char* distance = nullptr;  ///< where `short`, `near` or `far` stands
  const char* rounding = nullptr;  ///< where rounding control stands behind an operand, without a comma
  bool bare = false;         ///< an operand that is a symbol or number, without brackets, size or segment
  bool sized = false;        ///< PTR told the size of memory
  u8 memory_bytes = 0;       ///< what it told
  bool exchanged = false;    ///< of two registers the second is the base, because it can't be the index
};

struct InsnForm;  // insn.cpp

/// What operands of .insn say of their sizes.
struct InsnSizes {
  u8 immediate[5] = {};    ///< of each operand, in bytes; 0: nothing
  bool is_signed = false;  ///< of an immediate
  u8 unit = 0;             ///< what a displacement of eight bits is counted in; 0: nothing
};

bool names_egprs(const char* p);  // egpr_names.cpp

struct Classes;

/// What of a statement the nearest form keeps.
enum class FormKind : u8 {
  any,            ///< what fits, in its order
  begun,          ///< all its operands, which stand first
  around_memory,  ///< its memory with a vector index, which tells what the other operands are
};

constexpr u16 em_iamcu = 6;  ///< the machine of ELF objects for Intel MCU

class X86Target final : public Target {
 public:
  explicit X86Target(const TargetOptions& options, OptionProblems& problems);

  const TargetInfo& info() const override { return info_; }
  bool instruction(const Name& mnemonic, const char*& p, Emitter& out) override;
  std::string explain_unknown(std::string_view name, NearestName& nearest) const override;
  bool typed_instruction(const TypedInstruction& instruction, Emitter& out) override;
  bool is_context_free() const override { return !x86_options_.any; }
  bool instruction_shape(const LineText& line, InstructionShape& shape) const override;
  bool typed_shape(u32 number, std::span<const xas_arg> args, TypedBytesShape& shape) const override;
  const InstructionFields* instruction_fields() const override { return &fields_; }
  bool directive(Name name, const char*& p, Emitter& out) override;
  int parse_register(const char*& p) override;
  int parse_directive_register(const char*& p) override;
  bool apply_distance(u16 kind, i64 distance, u8* field) const override;
  int dwarf_number(int number) const override {
    const Reg& r = registers.regs[number];
    return options_.bits == 64 ? r.dwarf64 : r.dwarf32;
  }
  bool has_register(int number) const override { return unsigned(number) < registers.count; }
  WinRegister win_register(int number) const override;
  bool dollar_is_here() const override { return intel_; }
  bool named_number(std::string_view name, i64& number) const override;
  u16 modifier(std::string_view name) const override;
  std::string_view modifier_name(u16 modifier) const override;
  u16 modifier_with_zero(u16 modifier) const override;
  EncodedField encoded_field(const FieldFixup& field, const Value& value, const u8* instruction) const override;
  std::string operator_text(u16 modifier, std::string_view symbol) const override;

  unsigned relax_size(u16 form, u8 state) const override;
  RelaxRange relax_range(u16 form, u8 state) const override;
  u8 relax_unresolved_state(u16 form) const override;
  bool relax_pcrel(u16 form) const override;
  FieldFixup relax_write(u16 form, u8 state, u8* out) const override;
  bool relax_write_known(u16 form, u8 state, i32 distance, u8* out) const override;

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
  bool uses_got(u16 modifier) const override;
  u16 got_distance(u16 kind) const override;
  unsigned relocation_size(u32 number) const override;
  bool keeps_absolute(u16 modifier, bool local) const override;
  int relocation_number(std::string_view name, ObjectFormat format) const override;
  std::optional<RelocatedField> relocated_field(std::string_view name, ObjectFormat format) const override;

  PaddingOptions padding() const override;
  u16 nop_style() const override;
  unsigned longest_nop(u16 style) const override;
  void stop_optimizing() override;
  int nop_fill() const override { return options_.gnu ? 0x90 : -1; }
  u16 signed_data_kind() const override { return options_.bits == 64 ? u16(fixup_imm32s) : u16(fixup_data4); }
  std::string property_note() const override;
  void write_nops(u8* out, const NopRequest& request) const override;
  void write_new_gnu_nops(u8* out, const NopRequest& request, u16 style) const;

  int dwarf_register(const char*& p) const override;
  bool stack_map_register(const char*& p, StackMapRegister& r) const override;
  bool pads_shadows_late() const override { return true; }
  void write_reserved_nops(u8* out, const NopRequest& request) const override;
  bool is_call(const u8* code, unsigned size) const override;
  bool is_nop(const u8* code, unsigned size) const override;
  void write_patch_call(const Value& to, int scratch, Emitter& out, const char* where) const override;
  CfiDefaults cfi_defaults() const override;
  const FrameRegisters* frame_registers() const override;

 private:
  class Optimizer;  // optimize.h
  class Explainer;  // explain.h

  // parse_att.cpp
  bool parse_operands(const char*& p, Statement& s, Emitter& out);
  bool parse_operand(const char*& p, Statement& s, Emitter& out);
  bool parse_immediate(const char*& p, Operand& o, Emitter& out);
  bool parse_memory(const char*& p, Statement& s, Operand& o, Emitter& out);
  bool parse_address(const char*& p, Operand& o, Emitter& out);
  bool refuse_in_address(const char* where, Emitter& out) const;
  bool parse_base(const char*& p, Operand& o, Emitter& out);
  bool parse_index(const char*& p, Operand& o, Emitter& out);

  class TypedReader;  // typed_instruction.cpp

  // register_names.h
  const Reg* fast_register(const char*& p) const;
  const Reg* parse_reg(const char*& p);

  // register_names.cpp
  bool has_naked_name(const Reg& r) const;
  const Reg* slow_register(const char*& p) const;
  void check_alias(const Reg& r, const char* where, Emitter& out) const;
  const Reg* aliased_register(const char*& p, Emitter& out) const;
  const Reg* alias_register(const char*& p, Emitter& out) const;
  void set_register(Statement& s, Operand& o, const Reg& r) const;

  // operand_classes.cpp
  void classify_symbolic_immediate(Operand& o) const;
  bool wraps_silently(const Operand& o) const;
  void classify_immediate(Operand& o) const;
  void settle_immediate(Operand& o, Emitter& out) const;
  void set_immediate(Operand& o, const Value& value, Emitter& out) const;
  bool finish_memory(Statement& s, Operand& o, Emitter& out);

  // decorations.cpp
  bool parse_decorations(const char*& p, Statement& s, Operand& o, Emitter& out);
  bool parse_default_flags(const char*& p, Statement& s, Emitter& out);
  bool parse_rounding(const char*& p, Statement& s, Emitter& out);

  // address.h
  bool use_base(const Reg& r, Operand& o) const;
  const char* use_index(const Reg& r, Operand& o) const;


  // directives.cpp
  static std::span<const DirectiveRow<X86Target>> directives();
  void directive_code(const char*& p, unsigned bits, Emitter& out);
  void directive_code16gcc(const char*& p, unsigned, Emitter& out);
  void directive_syntax(const char*& p, unsigned intel, Emitter& out);
  void directive_mnemonic(const char*& p, unsigned intel, Emitter& out);
  void directive_arch(const char*& p, unsigned, Emitter& out);
  void directive_index_registers(const char*& p, unsigned allowed, Emitter& out);
  void directive_sse_check(const char*& p, unsigned, Emitter& out);
  void directive_operand_check(const char*& p, unsigned, Emitter& out);
  void pop_arch(const char* where, Emitter& out);
  void select_check(std::string_view option, const char*& p, Emitter& out);

  // insn.cpp
  void directive_insn(const char*& p, unsigned, Emitter& out);
  bool parse_insn_prefixes(const char*& p, InsnForm& form, Statement& s, Emitter& out);
  bool parse_insn_opcode(const char*& p, InsnForm& form, Emitter& out) const;
  bool parse_insn_condition(const char*& p, InsnForm& form, Statement& s, Emitter& out);
  bool parse_insn_size(const char*& p, InsnSizes& sizes, unsigned operand, Emitter& out) const;
  void encode_insn(const InsnForm& form, const InsnSizes& sizes, Statement& s, Emitter& out);

  // parse_intel.cpp
  friend class IntelReader;
  bool parse_intel_operand(const char*& p, Statement& s, IntelFacts& facts, Emitter& out);
  bool parse_intel_operands(const char*& p, Statement& s, IntelFacts& facts, Emitter& out);

  // intel_operand.cpp
  bool finish_intel_operand(IntelExpression& e, Statement& s, Operand& o, IntelFacts& facts, Emitter& out);
  bool set_intel_registers(IntelTerm& t, Operand& o, IntelFacts& facts, Emitter& out) const;
  bool set_intel_base(const Reg& r, const Reg* index, Operand& o, Emitter& out) const;
  bool set_intel_index(const Reg& r, i64 scale, Operand& o, Emitter& out) const;

  // intel_instruction.cpp
  bool intel_instruction(const Name& mnemonic, const char*& p, Emitter& out);
  bool finish_intel(const Spelling& spelling, Statement& s, const IntelFacts& facts, Emitter& out);
  const Spelling* far_default(const Statement& s, const IntelFacts& facts, const Spelling* spelling) const;
  const Spelling* far_spelling(const Statement& s, const IntelFacts& facts) const;
  const Spelling* arrange_intel(const Spelling* spelling, Statement& s, IntelFacts facts) const;
  const Spelling* with_suffix(const Spelling& spelling, const Statement& s) const;

  // egpr_names.cpp
  bool takes_egprs_as_symbols(const Spelling& spelling, const Statement& s, const IntelFacts& facts);

  // prefixes.cpp
  const Spelling* lookup(u32 number) const;
  void emit_prefix(u8 byte, Statement& s, Emitter& out) const;
  /// `alone`: nothing else is in the statement.
  bool add_prefix(std::string_view name, Statement& s, Emitter& out, bool alone = false);
  bool add_prefixes(u32 how, Statement& s, Emitter& out);
  bool can_have_prefixes(const Row& row, const Statement& s, Emitter& out) const;
  bool add_pseudo_prefix(const char*& p, Statement& s, Emitter& out);
  void branch_hint(const char*& p, Statement& s);
  void emit_prefixes_alone(const Statement& s, Emitter& out);
  const Spelling* slow_spelling(Name name, const char*& p, Statement& s, Emitter& out, bool& done);

  // match.cpp
  const Row* match(const Spelling& spelling, Statement& s, Emitter& out);
  const Row* match_vex_twin(const Spelling& spelling, Statement& s) const;
  const Row* match_shortened(const Spelling& spelling, Statement& s, char only, bool sized, Emitter& out);
  bool hides_size(const Spelling& spelling, const Row& found, const Statement& s) const;
  const Row* match_intel(const Spelling& spelling, Statement& s, bool sized, u8 bytes, Emitter& out);
  bool accepts(const Row& row, const Statement& s) const;
  const Row* longest(const Spelling& spelling, unsigned first, const Statement& s) const;
  bool accepts_all(const Row& row, const Statement& s) const;
  bool has_narrow_rounding() const;
  bool was_said(const Row& row) const;
  bool is_named(const Row& row) const;
  bool accepts_context(const Row& row, const Statement& s) const;
  const Row* resolve_size(const Spelling& spelling, const Row* row, unsigned next, Statement& s, Emitter& out);
  const Row* guess_size(const Spelling& spelling, const Row* row, unsigned next, Statement& s, Emitter& out);
  const Row* resolve_length(const Spelling& spelling, const Row* row, unsigned next, const Statement& s, Emitter& out);

  // explain.cpp
  // nearest_form.cpp

  // vector.cpp
  bool exchange_is_shorter(const Row& row, const Statement& s) const;
  bool check_mask(Statement& s, Emitter& out) const;
  bool check_distinct(const Row& row, const Statement& s, Emitter& out) const;
  bool check_two_registers(const Row& row, const Statement& s, Emitter& out) const;

  // special_rows.cpp
  bool check_implied_address(const Row& row, const Statement& s, Emitter& out) const;
  bool fits_gnu(const Row& row, const Statement& s, Emitter& out) const;
  bool adapt_placement(const Row& row, Statement& s, Placement& f, Emitter& out) const;

  // legacy_prefixes.cpp
  bool fits_prefixes(const Row& row, const Statement& s, Emitter& out) const;
  bool string_segment(const Row& row, const Statement& s, const Operand& implied, u8& segment, Emitter& out) const;
  bool size_address(const Row& row, const Statement& s, const Operand* addressed, Placement& f, bool& address_prefix,
                    Emitter& out) const;
  u8* put_unusual_prefixes(u8* o, const Row& row, const Statement& s, Placement& f, Emitter& out);

  // opcode_prefixes.h
  u8* put_rex(u8* o, const Row& row, const Statement& s, Placement& f, Emitter& out) const;

  // displacement.cpp
  std::string displacement_error(const Row& row, const Operand& m, unsigned bits) const;
  bool shorten_displacement(const Row& row, Statement& s, const Placement& f, Emitter& out) const;
  bool has_displacement(const Statement& s, bool has_16_bits, Emitter& out) const;

  // encode.cpp
  u8* put_modrm(u8* o, const Row& row, Statement& s, Placement& f, Emitter& out) const;
  LabelListing listing(const Statement& s, LabelListing in_att, const char* address = nullptr) const;
  void displacement_fixup(const Row& row, Statement& s, const Placement& f, const u8* immediates, Emitter& out) const;
  u8* put_immediate(u8* o, const Row& row, Statement& s, const Operand& i, unsigned size, u16 kind, Emitter& out) const;
  u8* put_immediates(u8* o, const Row& row, Statement& s, const Operand* imm, Emitter& out) const;
  u8* put_target(u8* o, const Row& row, Statement& s, const Operand& target, Emitter& out) const;
  bool fits_processor(const Statement& s, unsigned size, Emitter& out) const;
  bool extends_immediate(const Row& row, const Statement& s, const Operand& imm, Emitter& out) const;
  bool encode(const Row& row, Statement& s, Emitter& out);

  // reloc.cpp
  bool fits_relocation(u16 kind, const Row& row, Statement& s, const Operand& o, Emitter& out) const;

  // tls_sequences.cpp
  bool fits_tls_sequence(const Row& row, Statement& s, const Operand& o, Emitter& out) const;

  // shapes.cpp
  u8 registers_alike(const Row& row, const Statement& s, unsigned operand) const;
  void note_registers(const Row& row, const Statement& s, unsigned opcode_at, unsigned size);

  // options.cpp
  void update_options();
  bool set_option(std::string_view name, std::string_view value);
  const Row* row_of(std::string_view name, const Statement& s) const;
  const Row* avx_twin(const Row& row, Statement& given) const;
  const Row* avx_twin_of(const Row& row, Statement& s) const;
  const Row* match_avx(const Spelling& spelling, Statement& s) const;
  void record_use(const Row& row, const Statement& s);
  bool counts_vex_wig(const Row& twin, const Statement& s) const;
  bool is_sse(const Row& row, const Statement& s) const;
  bool is_intel64_branch(const Row& row) const;
  void fence_return(const Row& row, const Statement& s, Emitter& out) const;
  void fence_before(const Row& row, const Statement& s, Emitter& out) const;
  void instruction_with_options(const Row& row, Statement& s, Emitter& out);

  // lfi.cpp
  bool replace_fs(const Row& row, Statement& s, Emitter& out) const;
  bool confine(const Row& row, Statement& s, Emitter& out) const;

  // frame_steps.cpp
  void describe_steps(const Row& row, const Statement& s, Emitter& out) const;

  // align_branch.cpp
  bool set_branch_option(std::string_view name, std::string_view value);
  PaddedInstruction classify(const Row& row, const Statement& s) const;
  unsigned prefix_room(const Row& row, const Statement& s, const u8* bytes, unsigned size, bool jump, u8& prefix) const;
  bool padded_instruction(const Row& row, Statement& s, Emitter& out);

  // optimize.cpp

  // optimize_extension.cpp

  // optimize_flagless.cpp


  // relax.cpp
  void branch(const Row& row, Statement& s, Emitter& out);
  bool starts_short(const Row& row, const Statement& s) const;
  void short_immediate(u16 kind, unsigned distance, unsigned start, const Operand& o, Emitter& out) const;

  // features.cpp
  bool set_arch(std::string_view text, std::string& error);
  bool set_cpu(std::string_view name, std::string& error);
  void set_attributes(std::string_view text);
  bool set_tune(std::string_view name);
  bool available(const Row& row) const;
  bool has_mpx() const;
  bool has_386() const;
  /// The processor that -march has named, if any, has 64-bit code.
  bool has_long_mode() const;
  void update_registers();
  bool has_register(const Reg& r) const;
  bool processor_has(const Reg& r) const;

  AbiNote abi_note() const override;
  static std::span<const DirectiveRow<X86Target>> lfi_directives();
  void directive_lfi_rewrite(const char*& p, unsigned on, Emitter& out);
  void finish_instruction(const Row& row, Statement& s, Emitter& out);
  u32 mode_bit() const { return mode_ == 64 ? row_mode64 : mode_ == 32 ? row_mode32 : row_mode16; }
  void set_mode(unsigned bits, bool gcc16 = false);

  TargetOptions options_;
  TargetInfo info_;
  unsigned mode_ = 64;
  u32 row_needs_ = 0;            ///< flags a row must have in this mode, profile and syntax
  bool is_foreign_ = false;      ///< the code is not of the object's class
  AddressRegs native_regs_{};    ///< registers of addresses as wide as the mode
  u8 bad_registers_ = 0;         ///< RegFlag of registers that may not exist here: see has_register
  bool intel_ = false;           ///< operands in Intel syntax
  InstructionFields fields_;     ///< of the last instruction
  bool gcc16_ = false;           ///< .code16gcc: 16-bit code with 32-bit stack operations
  bool naked_registers_ = false;
  bool naked_egprs_ = false;     ///< r16 without % is a register
  X86Options x86_options_;
  UsedNote used_note_;
  IgnoredBits ignored_;
  InsnSizes* insn_sizes_ = nullptr;  ///< while operands of .insn are read
  bool gated_ = false;           ///< only `features_` may be used
  FeatureSet features_{};
  const Cpu* cpu_ = nullptr;     ///< of -march, -mcpu and .arch
  const Cpu* tune_ = nullptr;    ///< of -mtune
  FeatureSet said_{};            ///< named by -march or .arch, to be added
  bool said_vl_ = false;         ///< -march or .arch named avx512vl, or what brings it
  u8 max_nop_size_ = 0;          ///< of -mattr
  struct ArchState {
    FeatureSet features;
    bool gated;
    const Cpu* cpu;
    unsigned mode;
    bool gcc16;
  };
  std::vector<ArchState> arch_stack_;  ///< .arch push
};

}  // namespace xas::x86
