// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/instructions/formats.h"

#include <fmt/ranges.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace xas::corpus {

namespace {

constexpr char digits[] = "0123456789abcdef";

std::string cannot_write(const std::string& path) {
  const std::string what = path == "-" ? "standard output" : fmt::format("'{}'", path);
  return fmt::format("cannot write {}: {}", what, std::strerror(errno));
}

int create(const std::string& path) { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); }

/// Whether an operand is told by its distance from the line: `call .+8`, in Intel syntax `call $+8`.
bool names_its_place(std::string_view text) {
  for (const char* here : {" .", " $"}) {
    const std::size_t at = text.find(here);
    if (at != text.npos && (at + 2 == text.size() || std::strchr(" +-", text[at + 2]))) return true;
  }
  return false;
}

/// What `capstone` is told: architecture and modes.
std::pair<std::string_view, std::string_view> capstone_mode(Machine machine) {
  switch (machine) {
    case Machine::x86_64: return {"CS_ARCH_X86", "CS_MODE_64"};
    case Machine::i386: return {"CS_ARCH_X86", "CS_MODE_32"};
    case Machine::x86_16: return {"CS_ARCH_X86", "CS_MODE_16"};
    case Machine::aarch64: return {"CS_ARCH_AARCH64", "CS_MODE_ARM"};
    case Machine::arm: return {"CS_ARCH_ARM", "CS_MODE_ARM"};
    default: return {"CS_ARCH_ARM", "CS_MODE_THUMB"};
  }
}

/// What starts a comment in a text that both assemblers read.
std::string_view comment(Machine machine) {
  return machine == Machine::aarch64 ? "//" : machine >= Machine::arm ? "@" : "#";
}

}  // namespace

std::string_view machine_name(Machine machine) {
  constexpr std::string_view names[] = {"x86_64", "i386", "x86_16", "aarch64", "arm", "thumb"};
  return names[unsigned(machine)];
}

std::string Writer::open(const std::string& path) {
  path_ = path.empty() ? "-" : path;
  if (format_ == Format::seeds) {
    if (path_ == "-") return "seeds are written to a folder: name it with -o";
    if (::mkdir(path_.c_str(), 0777) != 0 && errno != EEXIST) return cannot_write(path_);
    return {};
  }
  if (format_ == Format::raw && path_ == "-") return "a raw stream has an index beside it: name a file with -o";
  if (path_ != "-" && (descriptor_ = create(path_)) < 0) return cannot_write(path_);
  out_.emplace(descriptor_);
  if (format_ == Format::raw) {
    if ((index_descriptor_ = create(path_ + ".index")) < 0) return cannot_write(path_ + ".index");
    index_.emplace(index_descriptor_);
  }
  begin();
  return {};
}

void Writer::begin() {
  if (format_ == Format::s) out_->write(dialect_of(request_, 0).head);
  if (format_ == Format::mc) begin_mc_group(0);
  if (format_ == Format::capstone) out_->write("test_cases:\n");
}

void Writer::put_hex(std::span<const u8> bytes, std::string_view before, std::string_view between) {
  bool first = true;
  for (u8 byte : bytes) {
    if (!first) text_ += between;
    first = false;
    text_ += before;
    text_ += digits[byte >> 4];
    text_ += digits[byte & 15];
  }
}

void Writer::write(const Result& r) {
  has_written_ = true;
  const bool refused = !r.assembled.accepted;
  text_.clear();
  switch (format_) {
    case Format::s:
      ((text_ += ' ') += r.text) += "  ";
      text_ += comment(request_.machine);
      if (refused) {
        (text_ += " error: ") += r.assembled.message;
      } else {
        text_ += " encoding: [";
        put_hex(r.assembled.bytes, "0x", ",");
        text_ += ']';
      }
      break;
    case Format::jsonl: return write_jsonl(r);
    case Format::mc: return write_mc(r);
    case Format::dis:
      put_hex(r.assembled.bytes, "0x", ",");
      (text_ += " # ") += r.text;
      break;
    case Format::capstone: return write_capstone(r);
    case Format::go:
      ((text_ += '\t') += r.text) += " // ";
      put_hex(r.assembled.bytes, "", "");
      break;
    case Format::hex: put_hex(r.assembled.bytes, "", ""); break;
    case Format::raw: return write_raw(r);
    case Format::seeds: return write_seed(r);
  }
  text_ += '\n';
  out_->write(text_);
}

void Writer::write_jsonl(const Result& r) {
  Output& out = *out_;
  out.json_begin();
  text_ = machine_name(request_.machine);
  (text_ += ':') += r.form.mnemonic;
  text_ += ':';
  for (unsigned i = 8; i-- > 0;) text_ += digits[r.hash >> (4 * i + 32) & 15];
  out.json_field("id", text_);
  out.json_field("text", r.text);
  if (r.assembled.accepted) out.json_hex("bytes", r.assembled.bytes);
  constexpr u64 modes[] = {64, 32, 16, 64, 32, 32};
  out.json_field("mode", modes[unsigned(request_.machine)]);
  constexpr std::string_view syntaxes[] = {"att", "intel", "gnu"};
  out.json_field("syntax", syntaxes[unsigned(request_.syntax)]);
  auto list = [&](std::string_view key, auto&& add) {
    out.json_key(key);
    out.json_begin('[');
    add();
    out.json_end(']');
  };
  list("features", [&] {
    const auto& features = r.form.features;
    for (std::string_view f : features) out.json_string(f);
    const std::string_view more = r.kind.feature;
    if (!more.empty() && std::find(features.begin(), features.end(), more) == features.end()) out.json_string(more);
  });
  out.json_field("form", r.form.text);
  out.json_field("edge", r.kind.edge);
  if (!r.assembled.accepted) {
    out.json_field("message", r.assembled.message);
  } else {
    out.json_key("preferred");
    out.json_literal(r.kind.preferred ? "true" : "false");
    list("relocations", [&] {
      for (const Relocation& l : r.assembled.relocations) {
        out.json_begin();
        out.json_field("offset", l.offset);
        out.json_field("type", l.type);
        out.json_field("symbol", l.symbol);
        out.json_key("addend");
        out.json_signed(l.addend);
        out.json_end();
      }
    });
    if (!r.assembled.relocations.empty()) {
      fixed_bits(request_.machine, r.assembled, mask_);
      out.json_hex("mask", mask_);
    }
  }
  if (r.agreement.known) {
    list("agree", [&] {
      if (r.agreement.by_gnu) out.json_string("gnu");
      if (r.agreement.by_llvm) out.json_string("llvm");
    });
  }
  out.json_line();
}

