// SPDX-License-Identifier: Apache-2.0
// xas-bench: whole-process time and peak memory of xas, GNU as and llvm-mc on the same files.
//
// The programs run in turn (A B C A B C ...), so that a busy moment of the machine hits all of them; the median counts.
// Objects go to /dev/shm. Nothing here fails because of a time.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "inputs.h"
#include "measure.h"

namespace {

namespace fs = std::filesystem;
using namespace bench;

constexpr const char* usage = R"(usage: xas-bench [options] [FILE.s...]
  --xas PROGRAM   the program under test (default: xas)
  --runs N        runs of each program on each file (default: 7)
  --corpus DIR    the corpus of tests/corpus/make.sh, for sqlite3's compiler output
  --scale X       size of the synthetic inputs (default: 1)
  --only TEXT     only inputs with TEXT in their name
  --option TEXT   one more option for xas
  --instructions OLD   instead of times: the user instructions that OLD and --xas execute, and their ratio
  --scaling       only xas, each synthetic input at once, twice and four times its size: how the time grows
)";

struct Options {
  std::string xas = "xas";
  int runs = 7;
  fs::path corpus;
  double scale = 1;
  std::string only;
  std::vector<std::string> extra;
  bool scaling = false;
  std::string old_build;  ///< of xas, to count instructions
  std::vector<fs::path> files;
};

struct Input {
  std::string name;
  fs::path file;
  bool llvm = false;  ///< clang's output: xas runs in profile llvm
  bool debug = false;
  std::string triple = {};  ///< of a Windows input
};

struct Program {
  std::string name;
  std::vector<std::string> arguments;
};

struct Figures {
  bool ok = false;
  double wall = 0, cpu = 0;
  std::uint64_t memory = 0;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    std::string name = arguments[i];
    auto value = [&]() -> std::string {
      if (++i < count) return arguments[i];
      fmt::print(stderr, "xas-bench: {} needs a value\n", name);
      std::exit(2);
    };
    if (name == "--xas") options.xas = value();
    else if (name == "--runs") options.runs = std::max(1, std::atoi(value().c_str()));
    else if (name == "--corpus") options.corpus = value();
    else if (name == "--scale") options.scale = std::atof(value().c_str());
    else if (name == "--only") options.only = value();
    else if (name == "--instructions") options.old_build = value();
    else if (name == "--scaling") options.scaling = true;
    else if (name == "--option") options.extra.push_back(value());
    else if (name.starts_with("-")) fmt::print("{}", usage), std::exit(name == "--help" ? 0 : 2);
    else options.files.emplace_back(name);
  }
  return options;
}

std::vector<Input> collect(const Options& options, const fs::path& scratch) {
  std::vector<Input> inputs;
  for (const fs::path& file : options.files)
    inputs.push_back({file.filename().string(), file, file.string().find("clang") != std::string::npos, false});
  if (!options.corpus.empty()) {
    for (const char* variant :
         {"gnu/gcc-64-O2", "gnu/gcc-64-O2-g", "llvm/clang-64-O2", "llvm/clang-64-O2-g", "gnu/gcc-arm64-O2",
          "gnu/gcc-arm64-O2-g", "llvm/clang-arm64-O2", "llvm/clang-arm64-O2-g"}) {
      fs::path file = options.corpus / variant / "sqlite3" / "sqlite3.s";
      if (!fs::exists(file)) continue;
      std::string text = variant;
      inputs.push_back(
          {"sqlite3 " + text.substr(text.find('/') + 1), file, text.starts_with("llvm"), text.ends_with("-g")});
    }
    const struct {
      const char *variant, *triple;
    } windows[] = {{"gnu/mingw-64-O2", "x86_64-w64-mingw32"},
                   {"gnu/mingw-64-O2-g", "x86_64-w64-mingw32"},
                   {"llvm/clangw-64-O2-codeview", "x86_64-w64-windows-gnu"},
                   {"llvm/clangw-arm64-O2", "aarch64-w64-windows-gnu"}};
    for (const auto& [variant, triple] : windows) {
      fs::path file = options.corpus / variant / "sqlite3" / "sqlite3.s";
      if (!fs::exists(file)) continue;
      std::string text = variant;
      inputs.push_back({"sqlite3 " + text.substr(text.find('/') + 1), file, text.starts_with("llvm"), false, triple});
    }
  }
  if (options.files.empty()) {
    for (const Synthetic& synthetic : synthetic_inputs()) {
      fs::path file = scratch / fmt::format("{}.s", inputs.size());
      std::ofstream(file, std::ios::binary) << synthetic.make(options.scale);
      inputs.push_back({synthetic.name, file, false, false});
    }
  }
  if (!options.only.empty())
    std::erase_if(inputs, [&](const Input& input) { return input.name.find(options.only) == std::string::npos; });
  return inputs;
}

