// SPDX-License-Identifier: Apache-2.0
// Why an instruction is none of its mnemonic's rows: each candidate fails for one reason; the reason that comes latest
// in this list is the closest to success, and is told.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

#include "targets/nearest_name.h"
#include "targets/operand_text.h"
#include "targets/text.h"
#include "targets/x86/explain.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

/// Classes of registers, memory and so on that a place takes.
struct Classes {
  u64 in[2] = {0, 0};
  void add(u8 kind) {
    in[space_register] |= x86_kinds[kind][space_register];
    in[space_other] |= x86_kinds[kind][space_other];
  }
};

namespace {

/// Registers and parts of an operand that are listed at most.
constexpr std::size_t max_shown = 6;

constexpr u64 sized_memory = class_bit("m8") | class_bit("m16") | class_bit("m32") | class_bit("m64") |
                             class_bit("m80") | class_bit("m128") | class_bit("m256") | class_bit("m512");

/// A class that is no register, with the size of memory: "memory of 8 bits".
std::string describe_class(const ClassName& c) {
  if (!(class_bit(c.name) & sized_memory)) return std::string(c.description);
  return fmt::format("memory of {} bits", c.name.substr(1));
}

/// What a place takes, in words. Registers that are named are left out beside all of their size, and a constant or an
/// address beside what covers it. `sizes`: those of memory are told.
std::string describe(Classes classes, bool intel, bool sizes = false) {
  u64& registers = classes.in[space_register];
  u64& others = classes.in[space_other];
  constexpr u64 sized = class_bit("r8") | class_bit("r16") | class_bit("r32") | class_bit("r64");
  if (registers & sized) {
    for (const ClassName& c : class_names)
      if (c.space == space_register && c.description.starts_with('%')) registers &= ~class_bit(c.name);
  }
  if (registers & (class_bit("r32") | class_bit("r64")))
    registers &= ~(class_bit("creg") | class_bit("dreg") | class_bit("treg"));
  if (registers & class_bit("xmm")) registers &= ~class_bit("xmm0");
  if (registers & class_bit("st")) registers &= ~class_bit("st0");
  constexpr u64 memory = class_bit("m8") | class_bit("m16") | class_bit("m32") | class_bit("m64") | class_bit("m");
  if (others & memory) others &= ~(class_bit("moffs") | class_bit("moffs64"));
  constexpr u64 wide = class_bit("i16") | class_bit("i32") | class_bit("i32s") | class_bit("imm");
  if (others & wide) others &= ~(class_bit("i8") | class_bit("s8_16") | class_bit("s8_32") | class_bit("s8_64"));
  if (others & class_bit("i32s")) others &= ~class_bit("i16");
  if (others & (class_bit("i32") | class_bit("imm"))) others &= ~(class_bit("i16") | class_bit("i32s"));
  if (others & (wide | class_bit("i8"))) others &= ~(class_bit("one") | class_bit("three"));
  std::vector<std::string> parts;
  constexpr u64 general = class_bit("r16") | class_bit("r32") | class_bit("r64");
  if ((registers & general) == general) {
    parts.push_back(registers & class_bit("r8") ? "a general register" : "a general register of 16, 32 or 64 bits");
    registers &= ~sized;
  }
  unsigned next[2] = {0, 0};
  for (const ClassName& c : class_names) {
    const u64 bit = u64(1) << next[c.space]++;
    if (!(classes.in[c.space] & bit) || c.name.ends_with('h') || c.name.starts_with("sym") || c.name.starts_with("bc"))
      continue;
    std::string text = sizes && c.space == space_other ? describe_class(c) : std::string(c.description);
    if (intel) std::erase_if(text, [](char each) { return each == '%' || each == '$'; });
    if (std::ranges::find(parts, text) == parts.end()) parts.push_back(std::move(text));
  }
  return parts.empty() ? "a symbolic immediate" : alternatives(parts, max_shown);
}

/// The register of the same number that the place takes: %ebx for %rbx; empty if there is none.
std::string same_number(const Reg& reg, const Classes& classes, bool intel) {
  constexpr u64 alike[] = {class_bit("r32"), class_bit("r64"), class_bit("r16"), class_bit("r8"),
                           class_bit("xmm"), class_bit("ymm"), class_bit("zmm")};
  const auto is_vector = [](const Reg& r) {
    return r.cls == RegClass::xmm || r.cls == RegClass::ymm || r.cls == RegClass::zmm;
  };
  const bool is_known = std::ranges::any_of(alike, [&](u64 bit) { return (reg.classes & bit) != 0; });
  for (const u64 bit : alike) {
    if (!is_known || !(bit & classes.in[space_register])) continue;
    for (const Reg& r : registers.regs)
      if (r.number == reg.number && is_vector(reg) == is_vector(r) && (r.classes & bit))
        return fmt::format("; for instance {}{}", intel ? "" : "%", register_name(r));
  }
  return {};
}

/// Memory whose size is written.
bool has_size(const Operand& o) {
  return o.is_memory && o.space == space_other && std::popcount(o.classes & sized_memory) == 1;
}

std::string describe_operand(const Operand& o, bool intel) {
  if (o.space == space_register) {
    static constexpr std::string_view names[] = {"an 8-bit register",
                                                 "a 16-bit register",
                                                 "a 32-bit register",
                                                 "a 64-bit register",
                                                 "a segment register",
                                                 "a control register",
                                                 "a debug register",
                                                 "a test register",
                                                 "an x87 register",
                                                 "an MMX register",
                                                 "an XMM register",
                                                 "a YMM register",
                                                 "a ZMM register",
                                                 "a mask register",
                                                 "a tile register",
                                                 "a bounds register",
                                                 "the instruction pointer",
                                                 "the instruction pointer",
                                                 "no register",
                                                 "no register",
                                                 "a register that only CFI knows"};
    return fmt::format("{}{}, {}", intel ? "" : "%", register_name(*o.reg), names[unsigned(o.reg->cls)]);
  }
  if (o.is_immediate) return o.symbolic ? "a symbolic immediate" : fmt::format("the immediate {}", o.value.constant);
  if (o.broadcast) return fmt::format("a {{1to{}}} broadcast", o.broadcast);
  if (o.vector_index) return "memory with a vector index";
  for (const ClassName& c : class_names)
    if (has_size(o) && c.space == space_other && (class_bit(c.name) & o.classes)) return describe_class(c);
  return "memory";
}

/// The candidates that come closest, by how much of them fits.
struct Closest {
  const Row* row = nullptr;
  unsigned score = 0;
  int operand = -1;   ///< that does not fit, the destination before others
  bool alike = true;  ///< all that are as close fail at the same operand
  Classes wanted;     ///< that they take there
};

constexpr unsigned right_count = 10, right_operands = 20;  ///< scores from which on these fit

Closest closest_rows(const Spelling& spelling, const Statement& s, u32 mode_bit, u32 profile_bit, bool of_mode) {
  Closest best;
  for (unsigned i = 0; i < spelling.count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling.first + i]];
    if ((row.flags & row_alt) || !(row.flags & profile_bit) || (of_mode && !(row.flags & mode_bit))) continue;
    unsigned score = 1;
    int failing = -1;
    if (row.count == s.count) {
      unsigned fits = 0;
      for (unsigned k = row.count; k-- > 0;) {  // the destination's failure tells most
        if (operand_fits(row, s, k))
          ++fits;
        else if (failing < 0)
          failing = int(k);
      }
      score = right_count + fits;
      if (failing < 0) score = right_operands + !!(row.flags & mode_bit) + !(s.star && !(row.flags & row_indirect));
    }
    if (score > best.score) best = {&row, score, failing, true, {}};
    if (score != best.score || failing < 0) continue;
    best.alike &= failing == best.operand;
    if (failing == best.operand) best.wanted.add(row.kind[failing]);
  }
  return best;
}

