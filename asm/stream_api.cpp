// SPDX-License-Identifier: Apache-2.0
// The C interface of streams (include/xas/stream.h): checks arguments, and hands on what is said.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "asm/api.h"
#include "asm/assemble.h"

namespace {

using xas::fail;
using xas::guarded;
using Stream = xas::StreamVerbs;

/// Runs `say(stream)` in an assembly that xas_begin has begun. It returns false if arguments are not what they must be,
/// which is an error of the assembly at the place where the verb stands. `function`: the public function that calls.
template <class Say>
xas_status verb(xas_context* context, const Say& say, const char* function = __builtin_FUNCTION()) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    if (!context->stream) return fail(context, XAS_BAD_ARGUMENT, "xas_begin has not been called");
    xas::Program& program = context->reader->program();
    const xas::u32 errors = program.diags.errors();
    if (!say(*context->stream)) {
      const std::string why = fmt::format("{}: a null pointer, or no such handle or number", function);
      if (context->stream->stand()) program.diags.error(program.sources.statement_loc(), why);
      return fail(context, XAS_BAD_ARGUMENT, why);
    }
    return program.diags.errors() == errors ? XAS_OK : XAS_ERRORS;
  });
}

/// The same of what has no text: it stands where xas_place says, if `good`.
template <class Say>
xas_status verb_if(xas_context* context, bool good, const Say& say, const char* function = __builtin_FUNCTION()) {
  return verb(
      context,
      [&](Stream& stream) {
        if (!good) return false;
        if (stream.stand()) say(stream);
        return true;
      },
      function);
}

/// The same if `value` is one.
template <class Say>
xas_status value_verb(xas_context* context, const xas_value* value, bool good, const Say& say,
                      const char* function = __builtin_FUNCTION()) {
  return verb(
      context,
      [&](Stream& stream) {
        if (!good || !value || !stream.is_value(*value)) return false;
        if (stream.stand()) say(stream);
        return true;
      },
      function);
}

template <class Make>
xas_symbol handle(xas_context* context, const Make& make) {
  xas_symbol made = 0;
  verb(context, [&](Stream& stream) { return made = make(stream), true; });
  return made;
}

bool is_data_size(unsigned size) { return size == 1 || size == 2 || size == 4 || size == 8; }

bool is_pc_tag(const Stream& stream, const xas_pc_tag& tag) {
  if (tag.struct_size != sizeof tag || !tag.section || !tag.section_size) return false;
  if (tag.constant_count && !tag.constants) return false;
  return std::ranges::all_of(std::span(tag.constants, tag.constant_count), [&](const xas_pc_constant& c) {
    return is_data_size(c.size) && stream.is_value(c.value);
  });
}

xas_status tag_verb(xas_context* context, const xas_value* begin, const xas_value* end, const xas_pc_tag* tags,
                    size_t count, const char* function = __builtin_FUNCTION()) {
  return verb(
      context,
      [&](Stream& stream) {
        if (!tags || !count || (begin && !stream.is_value(*begin)) || (end && !stream.is_value(*end))) return false;
        const std::span all(tags, count);
        if (!std::ranges::all_of(all, [&](const xas_pc_tag& tag) { return is_pc_tag(stream, tag); })) return false;
        if (stream.stand()) stream.tag(begin, end, all);
        return true;
      },
      function);
}

}  // namespace

xas_status xas_begin(xas_context* context) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    if (xas_status status = xas::begin(context); status != XAS_OK) return status;
    context->encoder.reset();
    if (context->reader->program().listing.on)
      return fail(context, XAS_BAD_OPTION, "option '-a' shows a text; here there is none");
    context->stream.emplace(*context->reader);
    return XAS_OK;
  });
}

xas_status xas_finish(xas_context* context) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    if (!context->stream) return fail(context, XAS_BAD_ARGUMENT, "xas_begin has not been called");
    context->stream->stand();
    context->stream->check_labels();
    context->has_object = xas::finish(*context->reader, context->object);
    const xas_status status = xas::collect(context);
    context->stream.reset();  // which owns the names of the places that diagnostics are about
    return status;
  });
}

xas_status xas_place(xas_context* context, const char* file, uint32_t line) {
  return verb(context, [&](Stream& stream) {
    if (line) stream.place(file, line);
    return line != 0;
  });
}

xas_status xas_feed(xas_context* context, const char* text, size_t size) {
  return verb(context, [&](Stream& stream) {
    if (!text && size) return false;
    stream.feed({text, size});
    return true;
  });
}

xas_symbol xas_symbol_named(xas_context* context, const char* name, size_t size) {
  if (!name || !size || size > UINT32_MAX) return 0;
  return handle(context, [&](Stream& stream) { return stream.name({name, size}); });
}

