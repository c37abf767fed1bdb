#!/bin/bash
# run.sh BUILD [COUNT [SEED]]: random texts of directives, COUNT of each topic, with both profiles, compared with the reference
# assemblers. The last line is "N passed, N failed".
set -u
build=$(realpath "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$build/tests/random/random-texts" "$tmp" "${2:-100}" "${3:-1}" || exit 1
"$build/tests/differential/xas-diff" --xas "$build/xas" --no-families --expected "$(dirname "$0")/../differential/expected-differences.txt" --report "${XAS_REPORT:-$tmp/report}" "$tmp"