/// The numbers of operands that the mnemonic can have: "1, 2 or 3 operands".
std::string describe_counts(const Spelling& spelling) {
  std::vector<unsigned> seen;
  for (unsigned i = 0; i < spelling.count; ++i) {
    const unsigned n = x86_rows[x86_lists[spelling.first + i]].count;
    if (std::ranges::find(seen, n) == seen.end()) seen.push_back(n);
  }
  std::ranges::sort(seen);
  std::string text;
  for (std::size_t i = 0; i < seen.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == seen.size() ? " or " : ", ", seen[i]);
  return text + (seen.size() == 1 && seen[0] == 1 ? " operand" : " operands");
}

/// Why the operands' decorations are refused; null if they are not the reason.
const char* decoration_mistake(const Row& row, const Statement& s) {
  const unsigned excess = s.deco & ~row.deco;
  if ((row.deco & deco_mask_required) && !(s.deco & deco_mask)) return "`{}` needs a write mask, as in {{%k1}}";
  if (excess & (deco_er | deco_sae)) return "`{}` with these operands takes no rounding control";
  if (excess & deco_mask) return "`{}` with these operands takes no write mask";
  if (excess & deco_zero) return "`{}` with these operands takes no {{z}}";
  if (s.deco & (deco_er | deco_sae)) return "rounding control needs register operands in `{}`";
  return nullptr;
}

