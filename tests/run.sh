#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [--full] [SUITE...]: builds xas and runs its tests; on a fresh Debian 12 too, where it first installs what the
# tests (not xas) need. Suites: ctest, e2e, differential, fuzz, bench; all of them by default.
#
# --full takes the whole corpus, and LLVM's and GNU as's own tests too (a download of 180 MB, and an hour).
# The last line is the sum of all suites, "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${XAS_JOBS:-$(nproc)}
export XAS_JOBS=$jobs
build=build/test
full=no
suites=()
for argument in "$@"; do
  case $argument in
    --full) full=yes ;;
    ctest | e2e | differential | fuzz | bench) suites+=("$argument") ;;
    *) echo "run.sh: unknown argument $argument" >&2; exit 2 ;;
  esac
done
[ ${#suites[@]} != 0 ] || suites=(ctest e2e differential fuzz bench)

. tests/install.sh
. tests/lib.sh
say() { printf '\n=== %s (%s)\n' "$1" "$(date +%H:%M:%S)"; }

# The compilers of the corpus, the reference assemblers, the libraries of the tests.
packages=(cmake ninja-build g++ gcc-12 g++-12 gcc-12-multilib g++-12-multilib binutils make dpkg-dev tcl file
  clang-22 llvm-22 lld-22 libclang-rt-22-dev binutils-mingw-w64 gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix
  gcc-mingw-w64-i686-posix g++-mingw-w64-i686-posix wine64 libfmt-dev libre2-dev doctest-dev zlib1g-dev libzstd-dev
  gcc-12-aarch64-linux-gnu g++-12-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user gcc-12-arm-linux-gnueabihf
  g++-12-arm-linux-gnueabihf
  libc6-dev-armhf-cross gcc-12-s390x-linux-gnu g++-12-s390x-linux-gnu libc6-dev-s390x-cross jq locales gdb doxygen
  nlohmann-json3-dev neovim llvm-22-tools)

# sum NAME COMMAND...: runs a suite whose last line is "N passed, N failed", and adds that up.
sum() {
  local name=$1 log
  shift
  say "$name"
  log=$(mktemp)
  "$@" 2>&1 | tee "$log"
  local status=${PIPESTATUS[0]} line
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
  rm -f "$log"
  if add_up "$line"; then
    [ "$status" = 0 ] || [ "${BASH_REMATCH[2]}" != 0 ] || fail "$name: exit status $status"
  else
    echo "$name: exit status $status"
  fi
}

# ctest knows the unit and data tests; each says in its own words how many checks it made.
run_ctest() {
  local log=$build/Testing/Temporary/LastTest.log
  ctest --test-dir "$build" --output-on-failure -j "$jobs"
  awk '
    /^[0-9]+\/[0-9]+ Testing: / { good = bad = -1 }
    match($0, /^[0-9]+ passed, [0-9]+ failed/) { good = $1; bad = $3 }
    /^\[doctest\] test cases:/ { for (i = 2; i <= NF; ++i) { if ($i == "passed") good = $(i - 1); if ($i == "failed") bad = $(i - 1) } }
    /^Test Passed\./ { passed += good < 0 ? 1 : good; failed += bad < 0 ? 0 : bad }
    /^Test (Failed|Timeout|Not)/ { passed += good < 0 ? 0 : good; failed += bad < 1 ? 1 : bad }
    END { printf "%d passed, %d failed\n", passed, failed }' "$log"
}

# Immediates of A64, all of them; with --full its forms at the ends of their ranges, for information.
run_a64_forms() {
  local table=$build/a64-forms.txt immediates=$build/tests/instructions/a64-immediates
  {
    echo '=== bitmask immediates | all-a64 | lines'
    "$immediates" logical
    echo '=== floating-point immediates | all-a64 | lines'
    "$immediates" float
  } > "$table"
  "$build/tests/differential/xas-diff" --xas "$build/xas" --jobs "$jobs" --tables "$table" || return 1
  [ $full = yes ] || return 0
  {
    echo '=== all forms | all-a64 | lines'
    "$build/xas-corpus" instructions --target=aarch64 --values=edges --format=s
    "$build/xas-corpus" instructions --target=aarch64 --invalid --format=s
  } > "$table"
  echo "every form of A64 at the ends of its ranges (for information):"
  "$build/tests/differential/xas-diff" --xas "$build/xas" --jobs "$jobs" --causes 0 --tables "$table" | grep 'more causes' || true
}

run_differential() {
  run_a64_forms || return 1
  local size=--small
  [ $full = no ] || size=
  # shellcheck disable=SC2086
  tests/corpus/make.sh $size || return 1
  "$build/tests/differential/xas-diff" --xas "$build/xas" --jobs "$jobs" --known tests/corpus/known.txt \
    --no-families --causes 30 --report "$build/differences.tsv" build/corpus/s
}

# The suites of LLVM and GNU as: tests/suites says which of their tests come out otherwise; a further one is a failure.
run_reference_suites() {
  tests/corpus/fetch.sh --mc-tests --gas-tests || return 1
  local suite diff=("$build/tests/differential/xas-diff" --xas "$build/xas" --jobs "$jobs" --causes 20 --examples 1 --no-families)
  for suite in ELF AsmParser COFF X86 AArch64 ARM; do
    echo "llvm/test/MC/$suite:"
    "${diff[@]}" --baseline "tests/suites/mc-$suite.txt" --report "$build/mc-$suite.tsv" \
      --mc-tests "build/corpus/src/llvm-tests/llvm/test/MC/$suite"
  done
  echo "gas/testsuite:"
  "${diff[@]}" --baseline tests/suites/gas.txt --report "$build/gas.tsv" --gas-tests build/corpus/src/gas-tests/gas/testsuite/gas
}

# The sum of several results.
run_all_suites() {
  run_reference_suites | tee "$build/suites.txt"
  awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3; ++count }
       END { if (count != 7) failed += 7 - count; printf "%d passed, %d failed\n", passed, failed }' "$build/suites.txt"
}

# What people have written: for information.
run_handwritten() {
  say "assembly written by people, for AArch64 (for information)"
  tests/corpus/handwritten.sh && "$build/tests/differential/xas-diff" --xas "$build/xas" --jobs "$jobs" --causes 20 build/corpus/handwritten
}

# Twenty seconds of fuzzing for each target under AddressSanitizer and UndefinedBehaviorSanitizer; what it finds is left in
# build/fuzz/. A few bytes can ask for gigabytes of fill, which is legal: running out of the memory or the time given here is
# no finding.
run_fuzz() {
  cmake -G Ninja -S . -B build/fuzz -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_C_COMPILER=clang-22 \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -gline-tables-only -DNDEBUG" -DXAS_SANITIZE=ON -DXAS_FUZZ=ON -DXAS_TESTS=ON -DXAS_UNITY=ON > build/fuzz.log 2>&1 &&
    ninja -C build/fuzz -j "$jobs" fuzz-assemble fuzz-read fuzz-bitstream fuzz-directives >> build/fuzz.log 2>&1 || { tail -n 20 build/fuzz.log; return 1; }
  mkdir -p build/fuzz/found build/fuzz/seeds-fuzz-{read,bitstream,directives}
  tests/fuzz/make-seeds.sh build/fuzz/seeds-fuzz-read build/fuzz/seeds-fuzz-bitstream
  local target seeds status good=0 bad=0
  for target in fuzz-assemble fuzz-read fuzz-bitstream fuzz-directives; do
    mkdir -p "build/fuzz/corpus-$target"
    seeds=build/fuzz/seeds-$target
    [ $target != fuzz-assemble ] || seeds=tests/fuzz/seeds
    status=0
    "build/fuzz/tests/fuzz/$target" -fork=1 -ignore_ooms=1 -ignore_timeouts=1 -seed=1 -max_total_time="${XAS_FUZZ_SECONDS:-20}" -timeout=20 \
      -rss_limit_mb=4096 -max_len=4096 -dict=tests/fuzz/tokens.dict -artifact_prefix=build/fuzz/found/ -print_final_stats=1 -verbosity=0 \
      "build/fuzz/corpus-$target" "$seeds" > "build/fuzz/$target.log" 2>&1 || status=$?
    # The status is the one of the last process: 70 is out of time, 71 out of memory.
    case $status in
      0 | 70 | 71)
        tail -n 1 "build/fuzz/$target.log"
        good=$((good + 1))
        ;;
      *)
        grep -vE '^Dictionary|NEW_FUNC' "build/fuzz/$target.log" | tail -n 60
        bad=$((bad + 1))
        ;;
    esac
  done
  echo "$good passed, $bad failed"
}

