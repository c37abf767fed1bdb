#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# xas-corpus objects: deterministic, in parts that are the whole; facts that readers find; nothing that xas-dump
# crashes on; command lines that are wrong. `run.sh BUILD`; with --full all formats, all readers and linkers as the
# manifests say (tools.py), and the large objects. Of a build with sanitizers, xas-dump runs with them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 full=${2:-}
corpus=$build/xas-corpus dump=$build/xas-dump
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { echo "FAIL: $*"; failed=1; }

formats="elf64le elf32be coff"
[ "$full" = --full ] && formats="elf64le elf64be elf32le elf32be coff bigobj"
# Those of thousands of structures take most of the time.
small() { "$corpus" objects --list "--format=$1" | grep '^  [a-z]' | grep -v -- '--param=[0-9]\{5,\}' | awk '{print $1}'; }

for format in $formats; do
  names=all
  [ "$full" = --full ] || names=$(small "$format")
  "$corpus" objects "--format=$format" $names -o "$work/$format"
  "$corpus" objects "--format=$format" $names -o "$work/again"
  diff -r "$work/$format" "$work/again" || wrong "$format: two runs differ"
  for part in 0 1 2 3 4 5 6; do "$corpus" objects "--format=$format" --shard=$part/7 $names -o "$work/parts"; done
  diff -r "$work/$format" "$work/parts" || wrong "$format: seven shards are not the whole"
  rm -rf "$work/again" "$work/parts"
  for options in "--pc-sections --stackmaps --bitcode --json" --verify "--bitstream --verify" "--bitstream --tree"; do
    status=0
    "$dump" $options "$work/$format"/*.o > "$work/out" 2> "$work/err" || status=$?
    [ "$status" -le 1 ] || wrong "$format: xas-dump $options ends with status $status: $(tail -1 "$work/err")"
    grep -q 'Sanitizer\|runtime error' "$work/err" && wrong "$format: xas-dump $options: $(grep -m1 Sanitizer "$work/err")"
  done
  # What is valid is read without a word.
  status=0
  valid=$(grep -l 'verdict":"valid' "$work/$format"/*.json | sed 's/json$/o/')
  "$dump" --pc-sections --stackmaps --json $valid > "$work/out" 2> "$work/err" || status=$?
  [ "$status" = 0 ] || wrong "$format: xas-dump of valid objects: $(head -3 "$work/err")"
  "$here/facts.py" "$dump" "$work/$format" || wrong "$format: facts"
done

bad() {
  local status=0
  "$corpus" objects "$@" > "$work/out" 2> "$work/err" || status=$?
  [ "$status" = 1 ] && grep -q '^xas-corpus: error: ' "$work/err" || wrong "objects $*: status $status"
}
bad
bad all
bad no-such-object -o "$work/x"
bad all --format=macho -o "$work/x"
bad all --machine=s390x -o "$work/x"
bad all --shard=7/7 -o "$work/x"
bad all --seed=one -o "$work/x"
bad all --unknown -o "$work/x"
bad group-empty --format=coff -o "$work/x"
bad group-empty --format=elf64be --machine=i386 -o "$work/x"
bad group-empty --param=7 -o "$work/x"
bad sections-70000 --param=3 -o "$work/x"
bad align-3 -o /dev/null/x

"$corpus" objects section-same-name --param=20 --machine=aarch64 --seed=7 -o "$work/one"
grep -q '"sections .special":20' "$work/one/section-same-name.json" || wrong "--param is not in the facts"

if [ "$full" = --full ]; then
  "$corpus" objects sections-1000000 -o "$work/large"
  "$here/tools.py" "$build" || wrong "readers or linkers do something else than the manifests say"
fi
[ "$failed" = 0 ] && echo "objects of xas-corpus: all is as it should be"
exit "$failed"
