// SPDX-License-Identifier: Apache-2.0
// The language server: what clients ask of documents, and what it tells them (Language Server Protocol 3.17).
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "asm/lsp/analysis.h"
#include "asm/lsp/instructions.h"
#include "asm/lsp/words.h"

namespace xas::lsp {

using Json = nlohmann::json;

class Server {
 public:
  /// `send` gets what goes to the client. `settings` are those of the command line; the client's are added.
  Server(Settings settings, std::function<void(const Json&)> send)
      : settings_(std::move(settings)), send_(std::move(send)) {}

  /// Takes a message of the client, whatever it is. False when the session is over; then `exit_status` is known.
  bool receive(const Json& message);
  /// No message waits: documents that have changed are assembled, and the client is told what is wrong with them.
  void idle();
  int exit_status() const { return is_shut_down_ ? 0 : 1; }

 private:
  struct Document {
    explicit Document(std::string content) : text(std::move(content)) {}
    Text text;
    i64 version = 0;
    bool has_changed = true;  ///< what follows is of an earlier text, or of none
    Analysis analysis;
    std::vector<Word> words;  ///< borrow from `text`
  };
  /// A request's or notification's handler.
  using Handler = Json (Server::*)(const Json& parameters);
  static const std::map<std::string, Handler, std::less<>>& handlers();

  // The session
  Json initialize(const Json& parameters);
  Json initialized(const Json&) { return nullptr; }
  Json shutdown(const Json&);
  Json change_configuration(const Json& parameters);

  // Documents
  Json did_open(const Json& parameters);
  Json did_change(const Json& parameters);
  Json did_close(const Json& parameters);
  void bring_up_to_date(const std::string& uri, Document& document);
  Settings settings() const;
  void publish(const std::string& uri, const Document& document) const;

  // Questions
  Json hover(const Json& parameters);
  Json completion(const Json& parameters);
  Json definition(const Json& parameters);
  Json references_of(const Json& parameters);
  Json highlight(const Json& parameters);
  Json prepare_rename(const Json& parameters);
  Json rename(const Json& parameters);
  Json document_symbols(const Json& parameters);
  Json inlay_hints(const Json& parameters);

  /// What a question is about.
  struct Place {
    std::string uri;
    const Document* document = nullptr;
    Position position;
    const Word* word = nullptr;  ///< null: none is there
  };
  Place place(const Json& parameters);
  const Document& document(const std::string& uri);
  const Instructions& instructions(const Document& document);
  std::string describe_instruction(const Document& document, const Word& word);
  std::string describe_symbol(const Document& document, const Word& word) const;
  void check_renamed(const Place& place, const std::string& text, const std::string& name) const;

  Settings settings_;
  std::vector<std::string> client_options_;
  std::function<void(const Json&)> send_;
  std::map<std::string, Document, std::less<>> documents_;  ///< by their URIs
  std::map<int, std::unique_ptr<Instructions>> instructions_;
  bool is_initialized_ = false, is_shut_down_ = false;
};

}  // namespace xas::lsp