xas_symbol xas_new_label(xas_context* context) {
  return handle(context, [](Stream& stream) { return stream.label(); });
}

xas_status xas_declare(xas_context* context, xas_symbol symbol, xas_attribute attribute) {
  return verb(context, [&](Stream& stream) {
    if (!stream.is_symbol(symbol) || attribute < XAS_GLOBAL || attribute > XAS_UNIQUE_OBJECT) return false;
    return !stream.stand() || stream.declare(symbol, attribute);
  });
}

xas_status xas_assign(xas_context* context, xas_symbol symbol, const xas_value* value, int again) {
  return verb(context, [&](Stream& stream) {
    if (!stream.is_symbol(symbol) || !value || !stream.is_value(*value)) return false;
    if (stream.stand()) stream.assign(symbol, *value, again != 0);
    return true;
  });
}

xas_status xas_set_size(xas_context* context, xas_symbol symbol, const xas_value* size) {
  return verb(context, [&](Stream& stream) {
    if (!stream.is_symbol(symbol) || !size || !stream.is_value(*size)) return false;
    if (stream.stand()) stream.size(symbol, *size);
    return true;
  });
}

xas_status xas_common(xas_context* context, xas_symbol symbol, uint64_t size, unsigned log2) {
  return verb(context, [&](Stream& stream) {
    if (!stream.is_symbol(symbol)) return false;
    if (stream.stand()) stream.common(symbol, size, log2);
    return true;
  });
}

xas_status xas_label(xas_context* context, xas_symbol symbol) {
  return verb(context, [&](Stream& stream) {
    if (!stream.is_symbol(symbol)) return false;
    if (stream.stand()) stream.define(symbol);
    return true;
  });
}

uint32_t xas_modifier(xas_context* context, const char* name) {
  if (!context || !context->stream || !name) return XAS_NO_MODIFIER;
  const xas::u16 found = context->target->modifier(name + (*name == '@'));
  return found ? found : XAS_NO_MODIFIER;
}

xas_status xas_expression(xas_context* context, const char* text, size_t size, xas_value* value) {
  return verb(context, [&](Stream& stream) {
    if (!text || !value) return false;
    *value = {};
    stream.expression({text, size}, *value);
    return true;
  });
}

xas_register xas_register_named(xas_context* context, const char* name) {
  if (!name || !context) return 0;
  xas_register found = 0;
  guarded(context, [&] {
    if (!context->target)
      if (const xas_status status = xas::begin_encoding(context); status != XAS_OK) return status;
    found = xas::register_named(*context->target, name, context->text);
    return XAS_OK;
  });
  return found;
}

xas_mnemonic xas_mnemonic_named(const char* name) { return name ? xas::mnemonic_number(xas::hash_name(name)) : 0; }

xas_status xas_emit(xas_context* context, xas_mnemonic mnemonic, uint32_t how, const xas_arg* args, size_t count) {
  return verb(context, [&](Stream& stream) {
    return mnemonic && (args || !count) && stream.emit(mnemonic, how, {args, count});
  });
}

xas_status xas_instruction(xas_context* context, const char* mnemonic, const xas_arg* args, size_t count) {
  return verb(context, [&](Stream& stream) {
    if (!mnemonic || (count && !args)) return false;
    for (size_t i = 0; i < count; ++i)
      if (!stream.is_arg(args[i])) return false;
    stream.instruction(mnemonic, {args, count});
    return true;
  });
}

xas_status xas_bytes(xas_context* context, const void* bytes, size_t size) {
  return verb_if(context, bytes || !size, [&](Stream& stream) { stream.out().emit_bytes(bytes, size); });
}

xas_status xas_integer(xas_context* context, uint64_t value, unsigned size) {
  return verb_if(context, size >= 1 && size <= 8, [&](Stream& stream) { stream.integer(value, size); });
}

xas_status xas_data(xas_context* context, const xas_value* value, unsigned size) {
  return value_verb(context, value, is_data_size(size), [&](Stream& stream) { stream.data(*value, size); });
}

xas_status xas_leb128(xas_context* context, const xas_value* value, int is_signed) {
  return value_verb(context, value, true, [&](Stream& stream) { stream.leb128(*value, is_signed != 0); });
}

xas_status xas_fill(xas_context* context, const xas_value* count, unsigned size, uint64_t pattern) {
  return value_verb(context, count, size >= 1 && size <= 8,
                    [&](Stream& stream) { stream.fill(*count, size, pattern); });
}

xas_status xas_align(xas_context* context, unsigned log2, uint32_t most) {
  return verb_if(context, true, [&](Stream& stream) { stream.align(log2, -1, most); });
}

