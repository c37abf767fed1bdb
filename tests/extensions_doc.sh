#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# extensions_doc.sh: the tests that docs/extensions.md names exist. The last line is "N passed, N failed".
cd "$(dirname "$0")" || exit 1
. ./lib.sh
names=$(mktemp)
trap 'rm -f "$names"' EXIT
{
  for table in cases/*.txt; do
    sed -n "s|^=== \(.*\)|$(basename "$table" .txt)/\1|p" "$table" | sed 's/ *|.*//'
  done
  sed -n 's|^\([a-z0-9_]*\)() {$|linked/\1|p' linked/run.sh
  ls unit/*.cpp
} > "$names"
while read -r name; do
  if grep -qFx -- "$name" "$names"; then pass; else fail "there is no test $name"; fi
done < <(grep '^|' ../docs/extensions.md | grep -oE '`(extensions|windows-debug|layout|messages|relocations|linked|unit)/[^`]*`' | tr -d '`')
[ "$passed" != 0 ] || fail "extensions.md names no test"
finish
