// SPDX-License-Identifier: Apache-2.0
// .stackmap and its kin: records for a runtime of where values are, and code that it may overwrite. What they come to
// is asm/program/stack_map.h's.
#include "asm/program/stack_map.h"

#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

using stack_map::Kind;

constexpr std::size_t max_entries = 0xffff;

/// What stands between the parentheses of operands.
class Operands {
 public:
  explicit Operands(Reader& reader) : reader_(reader), target_(reader.program().target) {
    record.loc = reader.program().sources.statement_loc();
  }

  StackMapRecord record;

  bool id() {
    i64 value;
    if (!parse_absolute(reader_, value, "the record's ID")) return false;
    record.id = u64(value);
    return true;
  }
  /// `, BYTES`
  bool bytes(u64& value, std::string_view what) {
    i64 number;
    if (!expect_comma(reader_, "the record's ID")) return false;
    const char* const where = reader_.p;
    if (!parse_absolute(reader_, number, what)) return false;
    if (number < 0) return fail(where, fmt::format("{} must not be negative", what));
    value = u64(number);
    return true;
  }

  /// A word and the parenthesis behind it, if it is this one.
  bool accept(std::string_view word) {
    skip_blanks(reader_);
    const char* q = reader_.p;
    for (char c : word)
      if ((*q++ | 0x20) != c) return false;
    q = xas::skip_blanks(reader_.program().chars, q);
    if (*q != '(') return false;
    reader_.p = q + 1;
    skip_blanks(reader_);
    return true;
  }
  bool close() {
    skip_blanks(reader_);
    if (*reader_.p != ')') return reader_.error_here("expected ')'"), false;
    ++reader_.p;
    return true;
  }

  /// LOCATION, at the end of `to`
  bool location(std::vector<StackMapLocation>& to) {
    StackMapLocation l;
    const char* const where = reader_.p;
    bool good = false;
    if (accept("reg")) {
      l.kind = Kind::reg;
      good = reg(l.dwarf, l.size, l.value) && close() && size(l.size, 0xffff) && has_size(l.size, "reg");
    } else if (accept("direct")) {
      l.kind = Kind::direct;
      good = frame(l);
    } else if (accept("indirect")) {
      l.kind = Kind::indirect;
      good = frame(l);
    } else if (accept("const")) {
      l.kind = Kind::constant;
      good = constant(l);
    } else if (accept("constindex")) {
      l.kind = Kind::constant_index;
      good = constant(l);
    } else {
      reader_.error_here("expected a location: reg(R), direct(R, N), indirect(R, N), const(N) or constindex(N)");
    }
    if (!good) return false;
    if (to.size() == max_entries) return fail(where, fmt::format("a record has at most {} locations", max_entries));
    to.push_back(l);
    return true;
  }
  /// `LOCATION, ...)`
  bool list(std::vector<StackMapLocation>& to) {
    do {
      if (!location(to)) return false;
    } while (accept_comma(reader_));
    return close();
  }

  /// `[, LOCATION]... [, liveout(...)]`
  bool rest() {
    while (accept_comma(reader_)) {
      if (!accept("liveout")) {
        if (!location(record.locations)) return false;
        continue;
      }
      if (!live_outs()) return false;
      if (*xas::skip_blanks(reader_.program().chars, reader_.p) == ',')
        return reader_.error_here("liveout() is the last operand"), false;
    }
    return true;
  }

  /// A number in parentheses, the opening one read.
  bool number(i64& value, std::string_view what) { return parse_absolute(reader_, value, what) && close(); }

  /// The register at the cursor.
  bool reg(u16& dwarf, u16& size, i64& bit) {
    Target::StackMapRegister r;
    skip_blanks(reader_);
    const char* const where = reader_.p;
    const char* q = where;
    if (!target_.stack_map_register(q, r)) return reader_.error_here("expected a register"), false;
    name_ = {where, std::size_t(q - where)};
    if (r.dwarf < 0) return fail(where, fmt::format("'{}' has no DWARF number", name_));
    reader_.p = q;
    dwarf = u16(r.dwarf);
    size = r.size;
    bit = r.bit;
    return true;
  }

