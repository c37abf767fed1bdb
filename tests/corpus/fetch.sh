#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fetch.sh [--mc-tests] [--gas-tests] [--releases] [--newest] [--handwritten] [--programs] [--testsuites] [--wine32] [--zstd]: the
# sources that the tests assemble, from the archive of Debian 12 into build/corpus/src; with --releases, GNU as 2.44's and LLVM
# 22's tests from that of Debian 13, with --newest those of 2.47 and LLVM 23 from that of sid. $XAS_KEYRING has the keys of these
# (default: debian-archive-keyring's).
#
# Always: lua5.4, zlib and sqlite3 (with its amalgamation made). On request: the assembler tests of LLVM and of binutils,
# whose archives are large (150 MB and 25 MB), packages with assembly written by people (handwritten.sh, programs.sh), and
# the libraries with which the 64-bit wine runs 32-bit programs (90 MB).
# What is there already is not fetched again. apt is used with a state directory of its own, so neither root nor a deb-src
# line in /etc/apt is needed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cache=${XAS_CORPUS:-$root/build/corpus}
src=$cache/src
apt_dir=$cache/apt
mkdir -p "$src" "$apt_dir"/{state/lists/partial,cache/archives/partial}

apt_options=(-qq -o Dir::Etc::SourceList="$apt_dir/sources.list" -o Dir::Etc::SourceParts="$apt_dir/sources.list.d"
  -o Dir::State="$apt_dir/state" -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$apt_dir/cache" -o Acquire::Retries=3)

# The machine's own archives, asked for sources.
list_archives() {
  mkdir -p "$apt_dir/sources.list.d"
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] || continue
    sed -E 's/^deb[[:space:]]/deb-src /; s/^(Types:).*/\1 deb-src/' "$file" > "$apt_dir/${file#/etc/apt/}"
  done
}

# Download the source package $1 (all its files) into $src/.download.
download() {
  mkdir -p "$src/.download"
  if [ ! -e "$apt_dir/updated" ]; then
    list_archives
    apt-get "${apt_options[@]}" update || echo "fetch: not all archives could be asked" >&2
    touch "$apt_dir/updated"
  fi
  # Run as root, apt wants to download as the user _apt, who may not write here; it says so and does it as root.
  (cd "$src/.download" && apt-get "${apt_options[@]}" source --download-only "$1" 2>&1 | grep -v '_apt' || true)
}

# Unpack the source package $1 as $src/$1, with Debian's patches.
unpack() {
  [ ! -e "$src/$1/.complete" ] || return 0
  echo "fetch: $1"
  download "$1"
  rm -rf "${src:?}/$1"
  dpkg-source --no-check -x "$src"/.download/"$1"_*.dsc "$src/$1" > /dev/null
  touch "$src/$1/.complete"
}

# Unpack only the directory $3 of the source package $1's main archive, as $src/$2.
unpack_part() {
  [ ! -e "$src/$2/.complete" ] || return 0
  echo "fetch: $1 ($3)"
  download "$1"
  rm -rf "${src:?}/$2"
  mkdir -p "$src/$2"
  tar -xf "$src"/.download/"$1"_*.orig.tar.xz -C "$src/$2" --strip-components=1 --wildcards "*/$3"
  touch "$src/$2/.complete"
}

