// SPDX-License-Identifier: Apache-2.0
// xas-bench: whole-process time and peak memory of xas, GNU as and llvm-mc on the same files.
//
// The programs run in turn (A B C A B C ...), so that a busy moment of the machine hits all of them, and none runs just
// after itself; the median counts. Objects go to /dev/shm. Nothing here fails because of a time.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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
  --report FILE   the figures as tab-separated values, too: a line for each program and input, or each size with --scaling
  --count         also the instructions that xas executes outside of the kernel
  --option TEXT   one more option for xas
  --instructions OLD   instead of times: the user instructions that OLD and --xas execute, and their ratio
  --scaling       only xas, each synthetic input at 1, 2, 4, ... 64 times --scale: how the time grows
)";

struct Options {
  std::string xas = "xas";
  int runs = 7;
  fs::path corpus;
  double scale = 1;
  std::string only;
  std::vector<std::string> extra;
  bool scaling = false;
  bool count = false;
  fs::path report;
  std::string old_build;  ///< of xas, to count instructions
  std::vector<fs::path> files;
};

struct Input {
  std::string name;
  fs::path file;
  bool llvm = false;  ///< clang's output: xas runs in profile llvm
  std::string triple = "x86_64-linux-gnu";
  std::string gnu_assembler = "as";
  std::vector<std::string> gnu_options = {"--64"};  ///< what gcc tells GNU as, and xas as well
};

struct Program {
  std::string name;
  std::vector<std::string> arguments;
};

struct Figures {
  bool ok = false;
  double wall = 0, least = 0, most = 0;  ///< seconds: the median, and the ends of the spread
  double cpu = 0;                        ///< seconds, the median
  std::uint64_t memory = 0;              ///< KiB
  std::uint64_t instructions = 0;        ///< 0: not counted
};

/// What the compilers of tests/corpus/make.sh make of sqlite3, and whose input that is.
constexpr struct {
  const char *variant, *triple, *gnu_assembler;
} compiler_output[] = {
    {"gnu/gcc-64-O2", "x86_64-linux-gnu", "as"},
    {"gnu/gcc-64-O2-g", "x86_64-linux-gnu", "as"},
    {"llvm/clang-64-O2", "x86_64-linux-gnu", "as"},
    {"llvm/clang-64-O2-g", "x86_64-linux-gnu", "as"},
    {"gnu/gcc-32-O2", "i386-linux-gnu", "as"},
    {"gnu/gcc-32-O2-g", "i386-linux-gnu", "as"},
    {"llvm/clang-32-O2-g", "i386-linux-gnu", "as"},
    {"gnu/gcc-arm64-O2", "aarch64-linux-gnu", "aarch64-linux-gnu-as"},
    {"gnu/gcc-arm64-O2-g", "aarch64-linux-gnu", "aarch64-linux-gnu-as"},
    {"llvm/clang-arm64-O2", "aarch64-linux-gnu", "aarch64-linux-gnu-as"},
    {"llvm/clang-arm64-O2-g", "aarch64-linux-gnu", "aarch64-linux-gnu-as"},
    {"gnu/gcc-arm-O2", "armv7-linux-gnueabihf", "arm-linux-gnueabihf-as"},
    {"gnu/gcc-arm-O2-g", "armv7-linux-gnueabihf", "arm-linux-gnueabihf-as"},
    {"gnu/gcc-thumb-O2", "armv7-linux-gnueabihf", "arm-linux-gnueabihf-as"},
    {"gnu/gcc-thumb-O2-g", "armv7-linux-gnueabihf", "arm-linux-gnueabihf-as"},
    {"llvm/clang-arm-O2", "armv7-linux-gnueabihf", "arm-linux-gnueabihf-as"},
    {"llvm/clang-thumb-O2-g", "armv7-linux-gnueabihf", "arm-linux-gnueabihf-as"},
    {"gnu/mingw-64-O2", "x86_64-w64-mingw32", "x86_64-w64-mingw32-as"},
    {"gnu/mingw-64-O2-g", "x86_64-w64-mingw32", "x86_64-w64-mingw32-as"},
    {"llvm/clangw-64-O2-codeview", "x86_64-w64-windows-gnu", "x86_64-w64-mingw32-as"},
    {"llvm/clangw-arm64-O2", "aarch64-w64-windows-gnu", "aarch64-w64-mingw32-as"},
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
    if (name == "--xas")
      options.xas = value();
    else if (name == "--runs")
      options.runs = std::max(1, std::atoi(value().c_str()));
    else if (name == "--corpus")
      options.corpus = value();
    else if (name == "--scale")
      options.scale = std::atof(value().c_str());
    else if (name == "--only")
      options.only = value();
    else if (name == "--instructions")
      options.old_build = value();
    else if (name == "--scaling")
      options.scaling = true;
    else if (name == "--count")
      options.count = true;
    else if (name == "--report")
      options.report = value();
    else if (name == "--option")
      options.extra.push_back(value());
    else if (name.starts_with("-"))
      fmt::print("{}", usage), std::exit(name == "--help" ? 0 : 2);
    else
      options.files.emplace_back(name);
  }
  return options;
}

