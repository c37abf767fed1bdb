#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hosts.sh [HOST...]: xas built for other hosts, and by other compilers, and run: every object, status and message of the
# tests' cases has to be that of xas built for this machine (build/test); and the library's bytes of instructions, from text
# and from values, those of the lists (not for Windows). All of them by default:
#
#   s390x (big-endian), armhf (32 bits), arm64   cross-compiled, run by qemu-user
#   i386                                         by gcc -m32
#   windows                                      by mingw's g++, run by wine; a program is assembled and linked there, too
#   clang-14, clang-22                           for this machine
#
# No compiler may warn. XAS_SAMPLE=N takes every N-th case (8; 80 under wine). The last line is "N passed, N failed".
#
# zlib and zstd for a host come out of Debian's packages, unpacked in build/hosts.
set -uo pipefail
cd "$(dirname "$0")/../.."
. tests/lib.sh
here=$PWD/build/hosts
jobs=${XAS_JOBS:-$(nproc)}
i386_flags='-m32 -idirafter /usr/include/x86_64-linux-gnu'  # where Debian has <asm/...>
wine=$(command -v wine64 || ls /usr/lib/wine/wine64 2> /dev/null)
[ $# != 0 ] || set -- s390x armhf arm64 i386 windows clang-14 clang-22

# The libraries of a host, and fmt's headers, in $here/HOST/sys.
unpack_libraries() {
  local host=$1 folder=$2 state=$here/apt-$1
  [ ! -e "$folder/sys/ready" ] || return 0
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$folder/sys/usr/include" "$folder/debs" || return 1
  local apt=(apt-get -qq -o "APT::Architecture=$host" -o "APT::Architectures::=$host" -o "Dir::State::Lists=$state/lists"
    -o "Dir::Cache=$state/cache" -o Dir::State::status=/dev/null)
  "${apt[@]}" update  # what is missing is told by the next line
  (cd "$folder/debs" && "${apt[@]}" download "zlib1g-dev:$host" "libzstd-dev:$host") || return 1
  local package
  for package in "$folder"/debs/*.deb; do dpkg -x "$package" "$folder/sys" || return 1; done
  unpack_fmt "$folder"
}

# fmt, of which only the headers are needed, so that those of this machine are right.
unpack_fmt() {
  local folder=$1
  cp -r /usr/include/fmt "$folder/sys/usr/include/"
  mkdir -p "$folder/sys/usr/lib/cmake/fmt"
  cat > "$folder/sys/usr/lib/cmake/fmt/fmt-config.cmake" <<'END'
add_library(fmt::fmt INTERFACE IMPORTED)
set_target_properties(fmt::fmt PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_CURRENT_LIST_DIR}/../../../include)
END
  touch "$folder/sys/ready"
}

# The same for Windows: zlib from Debian's package for mingw, zstd from Debian's source.
unpack_libraries_for_windows() {
  local folder=$1 state=$here/apt-source
  [ ! -e "$folder/sys/ready" ] || return 0
  rm -rf "$folder/debs"
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$folder/sys/usr/include" "$folder/sys/usr/lib" "$folder/debs" || return 1
  echo "deb-src ${XAS_MIRROR:-http://deb.debian.org/debian} bookworm main" > "$state/sources"
  local apt=(apt-get -qq -o "Dir::State::Lists=$state/lists" -o "Dir::Cache=$state/cache" -o "Dir::Etc::sourcelist=$state/sources"
    -o Dir::Etc::sourceparts=-)
  "${apt[@]}" update
  (
    cd "$folder/debs" && apt-get -qq download libz-mingw-w64-dev && dpkg -x libz-mingw-w64-dev*.deb zlib &&
      "${apt[@]}" source --download-only libzstd && mkdir zstd && tar -xf libzstd_*.orig.tar.xz -C zstd --strip-components=1 &&
      cd zstd/lib && x86_64-w64-mingw32-gcc-posix -O2 -c -DZSTD_DISABLE_ASM common/*.c compress/*.c decompress/*.c &&
      x86_64-w64-mingw32-ar rcs "$folder/sys/usr/lib/libzstd.a" ./*.o && cp ./*.h "$folder/sys/usr/include/"
  ) || return 1
  cp "$folder"/debs/zlib/usr/x86_64-w64-mingw32/lib/libz.a "$folder/sys/usr/lib/" || return 1
  cp "$folder"/debs/zlib/usr/x86_64-w64-mingw32/include/*.h "$folder/sys/usr/include/" || return 1
  unpack_fmt "$folder"
}

# toolchain SYSTEM HOST TRIPLE SUFFIX FLAGS FOLDER: isagen is built for this machine.
toolchain() {
  local prefix=$3-
  [ "$2" != i386 ] || prefix=
  cat > "$6/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME $1)
set(CMAKE_SYSTEM_PROCESSOR $2)
set(CMAKE_C_COMPILER ${prefix}gcc$4)
set(CMAKE_CXX_COMPILER ${prefix}g++$4)
set(CMAKE_C_FLAGS_INIT "$5")
set(CMAKE_CXX_FLAGS_INIT "$5")
set(CMAKE_LIBRARY_ARCHITECTURE $3)
set(CMAKE_FIND_ROOT_PATH $6/sys)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
END
}

# build FOLDER OPTION...: without a warning.
build() {
  local folder=$1
  shift
  cmake -G Ninja -S . -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DXAS_UNITY=ON "$@" > "$folder/build.log" 2>&1 &&
    ninja -C "$folder/build" -j "$jobs" xas-program >> "$folder/build.log" 2>&1 || { tail -n 20 "$folder/build.log" >&2; return 1; }
  ! grep -A 4 'warning: ' "$folder/build.log" >&2
}

# wrapper FILE COMMAND: a program that is called as xas is.
wrapper() {
  mkdir -p "${1%/*}"
  printf '#!/bin/sh\nexec %s "$@"\n' "$2" > "$1"
  chmod +x "$1"
}

# build_for HOST FOLDER: and a script run/xas, which runs it.
build_for() {
  local host=$1 folder=$2 triple qemu='' suffix='' flags='' system=Linux
  case $host in
    s390x) triple=s390x-linux-gnu qemu=qemu-s390x ;;
    armhf) triple=arm-linux-gnueabihf qemu=qemu-arm ;;
    arm64) triple=aarch64-linux-gnu qemu=qemu-aarch64 ;;
    i386) triple=i386-linux-gnu flags=$i386_flags ;;
    windows) triple=x86_64-w64-mingw32 qemu="env WINEDEBUG=-all $wine" suffix=-posix system=Windows ;;
    clang-*)
      build "$folder" "-DCMAKE_C_COMPILER=$host" "-DCMAKE_CXX_COMPILER=${host/clang/clang++}" || return 1
      ln -sf ../build/xas "$folder/run/xas"
      return
      ;;
    *) echo "hosts.sh: unknown host $host" >&2; return 1 ;;
  esac
  [ "$host" = i386 ] || [ "$host" = windows ] || command -v "$triple-g++" > /dev/null || suffix=-12
  if [ "$host" = windows ]; then unpack_libraries_for_windows "$folder"; else unpack_libraries "$host" "$folder"; fi ||
    { echo "$host: its libraries can't be fetched" >&2; return 1; }
  toolchain "$system" "$host" "$triple" "$suffix" "$flags" "$folder"
  build "$folder" "-DCMAKE_TOOLCHAIN_FILE=$folder/toolchain.cmake" || return 1
  local program=$folder/build/xas
  [ "$host" != windows ] || program+=.exe
  wrapper "$folder/run/xas" "$qemu \"$program\""
}

# xas.exe assembles what mingw's gcc makes of a program, which is linked and run; preprocesses; writes dependencies.
windows_hello() {
  local folder=$1 work=$1/hello
  rm -rf "$work"
  mkdir -p "$work/some folder"
  cat > "$work/hello.c" <<'C'
#include <stdio.h>
int main(int argc, char** argv) { return printf("hello from %d\n", argc), 0; }
C
  (
    cd "$work" && x86_64-w64-mingw32-gcc-posix -O2 -S -o hello.s hello.c || exit 1
    "$folder/run/xas" -o 'some folder\hello.o' hello.s && x86_64-w64-mingw32-gcc-posix -o hello.exe 'some folder/hello.o' &&
      [ "$(WINEDEBUG=-all "$wine" hello.exe | tr -d '\r')" = "hello from 1" ] || { echo "windows: hello" >&2; exit 1; }
    printf '.include "part.inc"\n' > main.s
    printf 'nop\n' > 'some folder/part.inc'
    "$folder/run/xas" -I 'some folder' -MD -MF deps.d -o main.o main.s && grep -q 'some\\ folder/part.inc' deps.d ||
      { echo "windows: -MD" >&2; exit 1; }
    ! "$folder/run/xas" -o main.o missing.s 2> /dev/null && [ ! -e main.o ] || { echo "windows: an old object is left" >&2; exit 1; }
    ! "$folder/run/xas" -o main.s main.s 2> /dev/null && [ -s main.s ] || { echo "windows: input is output" >&2; exit 1; }
    "$folder/run/xas" --target=x86_64-linux-gnu -o - main.s -I 'some folder' | cmp - <(cd 'some folder' && "$OLDPWD/../../../../build/test/xas" -o - ../main.s) ||
      { echo "windows: standard output" >&2; exit 1; }
  )
}

# Instructions to bytes, from text and from values, on a host; and on arm64 code that runs at once.
embedding() {
  local host=$1 folder=$2 qemu triple flags='' suffix='' name line
  case $host in
    s390x) triple=s390x-linux-gnu qemu=qemu-s390x ;;
    armhf) triple=arm-linux-gnueabihf qemu=qemu-arm ;;
    arm64) triple=aarch64-linux-gnu qemu=qemu-aarch64 ;;
    i386) triple=i386-linux-gnu qemu='' flags=$i386_flags ;;
    *) return 0 ;;
  esac
  local compiler=$triple-g++
  command -v "$compiler" > /dev/null || suffix=-12
  [ "$host" != i386 ] || compiler=g++ suffix=
  for name in tests/embedding/encode tests/embedding/typed examples/calculator; do
    [ "$name" != examples/calculator ] || [ "$host" = arm64 ] || continue
    local wrap=()
    [ "$name" != tests/embedding/encode ] || wrap=(-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)
    # shellcheck disable=SC2086
    "$compiler$suffix" $flags -std=c++20 -O1 -I. -Iinclude "-I$folder/build/generated-include" "$name.cpp" "$folder/build/libxas.a" \
      "$folder/build/libxas_fmt.a" "-L$folder/sys/usr/lib/$triple" -lz -lzstd -static "${wrap[@]}" -o "$folder/${name##*/}" ||
      return 1
  done
  for name in encode typed; do
    # shellcheck disable=SC2086
    line=$($qemu "$folder/$name" tests/cases/instructions-*.txt 2> "$folder/$name.log" | tail -n 1)
    echo "$host: $line"
    add_up "$(grep -oE '[0-9]+ passed, [0-9]+ failed' <<< "$line")" && [ "${BASH_REMATCH[2]}" = 0 ] || head -n 20 "$folder/$name.log"
  done
  [ "$host" = arm64 ] || return 0
  line=$(printf 'x = 3\nx * (2 + 0.5)\n' | $qemu "$folder/calculator" | tr '\n' ' ')
  echo "$host: the calculator says $line"
  check "the calculator" [ "${line/7.5/}" != "$line" ]
}

