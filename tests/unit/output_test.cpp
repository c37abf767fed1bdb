// SPDX-License-Identifier: Apache-2.0
// write_file_atomically: what is there afterwards, and what is not.
#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asm/cli/output.h"

using namespace xas;
using cli::write_file_atomically;

namespace {

struct Folder {
  std::string path;
  Folder() {
    char name[] = "/tmp/xas-output-XXXXXX";
    REQUIRE(mkdtemp(name));
    path = name;
  }
  ~Folder() {
    for (const std::string& name : list()) ::remove(at(name).c_str());
    ::rmdir(path.c_str());
  }
  std::string at(const std::string& name) const { return path + "/" + name; }
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    DIR* dir = opendir(path.c_str());
    while (dirent* e = readdir(dir))
      if (std::string name = e->d_name; name != "." && name != "..") names.push_back(name);
    closedir(dir);
    return names;
  }
};

std::string read_back(const std::string& path) {
  std::string text;
  if (std::FILE* f = std::fopen(path.c_str(), "rb")) {
    for (int c; (c = std::getc(f)) != EOF;) text += char(c);
    std::fclose(f);
  }
  return text;
}

std::span<const u8> bytes(std::string_view text) { return {reinterpret_cast<const u8*>(text.data()), text.size()}; }

mode_t mode_of(const std::string& path) {
  struct stat s = {};
  ::stat(path.c_str(), &s);
  return s.st_mode & 07777;
}

}  // namespace

TEST_CASE("a file is made, replaced, and has the umask's permissions") {
  Folder folder;
  const mode_t old_mask = ::umask(027);
  CHECK(!write_file_atomically(folder.at("a.o"), bytes("one")));
  CHECK(read_back(folder.at("a.o")) == "one");
  CHECK(mode_of(folder.at("a.o")) == 0640);
  ::chmod(folder.at("a.o").c_str(), 0600);
  CHECK(!write_file_atomically(folder.at("a.o"), bytes("another")));
  CHECK(read_back(folder.at("a.o")) == "another");
  CHECK(mode_of(folder.at("a.o")) == 0640);
  ::close(::open(folder.at("gcc.o").c_str(), O_CREAT | O_WRONLY, 0600));
  CHECK(!write_file_atomically(folder.at("gcc.o"), bytes("x")));
  CHECK(mode_of(folder.at("gcc.o")) == 0600);
  ::umask(old_mask);
  CHECK(folder.list().size() == 2);
}

TEST_CASE("symbolic links stay") {
  Folder folder;
  REQUIRE(::symlink("target.o", folder.at("link.o").c_str()) == 0);
  CHECK(!write_file_atomically(folder.at("link.o"), bytes("new")));
  CHECK(read_back(folder.at("target.o")) == "new");
  CHECK(!write_file_atomically(folder.at("link.o"), bytes("newer")));
  CHECK(read_back(folder.at("target.o")) == "newer");
  char target[100];
  CHECK(::readlink(folder.at("link.o").c_str(), target, sizeof target) == 8);
  REQUIRE(::symlink("loop", folder.at("loop").c_str()) == 0);
  CHECK(write_file_atomically(folder.at("loop"), bytes("x")));
  CHECK(folder.list().size() == 3);
}

TEST_CASE("an output that can't be written leaves nothing behind") {
  Folder folder;
  CHECK(*write_file_atomically(folder.path, bytes("x")) == "can't write " + folder.path + ": Is a directory");
  CHECK(*write_file_atomically(folder.at("no/a.o"), bytes("x")) ==
        "can't write " + folder.at("no/a.o") + ": No such file or directory");
  CHECK(write_file_atomically("", bytes("x")));
  CHECK(folder.list().empty());

  // No room: a limit on file sizes is as good as a full disk.
  CHECK(!write_file_atomically(folder.at("old.o"), bytes("old")));
  rlimit old_limit;
  getrlimit(RLIMIT_FSIZE, &old_limit);
  rlimit limit = {1000, old_limit.rlim_max};
  auto* old_handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string big(100000, 'x');
  CHECK(*write_file_atomically(folder.at("old.o"), bytes(big)) ==
        "can't write " + folder.at("old.o") + ": File too large");
  CHECK(write_file_atomically(folder.at("new.o"), bytes(big)));
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  CHECK(read_back(folder.at("old.o")) == "old");
  CHECK(folder.list().size() == 1);
}

TEST_CASE("a folder that can't be written") {
  if (::geteuid() == 0) return;  // root can
  Folder folder;
  CHECK(!write_file_atomically(folder.at("a.o"), bytes("old")));
  ::chmod(folder.path.c_str(), 0555);
  CHECK(!write_file_atomically(folder.at("a.o"), bytes("new")));
  CHECK(write_file_atomically(folder.at("b.o"), bytes("x")));
  CHECK(read_back(folder.at("a.o")) == "new");
  ::chmod(folder.path.c_str(), 0755);
}

TEST_CASE("devices, pipes and standard output are written directly") {
  CHECK(!write_file_atomically("/dev/null", bytes("x")));
  if (::access("/dev/full", W_OK) == 0)
    CHECK(*write_file_atomically("/dev/full", bytes("x")) == "can't write /dev/full: No space left on device");
  Folder folder;
  REQUIRE(::mkfifo(folder.at("fifo").c_str(), 0600) == 0);
  std::string got;
  std::thread reader([&] { got = read_back(folder.at("fifo")); });
  CHECK(!write_file_atomically(folder.at("fifo"), bytes("through a pipe")));
  reader.join();
  CHECK(got == "through a pipe");
  CHECK(folder.list().size() == 1);

  std::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  const int fd = ::open(folder.at("stdout").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  ::dup2(fd, STDOUT_FILENO);
  const auto dash = write_file_atomically("-", bytes("dash "));
  const auto device = write_file_atomically("/dev/stdout", bytes("device"));
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  ::close(fd);
  CHECK(!dash);
  CHECK(!device);
  CHECK(read_back(folder.at("stdout")) == "device");  // opened anew and emptied, as by GNU as
}