std::vector<std::string> words_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<Input> collect(const Options& options, const fs::path& scratch) {
  std::vector<Input> inputs;
  for (const fs::path& file : options.files)
    inputs.push_back({file.filename().string(), file, file.string().find("clang") != std::string::npos});
  for (const auto& [variant, triple, gnu_assembler] : compiler_output) {
    const fs::path folder = options.corpus / variant;
    const fs::path file = folder / "sqlite3" / "sqlite3.s";
    if (options.corpus.empty() || !fs::exists(file)) continue;
    const std::string text = variant;
    const bool llvm = text.starts_with("llvm");
    inputs.push_back({"sqlite3 " + text.substr(text.find('/') + 1), file, llvm, triple, gnu_assembler,
                      llvm ? std::vector<std::string>{} : words_of(folder / "options")});
  }
  if (options.files.empty()) {
    for (const Synthetic& synthetic : synthetic_inputs()) {
      fs::path file = scratch / fmt::format("{}.s", inputs.size());
      std::ofstream(file, std::ios::binary) << synthetic.make(options.scale);
      inputs.push_back({synthetic.name, file});
    }
  }
  if (!options.only.empty())
    std::erase_if(inputs, [&](const Input& input) { return input.name.find(options.only) == std::string::npos; });
  return inputs;
}

std::vector<Program> programs_for(const Options& options, const Input& input, const std::string& object) {
  std::vector<Program> programs = {
      {"xas", {options.xas, "--target=" + input.triple}},
      {"as", {input.gnu_assembler}},
      {"llvm-mc", {"llvm-mc-22", "-filetype=obj", "-triple=" + input.triple}},
  };
  const auto append = [](Program& program, const std::vector<std::string>& more) {
    program.arguments.insert(program.arguments.end(), more.begin(), more.end());
  };
  append(programs[0], input.llvm ? std::vector<std::string>{"--compat=llvm", "-filetype=obj"} : input.gnu_options);
  append(programs[0], options.extra);
  append(programs[1], input.gnu_options);
  for (Program& program : programs) append(program, {"-o", object, input.file.string()});
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
    figures[i].least = *std::min_element(walls[i].begin(), walls[i].end());
    figures[i].most = *std::max_element(walls[i].begin(), walls[i].end());
    figures[i].cpu = median(cpus[i]);
  }
  return figures;
}

std::string cell(const Figures& figures) {
  if (!figures.ok) return fmt::format("{:<36}", "fails");
  return fmt::format("{:>8.2f} ms {:>18} {:>5.1f} MB", figures.wall * 1e3,
                     fmt::format("({:.2f} to {:.2f})", figures.least * 1e3, figures.most * 1e3),
                     static_cast<double>(figures.memory) / 1024);
}

std::string ratio(double ours, double theirs) {
  return ours > 0 && theirs > 0 ? fmt::format("{:.1f}x", theirs / ours) : "-";
}

std::uintmax_t count_lines(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return static_cast<std::uintmax_t>(std::count(std::istreambuf_iterator<char>(stream), {}, '\n'));
}