# The tests of newer releases, from the archive of Debian's $1: the newest packages whose versions begin with $3 (binutils) and
# $5 (the LLVM package $4), as $src/$2.
unpack_newer_tests() {
  [ ! -e "$src/$2/.complete" ] || return 0
  echo "fetch: binutils $3 and $4 of Debian's $1 (their tests)"
  local dir=$apt_dir/$1 keyring=${XAS_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg} mirror
  mkdir -p "$dir"/{lists/partial,cache/archives/partial,download} "$src/$2"
  mirror=$(sed -nE 's/^(deb|URIs:).* (http[^ ]*debian)( .*|$)/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2> /dev/null | head -n 1) || true
  echo "deb-src [signed-by=$keyring] ${mirror:-http://deb.debian.org/debian} $1 main" > "$dir/sources.list"
  local options=(-o Dir::Etc::SourceList="$dir/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$dir/lists"
    -o Dir::Cache="$dir/cache" -o Acquire::Retries=3)
  apt-get -qq "${options[@]}" update
  # version PACKAGE BEGINNING: the newest that begins so
  version() {
    apt-cache "${options[@]}" showsrc --only-source "$1" | sed -n "s/^Version: //p" | grep "^${2//./\\.}" | sort -V | tail -n 1
  }
  (cd "$dir/download" && apt-get -qq "${options[@]}" source --download-only --tar-only "binutils=$(version binutils "$3")" \
    "$4=$(version "$4" "$5")" 2>&1 | grep -v '_apt' || true)
  tar -xf "$dir"/download/binutils_*.orig.tar.xz -C "$src/$2" --strip-components=1 --wildcards '*/gas/testsuite'
  tar -xf "$dir"/download/"$4"_*.orig.tar.xz -C "$src/$2" --strip-components=1 --wildcards '*/llvm/test/MC'
  touch "$src/$2/.complete"
}

# gcc's testsuite, from the archive in Debian's archive.
unpack_gcc_tests() {
  [ ! -e "$src/gcc-tests/.complete" ] || return 0
  echo "fetch: gcc-12 (gcc/testsuite)"
  download gcc-12
  rm -rf "$src/gcc-tests"
  mkdir -p "$src/gcc-tests"
  tar -xOf "$src"/.download/gcc-12_*.orig.tar.gz --wildcards '*/gcc-*-dfsg.tar.xz' |
    tar -xJ -C "$src/gcc-tests" --strip-components=1 --wildcards '*/gcc/testsuite'
  touch "$src/gcc-tests/.complete"
}

# The 32-bit libraries of wine, without the packages of that architecture that their own would need.
unpack_wine32() {
  [ ! -e "$src/wine32/.complete" ] || return 0
  echo "fetch: libwine for i386"
  local options=("${apt_options[@]}" -o Dir::Etc::SourceParts="$apt_dir/binary.list.d" -o Dir::State="$apt_dir/binary"
    -o Dir::State::status=/dev/null -o APT::Architectures::=amd64 -o APT::Architectures::=i386)
  mkdir -p "$apt_dir/binary.list.d" "$apt_dir/binary/lists/partial" "$src/.download"
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || cp "$file" "$apt_dir/binary.list.d"
  done
  apt-get "${options[@]}" update || echo "fetch: not all archives could be asked" >&2
  (cd "$src/.download" && apt-get "${options[@]}" download libwine:i386 2>&1 | grep -v '_apt' || true)
  rm -rf "$src/wine32"
  mkdir -p "$src/wine32"
  dpkg-deb --fsys-tarfile "$src"/.download/libwine_*_i386.deb |
    tar -x -C "$src/wine32" --strip-components=5 ./usr/lib/i386-linux-gnu/wine/i386-windows
  touch "$src/wine32/.complete"
}

unpack lua5.4
unpack zlib
unpack sqlite3
if [ ! -e "$src/sqlite3/amalgamation/sqlite3.c" ]; then
  echo "fetch: the sqlite3 amalgamation"
  rm -rf "$src/sqlite3/amalgamation"
  mkdir "$src/sqlite3/amalgamation.part"
  (cd "$src/sqlite3/amalgamation.part" && ../configure --disable-tcl > configure.log 2>&1 && make -s sqlite3.c shell.c > make.log 2>&1)
  mv "$src/sqlite3/amalgamation.part" "$src/sqlite3/amalgamation"
fi
# Debian's build makes this header.
echo '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"' > "$src/lua5.4/src/lua5.4-deb-multiarch.h"
for option in "$@"; do
  case $option in
    --mc-tests) unpack_part llvm-toolchain-19 llvm-tests llvm/test/MC ;;
    --gas-tests) unpack_part binutils gas-tests gas/testsuite ;;
    --releases) unpack_newer_tests trixie release-tests 2.44 llvm-toolchain-22 1:22 ;;
    --newest) unpack_newer_tests sid newest-tests 2.47- llvm-toolchain-23 1:23.1.1 ;;
    --handwritten) unpack dav1d; unpack libgcrypt20 ;;
    --programs) for package in ffmpeg x264 x265 openh264 libisal mpg123 newlib; do unpack "$package"; done ;;
    --wine32) unpack_wine32 ;;
    --zstd) unpack libzstd ;;
    --testsuites) unpack_gcc_tests; unpack_part llvm-toolchain-19 llvm-codegen llvm/test/CodeGen ;;
    *) echo "fetch.sh: unknown option $option" >&2; exit 1 ;;
  esac
done
