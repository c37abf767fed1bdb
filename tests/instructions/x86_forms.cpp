// Prints one or more instructions for every form in the x86 tables, in AT&T or Intel syntax: each operand in turn takes
// every value that is interesting for its kind (low and high registers, the last short displacement and the first long
// one, every broadcast, ...) while the others keep their simplest. What the lines assemble to is for the reference
// assemblers to say:
//
//   (echo '=== AT&T | x64 | lines'; x86-forms) > forms.txt; xas-diff --tables forms.txt
//   (echo '=== Intel | x64 | lines'; echo ' .intel_syntax noprefix'; x86-forms --intel) > forms.txt; ...
//
//   x86-forms [--bits 64|32] [--intel] [--class NAME]... [--brief]
//
// A line whose mnemonic has an earlier row that fits too is printed all the same: it tests the row order. --brief
// prints two lines a form (all operands simple, all extreme); --class keeps the forms that take a register of a class
// (xmm, k, tmm, ...; the names of row.h).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "targets/hash.h"
#include "targets/x86/facts.h"
#include "targets/x86/row.h"

namespace xas::x86 {
#include "x86_tables.inc"
}

using namespace xas;
using namespace xas::x86;

namespace {

struct Settings {
  unsigned bits = 64;
  bool brief = false;
  bool intel = false;
  std::vector<std::string> classes;
};

using Texts = std::vector<std::string>;

bool has(u64 set, std::string_view name) { return set & class_bit(name); }

/// Registers of every class in the mask; the first is the simplest.
void add_registers(Texts& out, const Settings& st, u64 set) {
  const bool wide = st.bits == 64;
  auto add = [&](std::string_view cls, Texts low, Texts high) {
    if (!has(set, cls)) return;
    for (auto& r : low) out.push_back("%" + r);
    if (wide)
      for (auto& r : high) out.push_back("%" + r);
  };
  add("r8", {"cl", "bh"}, {"sil", "r9b", "r15b"});
  add("r16", {"cx", "di"}, {"r8w", "r15w"});
  add("r32", {"ecx", "eax", "edi"}, {"r8d", "r15d"});
  if (wide) add("r64", {}, {"rcx", "rax", "rdi", "r8", "r15"});
  for (auto name :
       {"al", "ax", "eax", "cl", "cx", "ecx", "dx", "edx", "ebx", "es", "cs", "ss", "ds", "fs", "gs", "xmm0"})
    add(name, {name}, {});
  for (auto name : {"rax", "rcx", "rdx"}) add(name, {}, {name});
  add("creg", {"cr0", "cr3"}, {"cr8"});
  add("dreg", {"db7"}, {});
  add("st0", {"st"}, {});
  add("st", {"st(3)"}, {});
  add("mm", {"mm1", "mm7"}, {});
  add("xmm", {"xmm1", "xmm0", "xmm7"}, {"xmm8", "xmm15"});
  add("xmmh", {}, {"xmm16", "xmm24", "xmm31"});
  add("ymm", {"ymm1", "ymm7"}, {"ymm8", "ymm15"});
  add("ymmh", {}, {"ymm16", "ymm24", "ymm31"});
  add("zmm", {"zmm1", "zmm7"}, {"zmm8", "zmm15", "zmm16", "zmm31"});
  add("k", {"k1", "k0", "k7"}, {});
  add("tmm", {"tmm1", "tmm0", "tmm7"}, {});
  add("bnd", {"bnd1", "bnd3"}, {});
}

/// Addresses around the limits of disp8 and disp8*n, with every kind of base and index.
void add_memory(Texts& out, const Settings& st, int n, std::string_view tail, char index) {
  const bool wide = st.bits == 64;
  const std::string base = wide ? "rax" : "eax";
  auto text = [&](long disp, const std::string& base_name, const std::string& index_name, int scale) {
    std::string s = disp ? std::to_string(disp) : "";
    s += "(";
    if (!base_name.empty()) s += "%" + base_name;
    if (!index_name.empty()) s += ",%" + index_name + "," + std::to_string(scale);
    out.push_back(s + ")" + std::string(tail));
  };
  std::string first = index ? std::string(1, index) + "mm2" : "";
  text(0, base, first, 1);
  for (long d : {127L * n, 128L * n, -128L * n, -129L * n, 1L, long(n), 127L, 128L}) text(d, base, first, 1);
  text(0, wide ? "rsp" : "esp", first, 2);
  text(0, wide ? "rbp" : "ebp", first, 4);
  text(n, "", index ? first : wide ? "rcx" : "ecx", 8);
  if (!index) {
    text(2 * n, base, wide ? "rbp" : "ebp", 8);
    out.push_back("0x12345678" + std::string(tail));
    if (wide) {
      text(0, "r12", "", 1);
      text(n, "r13", "r12", 1);
      text(0x100, "r15", "r15", 4);
      text(16, "rip", "", 1);
      text(0, "ecx", "", 1);
      text(0, "r8d", "r9d", 2);
    }
    out.push_back("%fs:" + std::to_string(n) + "(%" + base + ")" + std::string(tail));
  } else if (wide) {
    text(n, "r13", std::string(1, index) + "mm9", 8);
    text(n, "r12", std::string(1, index) + "mm15", 4);
  }
}

/// `i` counts in the manual's order, rows in AT&T's.
const u64* kind_of(const Row& row, unsigned i) {
  return x86_kinds[row.kind[row.flags & row_straight ? i : row.count - 1u - i]];
}

Texts samples(const Settings& st, const Row& row, unsigned i) {
  Texts out;
  u64 regs = kind_of(row, i)[space_register], other = kind_of(row, i)[space_other];
  if (row.flags & row_indirect) {
    add_registers(out, st, regs);
    if (has(other, "m")) add_memory(out, st, 1, "", 0);
    for (auto& t : out) t = "*" + t;
    return out;
  }
  add_registers(out, st, regs);
  const int n = 1 << row.disp_shift;
  for (auto cls : {"m8", "m16", "m32", "m64", "m80", "m128", "m256", "m512", "m"})
    if (has(other, cls)) {
      add_memory(out, st, row.encoding == encoding_evex ? n : 1, "", 0);
      break;
    }
  for (unsigned b = 2; b <= 32; b *= 2)
    if (has(other, "bc" + std::to_string(b)))
      add_memory(out, st, 1 << row.broadcast_shift, "{1to" + std::to_string(b) + "}", 0);
  for (char v : {'x', 'y', 'z'})
    if (has(other, std::string("vm") + v)) {
      add_memory(out, st, n, "", v);
      if (st.bits == 64 && row.encoding == encoding_evex) {
        out.push_back(std::string("(%rax,%") + v + "mm16,1)");
        out.push_back(std::string("(%r9,%") + v + "mm31,8)");
      }
    }
  auto immediates = [&](std::string_view cls, std::initializer_list<const char*> values) {
    if (has(other, cls))
      for (auto v : values) out.push_back(std::string("$") + v);
  };
  immediates("one", {"1"});
  immediates("three", {"3"});
  immediates("u4", {"0", "5", "15"});
  immediates("s8_16", {"1", "127", "-128"});
  immediates("s8_32", {"1", "127", "-128"});
  immediates("s8_64", {"1", "127", "-128"});
  immediates("i8", {"1", "0", "127", "-128", "255"});
  immediates("i16", {"1", "32767", "-32768", "65535"});
  immediates("i32", {"1", "0x7fffffff", "-0x80000000", "0xffffffff"});
  immediates("i32s", {"1", "0x7fffffff", "-0x80000000"});
  immediates("imm", {"1", "0x123456789abcdef0"});
  if (has(other, "moffs")) out.push_back(st.bits == 64 ? "0x123456789abcdef0" : "0x12345678");
  if (has(other, "rel")) out.push_back(".");
  return out;
}

bool is_register(const std::string& t) { return t[0] == '%' && t.find('(') == std::string::npos; }
bool is_gpr(const std::string& t) {
  return is_register(t) && t.find("mm") == std::string::npos && t[1] != 'k';
}

/// `disp(base,index,scale)tail` to `word ptr [base+index*scale+disp]tail`; `size` is what stands in front.
std::string intel_address(const std::string& t, std::string_view size) {
  const std::size_t open = t.find('('), close = t.find(')'), colon = t.find(':');
  const std::size_t start = colon != t.npos && t[0] == '%' ? colon + 1 : 0;
  std::string s(size);
  if (start) s += t.substr(1, start - 1);
  if (open == t.npos) {
    const std::size_t tail = std::min(t.find('{'), t.size());
    return s + "[" + t.substr(start, tail - start) + "]" + t.substr(tail);
  }
  std::string inside, parts[3];
  unsigned n = 0;
  for (char c : t.substr(open + 1, close - open - 1))
    if (c == ',') ++n;
    else if (c != '%') parts[n] += c;
  inside = parts[0];
  if (!parts[1].empty()) inside += (inside.empty() ? "" : "+") + parts[1] + "*" + (parts[2].empty() ? "1" : parts[2]);
  const std::string disp = t.substr(start, open - start);
  if (!disp.empty()) inside += (disp[0] == '-' ? "" : "+") + disp;
  return s + "[" + inside + "]" + t.substr(close + 1);
}

/// What stands before PTR for operand i of the row.
std::string_view size_words(const Row& row, unsigned i, const std::string& text) {
  constexpr std::string_view elements[] = {"byte ptr ", "word ptr ", "dword ptr ", "qword ptr "};
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"m8", "byte ptr "},       {"m16", "word ptr "},      {"m32", "dword ptr "},     {"m64", "qword ptr "},
      {"m80", "tbyte ptr "},     {"m128", "xmmword ptr "},  {"m256", "ymmword ptr "},  {"m512", "zmmword ptr "}};
  if (text.find("{1to") != text.npos) return elements[row.broadcast_shift & 3];
  const u64 other = kind_of(row, i)[space_other];
  for (const char* vector : {"vmx", "vmy", "vmz"})
    if (has(other, vector)) return row.w ? "qword ptr " : "dword ptr ";
  for (auto [name, word] : words)
    if (has(other, name)) return word;
  return "";
}

