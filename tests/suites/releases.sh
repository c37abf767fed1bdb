#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# releases.sh [BUILD [SUITE...]]: newer releases of the reference assemblers, with the profile of that release. Suites: gas-2.44
# and gas-2.47 on the tests of GNU as 2.44, mc-22 and mc-23 on those of LLVM 22, newest-gas-2.47 and newest-mc-23 on those of GNU
# as 2.47 and LLVM 23, and frames (frames.py: --scfi, which GNU as 2.40 does not have); all of them by default. The files
# gas-*.txt, mc-2*.txt and newest-*.txt here say which tests come out otherwise, and why; a further one is a failure. With
# XAS_RECORD=1 they are written anew.
#
# Needs as-2.44-TRIPLE, as-2.47-TRIPLE (x86_64-linux-gnu, aarch64-linux-gnu, arm-linux-gnueabihf), llvm-mc-22 and llvm-mc-23
# on the PATH. What is not there is left out, and said.
set -uo pipefail
cd "$(dirname "$0")/../.."
. tests/lib.sh
build=${1:-build/test}
suites=("${@:2}")
[ ${#suites[@]} != 0 ] || suites=(gas-2.44 gas-2.47 frames mc-22 mc-23 newest-gas-2.47 newest-mc-23)
tests/corpus/fetch.sh --releases || exit 1
tests/corpus/fetch.sh --newest || echo "releases.sh: sid's archive lacks the sources of the newest tests; they are left out"
sources=${XAS_CORPUS:-build/corpus}/src

# run BASELINE ARGUMENT...: xas-diff; its last line is added up
run() {
  local baseline=tests/suites/$1.txt
  shift
  sum "$build/tests/differential/xas-diff" --xas "$build/xas" --jobs "${XAS_JOBS:-$(nproc)}" --causes 10 --examples 1 --no-families \
    ${XAS_RECORD:+--record} --baseline "$baseline" --report "$build/${baseline##*/}.tsv" "$@"
}

# sum COMMAND...: its last line, "N passed, N failed", is added up
sum() { add_up "$("$@" | tee /dev/stderr | tail -n 1)"; }

for suite in "${suites[@]}"; do
  [ "$suite" != frames ] || { sum tests/suites/frames.py "$build/xas"; continue; }
  release=${suite##*-}
  tests=$sources/release-tests
  case $suite in
    newest-*)
      tests=$sources/newest-tests
      [ -e "$tests/.complete" ] || continue
      ;;
  esac
  case ${suite#newest-} in
    gas-*) oracle=as-$release-x86_64-linux-gnu ;;
    mc-*) oracle=llvm-mc-$release ;;
    *) echo "releases.sh: unknown suite $suite" >&2; exit 2 ;;
  esac
  command -v "$oracle" > /dev/null || { echo "releases.sh: $oracle is not installed; $suite is left out"; continue; }
  case ${suite#newest-} in
    gas-*) run "$suite" --gnu "$release" --gas-tests "$tests/gas/testsuite/gas" ;;
    mc-*) for part in ELF AsmParser COFF X86 AArch64 ARM; do run "$suite-$part" --llvm "$release" --mc-tests "$tests/llvm/test/MC/$part"; done ;;
  esac
done
finish
