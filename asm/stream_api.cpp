// SPDX-License-Identifier: Apache-2.0
// The C interface of streams (include/xas/stream.h): checks arguments, and hands on what is said.
#include <fmt/format.h>

#include <span>
#include <vector>

#include "asm/api.h"
#include "asm/assemble.h"
#include "asm/stream_emit.h"
#include "asm/struct_size.h"

namespace {

using xas::fail;
using xas::guarded;
using Stream = xas::StreamVerbs;

[[gnu::noinline]] xas_status not_begun(xas_context* context) {
  return fail(context, XAS_BAD_ARGUMENT, "xas_begin has not been called");
}

/// The same as xas::refuse, and an error of the assembly.
[[gnu::noinline]] xas_status refused(xas_context* context, const char* function, const char* wrong) {
  const xas_status status = xas::refuse(context, function, wrong);
  xas::Program& program = context->reader->program();
  if (context->stream->stand()) program.diags.error(program.sources.statement_loc(), context->error);
  return status;
}

/// Runs `say(stream)` in an assembly that xas_begin has begun. It returns what is wrong with an argument, or null; that
/// is an error of the assembly at the place where the verb stands. `function`: the public function that calls.
template <class Say>
xas_status verb(xas_context* context, const Say& say, const char* function = __builtin_FUNCTION()) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    if (!context->stream) [[unlikely]]
      return not_begun(context);
    const xas::Diags& diags = context->reader->program().diags;
    const xas::u32 errors = diags.errors();
    if (const char* const wrong = say(*context->stream)) return refused(context, function, wrong);
    return diags.errors() == errors ? XAS_OK : XAS_ERRORS;
  });
}

using Wrong = const char*;
constexpr Wrong nothing = nullptr;

Wrong unless(bool good, Wrong wrong) { return good ? nothing : wrong; }

constexpr Wrong null_name = "`name` is a null pointer";
constexpr Wrong not_a_symbol = "`symbol` is no handle that this assembly has given";

Wrong wrong_symbol(const Stream& stream, xas_symbol symbol) { return unless(stream.is_symbol(symbol), not_a_symbol); }
Wrong wrong_value(const Stream& stream, const xas_value* value) {
  return value ? stream.wrong_value(*value) : "the value is a null pointer";
}

/// The same of what has no text: it stands where xas_place says, if nothing is `wrong`.
template <class Say>
xas_status verb_unless(xas_context* context, Wrong wrong, const Say& say, const char* function = __builtin_FUNCTION()) {
  return verb(
      context,
      [&](Stream& stream) {
        if (!wrong && stream.stand()) say(stream);
        return wrong;
      },
      function);
}

/// The same if `value` is one.
template <class Say>
xas_status value_verb(xas_context* context, const xas_value* value, Wrong wrong, const Say& say,
                      const char* function = __builtin_FUNCTION()) {
  return verb(
      context,
      [&](Stream& stream) {
        const Wrong any = wrong ? wrong : wrong_value(stream, value);
        if (!any && stream.stand()) say(stream);
        return any;
      },
      function);
}

/// The target has nothing of this name.
xas_status not_of_the_target(xas_context* context, const char* function, const char* what, const char* name) {
  return fail(context, XAS_BAD_ARGUMENT, fmt::format("{}: the target has no {} '{}'", function, what, name));
}

/// The stream's target; without a stream, one of the context's options. Null, and told by xas_error: they make no
/// sense.
xas::Target* target_of_names(xas_context* context) {
  if (context->stream) return context->target.get();
  if (context->names) return context->names.get();
  xas::Options options = context->settings.options;
  xas::OptionProblems problems;
  std::vector<std::string>& errors = problems.errors;
  if (std::string error = context->settings.finish(options); !error.empty()) errors.push_back(std::move(error));
  if (errors.empty()) context->names = make_target(options.target, problems);
  if (errors.empty()) return context->names.get();
  context->names.reset();
  fail(context, XAS_BAD_OPTION, errors.front());
  return nullptr;
}

