#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# extensions_doc.sh: the tests that docs/extensions.md names exist. The last line is "N passed, N failed".
cd "$(dirname "$0")" || exit 1
names=$(mktemp)
trap 'rm -f "$names"' EXIT
{
  for table in cases/*.txt; do
    sed -n "s|^=== \(.*\)|$(basename "$table" .txt)/\1|p" "$table" | sed 's/ *|.*//'
  done
  sed -n 's|^\([a-z0-9_]*\)() {$|linked/\1|p' linked/run.sh
  ls unit/*.cpp
} > "$names"
passed=0 failed=0
while read -r name; do
  if grep -qFx -- "$name" "$names"; then passed=$((passed + 1)); else
    echo "FAIL: there is no test $name"
    failed=$((failed + 1))
  fi
done < <(grep '^|' ../docs/extensions.md | grep -oE '`(extensions|windows-debug|layout|messages|relocations|linked|unit)/[^`]*`' | tr -d '`')
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