std::string intel_statement(std::string_view name, const Row& row, const Texts& ops, const char* mask,
                            const char* rounding) {
  std::string s(name);
  for (unsigned i = 0; i < ops.size(); ++i) {
    std::string t = ops[i][0] == '*' ? ops[i].substr(1) : ops[i];
    if (is_register(t) || t[0] == '$') t.erase(0, 1);
    else if (t != ".") t = intel_address(t, size_words(row, i, t));
    else t = "$";
    s += (i ? ", " : " ") + t;
    for (const char* p = i == 0 ? mask : ""; *p; ++p)
      if (*p != '%') s += *p;
  }
  if (!*rounding) return s;
  const bool immediate = !ops.empty() && ops.back()[0] == '$';
  const std::size_t at = immediate ? s.rfind(", ") : s.size();
  return s.substr(0, at) + ", " + rounding + s.substr(at);
}

/// Operands in the manual's order to a statement.
std::string statement(const Settings& st, std::string_view name, const Row& row, const Texts& ops, const char* mask,
                      const char* rounding) {
  if (st.intel) return intel_statement(name, row, ops, mask, rounding);
  std::string s(name);
  bool first = true;
  auto put = [&](const std::string& t) {
    s += (first ? " " : ", ") + t;
    first = false;
  };
  if (row.flags & row_straight) {
    for (auto& t : ops) put(t);
    return s;
  }
  bool rounded = !*rounding;
  for (unsigned i = unsigned(ops.size()); i-- > 0;) {
    bool before = ops[i][0] != '$' && !is_gpr(ops[i]);
    if (!rounded && before) {
      put(rounding);
      rounded = true;
    }
    put(i == 0 ? ops[i] + mask : ops[i]);
    if (!rounded && is_gpr(ops[i])) {
      put(rounding);
      rounded = true;
    }
  }
  return s;
}