install_packages "${packages[@]}" || { echo "run.sh: packages could not be installed" >&2; exit 1; }
say "building"
launcher=()
! command -v ccache > /dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
mkdir -p build
if ! { cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DXAS_TESTS=ON -DXAS_UNITY=ON "${launcher[@]}" && ninja -C "$build" -j "$jobs"; } > build/test.log 2>&1; then
  tail -n 40 build/test.log
  fail "building"
  finish
fi

for suite in "${suites[@]}"; do
  case $suite in
    ctest) sum "unit and data tests" run_ctest ;;
    e2e)
      sum "programs built with xas as the assembler" tests/e2e/build-programs.sh "$build/xas"
      sum "programs for Windows, under wine" tests/e2e/windows.sh "$build/xas"
      sum "C++ of clang for Windows, under wine" tests/e2e/windows_cxx.sh "$build/xas"
      ;;
    differential)
      sum "objects against GNU as and llvm-mc" run_differential
      if [ $full = yes ]; then
        sum "packages" tests/packages.sh
        sum "the playground, in Chromium" examples/playground/test.sh
        sum "build systems, with xas as the assembler" tests/e2e/build_systems.sh "$build/xas"
        sum "xas on other hosts, under qemu" tests/e2e/hosts.sh
        sum "compiler output said by functions" tests/embedding/corpus.sh "$build/tests/embedding/replay" build/corpus
        sum "compiler output by several threads" tests/embedding/corpus.sh "$build/tests/embedding/threaded" build/corpus
        sum "3,000 bitstreams come back" tests/metadata/streams.sh "$build" build/streams
        sum "PC sections for Windows, and of lua and zlib" tests/metadata/pc_sections.sh "$build" 50 --full
        sum "threads, under ThreadSanitizer" tests/embedding/threads.sh
        sum "-show-encoding of compiler output" tests/program/show_encoding.py "$build/xas" build/corpus/s
        sum "what xas-corpus says of GNU as and llvm-mc" tests/instructions/agreement.sh "$build" --all
        sum "lines of xas-corpus, disassembled" tests/instructions/disassemblers.py "$build/xas-corpus"
        run_handwritten
        sum "flags of compilers for eight targets" tests/corpus/flags.sh "$build"
        sum "the suites of LLVM and GNU as" run_all_suites
        sum "each one's tests in the other" tests/suites/crossed.py "$build"
      fi
      ;;
    fuzz) sum "fuzzing" run_fuzz ;;
    bench)
      say "benchmark (nothing here fails on a time)"
      tests/bench/run.sh --quick "$build"
      ;;
  esac
done

echo
finish