/// The word at p.
std::string_view word_at(const char* p) {
  const char* q = p;
  while (text::is_name_char(*q)) ++q;
  return {p, std::size_t(q - p)};
}

bool is_size_word(std::string_view word) {
  constexpr std::string_view words[] = {"byte",  "word",    "dword",   "fword",   "qword", "tbyte",
                                        "oword", "xmmword", "ymmword", "zmmword", "ptr",   "offset"};
  return std::ranges::find(words, text::lower(word)) != std::end(words);
}

bool ends(const char* p) { return *p == '\n' || *p == '\0' || *p == ';' || *p == '#' || *p == '\r'; }

/// What stands where the operands or the statement should end.
std::string unexpected_at(const char* p) {
  const bool prefixed = *p == '%' || *p == '$' || *p == '(' || *p == '[' || *p == '@';
  std::string_view word = word_at(p + prefixed);
  word = {p, std::max<std::size_t>(1, word.size() + prefixed)};
  if (*p == '@') return fmt::format("unexpected '{}'; a symbol has one relocation modifier", word);
  return fmt::format("expected ',' or the end of the statement, found '{}'{}", word,
                     prefixed || word_at(p).size() ? "; is a comma missing before it?" : "");
}

constexpr std::string_view selects_intel = "'.intel_syntax noprefix' selects Intel syntax";

}  // namespace

/// What Intel syntax read as AT&T looks like: a register without %, a size in front of an address. False: it is not
/// that.
bool X86Target::Explainer::explain_syntax(const Statement& s, Emitter& out) {
  if (x_.intel_) return false;
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (!o.is_memory || !o.where) continue;
    const std::string_view word = word_at(o.where);
    if (word.empty()) continue;
    if (is_size_word(word) && text::is_letter(*text::skip_blanks(o.where + word.size()))) {
      out.error(o.where, fmt::format("'{}' is Intel syntax; {}", word, selects_intel));
      return true;
    }
    const std::string prefixed = fmt::format("%{}\n", word);
    const char* p = prefixed.c_str();
    if (!x_.slow_register(p) || *p != '\n') continue;
    out.error(o.where, fmt::format("'{0}' is a symbol here, the register is '%{0}'; {1}", word, selects_intel));
    return true;
  }
  return false;
}

/// What is wrong with st(9), which stands at p; empty if it is something else.
std::string X86Target::Explainer::explain_stack_register(const char* p) const {
  const bool marked = *p == '%';
  const std::string_view word = word_at(p + marked);
  const char* const open = text::skip_blanks(p + marked + word.size());
  if (text::lower(word) != "st" || *open != '(' || !(marked || x_.naked_registers_)) return {};
  const char* close = open;
  while (*close != ')' && !ends(close)) ++close;
  constexpr std::ptrdiff_t longest = 20;
  const std::string_view name(p, std::size_t(std::min(close + (*close == ')') - p, longest)));
  return fmt::format("'{}' is no register: {}({}) to {}({}) are", name, name.substr(0, word.size() + marked), 0,
                     name.substr(0, word.size() + marked), 7);
}

