#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hosts.sh [HOST...]: xas built for other hosts and run by qemu-user: every object, status and message of the tests' cases
# has to be that of xas built for this machine (build/test). Hosts: s390x (big-endian), armhf (32 bits), arm64; all of
# them by default. XAS_SAMPLE=N takes every N-th case (8). The last line is "N passed, N failed".
#
# zlib and zstd for a host come out of Debian's packages, unpacked in build/hosts.
set -uo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/build/hosts
jobs=${XAS_JOBS:-$(nproc)}
passed=0 failed=0
[ $# != 0 ] || set -- s390x armhf arm64

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
  cp -r /usr/include/fmt "$folder/sys/usr/include/"
  mkdir -p "$folder/sys/usr/lib/cmake/fmt"
  cat > "$folder/sys/usr/lib/cmake/fmt/fmt-config.cmake" <<'END'
add_library(fmt::fmt INTERFACE IMPORTED)
set_target_properties(fmt::fmt PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_CURRENT_LIST_DIR}/../../../include)
END
  touch "$folder/sys/ready"
}

# toolchain HOST TRIPLE QEMU SUFFIX FOLDER
toolchain() {
  cat > "$5/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $1)
set(CMAKE_C_COMPILER $2-gcc$4)
set(CMAKE_CXX_COMPILER $2-g++$4)
set(CMAKE_LIBRARY_ARCHITECTURE $2)
set(CMAKE_CROSSCOMPILING_EMULATOR $3;-L;/usr/$2)
set(CMAKE_FIND_ROOT_PATH $5/sys)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
END
}

build() {
  local folder=$1
  local launcher=()
  ! command -v ccache > /dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake -G Ninja -S . -B "$folder/build" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_TOOLCHAIN_FILE=$folder/toolchain.cmake" \
    "${launcher[@]}" && ninja -C "$folder/build" -j "$jobs" xas-program
}

one_host() {
  local host=$1 triple qemu suffix=
  case $host in
    s390x) triple=s390x-linux-gnu qemu=qemu-s390x ;;
    armhf) triple=arm-linux-gnueabihf qemu=qemu-arm ;;
    arm64) triple=aarch64-linux-gnu qemu=qemu-aarch64 ;;
    *) echo "hosts.sh: unknown host $host" >&2; return 1 ;;
  esac
  command -v "$triple-g++" > /dev/null || suffix=-12
  local folder=$here/$host
  mkdir -p "$folder/run"
  unpack_libraries "$host" "$folder" || { echo "$host: its libraries can't be fetched" >&2; return 1; }
  toolchain "$host" "$triple" "$qemu" "$suffix" "$folder"
  build "$folder" > "$folder/build.log" 2>&1 || { tail -n 20 "$folder/build.log" >&2; return 1; }
  printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$qemu" "$folder/build/xas" > "$folder/run/xas"
  chmod +x "$folder/run/xas"
  local cases
  cases=$(ls tests/cases/*.txt | grep -v '/known.txt$')
  # shellcheck disable=SC2086
  build/test/tests/differential/xas-diff --same build/test/xas --xas "$folder/run/xas" --jobs "$jobs" \
    --sample "${XAS_SAMPLE:-8}" --tables $cases > "$folder/cases.log" 2>&1
  local line
  line=$(tail -n 1 "$folder/cases.log")
  echo "$host: $line"
  [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || return 1
  passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
  [ "${BASH_REMATCH[2]}" = 0 ] || grep -v '^[0-9]* passed' "$folder/cases.log" | head -n 40
}

for host; do
  one_host "$host" || failed=$((failed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
