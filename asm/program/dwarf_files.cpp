// SPDX-License-Identifier: Apache-2.0
// The tables of directories and files in .debug_line: how `.file N "dir" "name"` and `.file N "dir/name"` fill them.
//
// Directory 0 is the compilation's. Both assemblers number directories in the order of their first use, but not from
// the same parts of the text:
//
// - GNU as takes the name of .file 0 apart like others, so that its directory may get a number of its own, and then has
//   to put the compilation's directory into entry 0 before it. A directory that equals entry 0 is number 0.
// - LLVM keeps the name of .file 0 as it is, with directory 0, and takes names apart only where no directory is given.
#include <algorithm>

#include <fmt/format.h>

#include "asm/program/program.h"

namespace xas {

namespace {

/// Where the file's own name starts in a path; the root's only entry (`/name`) is not taken apart by GNU as.
std::size_t base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos || slash == 0 ? 0 : slash + 1;
}

/// A directory's name without a slash at its end. Of the root nothing is left: GNU as takes the working directory.
std::string_view without_slash(std::string_view directory) {
  if (directory.ends_with('/')) directory.remove_suffix(1);
  return directory;
}

constexpr u32 highest_file = 0xFFFFF;  // a table with more entries than this is a mistake, and takes too much memory

}  // namespace

LineFile& LineFiles::slot(u32 number) {
  if (number >= files.size()) files.resize(number + 1);
  return files[number];
}

u32 LineFiles::add_directory(const std::string& directory) {
  const u32 index = std::max<u32>(1, u32(directories.size()));
  directories.resize(index + 1);
  directories[index] = directory;
  directory_index.emplace(directory, index);
  return index;
}

u32 LineFiles::find_or_add_directory(const std::string& directory) {
  const auto found = directory_index.find(directory);
  return found != directory_index.end() ? found->second : add_directory(directory);
}

u32 LineFiles::directory_for(Program& program, const FileDirective& d, std::string_view directory, bool is_of_name) {
  directory = without_slash(directory);
  if (directory.empty()) return 0;
  const std::string name(directory);
  if (const auto found = directory_index.find(name); found != directory_index.end()) return found->second;
  if (d.number != 0 || has_directory_0) return add_directory(name);
  const std::string given(d.has_directory ? without_slash(d.directory) : std::string_view());
  const bool is_root = d.has_directory && given.empty() && program.profile.root_is_no_directory_0;
  const std::string& compilation = is_root ? name : given.empty() ? program.lines.working_dir(program) : given;
  // GNU as compares the compilation's directory with all that this one is taken from, and so with a whole file name.
  set_directory_0(compilation);
  return name != compilation || (is_of_name && !is_root) ? add_directory(name) : 0;
}

void LineFiles::set_directory_0(const std::string& directory) {
  if (directories.empty()) directories.resize(1);
  directories[0] = directory;
  directory_index.try_emplace(directory, 0);
  has_directory_0 = true;
}

bool LineFiles::define_gnu(Program& program, FileDirective& d, SourceLoc loc) {
  const std::string& name = d.file.name;
  const std::size_t base = base_name(name);
  const bool is_of_name = !d.has_directory || (d.number == 0 && base != 0);
  const std::string directory = is_of_name ? name.substr(0, base) : d.directory;
  std::string file = is_of_name ? name.substr(base) : name;
  if (defined(d.number)) {
    const LineFile& old = files[d.number];
    const std::string old_directory = old.directory < directories.size() ? directories[old.directory] : "";
    const std::string_view given = without_slash(directory);
    const bool same_directory = given.empty() || old_directory.empty() || given == old_directory;
    const bool same_md5 = !d.file.has_md5 || std::equal(d.file.md5, d.file.md5 + 16, old.md5);
    if (old.name == file && same_directory && same_md5) return true;
    program.diags.error(loc, fmt::format("file number {} is already used for '{}{}{}'", d.number, old_directory,
                                         old_directory.empty() ? "" : "/", old.name));
    return false;
  }
  d.file.directory = directory_for(program, d, directory, is_of_name);
  d.file.name = std::move(file);
  slot(d.number) = std::move(d.file);
  return true;
}

bool LineFiles::define_llvm(Program& program, FileDirective& d, SourceLoc loc) {
  LineFile& file = d.file;
  if (d.number == 0) {
    slot(0) = std::move(file);
    if (directories.empty()) directories.resize(1);
    directories[0] = d.directory;
    has_directory_0 = !d.directory.empty();
    return true;
  }
  // The main source under a number of its own is not listed again.
  const bool is_root = defined(0) && files[0].name == file.name && files[0].has_md5 == file.has_md5 &&
                       std::equal(file.md5, file.md5 + 16, files[0].md5);
  if (is_root && program.lines.version() >= 5) return true;
  if (defined(d.number)) {
    program.diags.error(loc, fmt::format("file number {} is already used for '{}'", d.number, files[d.number].name));
    return false;
  }
  if (!d.directory.empty() && has_directory_0 && d.directory == directories[0]) d.directory.clear();
  if (file.name.empty()) {
    file.name = "<stdin>";
    d.directory.clear();
  }
  if (d.directory.empty()) {
    const std::size_t slash = file.name.rfind('/');
    if (slash != std::string::npos && slash + 1 < file.name.size()) {
      std::size_t end = slash;
      while (end > 1 && file.name[end - 1] == '/') --end;
      d.directory = file.name.substr(0, std::max<std::size_t>(end, 1));
      file.name.erase(0, slash + 1);
    }
  }
  file.directory = d.directory.empty() ? 0 : find_or_add_directory(d.directory);
  slot(d.number) = std::move(file);
  return true;
}

bool LineFiles::define(Program& program, FileDirective d, SourceLoc loc) {
  if (d.number > highest_file) {
    program.diags.error(loc, fmt::format("file number {} is too large; {} is the largest", d.number, highest_file));
    return false;
  }
  d.file.defined = true;
  const bool md5 = d.file.has_md5, source = d.file.has_source;
  if (!(program.profile.split_file_0 ? define_gnu(program, d, loc) : define_llvm(program, d, loc))) return false;
  all_md5 &= md5;
  any_md5 |= md5;
  any_source |= source;
  return true;
}

u32 LineFiles::number_of(Program& program, const std::string& path) {
  const u32 next = std::max(u32(files.size()), u32(1));
  const auto [entry, fresh] = file_index.try_emplace(path, next);
  if (fresh) {
    FileDirective d{.number = next};
    d.file.name = path;
    define(program, std::move(d), 0);
  }
  return entry->second;
}

std::string LineFiles::path(u32 number) const {
  if (!defined(number)) return {};
  const LineFile& file = files[number];
  const bool named = file.directory != 0 && file.directory < directories.size();
  const std::string_view directory = named ? std::string_view(directories[file.directory]) : std::string_view();
  return directory.empty() || file.name.starts_with('/') ? file.name : std::string(directory) + "/" + file.name;
}

}  // namespace xas