std::string X86Target::Explainer::explain_in_address(std::string_view name) const {
  const std::string lower = text::lower(name.substr(name.starts_with('%')));
  const int known = lower.empty() || lower.size() > 8 ? -1 : find_register(name_word(lower.data(), lower.size()));
  const std::string text = fmt::format("'{}' cannot be used in an address", name);
  if (known < 0 || !x_.has_register(registers.regs[known])) return text + nearest_register(name);
  const bool takes_64 = x_.mode_ == 64;
  Classes wanted;
  wanted.in[space_register] = takes_64 ? class_bit("r64") : x_.mode_ == 32 ? class_bit("r32") : class_bit("r16");
  return fmt::format(
      "{}; it takes registers of {} bits{}", text,
      takes_64      ? "64 or 32"
      : x_.mode_ == 32 ? "32 or 16"
                    : "16 or 32",
      registers.regs[known].flags & reg_no_rex ? "" : same_number(registers.regs[known], wanted, x_.intel_));
}

std::string X86Target::Explainer::explain_index(const char* problem, const Reg& index, AddressRegs base) const {
  Classes wanted;
  if (base == AddressRegs::r64) wanted.in[space_register] = class_bit("r64");
  if (base == AddressRegs::r32) wanted.in[space_register] = class_bit("r32");
  const bool is_stack_pointer = index.number == 4;
  return problem + (is_stack_pointer ? "; it can be the base" : same_number(index, wanted, x_.intel_));
}

namespace {

/// The index of a register by its name in small letters, without %; -1 if there is none.
int register_at(std::string_view name) {
  return name.empty() || name.size() > 8 ? -1 : find_register(name_word(name.data(), name.size()));
}

bool is_only64(std::string_view name) {
  const int known = register_at(text::lower(name));
  return known >= 0 && (registers.regs[known].flags & reg_only64);
}

std::string explain_only64_register(std::string_view name) {
  return fmt::format("'{}' exists in 64-bit mode only; --64 or .code64 selects it", name);
}

}  // namespace

std::string X86Target::Explainer::explain_missing(char found, const Statement& s) const {
  std::string text = fmt::format("expected an operand, found {}", found == ',' ? "','" : "the end of the line");
  if (found == ',') return text + (s.count ? "; between two operands there is one comma" : "");
  const std::string lower = text::lower(s.mnemonic);
  const u64 hash = hash_name(lower);
  const Spelling* const spelling = x_.intel_ ? find_intel_spelling(lower, hash) : find_spelling(lower, hash);
  if (!spelling) return text;
  Statement in_order = s;
  if (x_.intel_) std::reverse(in_order.ops, in_order.ops + s.count);
  return text + nearest_form(*spelling, in_order, FormKind::begun);
}

/// `name` stands in a statement.
std::string X86Target::Explainer::explain_register(std::string_view name) const {
  if (std::string text = explain_stack_register(name.data()); !text.empty()) return text;
  const std::string lower = text::lower(name.substr(1));
  const int known = register_at(lower);
  if (x_.mode_ != 64 && is_only64(lower)) return explain_only64_register(name);
  if (known >= 0 && !(registers.regs[known].flags & x_.bad_registers_ & u8(~reg_gated)) &&
      !x_.has_register(registers.regs[known]))
    return fmt::format("'{}' is no register of the processor that .arch or -march selects", name);
  if (*text::skip_blanks(name.data() + name.size()) == ':')
    return fmt::format("'{}' is no segment register; %cs, %ds, %es, %fs, %gs and %ss are", name);
  if (lower == "ip" || lower == "pc" || lower == "eip" || lower == "rip")
    return fmt::format(
        "'{}' is no operand: the instruction pointer stands in addresses alone, as in 'lea 0(%rip), "
        "%rax'",
        name);
  return fmt::format("unknown register '{}'{}{}", name, x_.mode_ != 64 ? " in this mode" : "", nearest_register(name));
}