/// One that is not known by its shape. Not a part of xas_emit, whose usual way is shorter for it.
[[gnu::noinline]] xas_status emit_unknown(xas_context* context, xas_mnemonic mnemonic, uint32_t how,
                                          const xas_arg* args, size_t count) {
  return verb(
      context,
      [&](Stream& stream) -> Wrong {
        const Wrong wrong = xas::wrong_instruction(mnemonic, args, count);
        return wrong ? wrong : stream.emit(mnemonic, how, {args, count});
      },
      "xas_emit");
}

/// What xas_emit does most of the time, in an assembly for a target whose instructions are such. A function for each
/// kind of these: both in one have too few registers.
template <class Template>
[[gnu::noinline]] xas_status emit(xas_context* context, xas_mnemonic mnemonic, const xas_arg* args, size_t count) {
  auto emitted = Stream::Emitted::no;
  const xas_status status = guarded(context, [&] {
    emitted = context->stream->emit_known<Template>(mnemonic, {args, count});
    return emitted == Stream::Emitted::wrong ? XAS_ERRORS : XAS_OK;
  });
  if (emitted != Stream::Emitted::no || status != XAS_OK) [[likely]]
    return status;
  return emit_unknown(context, mnemonic, 0, args, count);
}

bool is_data_size(unsigned size) { return size == 1 || size == 2 || size == 4 || size == 8; }

constexpr Wrong not_a_register = "`reg` is no register of the target";
constexpr Wrong not_a_data_size = "the size is not 1, 2, 4 or 8 bytes";
constexpr Wrong not_an_integer_size = "the size is not 1 to 8 bytes";

Wrong wrong_tag(const Stream& stream, const xas_pc_tag& tag) {
  if (!tag.section || !tag.section_size) return "a tag has no `section`";
  if (tag.constant_count && !tag.constants) return "`constants` is a null pointer";
  for (const xas_pc_constant& c : std::span(tag.constants, tag.constant_count)) {
    if (!is_data_size(c.size)) return not_a_data_size;
    if (const Wrong wrong = stream.wrong_value(c.value)) return wrong;
  }
  return nothing;
}

/// Makes `tags` those of this version, in `room` if the caller's are of another size.
Wrong take_tags(std::span<const xas_pc_tag>& tags, std::vector<xas_pc_tag>& room) {
  const std::size_t size = tags[0].struct_size;
  if (!xas::is_struct_size<xas_pc_tag>(size)) return xas::wrong_struct_size;
  const auto* at = reinterpret_cast<const unsigned char*>(tags.data());
  if (size != sizeof(xas_pc_tag)) room.resize(tags.size());
  for (std::size_t i = 0; i < tags.size(); ++i, at += size) {
    const auto* tag = reinterpret_cast<const xas_pc_tag*>(at);
    if (tag->struct_size != size) return "tags have different `struct_size`s";
    if (room.empty()) continue;
    if (const Wrong wrong = xas::take_struct(tag, room[i])) return wrong;
  }
  if (!room.empty()) tags = room;
  return nothing;
}

xas_status tag_verb(xas_context* context, const xas_value* begin, const xas_value* end, const xas_pc_tag* tags,
                    size_t count, const char* function = __builtin_FUNCTION()) {
  return verb(
      context,
      [&](Stream& stream) -> Wrong {
        if (!tags || !count) return "there are no tags";
        for (const xas_value* const place : {begin, end})
          if (const Wrong wrong = place ? stream.wrong_value(*place) : nothing) return wrong;
        std::span all(tags, count);
        std::vector<xas_pc_tag> room;
        if (const Wrong wrong = take_tags(all, room)) return wrong;
        for (const xas_pc_tag& tag : all)
          if (const Wrong wrong = wrong_tag(stream, tag)) return wrong;
        if (stream.stand()) stream.tag(begin, end, all);
        return nothing;
      },
      function);
}

}  // namespace

xas_status xas_begin(xas_context* context) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    if (context->stream) return xas::still_open(context, "xas_begin");
    if (xas_status status = xas::begin(context); status != XAS_OK) return status;
    context->encoder.reset();
    if (context->reader->program().listing.on)
      return fail(context, XAS_BAD_OPTION, "option '-a' shows a text; here there is none");
    context->stream.emplace(*context->reader, context->first_handles);
    context->options_changed = false;
    ++context->assemblies;
    context->reader->line_cache.instructions.take_over(context->shapes);
    return XAS_OK;
  });
}