std::vector<Program> programs_for(const Options& options, const Input& input, const std::string& object) {
  std::string file = input.file.string();
  std::vector<Program> programs;
  const bool elf = input.triple.empty();
  const bool arm64 = elf && file.find("-arm64-") != std::string::npos;
  const std::string triple = !elf ? input.triple : arm64 ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
  programs.push_back({"xas", {options.xas, "--target=" + triple}});
  if (input.llvm) programs[0].arguments.insert(programs[0].arguments.end(), {"--compat=llvm", "-filetype=obj"});
  else if (input.debug) programs[0].arguments.push_back("--gdwarf-5");
  programs[0].arguments.insert(programs[0].arguments.end(), options.extra.begin(), options.extra.end());
  programs.push_back(
      {"as",
       {arm64 ? triple + "-as" : "as", arm64 ? "-mabi=lp64" : "--64", input.debug ? "--gdwarf-5" : "--gdwarf-3"}});
  if (!input.debug) programs.back().arguments.pop_back();
  // There is none for Windows on ARM64, which shows as a failure.
  if (!elf) programs.back().arguments = {triple.substr(0, triple.find('-')) + "-w64-mingw32-as"};
  programs.push_back({"llvm-mc", {"llvm-mc-22", "-filetype=obj", "-triple=" + triple}});
  for (Program& program : programs) program.arguments.insert(program.arguments.end(), {"-o", object, file});
  return programs;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<Figures> measure(const std::vector<Program>& programs, int runs, const std::string& object) {
  std::vector<Figures> figures(programs.size());
  std::vector<std::vector<double>> walls(programs.size()), cpus(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {  // also brings the program and the file into memory
    figures[i].ok = run_timed(programs[i].arguments).ok;
    if (figures[i].ok) figures[i].memory = peak_memory(programs[i].arguments);
  }
  for (int round = 0; round < runs; ++round) {
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if (!figures[i].ok) continue;
      std::remove(object.c_str());
      Measurement one = run_timed(programs[i].arguments);
      walls[i].push_back(one.wall);
      cpus[i].push_back(one.cpu);
    }
  }
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!figures[i].ok) continue;
    figures[i].wall = median(walls[i]);
    figures[i].cpu = median(cpus[i]);
  }
  return figures;
}

std::string cell(const Figures& figures) {
  if (!figures.ok) return fmt::format("{:>10} {:>9} {:>8}", "fails", "", "");
  return fmt::format("{:>7.2f} ms {:>6.2f} ms {:>5.1f} MB", figures.wall * 1e3, figures.cpu * 1e3,
                     static_cast<double>(figures.memory) / 1024);
}

std::string ratio(double ours, double theirs) {
  return ours > 0 && theirs > 0 ? fmt::format("{:.1f}x", theirs / ours) : "-";
}

/// Time of xas for twice and four times of each input: 2 and 4 where it is linear.
void show_scaling(const Options& options, const fs::path& scratch, const std::string& object) {
  fmt::print("{:<24} {:>10} | {:>10} {:>10} (2.0 and 4.0 are linear)\n", "", "xas", "twice", "four times");
  for (const Synthetic& synthetic : synthetic_inputs()) {
    if (std::string_view(synthetic.name).find(options.only) == std::string_view::npos) continue;
    double times[3] = {};
    for (int i = 0; i < 3; ++i) {
      const fs::path file = scratch / "scaling.s";
      std::ofstream(file, std::ios::binary) << synthetic.make(options.scale * (1 << i));
      std::vector<std::string> command{options.xas};
      command.insert(command.end(), options.extra.begin(), options.extra.end());
      command.insert(command.end(), {"-o", object, file.string()});
      const auto figures = measure({{"xas", command}}, options.runs, object);
      times[i] = figures[0].ok ? figures[0].cpu : 0;
    }
    fmt::print("{:<24} {:>7.2f} ms | {:>10.2f} {:>10.2f}\n", synthetic.name, times[0] * 1e3, times[1] / times[0],
               times[2] / times[0]);
    std::fflush(stdout);
  }
}

/// Instructions of two builds of xas for each input.
void show_instructions(const Options& options, const fs::path& scratch, const std::string& object) {
  fmt::print("{:<30} {:>16} {:>16} {:>8}\n", "user instructions", "old", "new", "new/old");
  for (const Input& input : collect(options, scratch)) {
    std::vector<std::string> command = programs_for(options, input, object)[0].arguments;
    const auto ours = static_cast<double>(instructions(command));
    command[0] = options.old_build;
    const auto before = static_cast<double>(instructions(command));
    fmt::print("{:<30} {:>16.0f} {:>16.0f} {:>8.4f}\n", input.name, before, ours, before > 0 ? ours / before : 0);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  Options options = parse(count, arguments);
  std::string pattern = fs::exists("/dev/shm") ? "/dev/shm/xas-bench-XXXXXX" : "/tmp/xas-bench-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    fmt::print(stderr, "xas-bench: cannot make a directory for the objects\n");
    return 2;
  }
  fs::path scratch = pattern;
  const std::string object = (scratch / "object.o").string();
  if (options.scaling) {
    show_scaling(options, scratch, object);
    fs::remove_all(scratch);
    return 0;
  }
  if (!options.old_build.empty()) {
    show_instructions(options, scratch, object);
    fs::remove_all(scratch);
    return 0;
  }
  fmt::print("{:<24} {:>8} | {:<30} | {:<30} | {:<30} | time: as, llvm-mc | memory: as, llvm-mc | ns/byte\n", "",
             "input", "xas: wall, cpu, peak memory", "as", "llvm-mc");
  for (const Input& input : collect(options, scratch)) {
    auto programs = programs_for(options, input, object);
    double size = static_cast<double>(fs::file_size(input.file));
    auto figures = measure(programs, options.runs, object);
    const Figures& own = figures[0];
    auto memory = [](const Figures& f) { return static_cast<double>(f.memory); };
    fmt::print("{:<24} {:>5.1f} MB | {:<30} | {:<30} | {:<30} | {:>8} {:>8} | {:>8} {:>8} | {:>8.2f}\n", input.name,
               size / (1 << 20), cell(own), cell(figures[1]), cell(figures[2]), ratio(own.wall, figures[1].wall),
               ratio(own.wall, figures[2].wall), ratio(memory(own), memory(figures[1])),
               ratio(memory(own), memory(figures[2])), own.wall * 1e9 / size);
    std::fflush(stdout);
  }
  std::error_code ignored;
  fs::remove_all(scratch, ignored);
  return 0;
}