xas_status xas_align_filled(xas_context* context, unsigned log2, uint8_t fill, uint32_t most) {
  return verb_if(context, true, [&](Stream& stream) { stream.align(log2, fill, most); });
}

xas_status xas_org(xas_context* context, const xas_value* place, uint8_t fill) {
  return value_verb(context, place, true, [&](Stream& stream) { stream.org(*place, fill); });
}

xas_status xas_open_section(xas_context* context, const xas_section_request* request, xas_section* section) {
  return verb(context, [&](Stream& stream) {
    if (!request || request->struct_size != sizeof *request || !request->name || !request->name_size) return false;
    const xas_section_request& r = *request;
    if ((r.group && !stream.has_name(r.group)) || (r.linked_to && !stream.is_symbol(r.linked_to))) return false;
    if (stream.stand()) stream.open_section(r);
    if (section) *section = stream.section();
    return true;
  });
}

xas_section xas_current_section(xas_context* context) {
  return context && context->stream ? context->stream->section() : 0;
}

xas_status xas_switch_section(xas_context* context, xas_section section) {
  return verb(context, [&](Stream& stream) {
    if (!stream.is_section(section)) return false;
    if (stream.stand()) stream.switch_to(section);
    return true;
  });
}

xas_status xas_push_section(xas_context* context) {
  return verb_if(context, true, [](Stream& stream) { stream.push_section(); });
}

xas_status xas_pop_section(xas_context* context) {
  return verb_if(context, true, [](Stream& stream) { stream.pop_section(); });
}

int xas_offset(xas_context* context, uint64_t* offset) {
  xas::u64 bytes = 0;
  const bool known = context && context->stream && context->stream->offset(bytes);
  if (offset) *offset = bytes;
  return known;
}

xas_status xas_loc(xas_context* context, const xas_line* line) {
  return verb_if(context, line && line->struct_size == sizeof *line, [&](Stream& stream) { stream.loc(*line); });
}

xas_status xas_cfi_begin(xas_context* context, int simple) {
  return verb_if(context, true, [&](Stream& stream) { stream.begin_frame(simple != 0); });
}

xas_status xas_cfi_end(xas_context* context) {
  return verb_if(context, true, [](Stream& stream) { stream.end_frame(); });
}

xas_status xas_cfi(xas_context* context, xas_cfi_rule rule, uint32_t reg, int64_t value) {
  return verb_if(context, rule >= XAS_CFI_DEF_CFA && rule <= XAS_CFI_MTE_TAGGED_FRAME,
                 [&](Stream& stream) { stream.frame_rule(rule, reg, value); });
}

xas_status xas_seh_begin(xas_context* context) {
  return verb_if(context, true, [](Stream& stream) { stream.begin_unwinding(); });
}

xas_status xas_seh_end(xas_context* context) {
  return verb_if(context, true, [](Stream& stream) { stream.end_unwinding(); });
}

xas_status xas_seh(xas_context* context, xas_seh_rule rule, xas_register reg, int64_t value) {
  return verb(context, [&](Stream& stream) {
    if (rule < XAS_SEH_ENDPROLOGUE || rule > XAS_SEH_ENDPROLOGUE_FRAGMENT) return false;
    if (reg && !context->target->has_register(int(reg - 1))) return false;
    if (stream.stand()) stream.unwind_rule(rule, reg, value);
    return true;
  });
}

xas_status xas_seh_handler(xas_context* context, const xas_value* handler, unsigned when) {
  return value_verb(context, handler, when <= (XAS_SEH_EXCEPT | XAS_SEH_UNWIND),
                    [&](Stream& stream) { stream.unwind_handler(*handler, when); });
}

xas_status xas_tag_pc(xas_context* context, const xas_value* place, const xas_pc_tag* tags, size_t count) {
  return tag_verb(context, place, nullptr, tags, count);
}

xas_status xas_tag_range(xas_context* context, const xas_value* begin, const xas_value* end, const xas_pc_tag* tags,
                         size_t count) {
  return begin && end ? tag_verb(context, begin, end, tags, count) : verb(context, [](Stream&) { return false; });
}

xas_status xas_pc_offset_size(xas_context* context, unsigned bytes) {
  return verb_if(context, true, [&](Stream& stream) { stream.pc_offset_size(bytes); });
}

xas_status xas_directive(xas_context* context, const char* name, const xas_operand* operands, size_t count) {
  return verb(context, [&](Stream& stream) {
    if (!name || name[0] != '.' || (count && !operands)) return false;
    for (size_t i = 0; i < count; ++i) {
      const xas_operand& o = operands[i];
      if (o.kind == XAS_OPERAND_VALUE ? !stream.is_value(o.value) : !o.text && o.text_size) return false;
    }
    return stream.directive(name, {operands, count});
  });
}