uint64_t xas_assembly(const xas_context* context) {
  return context && context->stream ? context->assemblies : 0;
}

xas_status xas_finish(xas_context* context) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    if (!context->stream) return not_begun(context);
    context->stream->stand();
    context->stream->check_labels();
    if (!context->options_changed) context->reader->line_cache.instructions.hand_over(context->shapes);
    context->has_object = xas::finish(*context->reader, context->object);
    const xas_status status = xas::collect(context);
    xas::end_stream(context);  // which owns the names of the places that diagnostics are about
    return status;
  });
}

xas_status xas_place(xas_context* context, const char* file, uint32_t line) {
  return verb(context, [&](Stream& stream) -> Wrong {
    if (line) stream.place(file, line);
    return unless(line != 0, "`line` is 0");
  });
}

xas_status xas_feed(xas_context* context, const char* text, size_t size) {
  return verb(context, [&](Stream& stream) -> Wrong {
    if (!text && size) return "`text` is a null pointer";
    stream.feed({text, size});
    return nothing;
  });
}

xas_symbol xas_symbol_named(xas_context* context, const char* name, size_t size) {
  xas_symbol made = 0;
  verb(context, [&](Stream& stream) -> Wrong {
    if (!name && size) return null_name;
    if (!size || size > UINT32_MAX) return size ? "the name is longer than 4 GiB" : "the name is empty";
    const std::string_view text(name, size);
    if (text.find('\0') != text.npos) return "a symbol's name has a zero byte in it";
    made = stream.name(text);
    return nothing;
  });
  return made;
}

xas_symbol xas_new_label(xas_context* context) {
  xas_symbol made = 0;
  verb(context, [&](Stream& stream) { return made = stream.label(), nothing; });
  return made;
}

xas_status xas_declare(xas_context* context, xas_symbol symbol, xas_attribute attribute) {
  return verb(context, [&](Stream& stream) -> Wrong {
    if (!stream.is_symbol(symbol)) return not_a_symbol;
    if (stream.is_unnamed(symbol)) return "a label without a name has no attributes";
    if (attribute > XAS_UNIQUE_OBJECT) return "`attribute` is none of xas_attribute";
    if (stream.stand()) stream.declare(symbol, attribute);
    return nothing;
  });
}

xas_status xas_assign(xas_context* context, xas_symbol symbol, const xas_value* value, int again) {
  return verb(context, [&](Stream& stream) -> Wrong {
    if (!stream.is_symbol(symbol)) return not_a_symbol;
    if (again && stream.is_unnamed(symbol)) return "a label without a name stands for one value; `again` has to be 0";
    const Wrong wrong = wrong_value(stream, value);
    if (!wrong && stream.stand()) stream.assign(symbol, *value, again != 0);
    return wrong;
  });
}

xas_status xas_set_size(xas_context* context, xas_symbol symbol, const xas_value* size) {
  return verb(context, [&](Stream& stream) -> Wrong {
    if (!stream.is_symbol(symbol)) return not_a_symbol;
    if (stream.is_unnamed(symbol)) return "a label without a name has no size";
    const Wrong wrong = wrong_value(stream, size);
    if (!wrong && stream.stand()) stream.size(symbol, *size);
    return wrong;
  });
}

xas_status xas_common(xas_context* context, xas_symbol symbol, uint64_t size, unsigned log2) {
  return verb(context, [&](Stream& stream) -> Wrong {
    if (!stream.is_symbol(symbol)) return not_a_symbol;
    if (stream.is_unnamed(symbol)) return "a label without a name is no common symbol";
    if (stream.stand()) stream.common(symbol, size, log2);
    return nothing;
  });
}

xas_status xas_label(xas_context* context, xas_symbol symbol) {
  return verb(context, [&](Stream& stream) -> Wrong {
    const Wrong wrong = wrong_symbol(stream, symbol);
    if (!wrong && stream.stand()) stream.define(symbol);
    return wrong;
  });
}