std::string X86Target::Explainer::nearest_register(std::string_view name) const {
  std::vector<std::string> names;
  for (const Reg& r : registers.regs)
    if (r.name && x_.has_register(r)) names.push_back("%" + register_name(r));
  NearestName nearest(name);
  for (const std::string& each : names) nearest.offer(each);
  return nearest.question();
}

/// A number or a name in AT&T syntax where only an immediate fits: `int 3`.
static bool is_bare_immediate(const Operand& o, const Classes& wanted, bool intel) {
  constexpr u64 immediates =
      class_bit("i8") | class_bit("i16") | class_bit("i32") | class_bit("i32s") | class_bit("imm") | class_bit("u4");
  return !intel && o.is_memory && !o.has_base && !o.has_index && text::is_name_char(*o.where) &&
         (wanted.in[space_other] & immediates);
}

/// A register in a place of memory: its address.
std::string X86Target::Explainer::pointed_to(const Reg& reg, const Classes& wanted) const {
  constexpr u64 memory = class_bit("m8") | class_bit("m16") | class_bit("m32") | class_bit("m64") | class_bit("m");
  const RegClass address = x_.mode_ == 64 ? RegClass::r64 : RegClass::r32;
  if (!(wanted.in[space_other] & memory) || (reg.cls != RegClass::r64 && reg.cls != RegClass::r32)) return {};
  for (const Reg& r : registers.regs)
    if (r.cls == address && r.number == reg.number)
      return fmt::format(fmt::runtime(x_.intel_ ? "; for instance [{}]" : "; for instance (%{})"), register_name(r));
  return {};
}

/// A mnemonic takes memory with a vector index alone, and the statement's memory has none, or one that asks for other
/// operands. False: it is something else.
bool X86Target::Explainer::explain_vector_index(const Spelling& spelling, const Statement& s, Emitter& out) const {
  constexpr u64 indexed[] = {class_bit("vmx") | class_bit("vmxh"), class_bit("vmy") | class_bit("vmyh"),
                             class_bit("vmz")};
  constexpr std::string_view names[] = {"an XMM", "a YMM", "a ZMM"};
  bool wanted[std::size(indexed)] = {};
  for (unsigned i = 0; i < spelling.count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling.first + i]];
    bool any = false;
    for (unsigned k = 0; k < row.count; ++k)
      for (std::size_t n = 0; n < std::size(indexed); ++n)
        if (x86_kinds[row.kind[k]][space_other] & indexed[n]) any = wanted[n] = true;
    if (!any) return false;
  }
  for (unsigned k = 0; k < s.count; ++k) {
    const Operand& o = s.ops[k];
    if (!o.is_memory || o.space != space_other) continue;
    const int number = x_.intel_ ? int(s.count - k) : int(k) + 1;
    if (!o.vector_index) {
      std::vector<std::string> registers_taken;
      for (std::size_t n = 0; n < std::size(indexed); ++n)
        if (wanted[n]) registers_taken.emplace_back(names[n]);
      out.error(o.where,
                fmt::format("operand {} is memory without a vector index, but the index of `{}` is {} register", number,
                            s.mnemonic, alternatives(registers_taken, max_shown)));
      return true;
    }
    const std::string form = nearest_form(spelling, s, FormKind::around_memory);
    if (form.empty()) return false;
    out.error(o.where, fmt::format("`{}` takes other operands beside memory with {} index{}", s.mnemonic,
                                   names[o.vector_index - 1], form));
    return true;
  }
  return false;
}

/// A register of 64-bit mode alone, which Intel syntax reads as a symbol elsewhere.
bool X86Target::Explainer::explain_only64(const Statement& s, Emitter& out) const {
  if (!x_.intel_ || x_.mode_ == 64) return false;
  const char* first = nullptr;
  for (const Operand& o : std::span(s.ops, s.count))
    if (o.is_memory && is_only64(word_at(o.where)) && (!first || o.where < first)) first = o.where;
  if (!first) return false;
  out.error(first, explain_only64_register(word_at(first)));
  return true;
}

