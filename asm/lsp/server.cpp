// SPDX-License-Identifier: Apache-2.0
#include "asm/directives/usage.h"
#include "asm/lsp/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "targets/text.h"

namespace xas::lsp {

namespace {

/// Codes of errors (JSON-RPC 2.0; LSP 3.17, "Response Message").
enum Code {
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  not_initialized = -32002,
};

/// What is wrong with a request; the client gets it as the answer.
struct Refusal {
  Code code;
  std::string message;
};

constexpr std::size_t shown_forms = 20, shown_bytes = 16 * 3 - 1;

Json to_json(Position p) { return {{"line", p.line}, {"character", p.character}}; }
Json to_json(const Range& r) { return {{"start", to_json(r.start)}, {"end", to_json(r.end)}}; }
Json to_json(const std::string& uri, const Range& r) { return {{"uri", uri}, {"range", to_json(r)}}; }

Refusal wrong_parameter(std::string_view name, std::string_view what) {
  return {invalid_params, fmt::format("parameter '{}' is {}", name, what)};
}

// What a request has to say. What is not there, or something else, is refused.

const Json& member(const Json& of, const char* name) {
  if (!of.is_object() || !of.contains(name)) throw wrong_parameter(name, "missing");
  return of[name];
}

std::string text_member(const Json& of, const char* name) {
  const Json& text = member(of, name);
  if (!text.is_string()) throw wrong_parameter(name, "no string");
  return text.get<std::string>();
}

/// Clients that have only floating-point numbers may write 1 as 1.0.
u32 number_member(const Json& of, const char* name) {
  const Json& number = member(of, name);
  const double value = number.is_number() ? number.get<double>() : -1;
  const bool is_good = value >= 0 && value <= ~u32(0) && value == double(u32(value));
  if (!is_good) throw wrong_parameter(name, fmt::format("no whole number from 0 to {}", ~u32(0)));
  return u32(value);
}

/// Of a document; whatever else a client calls it, it stays as it was.
i64 version_member(const Json& of, i64 otherwise) {
  const Json& version = member(of, "textDocument");
  if (!version.is_object() || !version.contains("version")) return otherwise;
  return version["version"].is_number_integer() ? version["version"].get<i64>() : otherwise;
}

Position position_of(const Json& json) { return {number_member(json, "line"), number_member(json, "character")}; }
Range range_of(const Json& json) { return {position_of(member(json, "start")), position_of(member(json, "end"))}; }
Range range_of(const Text& text, const Word& word) { return text.range(word.line, word.begin, word.end); }

std::string uri_of(const Json& parameters) { return text_member(member(parameters, "textDocument"), "uri"); }

/// The path of a `file:` URI; another one as it is.
std::string path_of(const std::string& uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return uri;
  std::string path;
  const auto digit = [](char c) {
    return text::is_digit(c)                                ? c - '0'
           : text::lower(c) >= 'a' && text::lower(c) <= 'f' ? text::lower(c) - 'a' + 10
                                                            : -1;
  };
  for (std::size_t i = scheme.size(); i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
      path += char(digit(uri[i + 1]) * 16 + digit(uri[i + 2]));
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(begin);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line;
}

Syntax syntax_of(const Analysis& analysis) {
  switch (analysis.target.machine) {
    case Machine::unknown: break;
    case Machine::x86: return {"/", "#", !analysis.target.intel_syntax};
    case Machine::arm: return {"#", "@", true};
    case Machine::aarch64: return {"#", "//"};
  }
  return {};
}

std::string code_block(std::string_view text) { return fmt::format("```asm\n{}\n```\n", text); }

/// What a client shows beside a name (LSP 3.17, CompletionItemKind, SymbolKind).
enum ItemKind { item_function = 3, item_variable = 6, item_keyword = 14, item_snippet = 15, item_constant = 21 };
enum SymbolKind { symbol_function = 12, symbol_constant = 14, symbol_key = 20 };

}  // namespace

const std::map<std::string, Server::Handler, std::less<>>& Server::handlers() {
  static const std::map<std::string, Handler, std::less<>> all = {
      {"initialize", &Server::initialize},
      {"initialized", &Server::initialized},
      {"shutdown", &Server::shutdown},
      {"workspace/didChangeConfiguration", &Server::change_configuration},
      {"textDocument/didOpen", &Server::did_open},
      {"textDocument/didChange", &Server::did_change},
      {"textDocument/didClose", &Server::did_close},
      {"textDocument/hover", &Server::hover},
      {"textDocument/completion", &Server::completion},
      {"textDocument/definition", &Server::definition},
      {"textDocument/references", &Server::references_of},
      {"textDocument/documentHighlight", &Server::highlight},
      {"textDocument/prepareRename", &Server::prepare_rename},
      {"textDocument/rename", &Server::rename},
      {"textDocument/documentSymbol", &Server::document_symbols},
      {"textDocument/inlayHint", &Server::inlay_hints},
  };
  return all;
}

bool Server::receive(const Json& message) {
  const bool is_object = message.is_object();
  const Json id = is_object && message.contains("id") ? message["id"] : Json();
  const auto refuse = [&](Code code, const std::string& why) {
    send_({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", int(code)}, {"message", why}}}});
  };
  if (!is_object || !message.contains("method") || !message["method"].is_string()) {
    // Answers are to nothing that was asked.
    if (!is_object || !(message.contains("result") || message.contains("error")))
      refuse(invalid_request, "this is no request of JSON-RPC");
    return true;
  }
  const std::string method = message["method"];
  if (method == "exit") return false;
  const bool is_request = message.contains("id");
  const auto handler = handlers().find(method);
  if (handler == handlers().end()) {
    if (is_request) refuse(method_not_found, fmt::format("there is no method '{}'", method));
    return true;
  }
  if (!is_initialized_ && method != "initialize") {
    if (is_request) refuse(not_initialized, "the first request has to be 'initialize'");
    return true;
  }
  if (is_shut_down_) {
    if (is_request) refuse(invalid_request, "the server has been shut down");
    return true;
  }
  try {
    const Json parameters = message.value("params", Json::object());
    Json result = (this->*handler->second)(parameters);
    if (is_request) send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
  } catch (const Refusal& refusal) {
    if (is_request) refuse(refusal.code, refusal.message);
  } catch (const std::bad_alloc&) {
    if (is_request) refuse(internal_error, "out of memory");
  }
  return true;
}

// The session

Json Server::initialize(const Json& parameters) {
  if (is_initialized_) throw Refusal{invalid_request, "the server has been initialized"};
  if (parameters.contains("initializationOptions"))
    change_configuration({{"settings", parameters["initializationOptions"]}});
  is_initialized_ = true;
  constexpr int incremental = 2;
  return {{"serverInfo", {{"name", "xas-lsp"}, {"version", XAS_VERSION}}},
          {"capabilities",
           {{"positionEncoding", "utf-16"},
            {"textDocumentSync", {{"openClose", true}, {"change", incremental}}},
            {"hoverProvider", true},
            {"completionProvider", {{"triggerCharacters", {".", "%"}}}},
            {"definitionProvider", true},
            {"referencesProvider", true},
            {"documentHighlightProvider", true},
            {"renameProvider", {{"prepareProvider", true}}},
            {"documentSymbolProvider", true},
            {"inlayHintProvider", true}}}};
}

Json Server::shutdown(const Json&) {
  is_shut_down_ = true;
  return nullptr;
}

/// {"settings": {"options": ["--target=aarch64-linux-gnu", ...]}}, perhaps with "xas" around the options.
Json Server::change_configuration(const Json& parameters) {
  const Json* settings = parameters.is_object() && parameters.contains("settings") ? &parameters["settings"] : nullptr;
  if (settings && settings->is_object() && settings->contains("xas")) settings = &(*settings)["xas"];
  if (!settings || !settings->is_object() || !settings->contains("options")) return nullptr;
  const Json& options = (*settings)["options"];
  const auto is_text = [](const Json& option) { return option.is_string(); };
  if (!options.is_array() || !std::all_of(options.begin(), options.end(), is_text))
    throw wrong_parameter("options", "no array of strings");
  client_options_ = options.get<std::vector<std::string>>();
  for (auto& [uri, document] : documents_) document.has_changed = true;
  return nullptr;
}

// Documents

void Server::idle() {
  try {
    for (auto& [uri, document] : documents_) bring_up_to_date(uri, document);
  } catch (const std::bad_alloc&) {  // who asks for something is told
  }
}

Settings Server::settings() const {
  Settings settings = settings_;
  settings.options.insert(settings.options.end(), client_options_.begin(), client_options_.end());
  return settings;
}

/// Assembles a document if it is new or has changed, and tells the client what is wrong with it.
void Server::bring_up_to_date(const std::string& uri, Document& document) {
  if (!std::exchange(document.has_changed, false)) return;
  document.analysis = analyse(document.text, path_of(uri), settings());
  document.words = find_words(document.text, syntax_of(document.analysis));
  publish(uri, document);
}

void Server::publish(const std::string& uri, const Document& document) const {
  Json diagnostics = Json::array();
  for (const Problem& p : document.analysis.problems) {
    Json d = {{"range", to_json(p.range)}, {"severity", int(p.severity)}, {"source", "xas"}, {"message", p.message}};
    for (const Problem::Related& r : p.related)
      d["relatedInformation"].push_back({{"location", to_json(uri, r.range)}, {"message", r.message}});
    diagnostics.push_back(std::move(d));
  }
  send_({{"jsonrpc", "2.0"},
         {"method", "textDocument/publishDiagnostics"},
         {"params", {{"uri", uri}, {"version", document.version}, {"diagnostics", std::move(diagnostics)}}}});
}

Json Server::did_open(const Json& parameters) {
  const std::string uri = uri_of(parameters);
  Document document(text_member(member(parameters, "textDocument"), "text"));
  document.version = version_member(parameters, 0);
  documents_.insert_or_assign(uri, std::move(document));
  return nullptr;
}

Json Server::did_change(const Json& parameters) {
  const std::string uri = uri_of(parameters);
  const auto found = documents_.find(uri);
  if (found == documents_.end()) return nullptr;
  Document& document = found->second;
  document.words.clear();  // they borrow from the text
  document.has_changed = true;
  for (const Json& change : member(parameters, "contentChanges")) {
    const std::string text = text_member(change, "text");
    if (change.contains("range"))
      document.text.replace(range_of(change["range"]), text);
    else
      document.text.replace(text);
  }
  document.version = version_member(parameters, document.version);
  return nullptr;
}

Json Server::did_close(const Json& parameters) {
  const std::string uri = uri_of(parameters);
  if (documents_.erase(uri) == 0) return nullptr;
  publish(uri, Document(""));  // nothing is wrong with it any more
  return nullptr;
}

/// An open document, up to date.
const Server::Document& Server::document(const std::string& uri) {
  const auto found = documents_.find(uri);
  if (found == documents_.end()) throw Refusal{invalid_params, fmt::format("'{}' is not open", uri)};
  bring_up_to_date(uri, found->second);
  return found->second;
}

Server::Place Server::place(const Json& parameters) {
  Place p;
  p.uri = uri_of(parameters);
  p.document = &document(p.uri);
  p.position = position_of(member(parameters, "position"));
  p.word = word_at(p.document->words, p.position.line, p.document->text.column(p.position));
  return p;
}

// Questions

const Instructions& Server::instructions(const Document& document) {
  const Analysis& a = document.analysis;
  const corpus::Request request = instructions_of(a.target, a.intel_syntax, a.llvm);
  auto& known = instructions_[int(request.machine) * 8 + int(request.syntax) * 2 + request.llvm];
  if (!known) known = std::make_unique<Instructions>(request);
  return *known;
}

std::string Server::describe_instruction(const Document& document, const Word& word) {
  std::string name;
  const auto forms = instructions(document).find(word.text, name);
  std::string text;
  const std::string& bytes = document.analysis.bytes[word.line];
  if (!bytes.empty()) text += fmt::format("here: `{}`\n\n", bytes.substr(0, shown_bytes));
  if (forms.empty()) return text;
  const bool is_x86 = document.analysis.target.machine == Machine::x86;
  if (is_x86 && !document.analysis.intel_syntax) text += "forms, with their operands in Intel's order:\n";
  std::string block;
  for (const InstructionForm& form : forms.first(std::min(forms.size(), shown_forms)))
    block += fmt::format("{}{}\n", form.text, form.features.empty() ? "" : fmt::format("    ; {}", form.features));
  if (forms.size() > shown_forms) block += fmt::format("... and {} more\n", forms.size() - shown_forms);
  block.pop_back();
  return text + code_block(block);
}

std::string Server::describe_symbol(const Document& document, const Word& word) const {
  std::string text;
  for (const Word* d : definitions(document.words, word)) {
    constexpr std::string_view kinds[] = {"label", "value", "macro", "parameter"};
    text += fmt::format("{} `{}`, line {}\n", kinds[d->role], d->text, d->line + 1);
    text += code_block(trimmed(document.text.line(d->line)));
  }
  return text;
}

Json Server::hover(const Json& parameters) {
  const Place p = place(parameters);
  if (!p.word) return nullptr;
  std::string text;
  if (p.word->role == Word::directive) {
    if (const DirectiveUsage* usage = find_directive_usage(p.word->text))
      text = code_block(fmt::format("{} {}", p.word->text, usage->operands)) + fmt::format("{}\n", usage->summary);
    const std::string& bytes = p.document->analysis.bytes[p.word->line];
    if (!bytes.empty()) text += fmt::format("\nhere: `{}`\n", bytes.substr(0, shown_bytes));
  } else {
    text = describe_symbol(*p.document, *p.word);
    if (text.empty() && p.word->role == Word::mnemonic) text = describe_instruction(*p.document, *p.word);
  }
  if (text.empty()) return nullptr;
  return {{"contents", {{"kind", "markdown"}, {"value", text}}},
          {"range", to_json(range_of(p.document->text, *p.word))}};
}

Json Server::completion(const Json& parameters) {
  const std::string uri = uri_of(parameters);
  const Document& d = document(uri);
  const Position at = position_of(member(parameters, "position"));
  const std::string_view line = d.text.line(at.line);
  const std::size_t end = std::min(d.text.column(at), line.size());
  std::size_t begin = end;
  while (begin > 0 && (text::is_name_char(line[begin - 1]) || line[begin - 1] == '%' || line[begin - 1] == '$'))
    --begin;
  if (begin < end && begin > 0 && line[begin] == '$' && syntax_of(d.analysis).dollar_immediates) ++begin;
  const std::string prefix = text::lower(line.substr(begin, end - begin));
  const Json range = to_json(d.text.range(at.line, begin, end));

  Json items = Json::array();
  std::string last;
  const auto offer = [&](std::string_view label, int kind, std::string_view detail) {
    if (label == last || !text::lower(label).starts_with(prefix)) return;
    last = label;
    items.push_back({{"label", label}, {"kind", kind}, {"textEdit", {{"range", range}, {"newText", label}}}});
    if (!detail.empty()) items.back()["detail"] = detail;
  };
  // The first word of a statement is a mnemonic or directive; operands are behind one.
  bool is_operand = false;
  for (const Word& w : d.words)
    is_operand |= w.line == at.line && w.end < begin && (w.role == Word::mnemonic || w.role == Word::directive);
  if (!is_operand) {
    for (const DirectiveUsage& usage : directive_usages())
      usage.each_name([&](std::string_view name) { offer(name, item_keyword, usage.summary); });
    for (const Word& w : d.words)
      if (w.role == Word::macro) offer(w.text, item_snippet, trimmed(d.text.line(w.line)));
    if (!prefix.starts_with('.'))
      for (const auto& [mnemonic, forms] : instructions(d).all()) offer(mnemonic, item_function, forms[0].text);
  } else {
    for (const std::string& name : register_names(d.analysis.target, d.analysis.intel_syntax))
      offer(name, item_variable, {});
    for (const Word& w : d.words)
      if (w.role <= Word::value && !is_numbered(w.text)) offer(w.text, item_constant, trimmed(d.text.line(w.line)));
  }
  return {{"isIncomplete", false}, {"items", std::move(items)}};
}

Json Server::definition(const Json& parameters) {
  const Place p = place(parameters);
  Json result = Json::array();
  if (p.word)
    for (const Word* w : definitions(p.document->words, *p.word))
      result.push_back(to_json(p.uri, range_of(p.document->text, *w)));
  return result;
}

Json Server::references_of(const Json& parameters) {
  const Place p = place(parameters);
  const Json& context = parameters.contains("context") ? parameters["context"] : Json();
  const bool with_definitions = !context.is_object() || context.value("includeDeclaration", Json(true)) != false;
  Json result = Json::array();
  if (p.word)
    for (const Word* w : references(p.document->words, *p.word))
      if (with_definitions || !w->defines()) result.push_back(to_json(p.uri, range_of(p.document->text, *w)));
  return result;
}

Json Server::highlight(const Json& parameters) {
  const Place p = place(parameters);
  constexpr int read = 2, write = 3;
  Json result = Json::array();
  if (p.word)
    for (const Word* w : references(p.document->words, *p.word))
      result.push_back({{"range", to_json(range_of(p.document->text, *w))}, {"kind", w->defines() ? write : read}});
  return result;
}

namespace {

/// All words that stand for the same as one that the document defines.
struct Renamed {
  std::vector<const Word*> words;
  bool numbered = false;  ///< it is a label with a number in place of a name

  /// Of `1f` and `1b` the number is replaced.
  u32 end(const Word& word) const { return word.end - (numbered && word.role != Word::label); }
  Range range(const Text& text, const Word& word) const { return text.range(word.line, word.begin, end(word)); }
};

Renamed renamed_words(const std::vector<Word>& words, const Word* word) {
  const auto defined = word ? definitions(words, *word) : std::vector<const Word*>();
  if (defined.empty()) return {};
  return {references(words, *word), is_numbered(defined[0]->text)};
}

/// Refuses what is no name, and one that stands for something in the document already.
void check_new_name(const std::vector<Word>& words, const Renamed& renamed, const std::string& name) {
  const bool numbered = renamed.numbered;
  const bool is_quoted =
      std::all_of(renamed.words.begin(), renamed.words.end(), [](const Word* w) { return w->quoted; });
  const auto is_good_char = [&](char c) {
    if (is_quoted) return c != '"' && c != '\\' && u8(c) >= ' ';
    return text::is_name_char(c) || c == '$' || u8(c) >= 128;
  };
  const bool is_name = !name.empty() && name != "." && std::all_of(name.begin(), name.end(), is_good_char) &&
                       (numbered ? is_numbered(name) : is_quoted || !text::is_digit(name[0]));
  if (!is_name)
    throw Refusal{invalid_params, fmt::format("'{}' is no {}", name, numbered ? "number of a label" : "name")};
  Word as_new = *renamed.words[0];
  as_new.text = name;
  for (const Word& w : words) {
    const bool is_taken = numbered ? label_number(w) == name : stand_for_same(w, as_new);
    if (is_taken && std::find(renamed.words.begin(), renamed.words.end(), &w) == renamed.words.end())
      throw Refusal{invalid_params, fmt::format("line {} has '{}' already", w.line + 1, name)};
  }
}

std::string renamed_text(const Text& text, const Renamed& renamed, std::string_view name) {
  const std::string_view before = text.all();
  std::string after;
  std::size_t done = 0;
  for (const Word* w : renamed.words) {
    const std::size_t line = std::size_t(text.line(w->line).data() - before.data());
    after.append(before.substr(done, line + w->begin - done)).append(name);
    done = line + renamed.end(*w);
  }
  return after.append(before.substr(done));
}

std::vector<std::string> errors_of(const Analysis& analysis) {
  std::vector<std::string> errors;
  for (const Problem& p : analysis.problems)
    if (p.severity == Problem::error) errors.push_back(p.message);
  return errors;
}

}  // namespace

/// Refuses a name with which the document, which is `text` then, is assembled to something else: that of a register,
/// for instance.
void Server::check_renamed(const Place& p, const std::string& text, const std::string& name) const {
  const Analysis after = analyse(Text(text), path_of(p.uri), settings());
  const std::vector<std::string> errors = errors_of(after), before = errors_of(p.document->analysis);
  if (errors.size() > before.size()) {
    const auto is_known = [&](const std::string& error) {
      return std::find(before.begin(), before.end(), error) != before.end();
    };
    const auto fresh = std::find_if_not(errors.begin(), errors.end(), is_known);
    throw Refusal{invalid_params, fmt::format("with the name '{}' there is an error: {}", name,
                                              fresh == errors.end() ? errors[0] : *fresh)};
  }
  if (after.bytes != p.document->analysis.bytes)
    throw Refusal{invalid_params, fmt::format("'{}' means something else here", name)};
}

Json Server::prepare_rename(const Json& parameters) {
  const Place p = place(parameters);
  const Renamed renamed = renamed_words(p.document->words, p.word);
  return renamed.words.empty() ? Json() : to_json(renamed.range(p.document->text, *p.word));
}

Json Server::rename(const Json& parameters) {
  const Place p = place(parameters);
  const std::string name = text_member(parameters, "newName");
  const Renamed renamed = renamed_words(p.document->words, p.word);
  if (renamed.words.empty()) throw Refusal{invalid_params, "only what the document defines can be renamed"};
  check_new_name(p.document->words, renamed, name);
  check_renamed(p, renamed_text(p.document->text, renamed, name), name);
  Json edits = Json::array();
  for (const Word* w : renamed.words)
    edits.push_back({{"range", to_json(renamed.range(p.document->text, *w))}, {"newText", name}});
  return {{"changes", {{p.uri, std::move(edits)}}}};
}

Json Server::document_symbols(const Json& parameters) {
  const Document& d = document(uri_of(parameters));
  Json result = Json::array();
  for (const Word& w : d.words) {
    if (w.role > Word::macro || is_numbered(w.text) || w.text.starts_with(".L")) continue;
    constexpr SymbolKind kinds[] = {symbol_key, symbol_constant, symbol_function};
    result.push_back({{"name", w.text},
                      {"kind", int(kinds[w.role])},
                      {"range", to_json(d.text.range(w.line, 0, d.text.line(w.line).size()))},
                      {"selectionRange", to_json(range_of(d.text, w))}});
  }
  return result;
}

Json Server::inlay_hints(const Json& parameters) {
  const Document& d = document(uri_of(parameters));
  const Range range = range_of(member(parameters, "range"));
  Json result = Json::array();
  for (u32 i = range.start.line; i <= range.end.line && i < d.analysis.bytes.size(); ++i) {
    const std::string& bytes = d.analysis.bytes[i];
    if (bytes.empty()) continue;
    const bool is_cut = bytes.size() > shown_bytes;
    result.push_back({{"position", to_json(d.text.position(i, d.text.line(i).size()))},
                      {"label", bytes.substr(0, shown_bytes) + (is_cut ? " ..." : "")},
                      {"paddingLeft", true}});
  }
  return result;
}

}  // namespace xas::lsp
