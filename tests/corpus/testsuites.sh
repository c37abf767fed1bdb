#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# testsuites.sh [STEP]: what compilers make of the inputs of their own testsuites, under build/corpus/testsuites: gcc 12's C, C++
# and x86 tests for many selections of options, and LLVM's CodeGen tests (llc-22). Every STEP-th file is taken (default: 200).
#
# The folders are those of make.sh, ORACLE/COMPILER-BITS-VARIANT/PACKAGE/FILE.s:
#
#   xas-diff --xas build/test/xas build/corpus/testsuites
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${XAS_CORPUS:-$root/build/corpus}
src=$cache/src
out=$cache/testsuites
step=${1:-200}
"$here/fetch.sh" --testsuites
tests=$src/gcc-tests/gcc/testsuite
start=0

# every NUMBER FILES...: each NUMBER-th of them, beginning with another one at each call
every() {
  local number=$1
  shift
  printf '%s\n' "$@" | awk -v n="$number" -v s="$start" 'NR % n == s % n'
}

# selection NAME COMPILER OPTIONS...: C files, or C++ files if the compiler's name has ++
selection() {
  local name=$1 compiler=$2 file to extension=c
  shift 2
  [[ $compiler != *++* ]] || extension=C
  start=$((start + 1))
  for file in $(every "$step" "$tests"/{gcc.c-torture/execute,gcc.dg,gcc.target/i386,g++.dg/*}/*."$extension"); do
    to=$out/gnu/$compiler-64-$name/testsuite
    mkdir -p "$to"
    [ -e "$to/../options" ] || printf '%s\n' --64 > "$to/../options"
    [ -e "$to/$(basename "$file" ".$extension").s" ] || timeout 60 "$compiler" -w -S -O2 "$@" "$file" \
      -o "$to/$(basename "$file" ".$extension").s" 2> /dev/null || true
  done
}

for compiler in gcc-12 g++-12; do
  selection g3 $compiler -g3
  selection types $compiler -g -fdebug-types-section
  selection split $compiler -g -gsplit-dwarf
  selection dwarf64 $compiler -g -gdwarf64
  selection address $compiler -fsanitize=address
  selection coverage $compiler --coverage
  selection patchable $compiler -fpatchable-function-entry=8,3
  selection large $compiler -mcmodel=large -fPIC
  selection thunks $compiler -mindirect-branch=thunk -mfunction-return=thunk
  selection avx512 $compiler -march=sapphirerapids -O3
  selection intel $compiler -masm=intel
  selection text-frames $compiler -fno-dwarf2-cfi-asm -g
done

# llc's runs of tests that name a triple for ELF and nothing that the shell would have to do
start=0
for directory in X86 AArch64 ARM Thumb2; do
  for file in $(every $((step / 10 + 1)) "$src"/llvm-codegen/llvm/test/CodeGen/$directory/*.ll); do
    run=$(grep -m 1 -E 'RUN: *llc [^%$"]*< *%s' "$file" | sed -E 's/.*RUN: *llc //; s/< *%s.*//; s/-filetype=[a-z]*//' || true)
    triple=$(grep -oE -- '-mtriple[ =][^ ]+' <<< "$run" | sed 's/.*[ =]//' || true)
    [[ $triple == *linux* && $triple != *x32* ]] || continue
    variant=$out/llvm/llc-$directory-$(cksum <<< "$run" | cut -d ' ' -f 1)
    mkdir -p "$variant/$directory"
    {
      echo "-triple=$triple"
      grep -oE -- '-m(cpu|attr)=[^ ]+' <<< "$run" || true
      [ $directory != AArch64 ] || echo -mattr=+all
    } > "$variant/options"
    # shellcheck disable=SC2086
    timeout 60 llc-22 $run "$file" -o "$variant/$directory/$(basename "$file" .ll).s" 2> /dev/null || true
  done
done
find "$out" -name '*.s' -empty -delete
echo "testsuites: $(find "$out" -name '*.s' | wc -l) files in $out"
