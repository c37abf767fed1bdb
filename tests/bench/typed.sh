#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Instructions executed for each instruction that is made, by all ways of typed_bench, in objects of 1,000 and of 20,000.
#
#     typed.sh BUILD [PATTERN]      PATTERN: of the ways' names, as `typed_bench ways` prints them
#
# What a process does only once is taken off: two runs are counted, and their difference is divided.
set -eu
bench=$1/tests/bench/typed_bench
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT

# count WAY ROUNDS TIMES
count() {
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file="$counts" "$bench" "$1" "$2" "$3"
  sed -n 's/.*I *refs: *//p' "$counts" | tr -d ,
}

printf '%8s %8s\n' 1,000 20,000
"$bench" ways | grep "${2-}" | while IFS="$(printf '\t')" read -r way what; do
  rounds=10
  case $way in *llvm-one) rounds=1 ;; esac
  for times in 100 2000; do
    few=$(count "$way" 2 "$times")
    more=$(count "$way" $((2 + rounds)) "$times")
    printf '%8d ' $(((more - few) / (10 * rounds * times)))
  done
  echo " $what"
done
