#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages.sh [RELEASE...]: makes the packages twice, in two folders, which have to be the same bit for bit; asks lintian;
# and installs them in fresh roots of Debian's releases (bookworm and trixie), where C++ is built with xas in the place of
# `as`, and C against the library. When they are removed, nothing may be left. XAS_MIRROR is where Debian comes from.
#
# Run it as root. The last line is "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/.."
. tests/install.sh
. tests/lib.sh
here=$PWD/build/packages
jobs=${XAS_JOBS:-$(nproc)}
mirror=${XAS_MIRROR:-http://deb.debian.org/debian}
[ $# != 0 ] || set -- bookworm trixie

# make_packages FOLDER: of what is in the work tree; SOURCE_DATE_EPOCH stands for the newest commit. rpmbuild takes no
# folder with a blank.
make_packages() {
  local folder=$1 rpms=${1// /-}/rpms
  rm -rf "$folder"
  mkdir -p "$folder"
  git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$folder" || return 1
  (
    cd "$folder" && cmake --preset package && cmake --build --preset package --parallel "$jobs" && cd build/package &&
      cpack -G DEB && cpack -G RPM -B "$rpms" && mv "$rpms"/*.rpm .
  )
}

same_packages() {
  local one=$1 two=$2 file
  [ "$(cd "$one" && ls ./*.deb ./*.rpm | wc -l)" = 8 ] || { echo "not 8 packages in $one"; return 1; }
  for file in "$one"/*.deb "$one"/*.rpm; do cmp "$file" "$two/${file##*/}" || return 1; done
}

lintian_is_silent() {
  local said
  said=$(lintian --allow-root --fail-on error,warning "$@" 2>&1) || { echo "$said"; return 1; }
  [ -z "$said" ] || { echo "$said"; return 1; }
}

# What is in a root, but for what dpkg, apt and ldconfig keep for themselves.
list_root() {
  (cd "$1" && find . -path ./proc -prune -o -path ./sys -prune -o -path ./dev -prune -o -path ./var/lib/dpkg -prune -o \
    -path ./var/lib/apt -prune -o -path ./var/cache -prune -o -path ./var/log -prune -o -path ./tmp -prune -o -print) |
    grep -vE '^\./(etc/ld\.so\.cache|usr/share/info/dir.*)$' | sort
}

# A user's first minutes, in the root's /tmp.
write_first_minutes() {
  cat > "$1/tmp/sort.cpp" <<'CPP'
#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <vector>
int main() {
  std::vector<int> numbers{3, 1, 2};
  std::ranges::sort(numbers);
  try {
    numbers.at(3) = 0;
  } catch (const std::out_of_range&) {
    for (int n : numbers) std::cout << n;
    std::cout << '\n';
  }
}
CPP
  cat > "$1/tmp/first.sh" <<'SH'
set -ex
cd /tmp
# The first block of code of the installed page, as it stands.
awk '/^```$/ { ++fences; next } fences == 1' /usr/share/doc/xas/examples/README.md > commands.sh
. ./commands.sh
[ "$(./hello)" = "hello from xas" ]
[ "$(./calculator <<< '6 * 7')" = 42 ]
[[ $(g++ -B/usr/lib/xas/bin -print-prog-name=as) = /usr/lib/xas/bin/*as ]]
/usr/lib/xas/bin/as --version | grep '(xas)'
g++ -B/usr/lib/xas/bin -std=c++20 -O2 -g -o sort ../sort.cpp
[ "$(./sort)" = 123 ]
PATH=/usr/lib/xas/bin:$PATH
aarch64-linux-gnu-as -o hello-a64.o - <<< 'ret'
ldd assemble | grep libxas.so.0
./assemble hello.s made.o
cmp hello.o made.o
gcc -o static assemble.c /usr/lib/*/libxas.a /usr/lib/*/libxas_fmt.a -lz -lzstd -lstdc++ -lm
./static hello.s made.o
cmp hello.o made.o
xas-dump --help > /dev/null
xas-corpus --help > /dev/null
SH
}

# fresh_root RELEASE: with a compiler, what the packages depend on, and nothing of xas, in $here/roots/RELEASE.
fresh_root() {
  rm -rf "$here/roots/$1"
  mkdir -p "$here/roots"
  mmdebstrap --variant=minbase --include=g++,libc6-dev,pkg-config,python3,zlib1g-dev,libzstd-dev "$1" "$here/roots/$1" "$mirror"
}

in_root() {
  local root=$1
  shift
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$root" "$@"
}

try_release() {
  local release=$1 root=$here/roots/$1
  check "$release: fresh root" fresh_root "$release"
  [ -x "$root/usr/bin/dpkg" ] || return
  list_root "$root" > "$here/before"
  cp "$here"/one/build/package/*.deb "$root/tmp/"
  write_first_minutes "$root"
  check "$release: install" in_root "$root" sh -c 'dpkg -i /tmp/*.deb'
  check "$release: links of the pages" tests/links.py "$root/usr/share/doc/xas"
  check "$release: a user's first minutes" in_root "$root" bash /tmp/first.sh
  check "$release: removal" in_root "$root" dpkg --purge xas xas-as libxas0 libxas-dev
  list_root "$root" > "$here/after"
  check "$release: nothing is left" diff "$here/before" "$here/after"
  rm -rf --one-file-system "$root"
}

# The packages for RPM, in a folder of their own: that they install, run and go again.
try_rpm() {
  local root=$here/roots/rpm
  rm -rf "$root"
  mkdir -p "$root"
  local rpm=(rpm --root "$root" --nodeps --noscripts)
  "${rpm[@]}" -i "$here"/one/build/package/*.rpm || return 1
  "$root/usr/bin/xas" -o "$here/hello.o" examples/hello.s || return 1
  [ "$(readlink "$root/usr/lib/xas/bin/as")" = ../../../bin/xas ] && [ -e "$root/usr/bin/xas" ] || return 1
  "${rpm[@]}" -e xas xas-as libxas0 libxas-devel || return 1
  local left
  left=$(find "$root/usr" -name '*xas*')
  [ -z "$left" ] || { echo "$left"; return 1; }
}

# complete_in_SHELL PROGRAM WORD...: what is proposed for the last word. bash splits words at '='; of zsh, its own
# functions are replaced.
complete_in_bash() {
  bash -c '
    source cmake/packaging/xas.bash
    last=${@: -1}
    COMP_WORDS=("${@:1:$#-1}")
    [[ $last == *=* ]] && COMP_WORDS+=("${last%%=*}" =) last=${last#*=}
    [[ ${COMP_WORDS[-1]} == = && ! $last ]] || COMP_WORDS+=("$last")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _xas "$1"
    printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}
complete_in_zsh() {
  zsh -f -c '
    compadd() { print -rl -- ${(M)${(P)${@[-1]}}:#$PREFIX*} }
    _describe() { compadd $@ }
    compset() { [[ $PREFIX != ${~2}* ]] || PREFIX=${PREFIX#${~2}} }
    _files() { print -rl -- $PREFIX*(N) }
    words=("$@") CURRENT=$# PREFIX=${@[-1]}
    propose() { source cmake/packaging/_xas }
    propose' zsh "$@"
}
complete_in_fish() { fish -N -c "source cmake/packaging/xas.fish; complete -C '$*'"; }

# proposes SHELL YES NO PROGRAM WORD...: some line of what is proposed is YES (a regular expression), and none is NO
proposes() {
  local shell=$1 yes=$2 no=$3 said
  shift 3
  said=$(complete_in_"$shell" "$@")
  grep -qxE -- "$yes" <<< "$said" && ! grep -qxE -- "$no" <<< "$said" && return
  printf '%s: %s: proposed are:\n%s\n' "$shell" "$*" "$said"
  return 1
}

# completes SHELL: options, their values without files, files; verbs of xas-corpus, and what each of them has
completes() {
  local PATH=$here/one/build/package:$PATH
  proposes $1 '(--compat=)?llvm' '(.*=)?README.md' xas --compat= &&
    proposes $1 '(--target=)?x86_64-w64-mingw32' '(.*=)?README.md' xas --target= &&
    proposes $1 '--compat(.whose object.*)?' '--color.*' xas --comp &&
    proposes $1 '(-I=|--defsym=)?README.md' 'x' xas --defsym=READ &&
    proposes $1 '@?README.md' 'x' xas @READ && proposes $1 'README.md' 'x' xas READ &&
    proposes $1 '--stackmaps(.*)' '--compat.*' xas-dump -- &&
    proposes $1 'instructions' '--.*' xas-corpus in &&
    proposes $1 '(--format=)?capstone' '(.*=)?elf64le' xas-corpus instructions --format= &&
    proposes $1 '(--format=)?elf64le' '(.*=)?capstone' xas-corpus objects --format= &&
    proposes $1 '(--compat=)?llvm' '(.*=)?README.md' xas-lsp --compat=
}

# cmake_defines LANGUAGE LINES: a definition reaches xas as the assembler of CMake's language, as README.md says.
cmake_defines() {
  local place=$here/cmake-$1
  rm -rf "$place"
  mkdir -p "$place"
  printf '.globl of_cmake\n.set of_cmake, FOO\n' > "$place/a.s"
  cat > "$place/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.20)
project(defines LANGUAGES $1)
$2
add_library(defines STATIC a.s)
target_compile_definitions(defines PRIVATE FOO=0x123)
END
  cmake -S "$place" -B "$place/out" "-DCMAKE_$1_COMPILER=$here/one/build/package/xas" && cmake --build "$place/out" &&
    nm "$place/out/libdefines.a" | grep '^0*123 A of_cmake$'
}

mkdir -p "$here"
install_packages lintian mmdebstrap rpm dpkg-dev zsh fish || { fail "lintian, mmdebstrap or rpm can't be installed"; finish; }
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
check "licences in the sources" tests/spdx.sh
check "packages" make_packages "$here/one"
# Without a cache of the compiler's results, and with other settings of whoever builds.
check "packages, once more" env CCACHE_DISABLE=1 TZ=Asia/Tokyo LC_ALL=C.UTF-8 bash -c "umask 027; $(declare -f make_packages); jobs=$jobs; \
  make_packages '$here/another folder'"
check "the same bit for bit" same_packages "$here/one/build/package" "$here/another folder/build/package"
check "lintian" lintian_is_silent "$here"/one/build/package/*.deb
check "rpm" try_rpm
check "CMake's ASM" cmake_defines ASM
check "CMake's ASM-ATT" cmake_defines ASM-ATT "$(grep '^set(CMAKE_ASM-ATT_' README.md)"
check "completion for bash" completes bash
check "completion for zsh" completes zsh
check "completion for fish" completes fish
for release; do try_release "$release"; done
finish