uint32_t xas_modifier(xas_context* context, const char* name) {
  uint32_t found = XAS_NO_MODIFIER;
  if (!context) return found;
  guarded(context, [&] {
    if (!context->stream) return not_begun(context);
    if (!name) return xas::refuse(context, "xas_modifier", null_name);
    // As it is written with a symbol: sym@NAME, or :name:sym.
    std::string_view word = name + (*name == '@' || *name == ':');
    if (*name == ':' && word.ends_with(':')) word.remove_suffix(1);
    const xas::u16 number = context->target->modifier(word);
    if (!number) return not_of_the_target(context, "xas_modifier", "modifier", name);
    found = number;
    return XAS_OK;
  });
  return found;
}

xas_status xas_expression(xas_context* context, const char* text, size_t size, xas_value* value) {
  if (value) *value = {};
  return verb(context, [&](Stream& stream) -> Wrong {
    if (!text || !value) return text ? "`value` is a null pointer" : "`text` is a null pointer";
    stream.expression({text, size}, *value);
    return nothing;
  });
}

xas_register xas_register_named(xas_context* context, const char* name) {
  if (!context) return 0;
  xas_register found = 0;
  guarded(context, [&] {
    if (!name) return xas::refuse(context, "xas_register_named", null_name);
    xas::Target* const target = target_of_names(context);
    if (!target) return XAS_BAD_OPTION;
    found = xas::register_named(*target, name);
    return found ? XAS_OK : not_of_the_target(context, "xas_register_named", "register", name);
  });
  return found;
}

int xas_dwarf_number(xas_context* context, xas_register reg) {
  if (!context) return -1;
  int found = -1;
  guarded(context, [&] {
    xas::Target* const target = target_of_names(context);
    if (!target) return XAS_BAD_OPTION;
    if (!reg || !target->has_register(int(reg - 1))) return xas::refuse(context, "xas_dwarf_number", not_a_register);
    found = target->dwarf_number(int(reg - 1));
    return found < 0 ? xas::refuse(context, "xas_dwarf_number", "the register has no number in DWARF") : XAS_OK;
  });
  return found;
}

xas_mnemonic xas_mnemonic_named(const char* name) {
  return name && *name ? xas::mnemonic_number(xas::hash_name(name)) : 0;
}

xas_status xas_emit(xas_context* context, xas_mnemonic mnemonic, uint32_t how, const xas_arg* args, size_t count) {
  if (context && context->stream && !context->in_callback && how == 0 && !xas::wrong_args(args, count)) [[likely]] {
    const bool words = context->reader->program().info.lines.words;
    return words ? emit<xas::TypedWord>(context, mnemonic, args, count)
                 : emit<xas::TypedBytes>(context, mnemonic, args, count);
  }
  return emit_unknown(context, mnemonic, how, args, count);
}

xas_status xas_instruction(xas_context* context, const char* mnemonic, const xas_arg* args, size_t count) {
  return verb(context, [&](Stream& stream) -> Wrong {
    const Wrong wrong = mnemonic ? xas::wrong_args(args, count) : "`mnemonic` is a null pointer";
    return wrong ? wrong : stream.instruction(mnemonic, {args, count});
  });
}

xas_status xas_bytes(xas_context* context, const void* bytes, size_t size) {
  return verb_unless(context, unless(bytes || !size, "`bytes` is a null pointer"),
                     [&](Stream& stream) { stream.out().emit_bytes(bytes, size); });
}

xas_status xas_integer(xas_context* context, uint64_t value, unsigned size) {
  return verb_unless(context, unless(size >= 1 && size <= 8, not_an_integer_size),
                     [&](Stream& stream) { stream.integer(value, size); });
}

xas_status xas_data(xas_context* context, const xas_value* value, unsigned size) {
  return value_verb(context, value, unless(is_data_size(size), not_a_data_size),
                    [&](Stream& stream) { stream.data(*value, size); });
}

