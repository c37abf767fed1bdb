#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quickstart.sh: on a fresh Debian 12, installs what building needs, builds xas, and has it assemble a program written in
# assembly and one written in C; both are linked and run. Elsewhere it says what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

# Every step is announced, and ends with the time it took.
step=
finish_step() { [ -z "$step" ] || echo "-- $step: $((SECONDS - step_start)) s"; }
begin_step() {
  finish_step
  step=$1 step_start=$SECONDS
  echo "== $step"
}

packages=(g++ cmake ninja-build binutils libfmt-dev zlib1g-dev libzstd-dev)
missing=()
if command -v dpkg-query > /dev/null; then
  for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q '^install ok installed' || missing+=("$package")
  done
else
  echo "This is not Debian, so nothing is installed. Needed are a C++20 compiler, cmake, ninja, fmt, zlib and zstd."
  for tool in g++ cmake ninja ld; do
    command -v "$tool" > /dev/null || { echo "$tool is missing" >&2; exit 1; }
  done
fi
if [ ${#missing[@]} != 0 ]; then
  sudo=
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo > /dev/null || ! { sudo -n true 2> /dev/null || [ -t 0 ]; }; then
      echo "These packages are missing, and installing them needs root. Have them installed, then run this again:" >&2
      echo "  apt-get install ${missing[*]}" >&2
      exit 1
    fi
    sudo=sudo
  fi
  begin_step "installing ${missing[*]}"
  $sudo apt-get update -qq
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
fi

begin_step "configuring (build/release)"
output=$(cmake --preset release 2>&1) || { echo "$output"; exit 1; }
begin_step "building with $(nproc) cores"
cmake --build --preset release --target xas-program
xas=$PWD/build/release/xas
"$xas" --version | head -n 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

begin_step "assembling, linking and running examples/hello.s"
"$xas" -o "$work/hello.o" examples/hello.s
ld -o "$work/hello" "$work/hello.o"
"$work/hello"

begin_step "a C program, with xas in place of gcc's assembler"
cat > "$work/primes.c" <<'C'
#include <stdio.h>
int main(void) {
  int count = 0;
  for (int n = 2; n < 100000; ++n) {
    int prime = 1;
    for (int d = 2; d * d <= n && prime; ++d) prime = n % d != 0;
    count += prime;
  }
  printf("%d primes below 100000\n", count);
  return count != 9592;
}
C
mkdir "$work/bin"
ln -s "$xas" "$work/bin/as"
gcc -B"$work/bin/" -O2 -g -o "$work/primes" "$work/primes.c"
"$work/primes"
finish_step
echo "xas is $xas; everything took $SECONDS s"