 private:
  bool fail(const char* where, std::string message) {
    reader_.error(where, std::move(message));
    return false;
  }
  /// `:SIZE`, if it is there
  bool size(u16& value, u16 max) {
    skip_blanks(reader_);
    if (*reader_.p != ':') return true;
    const char* const where = ++reader_.p;
    i64 number;
    if (!parse_absolute(reader_, number, "the size")) return false;
    if (number < 1 || number > max) return fail(where, fmt::format("size {} is not between 1 and {}", number, max));
    value = u16(number);
    return true;
  }
  bool has_size(u16 value, std::string_view form) {
    if (value != 0) return true;
    return fail(name_.data(), form == "reg"
                                  ? fmt::format("the size of '{0}' is not fixed: give it as reg({0}):SIZE", name_)
                                  : fmt::format("the size of '{0}' is not fixed: give it as {0}:SIZE", name_));
  }
  bool frame(StackMapLocation& l) {
    i64 bit;
    u16 own;
    if (!reg(l.dwarf, own, bit) || !expect_comma(reader_, "the register")) return false;
    skip_blanks(reader_);
    const char* const where = reader_.p;
    if (!parse_absolute(reader_, l.value, "the offset")) return false;
    if (l.value != i32(l.value)) return fail(where, fmt::format("the offset {} does not fit in 32 bits", l.value));
    l.size = reader_.program().info.address_size;
    return close() && size(l.size, 0xffff);
  }
  bool constant(StackMapLocation& l) {
    l.size = 8;
    return number(l.value, "the constant") && size(l.size, 0xffff);
  }
  bool live_outs() {
    do {
      stack_map::LiveOut live;
      u16 own;
      i64 bit;
      if (!reg(live.dwarf, own, bit)) return false;
      const char* const where = reader_.p;
      if (!size(own, 0xff) || !has_size(own, "liveout")) return false;
      if (own > 0xff) return fail(where, "a live-out has at most 255 bytes");
      live.size = u8(own);
      if (record.live_outs.size() == max_entries)
        return fail(where, fmt::format("a record has at most {} live-outs", max_entries));
      record.live_outs.push_back(live);
    } while (accept_comma(reader_));
    return close();
  }

  Reader& reader_;
  const Target& target_;
  std::string_view name_;  ///< of the last register
};

/// `target(EXPR [, SCRATCH])`, the opening parenthesis read
bool parse_call(Reader& reader, Operands& operands, PatchCall& call) {
  skip_blanks(reader);
  call.where = reader.p;
  if (!reader.expression_value(call.target)) return false;
  reader.out.fold(call.target);
  if (accept_comma(reader)) {
    u16 dwarf, size;
    i64 bit;
    if (!operands.reg(dwarf, size, bit)) return false;
    call.scratch = dwarf;
  }
  return operands.close();
}

StackMapLocation constant_location(i64 value) { return {Kind::constant, 8, 0, value}; }

}  // namespace

/// .stackmap_function FUNCTION, SIZE|dynamic
void directive_stackmap_function(Reader& reader, u32) {
  SymbolId function;
  if (!parse_symbol(reader, function, "the function's name") || !expect_comma(reader, "the function")) return;
  const SourceLoc loc = reader.program().sources.statement_loc();
  constexpr std::string_view dynamic = "dynamic";
  const char* const where = reader.p;
  if (std::string_view(where, name_length(reader.program().chars, where)) == dynamic) {
    reader.p += dynamic.size();
    return set_stack_map_function(reader.out, function, stack_map::dynamic_size, loc);
  }
  i64 size;
  if (!parse_absolute(reader, size, "the stack size")) return;
  if (size < 0) return reader.error(where, "the stack size must not be negative; 'dynamic' is that of a varying frame");
  set_stack_map_function(reader.out, function, u64(size), loc);
}

/// .stackmap ID, SHADOW [, LOCATION]... [, liveout(REG[:SIZE], ...)]
void directive_stackmap(Reader& reader, u32) {
  Operands operands(reader);
  u64 shadow;
  if (!operands.id() || !operands.bytes(shadow, "the shadow") || !operands.rest()) return;
  emit_stack_map(reader.out, std::move(operands.record), shadow);
}

