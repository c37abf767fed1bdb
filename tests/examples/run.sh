#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD-DIR: the programs in examples/, what they make, and what they say of mistakes; and the ways in which others
# find the library when it is installed. toy_compiler is tested in tests/object, through each linker.
set -u
build=$(realpath "$1")
examples=$(realpath "$(dirname "$0")/../../examples")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
fail() { echo "FAIL: $*"; failed=1; }
# says EXPECTED COMMAND...: what the command prints, on standard output and error
says() {
  local expected=$1 got
  shift
  got=$("$@" 2>&1)
  [ "$got" = "$expected" ] || { fail "$*"; printf '  expected: %s\n  got:      %s\n' "$expected" "$got"; }
}

"$build/xas" -o hello.o "$examples/hello.s" && ld -o hello hello.o && says "hello from xas" ./hello || fail hello.s

"$build/examples/assemble" "$examples/hello.s" again.o || fail assemble
cmp hello.o again.o || fail "assemble: another object than the program's"
printf 'nop\nmovl %%eax\n' > bad.s
"$build/examples/assemble" bad.s bad.o 2> message && fail "assemble takes a mistake"
grep -q '^bad.s:2:1: error: ' message || fail "assemble: $(cat message)"
[ ! -e bad.o ] || fail "assemble writes an object in spite of errors"
says "assemble: unknown option '--nonsense'" "$build/examples/assemble" bad.s bad.o --nonsense

"$build/examples/stream" poly.o poly x x '*' 3 x '*' + 1 + || fail stream
if [ "$(uname -m)" = x86_64 ]; then
  echo 'long poly(long); int main(void) { return poly(7) != 71 || poly(-2) != -1; }' > polynomial.c
  cc polynomial.c poly.o -o polynomial && ./polynomial || fail "stream: the function"
fi
"$build/examples/stream" bad.o bad x 99999999999999 + y + 2> message && fail "stream takes mistakes"
grep -q '^bad:2:1: error: operand 1 is the immediate' message && grep -q '^bad:4:1: error: unknown word' message &&
  grep -q '^bad:5:1: error: an operator needs two values' message || fail "stream: $(cat message)"
[ ! -e bad.o ] || fail "stream writes an object in spite of errors"

cat > shapes.txt << 'X'
area(w, h) = w * h

border(w, h) = 2 * (w + h) - area(1, 4)
sum(a, b, c, d, e, f) = a + 10 * (b + 10 * (c + 10 * (d + 10 * (e + 10 * f))))
nested() = 1 + sum(1, area(1, 2), 3, 4, 5 - 1 + area(1, 1), 6)
X
cat > main.c << 'X'
#include <stdio.h>
long area(long, long), border(long, long), nested(void);
int main(void) { return printf("%ld %ld %ld\n", area(6, 7), border(3, 4), nested()) < 0; }
X
"$build/examples/formulas" shapes.txt shapes.o || fail formulas
cc main.c shapes.o -o shapes && says "42 10 654322" ./shapes || fail "formulas: the object can't be linked"
readelf -wL shapes.o 2> /dev/null | grep -q 'shapes.txt  *3 ' || fail "formulas: no line table"
echo 'twice(x) = 2 * y' > bad.txt
says "bad.txt:1: unknown name y" "$build/examples/formulas" bad.txt bad.o

# What one types is compiled and called.
if [ -x "$build/examples/calculator" ]; then
  printf 'x = 3\n2 * (1 + x) - sqrt(16) / 8\n-x * -x\ny\n1 +\nabs(-0.5) + cos(0)\n' > sums.txt
  "$build/examples/calculator" < sums.txt > out.txt && fail "calculator: mistakes are told"
  printf '%s\n' 3 7.5 9 > expected.txt
  head -n 3 out.txt | cmp - expected.txt || fail "calculator: $(cat out.txt)"
  tail -n 1 out.txt | grep -qx 1.5 || fail "calculator: $(cat out.txt)"
  grep -q "'y' is not known" out.txt && grep -q "what is '1 +'" out.txt || fail "calculator: $(cat out.txt)"
fi

# Installed, the library is found by CMake and by pkg-config, for C and for C++.
cmake --install "$build" --prefix "$tmp/installed" > /dev/null || fail "cmake --install"
cat > CMakeLists.txt << 'X'
cmake_minimum_required(VERSION 3.21)
project(user C CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(xas 0.1 REQUIRED)
add_executable(formulas ${EXAMPLES}/formulas.cpp)
add_executable(assemble ${EXAMPLES}/assemble.c)
target_link_libraries(formulas xas::xas)
target_link_libraries(assemble xas::xas)
X
cmake -S . -B user -DEXAMPLES="$examples" -DCMAKE_PREFIX_PATH="$tmp/installed" > log && cmake --build user >> log 2>&1 ||
  { fail "find_package"; tail -20 log; }
user/formulas shapes.txt found.o && cmp shapes.o found.o || fail "formulas, with the installed library"
user/assemble "$examples/hello.s" found.o && cmp hello.o found.o || fail "assemble, with the installed library"
if command -v pkg-config > /dev/null; then
  export PKG_CONFIG_PATH=$tmp/installed/lib/pkgconfig
  # shellcheck disable=SC2046
  c++ -std=c++20 "$examples/formulas.cpp" $(pkg-config --cflags --libs xas) -o by-pkg-config &&
    LD_LIBRARY_PATH=$tmp/installed/lib ./by-pkg-config shapes.txt found.o && cmp shapes.o found.o || fail "pkg-config"
fi

exit $failed
