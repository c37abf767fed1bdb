#!/usr/bin/env bash
# quickstart.sh: on a fresh Debian 12, installs what building needs, builds xas, and has it assemble a program written in
# assembly and one written in C; both are linked and run.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(g++ cmake ninja-build binutils libfmt-dev zlib1g-dev libzstd-dev)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q '^install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} != 0 ]; then
  echo "installing ${missing[*]}"
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
fi

echo "building"
cmake --preset release -G Ninja > /dev/null
cmake --build --preset release > build/release/build.log || { tail -n 40 build/release/build.log; exit 1; }
xas=$PWD/build/release/xas
"$xas" --version | head -n 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "assembling, linking and running examples/hello.s"
"$xas" -o "$work/hello.o" examples/hello.s
ld -o "$work/hello" "$work/hello.o"
"$work/hello"

echo "a C program, with xas in place of gcc's assembler"
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
