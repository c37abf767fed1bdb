// SPDX-License-Identifier: Apache-2.0
// xas-corpus instructions: the options, and the way of lines from the generators through the assembler to a writer.
#include <deque>
#include <regex>
#include <unordered_set>

#include "asm/corpus/instructions/agreement.h"
#include "asm/corpus/instructions/formats.h"
#include "asm/corpus/instructions/reference.h"
#include "asm/corpus/instructions/tally.h"
#include "targets/nearest_name.h"

namespace xas::corpus {

namespace {

struct Options {
  Request request;
  Format format = Format::jsonl;
  std::vector<std::string> features;
  std::optional<std::regex> mnemonic;
  Shard shard;
  std::string path;
  std::vector<std::string> programs;  ///< of --check
  bool coverage = false;
  bool record = false;
};

/// Ends the walk through the tables: there is nobody left to walk for. What is wrong the writer knows.
struct WriteFailed {};

/// Lines that are assembled together, and what is to be known of each.
class Collector : public Sink {
 public:
  /// Results go to `writer` or, if that is null, are counted in `tally`.
  Collector(const Options& options, Writer* writer, Tally& tally)
      : options_(options), writer_(writer), tally_(tally), assembler_(options.request), table_(options.request) {
    for (const std::string& program : options.programs) {
      references_.emplace_back(options.request, program);
      references_.back().check();
    }
  }

  bool wants(std::string_view mnemonic) const override {
    return !options_.mnemonic || std::regex_match(mnemonic.begin(), mnemonic.end(), *options_.mnemonic);
  }
  bool begin(Form&& form) override;
  void line(std::string_view text, LineKind kind) override;
  /// Lines at hand come out. Throws WriteFailed if they can't be written.
  void flush();

 private:
  struct Line {
    const Form* form;
    u32 start, size;  ///< of the text
    u64 hash;
    LineKind kind;
    bool repeated;  ///< has come before; it is here for those behind it that are compared with it
  };
  static constexpr std::size_t batch = 4096;

  bool comes_out(std::size_t i, std::span<const Assembled> assembled) const;
  Agreement agreement(std::size_t i, const Assembled& assembled) const;
  void come_out(std::size_t i, const Assembled& assembled);