xas_status xas_leb128(xas_context* context, const xas_value* value, int is_signed) {
  return value_verb(context, value, nothing, [&](Stream& stream) { stream.leb128(*value, is_signed != 0); });
}

xas_status xas_fill(xas_context* context, const xas_value* count, unsigned size, uint64_t pattern) {
  return value_verb(context, count, unless(size >= 1 && size <= 8, not_an_integer_size),
                    [&](Stream& stream) { stream.fill(*count, size, pattern); });
}

xas_status xas_align(xas_context* context, unsigned log2, uint32_t most) {
  return verb_unless(context, nothing, [&](Stream& stream) { stream.align(log2, -1, most); });
}

xas_status xas_align_filled(xas_context* context, unsigned log2, uint8_t fill, uint32_t most) {
  return verb_unless(context, nothing, [&](Stream& stream) { stream.align(log2, fill, most); });
}

xas_status xas_org(xas_context* context, const xas_value* place, uint8_t fill) {
  return value_verb(context, place, nothing, [&](Stream& stream) { stream.org(*place, fill); });
}

xas_status xas_open_section(xas_context* context, const xas_section_request* request, xas_section* section) {
  if (section) *section = 0;
  return verb(context, [&](Stream& stream) -> Wrong {
    if (!request) return "`request` is a null pointer";
    xas_section_request room;
    if (const Wrong wrong = xas::take_struct(request, room)) return wrong;
    const xas_section_request& r = *request;
    if (!r.name || !r.name_size) return "the section has no `name`";
    if (r.group && !stream.has_name(r.group)) return "`group` is no symbol with a name";
    if (r.linked_to && !stream.is_symbol(r.linked_to)) return "`linked_to` is no handle that this assembly has given";
    const bool opened = stream.stand() && stream.open_section(r);
    if (section && opened) *section = stream.section();
    return nothing;
  });
}

xas_section xas_current_section(xas_context* context) {
  xas_section current = 0;
  verb(context, [&](Stream& stream) { return current = stream.section(), nothing; });
  return current;
}

xas_status xas_switch_section(xas_context* context, xas_section section) {
  return verb(context, [&](Stream& stream) -> Wrong {
    if (!stream.is_section(section)) return "`section` is no handle that this assembly has given";
    if (stream.stand()) stream.switch_to(section);
    return nothing;
  });
}

xas_status xas_push_section(xas_context* context) {
  return verb_unless(context, nothing, [](Stream& stream) { stream.push_section(); });
}

xas_status xas_pop_section(xas_context* context) {
  return verb_unless(context, nothing, [](Stream& stream) { stream.pop_section(); });
}

int xas_offset(xas_context* context, uint64_t* offset) {
  xas::u64 bytes = 0;
  bool known = false;
  verb(context, [&](Stream& stream) { return known = stream.offset(bytes), nothing; });
  if (offset) *offset = bytes;
  return known;
}

xas_status xas_loc(xas_context* context, const xas_line* line) {
  constexpr unsigned flags = XAS_LINE_NO_STATEMENT | XAS_LINE_STATEMENT | XAS_LINE_BASIC_BLOCK | XAS_LINE_PROLOGUE_END |
                             XAS_LINE_EPILOGUE_BEGIN;
  xas_line room;
  Wrong wrong = line ? xas::take_struct(line, room) : "`line` is a null pointer";
  if (!wrong) wrong = unless(!(line->flags & ~flags), "`flags` is no sum of XAS_LINE_*");
  return verb_unless(context, wrong, [&](Stream& stream) { stream.loc(*line); });
}

xas_status xas_cfi_begin(xas_context* context, int simple) {
  return verb_unless(context, nothing, [&](Stream& stream) { stream.begin_frame(simple != 0); });
}

xas_status xas_cfi_end(xas_context* context) {
  return verb_unless(context, nothing, [](Stream& stream) { stream.end_frame(); });
}

