// SPDX-License-Identifier: Apache-2.0
// The C interface (include/xas/xas.h). Its functions only translate: nothing is decided here. No exception leaves them;
// the only ones that can occur are for lack of memory.

#include "asm/api.h"

#include <cstring>
#include <unordered_set>

#include "asm/assemble.h"
#include "asm/execute.h"
#include "asm/listing/listing_text.h"
#include "asm/options/table.h"
#include "asm/struct_size.h"

namespace {

constexpr const char* version_text = XAS_VERSION;
constexpr std::string_view no_memory = "out of memory";

bool read_through_callback(void* user, const std::string& path, std::string_view& text) {
  auto* context = static_cast<xas_context*>(user);
  const xas::InCallback running(context);
  const char* p = nullptr;
  size_t size = 0;
  if (!context->include(context->include_user, path.c_str(), &p, &size)) return false;
  if (!p && size) return false;  // a size without a text: there is nothing to read
  text = p ? std::string_view(p, size) : std::string_view();
  return true;
}

constexpr const char* null_text = "`text` is a null pointer";

/// What is wrong with a structure that is to be filled in; null: nothing.
const char* wrong_result(const xas_encoding* result) {
  if (!result) return "`result` is a null pointer";
  return xas::is_struct_size<xas_encoding>(result->struct_size) ? nullptr : xas::wrong_struct_size;
}

/// The resolver of a call, which asks it through here.
struct ResolverOfCall {
  xas_context* context;
  xas_encode_options how;  ///< as the caller gave them

  static int ask(void* user, const char* name, uint64_t address, xas_use use, uint64_t* value) {
    const auto* call = static_cast<const ResolverOfCall*>(user);
    const xas::InCallback running(call->context);
    return call->how.resolver(call->how.user, name, address, use, value);
  }
  /// How the encoder is to work.
  xas_encode_options options() {
    return {sizeof how, how.flags, how.resolver ? ask : nullptr, how.resolver ? this : nullptr};
  }
};

/// Where included files come from, for Sources::set_reader; null: the file system.
xas::Sources::Reader includes_of(const xas_context* context) {
  return context->include ? read_through_callback : nullptr;
}

void forget_results(xas_context* context) {
  xas::end_stream(context);
  context->report.clear();
  context->dependencies.clear();
  context->has_object = false;
  context->reader.reset();
}

/// Runs the assembly and collects what came of it.
xas_status run(xas_context* context, std::span<const xas::Input> inputs) {
  if (xas_status status = xas::begin(context); status != XAS_OK) return status;
  context->has_object = xas::assemble(*context->reader, inputs, context->object);
  return xas::collect(context);
}

}  // namespace

namespace xas {

xas_status begin_encoding(xas_context* context, const char* function) {
  if (context->stream) return still_open(context, function);
  if (!context->encoder) {
    if (xas_status status = begin(context); status != XAS_OK) return status;
    context->encoder.emplace(context->options);
    context->encoder->set_includes(includes_of(context), context);
  }
  if (context->reader) forget_results(context);
  if (!context->report.list().empty()) context->report.clear();
  context->has_object = false;
  return XAS_OK;
}

xas_status refuse(xas_context* context, const char* function, const char* wrong) {
  return fail(context, XAS_BAD_ARGUMENT, fmt::format("{}: {}", function, wrong));
}

xas_status still_open(xas_context* context, const char* function) {
  return fail(context, XAS_BAD_ARGUMENT,
              std::string(function) + ": the context has an assembly that xas_finish has not ended");
}

void end_stream(xas_context* context) {
  if (!context->stream) return;
  context->first_handles = context->stream->handles_behind();
  context->stream.reset();
}

xas_status out_of_memory(xas_context* context) {
  end_stream(context);
  context->has_object = false;
  context->report.clear();
  context->dependencies.clear();
  context->encoder.reset();
  context->error = no_memory;  // short enough to need no memory itself
  return XAS_OUT_OF_MEMORY;
}

xas_status begin(xas_context* context) {
  forget_results(context);
  context->options = context->settings.options;
  OptionProblems problems;
  std::vector<std::string>& errors = problems.errors;
  if (std::string error = context->settings.finish(context->options); !error.empty()) errors.push_back(error);
  if (errors.empty()) context->target = make_target(context->options.target, problems);
  if (!errors.empty()) {
    Diags diags;
    std::string all;
    for (const std::string& e : errors) {
      diags.error(0, e);
      (all += all.empty() ? "" : "; ") += e;
    }
    context->report.fill(diags, Sources());
    return fail(context, XAS_BAD_OPTION, all);
  }
  Reader& reader = context->reader.emplace(context->options, *context->target);
  reader.program().sources.set_reader(includes_of(context), context);
  for (const auto* warnings : {&context->settings.warnings, &problems.warnings}) {
    for (const std::string& warning : *warnings) reader.program().diags.remark(warning);
  }
  return XAS_OK;
}

xas_status collect(xas_context* context) {
  Reader& reader = *context->reader;
  if (context->options.listing.parts && !context->has_object)
    reader.program().listing.text = listing_text(reader.program(), nullptr);
  context->report.fill(reader.program().diags, reader.program().sources);
  std::unordered_set<std::string_view> listed;
  for (const std::string& input : reader.inputs) {
    if (listed.insert(input).second) context->dependencies.push_back(input.c_str());
  }
  return context->has_object ? XAS_OK : XAS_ERRORS;
}

}  // namespace xas

