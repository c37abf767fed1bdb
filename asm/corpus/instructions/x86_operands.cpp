// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/instructions/x86_operands.h"

#include <algorithm>

namespace xas::corpus::x86forms {

namespace {

using Names = std::string_view;

#define XAS_NUMBERED(before, after)                                                                                   \
  {                                                                                                                   \
    before "0" after, before "1" after, before "2" after, before "3" after, before "4" after, before "5" after,       \
        before "6" after, before "7" after, before "8" after, before "9" after, before "10" after, before "11" after, \
        before "12" after, before "13" after, before "14" after, before "15" after, before "16" after,                \
        before "17" after, before "18" after, before "19" after, before "20" after, before "21" after,                \
        before "22" after, before "23" after, before "24" after, before "25" after, before "26" after,                \
        before "27" after, before "28" after, before "29" after, before "30" after, before "31" after                 \
  }
constexpr Names xmm[] = XAS_NUMBERED("xmm", ""), ymm[] = XAS_NUMBERED("ymm", ""), zmm[] = XAS_NUMBERED("zmm", ""),
                high[] = XAS_NUMBERED("r", ""), high_d[] = XAS_NUMBERED("r", "d"), high_w[] = XAS_NUMBERED("r", "w"),
                high_b[] = XAS_NUMBERED("r", "b"), cr[] = XAS_NUMBERED("cr", ""), dr[] = XAS_NUMBERED("dr", ""),
                tr[] = XAS_NUMBERED("tr", ""), mm[] = XAS_NUMBERED("mm", ""), kk[] = XAS_NUMBERED("k", ""),
                tmm[] = XAS_NUMBERED("tmm", ""), bnd[] = XAS_NUMBERED("bnd", ""), st[] = XAS_NUMBERED("st(", ")");
#undef XAS_NUMBERED
constexpr Names r64[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                         "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
constexpr Names r32[] = {"eax", "ecx", "edx",  "ebx",  "esp",  "ebp",  "esi",  "edi",
                         "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"};
constexpr Names r16[] = {"ax",  "cx",  "dx",   "bx",   "sp",   "bp",   "si",   "di",
                         "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"};
constexpr Names r8[] = {"al",  "cl",  "dl",  "bl",  "ah",   "ch",   "dh",   "bh",   "spl",  "bpl",
                        "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"};

template <std::size_t n>
constexpr std::span<const Names> part(const Names (&names)[n], std::size_t first, std::size_t count) {
  return std::span<const Names>(names).subspan(first, count);
}

/// How many of the names there are outside of 64-bit mode; more are only there in it.
constexpr RegisterFile files[] = {
    {"r8", part(r8, 0, 20), 8},        {"r16", part(r16, 0, 16), 8},      {"r32", part(r32, 0, 16), 8},
    {"r64", part(r64, 0, 16), 0},      {"creg", part(cr, 0, 16), 5},      {"dreg", part(dr, 0, 16), 8},
    {"treg", part(tr, 3, 5), 5},       {"st", part(st, 0, 8), 8},         {"mm", part(mm, 0, 8), 8},
    {"xmm", part(xmm, 0, 16), 8},      {"ymm", part(ymm, 0, 16), 8},      {"zmm", part(zmm, 0, 32), 8},
    {"xmmh", part(xmm, 16, 16), 0},    {"ymmh", part(ymm, 16, 16), 0},    {"k", part(kk, 0, 8), 8},
    {"tmm", part(tmm, 0, 8), 8},       {"bnd", part(bnd, 0, 4), 4},       {"r8h", part(high_b, 16, 16), 0},
    {"r16h", part(high_w, 16, 16), 0}, {"r32h", part(high_d, 16, 16), 0}, {"r64h", part(high, 16, 16), 0},
};

/// Operands that are one register alone.
constexpr Names single_names[] = {"al",  "ax",  "eax", "rax", "cl", "cx", "ecx", "rcx", "dx", "edx",
                                  "rdx", "ebx", "rbx", "es",  "cs", "ss", "ds",  "fs",  "gs", "xmm0"};

bool has(u64 set, std::string_view name) { return set & class_bit(name); }

unsigned count_in(const RegisterFile& f, const Context& c) {
  return c.wide() ? unsigned(f.names.size()) : f.narrow_count;
}

Operand make_register(Names name, const RegisterFile* file = nullptr) {
  Operand o;
  o.name = name;
  o.file = file;
  return o;
}

void add_registers(std::vector<Choice>& out, const Context& c, u64 set) {
  static constexpr Names edges[] = {"register 0",  "register 7",  "register 8",   "register 15",
                                    "register 16", "register 31", "last register"};
  for (const RegisterFile& f : files) {
    const unsigned count = count_in(f, c);
    if (!has(set, f.cls) || !count) continue;
    const bool upper = f.cls.back() == 'h';
    const unsigned first = upper ? 16 : 0;
    if (count > 1 && !upper) out.push_back({make_register(f.names[1], &f), "register 1"});
    constexpr unsigned numbers[] = {0, 7, 8, 15, 16, 31};
    for (unsigned k = 0; k < 6; ++k)
      if (numbers[k] >= first && numbers[k] - first < count)
        out.push_back({make_register(f.names[numbers[k] - first], &f), edges[k]});
    if (f.cls == "r8" && c.wide())
      out.push_back({make_register("r15b", &f), "register 15"});
    else if (count < 8)
      out.push_back({make_register(f.names[count - 1], &f), edges[6]});
  }
  for (Names name : single_names)
    if (has(set, name) && (c.wide() || name[0] != 'r')) out.push_back({make_register(name), "register"});
  if (has(set, "st0")) out.push_back({make_register("st"), "register"});
}

Operand memory(Names base, i64 disp = 0, Names index = {}, unsigned scale = 1) {
  Operand o;
  o.kind = Operand::mem;
  o.base = base;
  o.index = index;
  o.scale = u8(scale);
  o.value = disp;
  o.has_disp = disp != 0;
  return o;
}

/// The index of vector-indexed memory: its letter, 0 if there is none.
char vector_letter(u64 other) {
  return has(other, "vmx") || has(other, "vmxh")   ? 'x'
         : has(other, "vmy") || has(other, "vmyh") ? 'y'
         : has(other, "vmz")                       ? 'z'
                                                   : 0;
}
std::span<const Names> vectors(char letter) { return letter == 'x' ? xmm : letter == 'y' ? ymm : zmm; }

/// Addresses of 16 bits.
void add_short_addresses(std::vector<Choice>& out, i64 n) {
  out.push_back({memory("bx"), "memory"});
  for (auto [disp, edge] : {std::pair<i64, Names>{127 * n, "last disp8"},
                            {128 * n, "first disp16"},
                            {-128 * n, "last negative disp8"},
                            {-128 * n - 1, "first negative disp16"}})
    out.push_back({memory("bx", disp), edge});
  out.push_back({memory("bp"), "base bp"});
  out.push_back({memory("bp", 4, "di"), "base and index"});
  out.push_back({memory("bx", 0x1234, "si"), "base and index"});
  out.push_back({memory("si"), "base si"});
  Operand absolute = memory({}, 0x1234);
  out.push_back({absolute, "absolute"});
  out.push_back({memory("eax", 4, "ecx", 4), "32-bit address"});
  Operand segment = memory("bx", n);
  segment.segment = "fs";
  out.push_back({segment, "segment"});
}

/// Addresses around the limits of disp8 and disp8*n, with every kind of base and index.
void add_memory(std::vector<Choice>& out, const Context& c, i64 n, u8 broadcast, char letter) {
  const std::size_t first = out.size();
  const bool wide = c.wide();
  if (c.machine == Machine::x86_16 && !letter && !(c.row.flags & row_sib))
    add_short_addresses(out, n);
  else {
    const Names base = wide ? "rax" : "eax";
    const Names index = letter                  ? vectors(letter)[2]
                        : c.row.flags & row_sib ? (wide ? Names("rcx") : Names("ecx"))
                                                : Names();
    auto add = [&](Names edge, Names b, i64 disp, Names x, unsigned scale = 1) {
      out.push_back({memory(b, disp, x, scale), edge});
    };
    add("memory", base, 0, index);
    add("last disp8", base, 127 * n, index);
    add("first disp32", base, 128 * n, index);
    add("last negative disp8", base, -128 * n, index);
    add("first negative disp32", base, -128 * n - n, index);
    add("disp 1", base, 1, index);
    if (n > 1) {
      add("disp N", base, n, index);
      add("disp 127", base, 127, index);
      add("disp 128", base, 128, index);
    }
    add("last disp32", base, 0x7fffffff, index);
    add("base sp", wide ? "rsp" : "esp", 0, index, 2);
    add("base bp", wide ? "rbp" : "ebp", 0, index, 4);
    add("no base", {}, n, letter ? index : wide ? Names("rcx") : Names("ecx"), 8);
    if (!letter) {
      add("scale 2", base, 0, wide ? "rcx" : "ecx", 2);
      add("scale 4", base, 0, wide ? "rcx" : "ecx", 4);
      add("scale 8", base, 2 * n, wide ? "rbp" : "ebp", 8);
      out.push_back({memory({}, 0x12345678), "absolute"});
      if (wide) {
        add("base r12", "r12", 0, {});
        add("base r13, index r12", "r13", n, "r12");
        add("base and index r15", "r15", 0x100, "r15", 4);
        if (c.row.op != op_norip) add("rip", "rip", 16, {});
        add("32-bit address", "ecx", 0, {});
        add("32-bit address", "r8d", 0, "r9d", 2);
        add("base r16", "r16", 0, {});
        add("base and index r31", "r31", n, "r31", 2);
        Operand symbol = memory("rip");
        symbol.symbolic = true;
        if (c.row.op != op_norip) out.push_back({symbol, "symbol"});
      } else {
        Operand symbol = memory({});
        symbol.symbolic = true;
        out.push_back({symbol, "symbol"});
      }
    } else if (wide) {
      add("vector index 9", "r13", n, vectors(letter)[9], 8);
      add("vector index 15", "r12", n, vectors(letter)[15], 4);
      if (c.row.encoding == encoding_evex) {
        add("vector index 16", base, 0, vectors(letter)[16]);
        add("vector index 31", "r9", 0, vectors(letter)[31], 8);
      }
    }
    Operand segment = memory(base, n, index);
    segment.segment = "fs";
    out.push_back({segment, "segment"});
  }
  for (std::size_t k = first; k < out.size(); ++k) out[k].operand.broadcast = broadcast;
}

struct NumberClass {
  std::string_view cls;
  i64 low, high;
};
constexpr NumberClass number_classes[] = {{"one", 1, 1},
                                          {"three", 3, 3},
                                          {"u4", 0, 15},
                                          {"s8_16", -128, 127},
                                          {"s8_32", -128, 127},
                                          {"s8_64", -128, 127},
                                          {"i8", -128, 255},
                                          {"i16", -32768, 65535},
                                          {"i32s", -0x80000000ll, 0x7fffffff},
                                          {"i32", -0x80000000ll, 0xffffffffll},
                                          {"imm", 0, 0x7fffffffffffffffll}};

Operand number(i64 value) {
  Operand o;
  o.kind = Operand::imm;
  o.value = value;
  return o;
}

void add_numbers(std::vector<Choice>& out, u64 other) {
  for (const NumberClass& n : number_classes) {
    if (!has(other, n.cls)) continue;
    if (n.low == n.high) {
      out.push_back({number(n.low), "number"});
      continue;
    }
    out.push_back({number(n.low > 1 ? n.low : 1), "number"});
    out.push_back({number(n.low), "least number"});
    if (n.low < 0) out.push_back({number(n.high <= 127 ? n.high : -n.low - 1), "greatest signed number"});
    if (n.high > -n.low) out.push_back({number(n.high), "greatest number"});
    if (n.cls == "imm") out.push_back({number(0x123456789abcdef0ll), "number of 64 bits"});
  }
  if (has(other, "sym") || has(other, "sym64")) {
    Operand o = number(0);
    o.symbolic = true;
    out.push_back({o, "symbol"});
  }
}

Operand distance(i64 value, bool symbolic) {
  Operand o;
  o.kind = Operand::target;
  o.value = value;
  o.symbolic = symbolic;
  return o;
}

i64 displacement_unit(const Row& row) { return row.encoding == encoding_evex ? i64(1) << row.disp_shift : 1; }

constexpr Names memory_classes[] = {"m8", "m16", "m32", "m64", "m80", "m128", "m256", "m512", "m"};

bool is_memory(u64 other) {
  return std::any_of(std::begin(memory_classes), std::end(memory_classes), [&](Names m) { return has(other, m); });
}

}  // namespace

std::string_view register_name(const RegisterFile& file, unsigned n) {
  return file.names[std::min<std::size_t>(n, (file.narrow_count ? file.narrow_count : file.names.size()) - 1)];
}

void add_choices(std::vector<Choice>& out, const Context& c, unsigned i) {
  const u64 regs = kind_of(c.row, i)[space_register], other = kind_of(c.row, i)[space_other];
  add_registers(out, c, regs);
  if (c.row.flags & row_indirect) {
    if (is_memory(other)) add_memory(out, c, 1, 0, 0);
    for (Choice& choice : out) choice.operand.indirect = true;
    return;
  }
  if (is_memory(other)) add_memory(out, c, displacement_unit(c.row), 0, 0);
  for (unsigned b = 2; b <= 32; b *= 2)
    if (has(other, fmt::format("bc{}", b))) add_memory(out, c, i64(1) << c.row.broadcast_shift, u8(b), 0);
  if (const char letter = vector_letter(other)) add_memory(out, c, displacement_unit(c.row), 0, letter);
  add_numbers(out, other);
  if (has(other, "moffs") || has(other, "moffs64")) {
    const bool wide = c.wide() && (has(other, "moffs64") || has(other, "moffs"));
    out.push_back({memory({}, wide                           ? 0x123456789abcdef0ll
                              : c.machine == Machine::x86_16 ? 0x1234
                                                             : 0x12345678),
                   "address"});
  }
  if (has(other, "rel")) {
    out.push_back({distance(0, false), "distance"});
    out.push_back({distance(100, false), "short distance"});
    out.push_back({distance(1000, false), "long distance"});
    out.push_back({distance(0, true), "symbol"});
  }
}

Operand draw_operand(Random& random, const Context& c, unsigned i, std::span<const Choice> choices) {
  const u64 regs = kind_of(c.row, i)[space_register], other = kind_of(c.row, i)[space_other];
  Operand o = choices[random.below(u32(choices.size()))].operand;
  if (o.kind == Operand::reg) {
    // Any register of the kind: the files with upper halves are one.
    if (o.file && (regs & class_bit(o.file->cls))) o.name = o.file->names[random.below(count_in(*o.file, c))];
  } else if (o.kind == Operand::imm && !o.symbolic) {
    for (const NumberClass& n : number_classes) {
      if (!has(other, n.cls) || o.value < n.low || o.value > n.high) continue;
      o.value = n.low + i64(random.next() % (u64(n.high) - u64(n.low) + 1 ? u64(n.high) - u64(n.low) + 1 : 1));
      break;
    }
  } else if (o.kind == Operand::target) {
    if (!o.symbolic) o.value = i64(random.below(5000)) - 2500;
  } else if (o.kind == Operand::mem && !o.symbolic && !o.base.empty() && o.base != "rip" &&
             c.machine != Machine::x86_16) {
    const char letter = o.index.size() > 1 && o.index[1] == 'm' ? o.index[0] : 0;
    const auto bases = c.wide() ? std::span<const Names>(r64) : part(r32, 0, 8);
    o.base = bases[random.below(u32(bases.size()))];
    if (letter) {
      o.index = vectors(letter)[random.below(!c.wide() ? 8 : c.row.encoding == encoding_evex ? 32 : 16)];
    } else if (random.below(2) || !o.index.empty()) {
      const u32 n = random.below(u32(bases.size()) - 1);
      o.index = bases[n < 4 ? n : n + 1];  // not the stack pointer
    }
    o.scale = u8(1u << random.below(4));
    const u32 range = random.below(3);
    if (range == 0)
      o.value = 0;
    else if (range == 1)
      o.value = (i64(random.below(256)) - 128) * displacement_unit(c.row);
    else
      o.value = i64(i32(random.next()));
    o.has_disp = o.value != 0;
  }
  return o;
}

std::vector<Choice> beyond(const Context& c, unsigned i) {
  const u64 regs = kind_of(c.row, i)[space_register], other = kind_of(c.row, i)[space_other];
  std::vector<Choice> out;
  auto wrong = [&](Names name, std::string_view cls) {
    if (!has(regs, cls)) out.push_back({make_register(name), "a register of another class"});
  };
  wrong("cl", "r8"), wrong("cx", "r16"), wrong("ecx", "r32"), wrong("mm2", "mm"), wrong("xmm2", "xmm");
  wrong("ymm2", "ymm"), wrong("zmm2", "zmm"), wrong("k2", "k"), wrong("cr3", "creg"), wrong("ds", "ds"),
      wrong("st(2)", "st");
  if (c.wide()) {
    wrong("rcx", "r64");
    if (has(regs, "xmm") && !has(regs, "xmmh")) out.push_back({make_register("xmm16"), "register 16"});
    if (has(regs, "ymm") && !has(regs, "ymmh")) out.push_back({make_register("ymm16"), "register 16"});
  } else if (regs & (class_bit("r32") | class_bit("xmm"))) {
    out.push_back({make_register(has(regs, "xmm") ? "xmm8" : "r8d"), "register 8"});
  }
  if (!is_memory(other) && !vector_letter(other))
    out.push_back({memory(c.wide() ? "rax" : "eax"), "memory"});
  else
    out.push_back({memory(c.wide() ? "rax" : "eax", 0, c.wide() ? "rsp" : "esp", 2), "index sp"});
  for (unsigned b = 2; b <= 32; b *= 2) {
    if (!is_memory(other) || has(other, fmt::format("bc{}", b))) continue;
    out.push_back({memory(c.wide() ? "rax" : "eax"), "broadcast"});
    out.back().operand.broadcast = u8(b);
  }
  bool numbers = false;
  for (const NumberClass& n : number_classes) {
    if (!has(other, n.cls)) continue;
    numbers = true;
    if (n.cls == "imm") continue;
    out.push_back({number(n.low - 1), "below the least number"});
    out.push_back({number(n.high + 1), "beyond the greatest number"});
  }
  if (!numbers) out.push_back({number(1), "a number"});
  return out;
}

}  // namespace xas::corpus::x86forms
