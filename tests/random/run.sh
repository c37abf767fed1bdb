#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD [COUNT [SEED]]: random texts of directives, COUNT of each topic, with both profiles, compared with the reference
# assemblers. The last line is "N passed, N failed".
# run.sh BUILD record: writes llvm-23.txt, which tells the objects of LLVM 23's llvm-mc where there is none.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mc23=${XAS_LLVM_MC_23:-llvm-mc-23}
make=$build/xas-corpus
diff=$build/tests/differential/xas-diff
recorded_texts=25 recorded_seed=1

# objects PROGRAM OPTION...: "TEXT CHECKSUM" of each of the texts whose objects are recorded
objects() {
  (cd "$tmp/recorded/llvm-23/llvm" && for text in */*/*.s; do
    object=$tmp/object.o
    rm -f "$object"
    "$@" "$(head -n 1 "${text%%/*}/options")" "$text" -o "$object" 2> /dev/null
    echo "$text $(cksum < "$object" 2> /dev/null || echo none)"
  done)
}

"$make" texts -o "$tmp/recorded" --count=$recorded_texts --seed=$recorded_seed || exit 1
if [ "${2:-}" = record ]; then
  objects "$mc23" -filetype=obj > "$here/llvm-23.txt"
  exit
fi
objects "$build/xas" --compat=llvm > "$tmp/objects"
differ=$(diff "$here/llvm-23.txt" "$tmp/objects" | grep -c '^>')
[ "$differ" = 0 ] || diff "$here/llvm-23.txt" "$tmp/objects" | sed -n 's/^>/FAIL: other than recorded of LLVM 23:/p'
recorded=$(wc -l < "$here/llvm-23.txt")

"$make" texts -o "$tmp/texts" --count="${2:-100}" --seed="${3:-1}" || exit 1
{
  "$diff" --xas "$build/xas" --no-families --known "$here/../corpus/known.txt" \
    --report "${XAS_REPORT:-$tmp/report}" "$tmp/texts/gnu" "$tmp/texts/llvm"
  command -v "$mc23" > /dev/null && "$diff" --xas "$build/xas" --no-families --llvm-mc "$mc23" "$tmp/texts/llvm-23"
  echo "$((recorded - differ)) passed, $differ failed"
  "$here/expected.py" "$tmp/recorded"
} | tee "$tmp/output"
awk '/ passed, .* failed$/ { passed += $1; failed += $3 } END { printf "%d passed, %d failed\n", passed, failed; exit failed != 0 }' "$tmp/output"