using xas::fail;
using xas::guarded;

const char* xas_version(void) { return version_text; }

uint32_t xas_api_version(void) { return XAS_API_VERSION; }

xas_context* xas_create(void) {
  try {
    return new xas_context;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void xas_destroy(xas_context* context) { delete context; }

void xas_reset(xas_context* context) {
  if (!context) return;
  guarded(context, [&] {
    forget_results(context);
    context->encoder.reset();
    context->shapes = {};
    context->names.reset();
    context->settings = {};
    return XAS_OK;
  });
}

xas_status xas_set_option(xas_context* context, const char* option, const char* value) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    if (!option || option[0] != '-' || option[1] == '\0')
      return xas::refuse(context, "xas_set_option",
                         option ? "an option begins with '-'" : "`option` is a null pointer");
    xas::Settings changed = context->settings;
    xas::OptionResult result = xas::apply_option(changed, option, value, false);
    if (!result.error.empty()) return fail(context, XAS_BAD_OPTION, result.error);
    if (value && !result.took_next) {
      return fail(context, XAS_BAD_OPTION, "option '" + std::string(option) + "' takes no further value");
    }
    context->encoder.reset();
    context->shapes = {};
    context->names.reset();
    context->settings = std::move(changed);
    context->options_changed = true;
    return XAS_OK;
  });
}

void xas_set_include_callback(xas_context* context, xas_include_callback callback, void* user) {
  if (!context) return;
  guarded(context, [&] {
    context->include = callback;
    context->include_user = user;
    if (context->stream) context->reader->program().sources.set_reader(includes_of(context), context);
    if (context->encoder) context->encoder->set_includes(includes_of(context), context);
    return XAS_OK;
  });
}

xas_status xas_assemble(xas_context* context, const char* text, size_t size, const char* name) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    if (!text && size) return xas::refuse(context, "xas_assemble", null_text);
    xas::Input input{xas::Input::memory, name ? name : "<memory>", {text, size}};
    return run(context, {&input, 1});
  });
}

xas_status xas_assemble_files(xas_context* context, const char* const* paths, size_t count) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    if (count && !paths) return xas::refuse(context, "xas_assemble_files", "`paths` is a null pointer");
    if (std::count(paths, paths + count, nullptr))
      return xas::refuse(context, "xas_assemble_files", "a path is a null pointer");
    std::vector<xas::Input> inputs;
    for (size_t i = 0; i < count; ++i) {
      bool is_stdin = std::strcmp(paths[i], "-") == 0;
      inputs.push_back({is_stdin ? xas::Input::standard_input : xas::Input::file, paths[i], {}});
    }
    return run(context, inputs);
  });
}

xas_status xas_encode(xas_context* context, const char* text, size_t size, uint64_t address,
                      const xas_encode_options* options, xas_encoding* result) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    constexpr xas_encode_options usual = {sizeof(xas_encode_options), 0, nullptr, nullptr};
    if (!options) options = &usual;
    xas_encode_options room;
    if (const char* const wrong = xas::take_struct(options, room)) return xas::refuse(context, "xas_encode", wrong);
    const char* const wrong = !text && size ? null_text : wrong_result(result);
    if (wrong) return xas::refuse(context, "xas_encode", wrong);
    if (options->flags & ~unsigned(XAS_ENCODE_RELOCATABLE | XAS_ENCODE_STUBS))
      return fail(context, XAS_BAD_OPTION, "xas_encode: `flags` is no sum of XAS_ENCODE_*");
    if (xas_status status = xas::begin_encoding(context, "xas_encode"); status != XAS_OK) return status;
    xas_encoding made = {sizeof made, nullptr, 0, nullptr, 0, nullptr, 0};
    ResolverOfCall resolver{context, *options};
    const xas_status status =
        context->encoder->encode({text, size}, address, resolver.options(), made, context->report);
    xas::give_struct(made, result);
    return status;
  });
}