/// An operand that is none of those that rows take there.
void X86Target::Explainer::explain_operand(const Spelling& spelling, const Statement& s, int at, const Classes& wanted,
                                           bool alike, Emitter& out) const {
  if (explain_only64(s, out)) return;
  const Operand& o = s.ops[at];
  const unsigned memories = unsigned(std::count_if(s.ops, s.ops + s.count, [](const Operand& each) {
    return each.is_memory && each.space == space_other && !each.is_immediate;
  }));
  constexpr u64 branch = class_bit("rel");
  if (memories > 1 && s.count == 2 && !(wanted.in[space_other] & branch))
    return out.error(o.where,
                     fmt::format("both operands of `{}` are in memory; it takes {} here, so move one of them to a "
                                 "register first",
                                 s.mnemonic, describe(wanted, x_.intel_)));
  const int number = x_.intel_ ? int(s.count) - at : at + 1;
  const std::string turned = s.end ? turned_round(spelling, s) : std::string();
  std::string text = fmt::format("operand {} is {}, but `{}` takes {}{}{}", number, describe_operand(o, x_.intel_),
                                 s.mnemonic, describe(wanted, x_.intel_, has_size(o)), alike ? "" : " there",
                                 o.space != space_register || !turned.empty() ? ""
                                 : wanted.in[space_register]                  ? same_number(*o.reg, wanted, x_.intel_)
                                                                              : pointed_to(*o.reg, wanted));
  if (!turned.empty())
    text += fmt::format("; the destination stands {} here: `{}`", x_.intel_ ? "first" : "last", turned);
  else if (is_bare_immediate(o, wanted, x_.intel_))
    text += fmt::format("; an immediate is written '${}'", word_at(o.where));
  if (wanted.in[space_other] == branch && o.space == space_register && s.count == 1)
    text += "; only `jmp` and `call` go to what a register holds";
  out.error(o.where, std::move(text));
}

/// A form that other modes have: what this mode takes in its place.
void X86Target::Explainer::explain_mode(const Spelling& spelling, const Statement& s, Emitter& out) const {
  Classes here[Statement::max_operands];  // by the operand that is the only one that a form of this mode refuses
  bool any = false;
  for (unsigned i = 0; i < spelling.count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling.first + i]];
    if (row.count != s.count || (row.flags & x_.row_needs_) != x_.row_needs_ || (row.flags & row_alt)) continue;
    any = true;
    unsigned failing = 0, at = 0;
    for (unsigned k = 0; k < s.count; ++k)
      if (!operand_fits(row, s, k)) ++failing, at = k;
    if (failing == 1) here[at].add(row.kind[at]);
  }
  if (!any) {
    u32 modes = 0;
    for (unsigned i = 0; i < spelling.count; ++i) modes |= x86_rows[x86_lists[spelling.first + i]].flags;
    const unsigned other = modes & row_mode32 && x_.mode_ != 32 ? 32 : modes & row_mode64 ? 64 : 16;
    return out.error(
        s.where, fmt::format("`{0}` does not exist in {1}-bit mode; --{2} or .code{2} selects {2}-bit code", s.mnemonic,
                             x_.mode_, other));
  }
  std::string instead;
  for (unsigned k = s.count; k-- > 0 && !s.star;) {
    const Operand& o = s.ops[k];
    if (!(here[k].in[0] | here[k].in[1])) continue;
    const std::string register_instead = o.space == space_register ? same_number(*o.reg, here[k], x_.intel_) : "";
    if (instead.empty() || !register_instead.empty())
      instead = fmt::format("; there it takes {}{}", describe(here[k], x_.intel_), register_instead);
    if (!register_instead.empty()) break;
  }
  out.error(s.where,
            fmt::format("`{}` with these operands does not exist in {}-bit mode{}", s.mnemonic, x_.mode_, instead));
}

