#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# spdx.sh [--add]: every source file says its licence in its first line, or its second one, behind #! and the like; --add
# writes it where it is missing. The last line is "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/.."
. tests/lib.sh
licence='SPDX-License-Identifier: Apache-2.0'

while read -r file; do
  case $file in
    *.c | include/*.h) line="/* $licence */" ;;
    targets/a*.isa) line="; $licence" ;;
    *.cpp | *.h | *.hpp) line="// $licence" ;;
    *) line="# $licence" ;;
  esac
  if head -n 2 "$file" | grep -qxF "$line"; then
    pass
  elif [ "${1:-}" = --add ]; then
    place=1
    ! head -n 1 "$file" | grep -qE '^#(!|compdef)' || place=2
    sed -i "${place}i $line" "$file"
    pass
  else
    fail "$file says no licence (tests/spdx.sh --add)"
  fi
done < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.h' '*.hpp' '*.c' '*.cmake' '*.cmake.in' '*.sh' '*.bash' '*.fish' \
  '*.awk' '*.py' '*.isa' '*CMakeLists.txt' cmake/packaging/_xas)
finish