xas_status xas_encode_instruction(xas_context* context, xas_mnemonic mnemonic, uint32_t how, const xas_arg* args,
                                  size_t count, uint64_t address, xas_encoding* result) {
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    const char* wrong = xas::wrong_instruction(mnemonic, args, count);
    if (!wrong) wrong = wrong_result(result);
    if (wrong) return xas::refuse(context, "xas_encode_instruction", wrong);
    if (xas_status status = xas::begin_encoding(context, "xas_encode_instruction"); status != XAS_OK) return status;
    const xas::KindsOfArgs kinds({args, count});
    for (std::size_t i = 0; i < count; ++i) {
      const xas_arg& a = std::span<const xas_arg>(kinds)[i];
      wrong = wrong_typed_arg(*context->target, a);
      if (!wrong && (a.value.add || a.value.subtract || a.value.modifier))
        wrong = "it has a symbol or modifier; here operands are numbers";
      if (wrong) return xas::refuse(context, "xas_encode_instruction", xas::of_operand(i, wrong).c_str());
    }
    xas_encoding made = {sizeof made, nullptr, 0, nullptr, 0, nullptr, 0};
    const xas_status status = context->encoder->encode(mnemonic, how, kinds, address, made, context->report);
    xas::give_struct(made, result);
    return status;
  });
}

int xas_encoded_label(const xas_context* context, const char* name, uint64_t* address) {
  xas::u64 found;
  if (!context || !name || !address || !context->encoder || !context->encoder->label(name, found)) return 0;
  *address = found;
  return 1;
}

xas_status xas_load(xas_context* context, const char* text, size_t size, xas_resolver resolver, void* user,
                    xas_code** code) {
  if (code) *code = nullptr;
  if (!context) return XAS_BAD_ARGUMENT;
  return guarded(context, [&] {
    const char* const wrong = !code ? "`code` is a null pointer" : !text && size ? null_text : nullptr;
    if (wrong) return xas::refuse(context, "xas_load", wrong);
    if (xas_status status = xas::begin_encoding(context, "xas_load"); status != XAS_OK) return status;
    if (!xas::runs_here(context->options)) {
      return fail(context, XAS_BAD_OPTION, "code can be run for x86-64 and AArch64 Linux, on such a machine");
    }
    ResolverOfCall asked{context, {sizeof(xas_encode_options), XAS_ENCODE_STUBS, resolver, user}};
    auto made = std::make_unique<xas_code>();
    const xas_status status = xas::load(*context->encoder, {text, size}, asked.options(), *made, context->report);
    if (status == XAS_OK) *code = made.release();
    return status;
  });
}

void* xas_code_label(const xas_code* code, const char* name) {
  if (!code) return nullptr;
  if (!name) return code->memory;
  const auto it = code->labels.find(std::string_view(name));
  return it == code->labels.end() ? nullptr : code->memory + it->second;
}

const uint8_t* xas_code_bytes(const xas_code* code, size_t* size) {
  if (size) *size = code ? code->size : 0;
  return code ? code->memory : nullptr;
}

void xas_code_free(xas_code* code) { delete code; }

const uint8_t* xas_object(const xas_context* context, size_t* size) {
  bool has = context && context->has_object;
  if (size) *size = has ? size_t(context->object.size()) : 0;
  return has ? context->object.data() : nullptr;
}

const char* xas_printed(const xas_context* context, size_t* size) {
  const bool has = context && context->reader;
  if (size) *size = has ? context->reader->printed.size() : 0;
  return has ? context->reader->printed.c_str() : "";
}

const char* xas_listing(const xas_context* context, size_t* size) {
  const bool has = context && context->reader && context->options.listing.parts != 0;
  if (size) *size = has ? context->reader->program().listing.text.size() : 0;
  return has ? context->reader->program().listing.text.c_str() : nullptr;
}

size_t xas_diagnostic_count(const xas_context* context) { return context ? context->report.list().size() : 0; }

const xas_diagnostic* xas_diagnostic_at(const xas_context* context, size_t index) {
  return index < xas_diagnostic_count(context) ? &context->report.list()[index] : nullptr;
}

size_t xas_error_count(const xas_context* context) { return context ? context->report.errors() : 0; }

size_t xas_warning_count(const xas_context* context) { return context ? context->report.warnings() : 0; }

const char* xas_diagnostics_text(xas_context* context, unsigned flags, size_t* size) {
  if (size) *size = 0;
  if (!context) return "";
  try {
    context->text.clear();
    if (flags & XAS_TEXT_JSON) {
      context->report.write_json(context->text);
    } else {
      context->report.write_text(context->text, flags & XAS_TEXT_COLOR);
    }
  } catch (const std::bad_alloc&) {
    return no_memory.data();
  }
  if (size) *size = context->text.size();
  return context->text.c_str();
}

const char* xas_error(const xas_context* context) { return context ? context->error.c_str() : ""; }

const char* xas_dependency_at(const xas_context* context, size_t index) {
  return context && index < context->dependencies.size() ? context->dependencies[index] : nullptr;
}
