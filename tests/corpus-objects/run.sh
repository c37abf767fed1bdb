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

fits_schema() {
  python3 -c '
import json, sys, jsonschema
check = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
for path in sys.argv[2:]:
    check.validate(json.load(open(path)))
' "$here/../../docs/corpus-objects.schema.json" "$@"
}

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
  fits_schema "$work/$format"/*.json || wrong "$format: schema"
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
bad all --param=7 -o "$work/x"
bad counts --param=7 -o "$work/x"
bad sections-70000 --param=3 -o "$work/x"
bad sections-70000 --param=65281 -o "$work/x"  # .symtab_shndx makes it 65,282
bad coff-sections-65279 --param=65280 -o "$work/x"
bad align-3 -o /dev/null/x
[ -e "$work/x" ] && wrong "a folder is left of what has failed"

# Another --param has names and titles of its own.
"$corpus" objects section-same-name --param=20 --machine=aarch64 --seed=7 -o "$work/one"
for text in '"name":"section-same-name-param-20"' '"title":"20 sections of one name"' '"sections .special":20'; do
  grep -qF "$text" "$work/one/section-same-name-param-20.json" || wrong "--param: no $text"
done
"$corpus" objects symbol-name-64k --param=1234 -o "$work/one"
grep -qF '"title":"a name of 1,234 characters"' "$work/one/symbol-name-64k-param-1234.json" || wrong "--param: the title"

# As many section headers as it is said, at each border of a writer's: e_shnum escaped, .symtab_shndx there.
for format in elf64le elf64be elf32le elf32be; do
  for count in 20 65278 65279 65280 65282 65283; do
    "$corpus" objects sections-70000 --param=$count --format=$format -o "$work/borders"
    readelf -hW "$work/borders/sections-70000-param-$count.o" |
      grep -q "section headers: *\(0 (\|\)$count)\?$" || wrong "$format: sections-70000 --param=$count"
  done
done
fits_schema "$work"/one/*.json "$work"/borders/*.json || wrong "--param: schema"

# What does not fit on the disk is not left there half.
status=0
(ulimit -f 100 && trap '' XFSZ && "$corpus" objects symbol-name-1m -o "$work/limited" 2> "$work/err") || status=$?
[ "$status" = 1 ] && grep -q 'File too large' "$work/err" && [ ! -e "$work/limited/symbol-name-1m.o" ] ||
  wrong "a file that grows too large: status $status"

if [ "$full" = --full ]; then
  "$corpus" objects sections-1000000 -o "$work/large"
  "$here/tools.py" "$build" || wrong "readers or linkers do something else than the manifests say"
fi
[ "$failed" = 0 ] && echo "objects of xas-corpus: all is as it should be"
exit "$failed"