void print_form(const Settings& st, std::string_view name, const Row& row) {
  std::vector<Texts> choices;
  for (unsigned i = 0; i < row.count; ++i) {
    choices.push_back(samples(st, row, i));
    if (choices.back().empty()) return;
  }
  // Vector registers start out different, so that an exchange of two operands is seen.
  Texts base;
  for (unsigned i = 0; i < row.count; ++i) {
    std::string t = choices[i][0];
    if (is_register(t) && !is_gpr(t) && t.back() == '1') t.back() = char('1' + i);
    base.push_back(t);
  }
  const char* mask = row.deco & deco_mask_required ? "{%k1}" : "";
  auto print = [&](const Texts& ops, const char* m, const char* r) {
    std::puts(statement(st, name, row, ops, m, r).c_str());
  };
  print(base, mask, "");
  Texts extreme;
  for (auto& c : choices) extreme.push_back(c.back());
  if (row.count) print(extreme, mask, "");
  if (st.brief) return;
  for (unsigned i = 0; i < row.count; ++i) {
    Texts ops = base;
    for (std::size_t k = 1; k < choices[i].size(); ++k) {
      ops[i] = choices[i][k];
      print(ops, mask, "");
    }
  }
  if (row.deco & deco_mask) print(base, "{%k7}", "");
  if (row.deco & deco_zero) print(base, "{%k2}{z}", "");
  bool registers = true;
  for (auto& t : base) registers &= is_register(t) || t[0] == '$';
  if (registers && (row.deco & deco_er))
    for (auto r : {"{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"}) print(base, mask, r);
  else if (registers && (row.deco & deco_sae)) print(base, mask, "{sae}");
  for (auto pseudo : {"{vex} ", "{vex3} ", "{evex} ", "{load} ", "{store} ", "{disp32} "})
    std::puts((pseudo + statement(st, name, row, base, mask, "")).c_str());
}

bool wanted(const Settings& st, const Row& row) {
  if (!(row.flags & (st.intel ? row_intel : row_att))) return false;
  if (st.bits == 64 ? !(row.flags & row_mode64) : !(row.flags & row_mode32)) return false;
  if (st.classes.empty()) return true;
  for (unsigned i = 0; i < row.count; ++i)
    for (auto& c : st.classes)
      if (kind_of(row, i)[space_register] & class_bit(c)) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  Settings st;
  for (int i = 1; i < argc; ++i) {
    std::string_view a = argv[i];
    if (a == "--bits" && i + 1 < argc) st.bits = unsigned(std::atoi(argv[++i]));
    else if (a == "--class" && i + 1 < argc) st.classes.push_back(argv[++i]);
    else if (a == "--brief") st.brief = true;
    else if (a == "--intel") st.intel = true;
    else {
      std::fprintf(stderr, "usage: x86-forms [--bits 64|32] [--intel] [--class NAME]... [--brief]\n");
      return 2;
    }
  }
  for (const Spelling& s : x86_spellings) {
    if (st.intel && s.suffix) continue;
    for (unsigned i = 0; i < s.count; ++i) {
      const Row& row = x86_rows[x86_lists[s.first + i]];
      if (wanted(st, row)) print_form(st, std::string_view(x86_names + s.name, s.length), row);
    }
  }
}