/// Appends figures to the file of --report, if there is one.
void report(const Options& options, std::string_view input, const fs::path& file, std::string_view program,
            const Figures& figures) {
  if (options.report.empty()) return;
  std::ofstream stream(options.report, std::ios::app);
  stream << fmt::format("{}\t{}\t{}\t{}\t", input, fs::file_size(file), count_lines(file), program);
  stream << (figures.ok ? fmt::format("{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{}\t{}\n", figures.wall, figures.least,
                                      figures.most, figures.cpu, figures.memory, figures.instructions)
                        : std::string("\t\t\t\t\t\n"));
}

/// The table: each input, assembled by each program.
void show_times(const Options& options, const fs::path& scratch, const std::string& object) {
  fmt::print("{:<28} {:>8} {:>8} | {:<36} | {:<36} | {:<36} | time: as, llvm-mc | memory: as, llvm-mc | {}\n", "",
             "input", "lines", "xas: median (spread), peak memory", "as", "llvm-mc",
             options.count ? "xas: ns/byte, instructions/byte" : "xas: ns/byte");
  for (const Input& input : collect(options, scratch)) {
    const auto programs = programs_for(options, input, object);
    const auto size = static_cast<double>(fs::file_size(input.file));
    auto figures = measure(programs, options.runs, object);
    Figures& own = figures[0];
    if (options.count && own.ok) own.instructions = instructions(programs[0].arguments);
    const auto memory = [](const Figures& f) { return static_cast<double>(f.memory); };
    fmt::print("{:<28} {:>5.1f} MB {:>8} | {} | {} | {} | {:>8} {:>8} | {:>9} {:>9} | {:>8.2f}", input.name,
               size / (1 << 20), count_lines(input.file), cell(own), cell(figures[1]), cell(figures[2]),
               ratio(own.wall, figures[1].wall), ratio(own.wall, figures[2].wall),
               ratio(memory(own), memory(figures[1])), ratio(memory(own), memory(figures[2])), own.wall * 1e9 / size);
    if (own.instructions != 0) fmt::print(" {:>8.1f}", static_cast<double>(own.instructions) / size);
    fmt::print("\n");
    std::fflush(stdout);
    for (std::size_t i = 0; i < programs.size(); ++i)
      report(options, input.name, input.file, programs[i].name, figures[i]);
  }
}

/// Time of xas for growing sizes of each input, as multiples of the first: 2, 4, 8, ... where it is linear.
void show_scaling(const Options& options, const fs::path& scratch, const std::string& object) {
  constexpr int doublings = 6;
  fmt::print("{:<24} {:>10} |", "", "xas");
  for (int i = 1; i <= doublings; ++i) fmt::print(" {:>7}x", 1 << i);
  fmt::print("\n");
  for (const Synthetic& synthetic : synthetic_inputs()) {
    if (std::string_view(synthetic.name).find(options.only) == std::string_view::npos) continue;
    double first = 0;
    for (int i = 0; i <= doublings; ++i) {
      const fs::path file = scratch / "scaling.s";
      std::ofstream(file, std::ios::binary) << synthetic.make(options.scale * (1 << i));
      const Input input{synthetic.name, file};
      const auto figures = measure({programs_for(options, input, object)[0]}, options.runs, object);
      if (i == 0)
        fmt::print("{:<24} {:>7.2f} ms |", synthetic.name, (first = figures[0].cpu) * 1e3);
      else
        fmt::print(" {:>8.2f}", figures[0].cpu / first);
      report(options, synthetic.name, file, fmt::format("{}", 1 << i), figures[0]);
      std::fflush(stdout);
    }
    fmt::print("\n");
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
  if (!options.report.empty()) std::ofstream(options.report, std::ios::trunc);
  if (options.scaling)
    show_scaling(options, scratch, object);
  else if (!options.old_build.empty())
    show_instructions(options, scratch, object);
  else
    show_times(options, scratch, object);
  std::error_code ignored;
  fs::remove_all(scratch, ignored);
  return 0;
}
