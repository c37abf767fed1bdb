// SPDX-License-Identifier: Apache-2.0
// A target of two instructions, for tests of what surrounds targets: `one`, a single byte, and `jmp label`, two bytes
// that reach 127 bytes or five that reach anything.
#pragma once

#include <string>

#include "asm/read/reader.h"

namespace xas::test {

class FakeTarget final : public Target {
 public:
  enum Kind : u16 { branch8 = first_target_kind, branch32 };

  const TargetInfo& info() const override {
    static const TargetInfo info = [] {
      TargetInfo i{.name = "fake", .address_size = 8};
      i.syntax.comment = "#";
      i.elf.machine = 62;
      return i;
    }();
    return info;
  }
  bool instruction(const Name& mnemonic, const char*& p, Emitter& out) override {
    if (mnemonic.text() == "one") {
      *out.out = 0x90;
      out.advance(1);
      return true;
    }
    if (mnemonic.text() != "jmp") return false;
    const char* where = p;
    Value v;
    if (out.expression(p, v)) out.relaxable(0, v, where);
    return true;
  }
  bool directive(Name, const char*&, Emitter&) override { return false; }
  int parse_register(const char*&) override { return -1; }
  u16 modifier(std::string_view) const override { return 0; }
  std::string_view modifier_name(u16) const override { return {}; }
  EncodedField encoded_field(const FieldFixup&, const Value&, const u8*) const override { return {}; }
  std::string operator_text(u16, std::string_view symbol) const override { return std::string(symbol); }
  unsigned relax_size(u16, u8 state) const override { return state ? 5 : 2; }
  RelaxRange relax_range(u16, u8 state) const override {
    if (state == 0) return {-128 + 2, 127 + 2};
    return {INT64_MIN, INT64_MAX};
  }
  u8 relax_unresolved_state(u16) const override { return 1; }
  bool relax_pcrel(u16) const override { return true; }
  FieldFixup relax_write(u16, u8 state, u8* out) const override {
    out[0] = state ? 0xe9 : 0xeb;
    for (unsigned i = 1; i < relax_size(0, state); ++i) out[i] = 0;
    if (state) return {branch32, 1, -4};
    return {branch8, 1, -1};
  }
  FixupInfo fixup_info(u16 kind) const override { return {u8(kind == branch8 ? 1 : 4), true}; }
  std::string apply(u16 kind, u16, i64 value, u8* field) const override {
    if (kind == branch8 && (value < -128 || value > 127)) return "out of range";
    for (int i = 0; i < fixup_info(kind).size; ++i) field[i] = u8(value >> (8 * i));
    return {};
  }
  RelocChoice relocation(const RelocQuery& q) const override { return {q.pcrel ? 2u : 1u, {}}; }
  bool may_resolve(const RelocQuery&) const override { return true; }
  bool needs_symbol(const RelocQuery&) const override { return false; }
  bool is_tls(u16) const override { return false; }
  bool uses_got(u16) const override { return false; }
  bool keeps_absolute(u16, bool) const override { return false; }
  int relocation_number(std::string_view, ObjectFormat) const override { return 0; }
  void write_nops(u8* out, const NopRequest& request) const override { std::memset(out, 0x90, request.size); }
  int dwarf_register(const char*&) const override { return -1; }
  int dwarf_number(int) const override { return -1; }
  CfiDefaults cfi_defaults() const override { return {1, -8, 16, 7, 8, true, -8}; }
};

/// Text, read and laid out.
struct Assembled {
  Options options;
  FakeTarget target;
  std::unique_ptr<Reader> reader;

  explicit Assembled(const std::string& text, const Profile& profile = gnu_2_40_profile) {
    options.profile = profile;
    reader = std::make_unique<Reader>(options, target);
    std::string error;
    reader->read(*program().sources.add_memory("test", text, error));
  }
  Program& program() { return reader->program(); }
  Section& section(std::string_view name) {
    for (u32 i = 0; i < program().sections.size(); ++i) {
      if (program().sections[i].name == name) return program().sections[i];
    }
    std::abort();
  }
  Subsection& text() { return program().sections.sub(program().text->first); }
  u64 label(std::string_view name) { return program().label_offset(program().symbols[program().symbols.find(name)]); }
  std::string errors() const {
    std::string all;
    for (const Diag& d : reader->program().diags.list()) all += d.message + "\n";
    return all;
  }
};

}  // namespace xas::test