/// What llvm-mc is called with for lines of this group. Where there are two groups, each call leaves out the other's
/// lines.
void Writer::begin_mc_group(unsigned group) {
  const std::string_view mark = comment(request_.machine);
  const Dialect dialect = dialect_of(request_, group);
  const bool two_groups = request_.machine == Machine::thumb;
  if (two_groups && mc_group_ >= 0) out_->write(" .endif\n");
  if (!std::exchange(mc_has_run_[group], true)) {
    out_->print("{} RUN: llvm-mc {} {}-show-encoding %s | FileCheck {}%s\n", mark, fmt::join(dialect.llvm_options, " "),
                group ? "-defsym M_PROFILE=1 " : "", group ? "--check-prefix=M " : "");
    if (mc_group_ < 0) out_->write(dialect.head);
  }
  if (two_groups) out_->write(group ? " .ifdef M_PROFILE\n" : " .ifndef M_PROFILE\n");
  mc_group_ = int(group);
}

/// The bytes of what llvm-mc prints as the line's next instruction.
std::size_t Writer::first_size(const Result& r, std::span<const u8> rest) const {
  if (request_.machine <= Machine::x86_16) {
    const bool elides =
        rest.size() == r.assembled.bytes.size() && (r.text.starts_with("xacquire ") || r.text.starts_with("xrelease "));
    return elides || rest[0] == 0x9B ? 1 : rest.size();
  }
  if (r.text.find(';') == r.text.npos) return rest.size();
  const bool narrow = request_.machine == Machine::thumb && rest[1] < 0xE8;
  return narrow ? 2 : 4;
}

/// The text and, as llvm-mc prints it, its encoding. Lines that llvm-mc assembles otherwise stay out, and those whose
/// encoding it prints with a fixup in it.
void Writer::write_mc(const Result& r) {
  const Assembled& assembled = r.assembled;
  if (!r.agreement.by_llvm || !assembled.accepted || !assembled.relocations.empty() || names_its_place(r.text)) return;
  if (mc_group_ != r.form.group) begin_mc_group(r.form.group);
  ((text_ = " ") += r.text) += '\n';
  const auto check = [&](std::span<const u8> bytes) {
    text_ += comment(request_.machine);
    text_ += r.form.group ? " M: encoding: [" : " CHECK: encoding: [";
    put_hex(bytes, "0x", ",");
    text_ += "]\n";
  };
  // Several instructions: a movprfx or vpst and what follows it, what waits before x87 instructions.
  for (std::span<const u8> rest = assembled.bytes; !rest.empty();) {
    const std::size_t size = std::min(rest.size(), first_size(r, rest));
    check(rest.first(size));
    rest = rest.subspan(size);
  }
  out_->write(text_);
}

void Writer::write_capstone(const Result& r) {
  const auto [arch, mode] = capstone_mode(request_.machine);
  text_ = "  -\n    input:\n      bytes: [ ";
  put_hex(r.assembled.bytes, "0x", ", ");
  append(text_, " ]\n      arch: \"{}\"\n      options: [ {}{} ]\n", arch, mode,
         request_.syntax == Syntax::att ? ", CS_OPT_SYNTAX_ATT" : "");
  text_ += "    expected:\n      insns:\n        -\n          asm_text: \"";
  for (char c : r.text) {
    if (c == '"' || c == '\\') text_ += '\\';
    text_ += c;
  }
  text_ += "\"\n";
  out_->write(text_);
}

void Writer::write_raw(const Result& r) {
  text_.assign(reinterpret_cast<const char*>(r.assembled.bytes.data()), r.assembled.bytes.size());
  out_->write(text_);
  index_->print("{} {} {}\n", raw_offset_, r.assembled.bytes.size(), r.text);
  raw_offset_ += r.assembled.bytes.size();
}

void Writer::write_seed(const Result& r) {
  if (!error_.empty()) return;
  put_hex(sha1(r.assembled.bytes), "", "");
  const std::string file = path_ + "/" + text_;
  const int descriptor = create(file);
  if (descriptor < 0 ||
      ::write(descriptor, r.assembled.bytes.data(), r.assembled.bytes.size()) != ssize_t(r.assembled.bytes.size()))
    error_ = cannot_write(file);
  if (descriptor >= 0) ::close(descriptor);
}

bool Writer::has_failed() const {
  return !error_.empty() || (out_ && out_->has_failed()) || (index_ && index_->has_failed());
}

std::string Writer::finish() {
  if (!error_.empty()) return error_;
  if (mc_group_ >= 0 && request_.machine == Machine::thumb) out_->write(" .endif\n");
  if (out_ && !out_->flush()) return cannot_write(path_);
  if (index_ && !index_->flush()) return cannot_write(path_ + ".index");
  if (descriptor_ > 2) ::close(descriptor_);
  if (index_descriptor_ > 2) ::close(index_descriptor_);
  return {};
}

}  // namespace xas::corpus