  const Options& options_;
  Writer* writer_;
  Tally& tally_;
  Assembler assembler_;
  AgreementTable table_;
  std::deque<Reference> references_;
  std::vector<std::span<const Assembled>> asked_;  ///< what each reference made of the lines at hand
  std::deque<Form> forms_;
  bool listed_ = false;  ///< the features of the form at hand are asked for
  std::vector<Line> lines_;
  std::string texts_;
  std::vector<std::string_view> views_;
  std::string mnemonic_;
  std::unordered_set<u64> seen_;  ///< texts of this mnemonic
};

bool Collector::begin(Form&& form) {
  listed_ = options_.features.empty();
  for (const std::string& asked : options_.features)
    for (std::string_view f : form.features) listed_ |= f == asked;
  if (form.mnemonic != mnemonic_) {
    mnemonic_ = form.mnemonic;
    seen_.clear();
  }
  if (lines_.size() >= batch || (!forms_.empty() && form.group != forms_.back().group)) flush();
  forms_.push_back(std::move(form));
  return true;
}

void Collector::line(std::string_view text, LineKind kind) {
  const Request& request = options_.request;
  bool repeated = false;
  if (request.values != Values::random) {
    repeated = !seen_.insert(hash_text(text)).second;
    if (repeated && !request.all_encodings) return;
  }
  if (!listed_) return;
  const Form& form = forms_.back();
  const u64 hash = hash_text(text, form.hash);
  if (!request.all_encodings && !options_.shard.has(hash >> 32)) return;
  // A line that is compared with the one before it stays in its batch.
  if (lines_.size() >= batch && kind.preferred) {
    Form copy = form;
    flush();
    forms_.push_back(std::move(copy));
  }
  lines_.push_back({&forms_.back(), u32(texts_.size()), u32(text.size()), hash, kind, repeated});
  texts_ += text;
}

/// Whether the line is as it is said to be, and asked for.
bool Collector::comes_out(std::size_t i, std::span<const Assembled> assembled) const {
  const Line& line = lines_[i];
  if (line.repeated || !options_.shard.has(line.hash >> 32)) return false;
  if (assembled[i].accepted == options_.request.invalid) return false;
  if (line.kind.preferred) return true;
  std::size_t plain = i;
  while (plain > 0 && !lines_[plain].kind.preferred) --plain;
  const Assembled &a = assembled[i], &b = assembled[plain];
  return !b.accepted || !std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end());
}

/// What the programs say that were asked; if none was, the table.
Agreement Collector::agreement(std::size_t i, const Assembled& assembled) const {
  if (references_.empty()) return table_.find(lines_[i].form->hash, lines_[i].hash);
  Agreement agreement{.known = true};
  for (std::size_t r = 0; r < references_.size(); ++r) {
    const Assembled& other = asked_[r][i];
    const bool agrees = assembled.accepted
                            ? other.accepted && same_code(options_.request.machine, assembled, other)
                            : !other.accepted;
    (references_[r].is_llvm() ? agreement.by_llvm : agreement.by_gnu) = agrees;
  }
  return agreement;
}

/// Of a line that a program was asked about and has other bytes for, formats that cannot say so have nothing.
void Collector::come_out(std::size_t i, const Assembled& assembled) {
  const Line& line = lines_[i];
  const Agreement agreed = agreement(i, assembled);
  if (!writer_) return tally_.count(*line.form, line.hash, agreed);
  if (options_.format != Format::jsonl) {
    for (const Reference& reference : references_)
      if (!(reference.is_llvm() ? agreed.by_llvm : agreed.by_gnu)) return;
  }
  writer_->write({*line.form, views_[i], line.kind, line.hash, assembled, agreed});
}

void Collector::flush() {
  if (!lines_.empty()) {
    views_.clear();
    for (const Line& line : lines_) views_.push_back(std::string_view(texts_).substr(line.start, line.size));
    const std::span<const Assembled> assembled = assembler_.assemble(views_, lines_[0].form->group);
    asked_.clear();
    for (Reference& reference : references_) asked_.push_back(reference.assemble(views_, lines_[0].form->group));
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (comes_out(i, assembled)) come_out(i, assembled[i]);
    if (writer_ && writer_->has_failed()) throw WriteFailed();
  }
  lines_.clear();
  texts_.clear();
  forms_.clear();
}

void split(std::string_view text, std::vector<std::string>& words) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma) words.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
}

std::vector<std::string_view> feature_names(Machine machine) {
  switch (machine) {
    case Machine::aarch64: return a64_features();
    case Machine::arm:
    case Machine::thumb: return arm_features();
    default: return x86_features();
  }
}

/// What is wrong with the names of features, or an empty text.
std::string check_features(const Options& o) {
  const std::vector<std::string_view> names = feature_names(o.request.machine);
  for (const std::string& asked : o.features) {
    if (std::find(names.begin(), names.end(), asked) != names.end()) continue;
    NearestName nearest(asked);
    for (std::string_view name : names) nearest.offer(name);
    return fmt::format("{} has no feature '{}'{}", machine_name(o.request.machine), asked, nearest.question());
  }
  return {};
}

