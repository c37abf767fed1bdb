#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# replay.sh XAS RELEASE DIR [PACKAGE...]: asks XAS what the builds of rebuild.sh in DIR asked GNU as (all packages that DIR has,
# unless some are named), and compares the objects. A package takes seconds so, not minutes. Runs as root, in the root of
# rebuild.sh. Each call that differs is shown; the last line is "N passed, N failed".
set -uo pipefail
[ $# -ge 3 ] || { sed -n '3,/^set/s/^# \?//p' "$0"; exit 2; }
xas=$1 release=$2 dir=$(realpath "$3")
shift 3
. "$(dirname "$0")/root.sh"
[ $# -gt 0 ] || set -- $(ls "$calls_kept")
cp "$xas" "$root/usr/bin/xas"
mkdir -p "$root/tmp/calls-kept"
trap 'umount "$root/tmp/calls-kept"' EXIT
mount --bind "$calls_kept" "$root/tmp/calls-kept"

in_root bash -s "$compat" "$@" << 'END'
compat=$1
shift
passed=0 failed=0 object=/tmp/replayed.o
for package; do
  same=0 different=0
  for call in /tmp/calls-kept/"$package"/*/; do
    [ -e "$call" ] || continue  # it has none
    cwd=$(< "$call/cwd") name=$(< "$call/name") arguments=()
    [ ! -f "$call/arguments" ] || mapfile -t arguments < "$call/arguments"
    mkdir -p "$cwd" && cd "$cwd"
    for i in "${!arguments[@]}"; do [ "${arguments[i]}" != -o ] || arguments[i + 1]=$object; done
    [[ " ${arguments[*]} " = *" -o "* ]] || arguments+=(-o $object)
    input=${name:-/tmp/replayed.s}
    mkdir -p "$(dirname "$input")"
    gunzip -c "$call/input.gz" > "$input"
    if xas --compat="$compat" "${arguments[@]}" < "$input" > /tmp/replayed.log 2>&1; then
      result=$(sha256sum < $object)
      [ "$(< "$call/object")" != taken ] || result=taken
    else
      result=refused
    fi
    if [ "$result" = "$(< "$call/object")" ]; then ((++same)); else ((++different)); echo "$call: ${arguments[*]}: $(head -n 1 /tmp/replayed.log)"; fi
  done
  echo "$package: $same the same, $different not"
  ((passed += same, failed += different))
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
END
