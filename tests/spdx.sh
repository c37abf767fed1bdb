#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# spdx.sh [--add]: every source file says its licence in its first line, or its second one, behind #! and the like; --add
# writes it where it is missing. The last line is "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/.."
licence='SPDX-License-Identifier: Apache-2.0'
passed=0 failed=0

while read -r file; do
  case $file in
    *.c | include/*.h) line="/* $licence */" ;;
    targets/a*.isa) line="; $licence" ;;
    *.cpp | *.h | *.hpp) line="// $licence" ;;
    *) line="# $licence" ;;
  esac
  if head -n 2 "$file" | grep -qxF "$line"; then
    passed=$((passed + 1))
  elif [ "${1:-}" = --add ]; then
    place=1
    ! head -n 1 "$file" | grep -qE '^#(!|compdef)' || place=2
    sed -i "${place}i $line" "$file"
    passed=$((passed + 1))
  else
    echo "$file says no licence (tests/spdx.sh --add)"
    failed=$((failed + 1))
  fi
done < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.h' '*.hpp' '*.c' '*.cmake' '*.cmake.in' '*.sh' '*.bash' '*.fish' \
  '*.awk' '*.py' '*.isa' '*CMakeLists.txt' cmake/packaging/_xas)

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