/// A register behind a blank that was read as the right side of '%': `mov $5 %eax`. False: there is none.
bool X86Target::Explainer::explain_comma(const Statement& s, Emitter& out) {
  if (x_.intel_) return false;
  for (unsigned i = 0; i < s.count; ++i) {
    const char* p = s.ops[i].where;
    if (s.ops[i].space == space_register || !p) continue;
    for (unsigned depth = 0; !ends(p) && (*p != ',' || depth); ++p) {
      depth += unsigned(*p == '(') - unsigned(*p == ')' && depth);
      if (depth || *p != '%' || p == s.ops[i].where || (p[-1] != ' ' && p[-1] != '\t')) continue;
      const char* q = p;
      if (!x_.slow_register(q)) continue;
      out.error(p,
                fmt::format("unexpected '{}'; is a comma missing before it?", std::string_view(p, std::size_t(q - p))));
      return true;
    }
  }
  return false;
}

void X86Target::Explainer::explain(const Spelling& spelling, const Statement& s, Emitter& out) {
  if (explain_syntax(s, out)) return;
  if (s.end && !ends(s.end)) return out.error(s.end, unexpected_at(s.end));
  if (s.end && explain_comma(s, out)) return;
  const u32 profile_bit = x_.options_.gnu ? row_gnu : row_llvm;
  Closest closest = closest_rows(spelling, s, x_.mode_bit(), profile_bit, false);
  if (closest.operand >= 0) {
    const Closest here = closest_rows(spelling, s, x_.mode_bit(), profile_bit, true);
    if (here.score == closest.score) closest = here;
  }
  if (!closest.row) return out.error(s.where, fmt::format("`{}` cannot be used here", s.mnemonic));
  const Row& row = *closest.row;
  if (closest.score < right_count) {
    const char* const rest = text::skip_blanks(s.where + s.mnemonic.size());
    return out.error(s.where, fmt::format("`{}` takes {}, not {}{}", s.mnemonic, describe_counts(spelling), s.count,
                                          s.count == 0 && *rest == '#' ? "; '#' begins a comment here, and an "
                                                                         "immediate is written '$1'"
                                          : s.end || s.count == 0      ? nearest_form(spelling, s)
                                                                       : ""));
  }
  if (closest.operand >= 0 && explain_vector_index(spelling, s, out)) return;
  if (closest.operand >= 0) return explain_operand(spelling, s, closest.operand, closest.wanted, closest.alike, out);
  if (s.star && !(row.flags & row_indirect))
    return out.error(s.where, fmt::format("`{}` takes no '*': it is no indirect jump or call", s.mnemonic));
  if ((row.flags & row_indirect) && !s.star)
    return out.error(s.where, fmt::format("an indirect target of `{}` is written with '*'", s.mnemonic));
  if (const char* mistake = decoration_mistake(row, s)) {
    const bool lacks_mask = (row.deco & deco_mask_required) && !(s.deco & deco_mask);
    const char* const at = s.deco_where && !lacks_mask ? s.deco_where : s.where;
    return out.error(at, fmt::format(fmt::runtime(mistake), s.mnemonic));
  }
  if (!(row.flags & x_.mode_bit())) return explain_mode(spelling, s, out);
  if (x_.gated_ && !x_.available(row)) {
    std::string missing;
    const FeatureSet& need = x86_feature_sets[row.features];
    for (unsigned i = 0; i < std::size(x86_feature_names); ++i)
      if ((need.word[i / 64] & ~x_.features_.word[i / 64]) >> (i % 64) & 1)
        missing += fmt::format("{}{}", missing.empty() ? "" : " and ", x86_feature_names[i]);
    return out.error(s.where, fmt::format("`{}` requires {}; add it to -march= or .arch", s.mnemonic, missing));
  }
  if (row.op == op_named && !x_.options_.gnu)
    return out.error(s.where, fmt::format("`{}` is not in this release of LLVM", s.mnemonic));
  out.error(s.where, fmt::format("`{}` has no encoding with these operands that fulfils the request", s.mnemonic));
}

}  // namespace xas::x86