/// .patchpoint ID, BYTES [, target(EXPR [, SCRATCH])] [, LOCATION]... [, liveout(...)]
/// .patchpoint_begin ID, BYTES [, LOCATION]... [, liveout(...)]
void directive_patchpoint(Reader& reader, u32 begins) {
  Operands operands(reader);
  u64 bytes;
  if (!operands.id() || !operands.bytes(bytes, "the reserved size")) return;
  PatchCall call;
  const char* const before = reader.p;
  const bool calls = !begins && accept_comma(reader) && operands.accept("target");
  if (!calls) reader.p = before;
  if (calls && !parse_call(reader, operands, call)) return;
  if (!operands.rest()) return;
  if (begins) return begin_patch_point(reader.out, std::move(operands.record), bytes);
  emit_patch_point(reader.out, std::move(operands.record), bytes, calls ? &call : nullptr);
}

void directive_patchpoint_end(Reader& reader, u32) {
  end_patch_point(reader.out, reader.program().sources.statement_loc());
}

/// .statepoint ID [, cc(N)] [, flags(N)] [, deopt(LOCATION, ...)] [, gc(BASE [, DERIVED])]... [, alloca(LOCATION, ...)]
void directive_statepoint(Reader& reader, u32) {
  Operands operands(reader);
  if (!operands.id()) return;
  i64 cc = 0, flags = 0;
  std::vector<StackMapLocation> deopt, gc, allocas;
  while (accept_comma(reader)) {
    if (operands.accept("cc")) {
      if (!operands.number(cc, "the calling convention")) return;
    } else if (operands.accept("flags")) {
      if (!operands.number(flags, "the flags")) return;
    } else if (operands.accept("deopt")) {
      if (!operands.list(deopt)) return;
    } else if (operands.accept("gc")) {
      if (!operands.location(gc)) return;
      const bool derived = accept_comma(reader);
      if (derived && !operands.location(gc)) return;
      if (!derived) gc.push_back(gc.back());
      if (!operands.close()) return;
    } else if (operands.accept("alloca")) {
      if (!operands.list(allocas)) return;
    } else {
      return reader.error_here("expected cc(N), flags(N), deopt(...), gc(BASE, DERIVED) or alloca(...)");
    }
  }
  auto& locations = operands.record.locations;
  locations = {constant_location(cc), constant_location(flags), constant_location(i64(deopt.size()))};
  for (const auto* part : {&deopt, &gc, &allocas}) locations.insert(locations.end(), part->begin(), part->end());
  if (locations.size() > max_entries)
    return reader.error(fmt::format("a record has at most {} locations", max_entries));
  emit_statepoint(reader.out, std::move(operands.record));
}

/// .stackmap_section "NAME" [, "FLAGS"]
void directive_stackmap_section(Reader& reader, u32) {
  struct Letter {
    char letter;
    u64 flag;
  };
  static constexpr Letter elf_letters[] = {
      {'a', elf::SHF_ALLOC}, {'w', elf::SHF_WRITE}, {'o', elf::SHF_LINK_ORDER}, {'R', elf::SHF_GNU_RETAIN}};
  static constexpr Letter coff_letters[] = {
      {'d', coff::IMAGE_SCN_CNT_INITIALIZED_DATA | coff::IMAGE_SCN_MEM_READ},
      {'r', coff::IMAGE_SCN_CNT_INITIALIZED_DATA | coff::IMAGE_SCN_MEM_READ},
      {'w', coff::IMAGE_SCN_CNT_INITIALIZED_DATA | coff::IMAGE_SCN_MEM_READ | coff::IMAGE_SCN_MEM_WRITE}};
  const bool is_coff = reader.program().is_coff;
  const std::span<const Letter> letters = is_coff ? std::span<const Letter>(coff_letters) : elf_letters;
  std::string name, text = is_coff ? "dr" : "a";
  skip_blanks(reader);
  if (!parse_string(reader, name)) return;
  if (name.empty()) return reader.error("the section of stack maps needs a name");
  const char* where = reader.p;
  if (accept_comma(reader)) {
    text.clear();
    where = reader.p;
    if (!parse_string(reader, text)) return;
  }
  u64 flags = 0;
  for (const char c : text) {
    const auto known = std::find_if(letters.begin(), letters.end(), [&](const Letter& l) { return l.letter == c; });
    if (known == letters.end()) {
      return reader.error(where, fmt::format("unknown flag '{}' in \"{}\" (known: {})", c, text,
                                             is_coff ? "d, r and w" : "a, w, o and R"));
    }
    flags |= known->flag;
  }
  set_stack_map_section(reader.out, name, flags, reader.program().sources.statement_loc());
}

}  // namespace xas