one_host() {
  local host=$1 folder=$here/$1 sample=8 here_xas=build/test/xas
  mkdir -p "$folder/run"
  build_for "$host" "$folder" || return 1
  if [ "$host" = windows ]; then
    windows_hello "$folder" || return 1
    sample=80
    # The working folder, which debugging information names, has a drive there.
    local same_folder=-fdebug-compilation-dir=/work
    here_xas=$folder/here/xas
    wrapper "$here_xas" "\"$PWD/build/test/xas\" $same_folder"
    wrapper "$folder/run/xas" "env WINEDEBUG=-all \"$wine\" \"$folder/build/xas.exe\" $same_folder"
  fi
  local cases
  cases=$(ls tests/cases/*.txt | grep -v '/known.txt$')
  # shellcheck disable=SC2086
  build/test/tests/differential/xas-diff --same "$here_xas" --xas "$folder/run/xas" --jobs "$jobs" \
    --sample "${XAS_SAMPLE:-$sample}" --tables $cases > "$folder/cases.log" 2>&1
  local line
  line=$(tail -n 1 "$folder/cases.log")
  echo "$host: $line"
  add_up "$line" && [ "${BASH_REMATCH[2]}" = 0 ] || grep -v '^[0-9]* passed' "$folder/cases.log" | head -n 40
  embedding "$host" "$folder"
}

for host; do
  one_host "$host" || fail "$host"
done
finish
