// SPDX-License-Identifier: Apache-2.0
// xas-corpus objects: objects for linkers and readers, each with a manifest of what is special about it, what the
// specification says and what a reader has to find.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "asm/corpus/objects/sample.h"

namespace xas::corpus {
namespace objects {
namespace {

constexpr std::string_view format_names[] = {"elf64le", "elf64be", "elf32le", "elf32be", "coff", "bigobj"};
constexpr std::string_view verdict_names[] = {"valid", "tolerated", "malformed"};

/// The machines of each format, the usual one first.
constexpr Target targets[] = {
    {Format::elf64le, "x86_64", object::Machine::x86_64},   {Format::elf64le, "aarch64", object::Machine::aarch64},
    {Format::elf64be, "aarch64", object::Machine::aarch64_be}, {Format::elf32le, "i386", object::Machine::i386},
    {Format::elf32le, "x32", object::Machine::x32},         {Format::elf32le, "arm", object::Machine::arm},
    {Format::elf32be, "arm", object::Machine::arm_be},      {Format::coff, "x86_64", object::Machine::x86_64},
    {Format::coff, "i386", object::Machine::i386},          {Format::coff, "aarch64", object::Machine::aarch64},
    {Format::coff, "arm", object::Machine::arm},            {Format::bigobj, "x86_64", object::Machine::x86_64},
    {Format::bigobj, "i386", object::Machine::i386},        {Format::bigobj, "aarch64", object::Machine::aarch64},
    {Format::bigobj, "arm", object::Machine::arm},
};

struct Options {
  bool list = false, large = false;
  std::optional<Format> format;
  std::string machine;
  std::optional<u64> param;
  u64 seed = 1;
  Shard shard;
  std::vector<std::string> names;
  std::string directory;
};

/// A case that was asked for, in a format.
struct Chosen {
  const Case* what;
  const Target* target;
  std::string_view topic;
};

std::vector<Topic> all_topics() {
  return {{"counts", count_cases()},     {"groups", group_cases()},     {"relocations", relocation_cases()},
          {"sections", section_cases()}, {"symbols", symbol_cases()},   {"metadata", metadata_cases()},
          {"cut", cut_cases()}};
}

/// The target of a case, or nothing if it is not to be had in the format and for the machine that are asked for.
const Target* find_target(const Case& c, const Options& options) {
  for (const Target& t : targets) {
    if (!(c.formats & bit(t.format)) || (options.format && t.format != *options.format)) continue;
    if (options.machine.empty() || options.machine == t.machine) return &t;
  }
  return nullptr;
}

/// Adds the cases of `name`, which may be that of a topic or "all". What is wrong, or an empty text.
std::string choose(const std::string& name, const Options& options, std::vector<Chosen>& chosen) {
  bool known = false;
  for (const Topic& topic : all_topics()) {
    const bool whole = name == "all" || name == topic.name;
    known |= whole;
    for (const Case& c : topic.cases) {
      if (!whole && name != c.name) continue;
      known = true;
      const Target* target = find_target(c, options);
      if (!whole && !target) {
        const std::string format(options.format ? format_names[unsigned(*options.format)] : "any format");
        return fmt::format("there is no '{}' of {}{}{}", name, format, options.machine.empty() ? "" : " for ",
                           options.machine);
      }
      if (options.param && whole)
        return fmt::format("--param is for single objects, which '{}' is not; --list shows those that take it", name);
      if (options.param && !c.param) return fmt::format("'{}' takes no --param", name);
      if (!target || (whole && c.large && !options.large)) continue;
      if (std::none_of(chosen.begin(), chosen.end(), [&](const Chosen& x) { return x.what == &c; }))
        chosen.push_back({&c, target, topic.name});
    }
  }
  return known ? "" : fmt::format("there is no object '{}'; --list shows those that there are", name);
}

/// The object, or in `error` why there is none.
Sample make(const Chosen& chosen, const Options& options) {
  const u64 param = chosen.what->param && options.param ? *options.param : chosen.what->param;
  Sample sample(*chosen.target, param, options.seed, chosen.what->name);
  chosen.what->make(sample);
  if (sample.error.empty() && !sample.o.error().empty()) sample.error = sample.o.error();
  return sample;
}

bool has_own_param(const Chosen& chosen, const Sample& sample) { return sample.param == chosen.what->param; }

/// Of the files, and in the manifest: one with another number than its own stands beside the usual one.
std::string name_of(const Chosen& chosen, const Sample& sample) {
  const std::string_view name = chosen.what->name;
  return has_own_param(chosen, sample) ? std::string(name) : fmt::format("{}-param-{}", name, sample.param);
}

std::string title_of(const Chosen& chosen, const Sample& sample) {
  const Case& c = *chosen.what;
  if (has_own_param(chosen, sample)) return std::string(c.title);
  return fmt::format(fmt::runtime(c.counted), fmt::to_string(fmt::group_digits(sample.param)));
}

/// What every reader finds: numbers of the object as it was built, which no change of a valid or tolerated one touches.
void add_counts(Sample& s) {
  const auto add = [&](std::string_view name, u64 value) {
    const auto same = [&](const auto& fact) { return fact.first == name; };
    if (std::none_of(s.facts.begin(), s.facts.end(), same)) s.fact(name, value);
  };
  if (s.is_coff()) {
    add("NumberOfSections", s.image.sections() - 1);
    add("NumberOfSymbols", s.image.symbols());
  } else {
    add("section_headers", s.image.sections());
    add("symbols", s.image.symbols());
    add("groups", s.image.groups());
  }
}

std::string manifest(const Chosen& chosen, Sample& s, const Options& options) {
  const Case& c = *chosen.what;
  Output out(-1);
  out.json_begin();
  out.json_field("name", name_of(chosen, s));
  out.json_field("title", title_of(chosen, s));
  out.json_field("clause", c.clause);
  out.json_field("verdict", verdict_names[unsigned(c.verdict)]);
  out.json_key("facts");
  out.json_begin();
  out.json_field("format", format_names[unsigned(s.target.format)]);
  out.json_field("machine", s.target.machine);
  if (c.verdict != Verdict::malformed) add_counts(s);
  for (const auto& [name, value] : s.facts) {
    if (const auto* number = std::get_if<u64>(&value)) out.json_field(name, *number);
    else out.json_field(name, std::get<std::string>(value));
  }
  out.json_end();
  out.json_key("tools");
  out.json_begin();
  // They were measured with the usual machine and numbers.
  const bool usual =
      has_own_param(chosen, s) && options.seed == 1 && chosen.target == find_target(c, {.format = s.target.format});
  if (usual)
    for (const auto& [tool, result] : tool_results(c.name, format_names[unsigned(s.target.format)]))
      out.json_field(tool, result);
  out.json_end();
  out.json_key("changes");
  out.json_begin('[');
  for (const std::string& change : s.image.changes()) out.json_string(change);
  out.json_end(']');
  return out.take() + "}\n";
}

/// What is wrong, or an empty text; there is no part of a file then.
std::string write_file(const std::filesystem::path& path, const void* bytes, std::size_t size) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const char* at = static_cast<const char*>(bytes);
  bool good = file >= 0;
  while (good && size) {
    const ssize_t n = ::write(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    good = n >= 0;
    if (good) at += n, size -= std::size_t(n);
  }
  int wrong = good ? 0 : errno;
  if (file >= 0 && ::close(file) != 0 && !wrong) wrong = errno;
  if (!wrong) return {};
  struct stat about;
  if (file >= 0 && ::lstat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode)) ::unlink(path.c_str());
  return fmt::format("{}: {}", path.string(), std::strerror(wrong));
}

int write_all(const std::vector<Chosen>& chosen, const Options& options) {
  const std::filesystem::path directory = options.directory;
  for (const Chosen& c : chosen) {
    Sample sample = make(c, options);
    if (!sample.error.empty()) return fail(fmt::format("{}: {}", c.what->name, sample.error));
    std::error_code code;
    std::filesystem::create_directories(directory, code);
    if (code) return fail(fmt::format("{}: {}", options.directory, code.message()));
    const std::string text = manifest(c, sample, options), name = name_of(c, sample);
    const auto& bytes = sample.image.bytes();
    std::string wrong = write_file(directory / (name + ".o"), bytes.data(), bytes.size());
    if (wrong.empty()) wrong = write_file(directory / (name + ".json"), text.data(), text.size());
    if (!wrong.empty()) return fail(wrong);
  }
  return 0;
}

/// A line for each object, and the changes of its fields indented.
int list_all(const std::vector<Chosen>& chosen, const Options& options) {
  Output out;
  std::string_view topic;
  for (const Chosen& c : chosen) {
    if (topic != c.topic) out.print("{}{}:\n", topic.empty() ? "" : "\n", c.topic);
    topic = c.topic;
    std::string formats;
    for (unsigned i = 0; i < std::size(format_names); ++i)
      if (c.what->formats & 1u << i) append(formats, " {}", format_names[i]);
    out.print("  {:<28} {:<9} {} ({}{})\n", c.what->name, verdict_names[unsigned(c.what->verdict)], c.what->title,
              c.what->param ? fmt::format("--param={}; ", c.what->param) : "", formats.substr(1));
    // Those of thousands of structures are valid: nothing is changed.
    if (c.what->verdict == Verdict::valid && c.what->param > 10000) continue;
    Sample sample = make(c, options);
    if (!sample.error.empty()) return fail(fmt::format("{}: {}", c.what->name, sample.error));
    for (const std::string& change : sample.image.changes()) out.print("      {}\n", change);
  }
  return out.flush() ? 0 : fail(fmt::format("standard output: {}", std::strerror(errno)));
}

/// What is wrong, or an empty text.
std::string read_options(Arguments& arguments, Options& options) {
  while (arguments.next()) {
    if (arguments.is_word()) options.names.emplace_back(arguments.value());
    else if (arguments.is("list")) options.list = arguments.flag();
    else if (arguments.is("large")) options.large = arguments.flag();
    else if (arguments.is("format"))
      options.format = Format(arguments.choice({"elf64le", "elf64be", "elf32le", "elf32be", "coff", "bigobj"}));
    else if (arguments.is("machine")) {
      constexpr std::string_view names[] = {"x86_64", "i386", "x32", "aarch64", "arm"};
      options.machine = names[arguments.choice({names[0], names[1], names[2], names[3], names[4]})];
    } else if (arguments.is("param"))
      options.param = arguments.number(1, 10000000);
    else if (arguments.is("seed"))
      options.seed = arguments.number();
    else if (arguments.is("shard"))
      options.shard = parse_shard(arguments);
    else if (arguments.is("o"))
      options.directory = arguments.value();
    else
      arguments.unknown();
  }
  if (!arguments.error.empty()) return arguments.error;
  if (options.list && options.names.empty()) options.names = {"all"};
  if (options.names.empty()) return "which objects? A name, a topic or all; --list shows them";
  if (!options.list && options.directory.empty()) return "where to? -o DIR";
  return {};
}

}  // namespace
}  // namespace objects

int run_objects(Arguments& arguments) {
  using namespace objects;
  Options options;
  if (const std::string wrong = read_options(arguments, options); !wrong.empty()) return fail(wrong);
  std::vector<Chosen> chosen;
  for (const std::string& name : options.names)
    if (const std::string wrong = choose(name, options, chosen); !wrong.empty()) return fail(wrong);
  if (chosen.empty()) return fail("no object is of this format and machine");
  std::erase_if(chosen, [&](const Chosen& c) { return !options.shard.has(hash_text(c.what->name)); });
  if (chosen.empty()) tell("no object is in this part (--shard)");
  return options.list ? list_all(chosen, options) : write_all(chosen, options);
}

}  // namespace xas::corpus