namespace {

/// Far beyond those that any target has; the largest is what xas_dwarf_number says of a register without one.
constexpr uint32_t last_dwarf_register = 0x7fffffff;

bool has_register(xas_cfi_rule rule) {
  return rule == XAS_CFI_DEF_CFA || rule == XAS_CFI_DEF_CFA_REGISTER ||
         (rule >= XAS_CFI_OFFSET && rule <= XAS_CFI_SAME_VALUE);
}

bool has_value(xas_cfi_rule rule) {
  return rule == XAS_CFI_DEF_CFA || (rule >= XAS_CFI_DEF_CFA_OFFSET && rule <= XAS_CFI_REGISTER);
}

}  // namespace

xas_status xas_cfi(xas_context* context, xas_cfi_rule rule, uint32_t reg, int64_t value) {
  Wrong wrong = unless(rule <= XAS_CFI_MTE_TAGGED_FRAME, "`rule` is none of xas_cfi_rule");
  if (!wrong && has_register(rule) && reg > last_dwarf_register) wrong = "`reg` is no register's number in DWARF";
  if (!wrong && !has_register(rule) && reg) wrong = "this rule has no register; `reg` has to be 0";
  if (!wrong && !has_value(rule) && value) wrong = "this rule has no value; `value` has to be 0";
  if (!wrong && rule == XAS_CFI_REGISTER && (value < 0 || value > last_dwarf_register))
    wrong = "`value` is no register's number in DWARF";
  return verb_unless(context, wrong, [&](Stream& stream) { stream.frame_rule(rule, reg, value); });
}

xas_status xas_seh_begin(xas_context* context) {
  return verb_unless(context, nothing, [](Stream& stream) { stream.begin_unwinding(); });
}

xas_status xas_seh_end(xas_context* context) {
  return verb_unless(context, nothing, [](Stream& stream) { stream.end_unwinding(); });
}

xas_status xas_seh(xas_context* context, xas_seh_rule rule, xas_register reg, int64_t value) {
  return verb(context, [&](Stream& stream) -> Wrong {
    if (rule > XAS_SEH_PUSH2REGS) return "`rule` is none of xas_seh_rule";
    if (reg && !context->target->has_register(int(reg - 1))) return not_a_register;
    if (stream.stand()) stream.unwind_rule(rule, reg, value);
    return nothing;
  });
}

xas_status xas_seh_handler(xas_context* context, const xas_value* handler, unsigned when) {
  const bool good = when <= (XAS_SEH_EXCEPT | XAS_SEH_UNWIND);
  return value_verb(context, handler, unless(good, "`when` is no sum of XAS_SEH_EXCEPT and XAS_SEH_UNWIND"),
                    [&](Stream& stream) { stream.unwind_handler(*handler, when); });
}

xas_status xas_tag_pc(xas_context* context, const xas_value* place, const xas_pc_tag* tags, size_t count) {
  return tag_verb(context, place, nullptr, tags, count);
}

xas_status xas_tag_range(xas_context* context, const xas_value* begin, const xas_value* end, const xas_pc_tag* tags,
                         size_t count) {
  if (begin && end) return tag_verb(context, begin, end, tags, count);
  return verb(context,
              [&](Stream&) -> Wrong { return begin ? "`end` is a null pointer" : "`begin` is a null pointer"; });
}

xas_status xas_pc_offset_size(xas_context* context, unsigned bytes) {
  return verb_unless(context, nothing, [&](Stream& stream) { stream.pc_offset_size(bytes); });
}

xas_status xas_directive(xas_context* context, const char* name, const xas_operand* operands, size_t count) {
  return verb(context, [&](Stream& stream) -> Wrong {
    if (!name || (count && !operands)) return name ? "`operands` is a null pointer" : null_name;
    if (name[0] != '.') return "a directive's name begins with a point";
    for (const xas_operand& o : std::span(operands, count)) {
      if (o.kind > XAS_OPERAND_WORD) return "an operand's `kind` is none of xas_operand_kind";
      if (o.kind != XAS_OPERAND_VALUE && !o.text && o.text_size) return "an operand's `text` is a null pointer";
      if (const Wrong wrong = o.kind == XAS_OPERAND_VALUE ? stream.wrong_value(o.value) : nothing) return wrong;
    }
    return unless(stream.directive(name, {operands, count}),
                  "an operand has no text: a label without a name, or a modifier");
  });
}
