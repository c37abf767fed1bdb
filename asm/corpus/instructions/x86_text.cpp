// SPDX-License-Identifier: Apache-2.0
// How x86 operands and forms are written.

#include "asm/corpus/instructions/x86_operands.h"

namespace xas::corpus::x86forms {

namespace {

void put_number(std::string& text, i64 value) {
  const fmt::format_int digits(value);
  text.append(digits.data(), digits.size());
}

/// What stands before PTR.
std::string_view size_words(const Row& row, unsigned i, const Operand& o) {
  constexpr std::string_view elements[] = {"byte ptr ", "word ptr ", "dword ptr ", "qword ptr "};
  static constexpr std::pair<u64, std::string_view> words[] = {
      {class_bit("m8"), "byte ptr "},      {class_bit("m16"), "word ptr "},    {class_bit("m32"), "dword ptr "},
      {class_bit("m64"), "qword ptr "},    {class_bit("m80"), "tbyte ptr "},   {class_bit("m128"), "xmmword ptr "},
      {class_bit("m256"), "ymmword ptr "}, {class_bit("m512"), "zmmword ptr "}};
  if (o.broadcast) return elements[row.broadcast_shift & 3];
  const u64 other = kind_of(row, i)[space_other];
  if (other & (class_bit("vmx") | class_bit("vmy") | class_bit("vmz"))) return row.w ? "qword ptr " : "dword ptr ";
  for (auto [bit, word] : words)
    if (other & bit) return word;
  return "";
}

void put_broadcast(std::string& text, const Operand& o) {
  if (!o.broadcast) return;
  text += "{1to";
  put_number(text, o.broadcast);
  text += '}';
}

}  // namespace

void write_att(std::string& text, const Operand& o) {
  if (o.indirect) text += '*';
  switch (o.kind) {
    case Operand::reg:
      text += '%';
      text += o.name;
      return;
    case Operand::imm:
      text += '$';
      if (o.symbolic)
        text += "symbol";
      else
        put_number(text, o.value);
      return;
    case Operand::target:
      if (o.symbolic) return void(text += "symbol");
      text += '.';
      if (o.value > 0) text += '+';
      if (o.value) put_number(text, o.value);
      return;
    case Operand::mem: break;
  }
  if (!o.segment.empty()) ((text += '%') += o.segment) += ':';
  if (o.symbolic)
    text += "symbol";
  else if (o.has_disp || (o.base.empty() && o.index.empty()))
    put_number(text, o.value);
  if (!o.base.empty() || !o.index.empty()) {
    text += '(';
    if (!o.base.empty()) (text += '%') += o.base;
    if (!o.index.empty()) {
      (text += ",%") += o.index;
      if (o.base.size() != 2 || o.base[0] != 'b') text += ',', text += char('0' + o.scale);
    }
    text += ')';
  }
  put_broadcast(text, o);
}

void write_intel(std::string& text, const Row& row, unsigned i, const Operand& o) {
  switch (o.kind) {
    case Operand::reg: text += o.name; return;
    case Operand::imm:
      if (o.symbolic)
        text += "offset symbol";
      else
        put_number(text, o.value);
      return;
    case Operand::target:
      if (o.symbolic) return void(text += "symbol");
      text += '$';
      if (o.value > 0) text += '+';
      if (o.value) put_number(text, o.value);
      return;
    case Operand::mem: break;
  }
  text += size_words(row, i, o);
  if (!o.segment.empty()) (text += o.segment) += ':';
  text += '[';
  bool first = true;
  auto join = [&] {
    if (!first) text += '+';
    first = false;
  };
  if (!o.base.empty()) join(), text += o.base;
  if (!o.index.empty()) {
    join(), text += o.index;
    if (o.base.size() != 2 || o.base[0] != 'b') text += '*', text += char('0' + o.scale);
  }
  if (o.symbolic) join(), text += "symbol";
  if (o.has_disp || first) {
    if (o.value >= 0) join();
    put_number(text, o.value);
  }
  text += ']';
  put_broadcast(text, o);
}

namespace {

void describe_operand(std::string& text, const Row& row, unsigned i) {
  const u64* kind = kind_of(row, i);
  std::size_t start = text.size();
  for (const ClassName& c : class_names) {
    const u64 bit = class_bit(c.name);
    if (!(kind[c.space] & bit)) continue;
    // The upper halves of register files go without saying.
    if (c.space == space_register && c.name.size() > 3 && c.name.back() == 'h') continue;
    if (text.size() > start) text += '|';
    if (c.name.starts_with("bc")) {
      append(text, "m{}{{1to{}}}", 8u << row.broadcast_shift, c.name.substr(2));
    } else {
      text += c.name;
    }
  }
  if (i) return;
  if (row.deco & (deco_mask | deco_mask_required)) text += row.deco & deco_zero ? "{k}{z}" : "{k}";
}

void describe_encoding(std::string& text, const Row& row) {
  constexpr std::string_view prefixes[] = {"", "66.", "F3.", "F2."};
  constexpr std::string_view maps[] = {"",      "0F.",   "0F38.", "0F3A.", "MAP4.", "MAP5.", "MAP6.", "",
                                       "XOP8.", "XOP9.", "XOPA.", "",      "",      "",      "",      ""};
  constexpr std::string_view kinds[] = {"", "VEX.", "XOP.", "EVEX."};
  constexpr std::string_view sizes[] = {"", "o16 ", "o32 ", "o64 "}, addresses[] = {"", "a16 ", "a32 ", "a64 "};
  text += sizes[row.operand_size];
  text += addresses[row.address_size];
  text += kinds[row.encoding];
  if (row.encoding != encoding_legacy) {
    if (row.length_ignored)
      text += "LIG.";
    else
      append(text, "{}.", 128u << row.length);
  }
  text += prefixes[row.pp];
  text += maps[row.map];
  if (row.encoding != encoding_legacy) text += row.w_ignored ? "WIG " : row.w ? "W1 " : "W0 ";
  append(text, "{:02X}", row.opcode);
  if (row.modrm_form == modrm_fixed || row.modrm_form == modrm_fixed_r)
    append(text, " {:02X}", row.modrm);
  else if (row.modrm_form == modrm_operands)
    append(text, " /{}", (row.roles & 15) == no_operand ? char('0' + (row.modrm >> 3 & 7)) : 'r');
  if (row.flags & row_trailer) append(text, " {:02X}", row.trailer);
}

}  // namespace

Form describe(std::string_view name, const Row& row, const Request& request) {
  Form form;
  form.mnemonic = name;
  form.text = name;
  for (unsigned i = 0; i < row.count; ++i) {
    form.text += i ? ", " : " ";
    describe_operand(form.text, row, i);
  }
  if (row.deco & deco_er)
    form.text += ", {er}";
  else if (row.deco & deco_sae)
    form.text += ", {sae}";
  form.text += " = ";
  describe_encoding(form.text, row);
  const FeatureSet& set = x86_feature_sets[row.features];
  for (unsigned f = 0; f < std::size(x86_feature_names); ++f)
    if (set.word[f / 64] >> (f % 64) & 1) form.features.push_back(x86_feature_names[f]);
  form.hash = hash_text(form.text, u64(request.machine) * 2 + u64(request.syntax == Syntax::intel));
  return form;
}

}  // namespace xas::corpus::x86forms
