#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [--quick] [BUILD]: xas beside GNU as and llvm-mc, measured. Makes the inputs (sqlite3, by gcc and clang for every target and
# format, and texts of one kind only), and prints: times with their spread, memory and instructions; how times grow with the size
# of an input; the time from a compiler's last byte to the object, through a pipe; the share of whole builds.
#
# BUILD is build/test unless told, and is made if it is not there. The figures go to BUILD/bench as tab-separated values, with
# performance.svg drawn from them. All of it takes half an hour, and wants a quiet machine. --quick only measures times, three runs of
# the inputs that tests/run.sh makes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"
runs=7 quick=no
[ "${1:-}" != --quick ] || { runs=3 quick=yes; shift; }
build=${1:-build/test}
out=$build/bench
xas=$build/xas
bench=$build/tests/bench/xas-bench

[ -e "$build/build.ninja" ] || cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DXAS_TESTS=ON > /dev/null
cmake --build "$build" --target xas-program xas-bench > /dev/null
mkdir -p "$out"
if [ $quick = yes ]; then
  tests/corpus/make.sh --small > "$out/corpus.log" 2>&1
else
  tests/corpus/make.sh --only '^(gnu/(gcc-(32|64|arm64|arm|thumb)-O2(-g)?|mingw-64-O2(-g)?)|llvm/(clang-(32|64|arm64|arm|thumb)-O2(-g)?|clangw-64-O2-codeview|clangw-arm64-O2))/sqlite3$' \
    > "$out/corpus.log" 2>&1
fi

echo "$("$xas" --version | head -n 1); $(as --version | head -n 1); $(llvm-mc-22 --version | grep -m 1 -o 'LLVM version.*'); $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo
if [ $quick = yes ]; then
  exec "$bench" --xas "$xas" --runs $runs --corpus build/corpus/s --report "$out/times.tsv"
fi
"$bench" --xas "$xas" --runs $runs --corpus build/corpus/s --count --report "$out/times.tsv"
echo
"$bench" --xas "$xas" --runs $runs --scale 0.0625 --scaling --report "$out/scaling.tsv"
for flags in -O2 "-O2 -g"; do
  echo
  echo "sqlite3, gcc $flags | assembler: from the compiler's last byte to the end"
  # shellcheck disable=SC2086
  "$here/pipe.py" --runs $((runs / 2 + 1)) --xas "$xas" -- gcc-12 $flags -w -S -o - build/corpus/src/sqlite3/amalgamation/sqlite3.c
done
echo
"$here/builds.py" --runs $((runs / 2 + 1)) --xas "$xas" --report "$out/builds.tsv" build/corpus/src
"$here/draw.py" "$out/times.tsv" "$out/scaling.tsv" > "$out/performance.svg"