bool read_options(Arguments& arguments, Options& o) {
  Request& r = o.request;
  bool target = false, syntax = false, format = false, values = false, random = false;
  while (arguments.next()) {
    if (arguments.is("target")) {
      r.machine = Machine(arguments.choice({"x86_64", "i386", "x86_16", "aarch64", "arm", "thumb"}));
      target = true;
    } else if (arguments.is("syntax")) {
      r.syntax = Syntax(arguments.choice({"att", "intel"}));
      syntax = true;
    } else if (arguments.is("compat"))
      r.llvm = arguments.choice({"gnu", "llvm"}) == 1;
    else if (arguments.is("check"))
      o.programs.emplace_back(arguments.value());
    else if (arguments.is("coverage"))
      o.coverage = arguments.flag();
    else if (arguments.is("record"))
      o.record = arguments.flag();
    else if (arguments.is("feature"))
      split(arguments.value(), o.features);
    else if (arguments.is("mnemonic")) {
      const std::string text(arguments.value());
      try {
        o.mnemonic.emplace(text, std::regex::extended | std::regex::nosubs);
      } catch (const std::regex_error&) {
        arguments.error = fmt::format("'{}' is no regular expression", text);
      }
    } else if (arguments.is("values"))
      r.values = Values(arguments.choice({"one", "edges", "random"})), values = true;
    else if (arguments.is("count"))
      r.count = arguments.number(1, u64(1) << 40), random = true;
    else if (arguments.is("seed"))
      r.seed = arguments.number(), random = true;
    else if (arguments.is("shard"))
      o.shard = parse_shard(arguments);
    else if (arguments.is("all-encodings"))
      r.all_encodings = arguments.flag();
    else if (arguments.is("invalid"))
      r.invalid = arguments.flag();
    else if (arguments.is("format")) {
      o.format = Format(arguments.choice({"s", "jsonl", "mc", "dis", "capstone", "go", "hex", "raw", "seeds"}));
      format = true;
    } else if (arguments.is("o"))
      o.path = arguments.value();
    else
      arguments.unknown();
  }
  if (!arguments.error.empty()) return false;
  auto wrong = [&](std::string_view why) { return arguments.error = why, false; };
  if (!target) return wrong("which instructions? --target=x86_64, i386, x86_16, aarch64, arm or thumb");
  const bool x86 = r.machine <= Machine::x86_16;
  if (!x86 && syntax) return wrong("--syntax is for x86");
  if (!x86 && r.all_encodings) return wrong("--all-encodings is for x86");
  if (random && r.values != Values::random) return wrong("--count and --seed are for --values=random");
  if (values && r.invalid) return wrong("--values is for valid lines: --invalid gives all that it has");
  if (o.coverage && o.record) return wrong("--coverage and --record exclude each other");
  if (format && (o.coverage || o.record)) return wrong("--format is for lines: --coverage and --record count them");
  if (std::string why = check_features(o); !why.empty()) return wrong(why);
  if (r.invalid && r.all_encodings) return wrong("--invalid and --all-encodings exclude each other");
  if (r.invalid && o.format != Format::s && o.format != Format::jsonl)
    return wrong("invalid lines have no bytes: --format=s or jsonl");
  if (o.format == Format::mc && o.programs.empty() && (r.llvm || r.all_encodings || r.values == Values::random))
    return wrong("a test for llvm-mc holds what llvm-mc agrees on: --check=llvm-mc (or its path)");
  if (o.record && o.programs.size() < 2) return wrong("--record is for what --check=as and --check=llvm-mc say");
  if (!x86) r.syntax = Syntax::gnu;
  return true;
}

void walk(const Request& request, Sink& sink) {
  switch (request.machine) {
    case Machine::aarch64: return walk_a64(request, sink);
    case Machine::arm:
    case Machine::thumb: return walk_arm(request, sink);
    default: walk_x86(request, sink);
  }
}

}  // namespace

int run_instructions(Arguments& arguments) {
  Options options;
  if (!read_options(arguments, options)) return fail(arguments.error);
  const bool counts = options.coverage || options.record;
  Tally tally;
  Writer writer(options.request, counts ? Format::hex : options.format);
  if (const std::string wrong = writer.open(options.path); !wrong.empty()) return fail(wrong);
  Collector collector(options, counts ? nullptr : &writer, tally);
  try {
    walk(options.request, collector);
    collector.flush();
  } catch (const WriteFailed&) {
    return fail(writer.finish());
  }
  if (options.coverage) tally.write_coverage(writer.output());
  if (options.record) tally.write_table(writer.output());
  if (!counts && !writer.has_written()) tell("no instruction is as it is asked for");
  const std::string wrong = writer.finish();
  return wrong.empty() ? 0 : fail(wrong);
}

}  // namespace xas::corpus
