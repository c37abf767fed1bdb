// SPDX-License-Identifier: Apache-2.0
// Instructions to bytes: xas_encode. A text goes the way of any other, up to the relocations, and no object is made.
// Between two texts the Program is put back to what it was before the first; what a Reader has learnt of instructions
// stays, so that one that has stood before costs a look into the line cache.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asm/diagnostics/render.h"
#include "asm/object/emit.h"
#include "asm/object/fixup.h"
#include "asm/read/reader.h"
#include "asm/typed_args.h"
#include "xas/xas.h"

namespace xas {

class Encoder {
 public:
  explicit Encoder(const Options& options);

  /// Where included files come from: see Sources::set_reader.
  void set_includes(Sources::Reader includes, void* user);

  /// The bytes of `text` at `address`. `report` is about this text; the result is good until the next call.
  xas_status encode(std::string_view text, u64 address, const xas_encode_options& how, xas_encoding& result,
                    Report& report);

  /// The same of an instruction that is said by values, which are numbers.
  xas_status encode(xas_mnemonic mnemonic, u32 how, std::span<const xas_arg> args, u64 address, xas_encoding& result,
                    Report& report);

  /// The address of a label of the last text; false if it has none of that name.
  bool label(std::string_view name, u64& address) const;
  /// Calls `take(name, offset)` for each of them.
  template <class Take>
  void each_label(const Take& take) const {
    const SymbolTable& symbols = reader_->program().symbols;
    for (SymbolId id = symbols_; id < symbols.size(); ++id)
      if (is_label(id) && symbols[id].name_size) take(symbols[id].text(), label_offset(id));
  }
  /// Reports the names of the last text's relocations as unknown.
  void report_unknown(Report& report);

 private:
  /// Where a statement begins: in the text, and among the bytes.
  struct Begin {
    const char* text;
    u64 pos;
    u32 fragment;
  };
  /// What is known of a name that the text does not define.
  struct Outside {
    u64 value = 0;
    bool known = false;
    bool used = false;
    xas_use use = XAS_USE_VALUE;
    u8 stub = 0;            ///< by which all that name it can go there; 0: not all are calls or jumps, or of one kind
    i64 reach = INT64_MAX;  ///< of the one that reaches least
    u64 pos = 0, last = 0;  ///< of the first and last use, among the fixed bytes
  };

  Program& program() { return reader_->program(); }
  bool is_label(SymbolId id) const;
  u64 label_offset(SymbolId id) const;
  void start();
  void rewind();
  const SourceBuffer* begin_text(std::string_view text, u64 address);
  xas_status finish(const xas_encode_options& how, xas_encoding& result, Report& report);
  const char* statement_at(const SourceBuffer& buffer);
  void read(const SourceBuffer& buffer);
  void note_uses();
  void find_outside(const xas_encode_options& how);
  i64 distance_of(u64 address) const;
  bool has_wide_addresses() const;
  bool is_near(i64 distance) const;
  bool is_reached(const Outside& outside) const;
  void call_by_stub(SymbolId id, const Outside& outside);
  void place_number_targets();
  void settle(const xas_encode_options& how);
  void collect_bytes(xas_encoding& result);
  void collect_relocations(xas_encoding& result);

  Options options_;
  Sources::Reader includes_ = nullptr;
  void* includes_user_ = nullptr;
  std::unique_ptr<Target> target_;
  std::optional<Reader> reader_;
  std::optional<Fixups> fixups_;
  bool used_up_ = true;  ///< what the last text has left can't be taken back
  // What was there before the first text
  u32 symbols_ = 0, sections_ = 0, subsections_ = 0;
  SymbolId zero_ = no_symbol;  ///< the label at address 0
  bool has_numeric_labels_ = false;

  u64 address_ = 0;
  std::vector<Begin> begins_;
  std::vector<Outside> outside_;  ///< by symbol, from symbols_ on
  BigVector<obj::Reloc> relocs_;
  ObjectStorage storage_;
  std::vector<u8> bytes_;
  std::vector<xas_statement> statements_;
  std::vector<xas_relocation> relocations_;
  std::vector<char> names_;
  std::string name_;
  std::string texts_;  ///< of operands
  std::vector<TypedOperand> operands_;
};

}  // namespace xas
