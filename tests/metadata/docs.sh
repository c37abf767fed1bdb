#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# docs.sh BUILD: the first example of docs/pc-sections.md, docs/stack-maps.md and docs/bitstreams.md, taken from the page: its
# commands work, and say what the page says.
#
# The last line is "N passed, N failed".
set -u
PATH=$(realpath "$1"):$PATH
source=$(realpath "$(dirname "$0")/../..")
. "$source/tests/lib.sh"
temporary_folder
cd "$tmp" || exit 1
ln -s "$source/examples" .
llvm-dis() { llvm-dis-22 "$@"; }
# block PAGE N: the Nth block of code
block() { awk -v n="$2" '/^```/ { if (inside) exit_now = count == n; inside = !inside; count += inside; if (exit_now) exit; next } inside && count == n' "$source/docs/$1.md"; }
# session PAGE N: that block's commands, which follow "$ ", and what they say
session() {
  local line command='' expected='' got status
  while IFS= read -r line; do
    if [[ $line != '$ '* ]]; then
      expected+=$line$'\n'
      continue
    fi
    if [ -n "$command" ]; then say_and_compare "$1"; fi
    command=${line#'$ '} expected=
  done < <(block "$1" "$2")
  say_and_compare "$1"
}
say_and_compare() {
  got=$(eval "$command" 2>&1)
  status=$?
  if [ $status = 0 ] && { [ -z "$expected" ] || [ "$got"$'\n' = "$expected" ]; }; then pass; else
    fail "$1.md: $command: status $status"
    diff <(echo "$expected") <(echo "$got") | head -n 10
  fi
}

block pc-sections 1 > a.s
session pc-sections 2
block stack-maps 1 > gc.s
session stack-maps 2
session bitstreams 1
[ $passed -ge 5 ] || fail "only $passed commands"
finish
