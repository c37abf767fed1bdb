#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# profile.sh [SOURCES]: the Profile says what it promises. Its fields are those of docs/differences.md; nothing in asm/ but
# the table of options asks which assembler it stands for, and nothing changes it.
cd "${1:-$(dirname "$0")/..}" || exit 1
status=0

fail() {
  echo "profile.sh: $1"
  status=1
}

fields=$(sed -n '/^struct Profile {/,/^};/p' asm/options/profile.h | sed 's|//.*||' | tr '\n' ' ' |
  grep -oE '(bool|u8|u32|i64|RelaxOrder|std::string_view|std::span<const std::string_view>) +[a-z0-9_]+ *;' | sed -E 's/.* ([a-z0-9_]+) *;/\1/' | sort)
rows=$(awk '/^\| field \| gnu \| llvm \|/ { table = 1; next } !/^\|/ { table = 0 }
            table && /^\| `/ { split($0, cell, "|"); print cell[2] }' docs/differences.md |
  grep -oE '`[a-z0-9_]+`' | tr -d '`' | sort)
[ "$(echo "$fields" | wc -l)" -gt 100 ] || fail "the fields of struct Profile can't be read"
missing=$(echo "$fields" | while read -r f; do echo "$rows" | grep -qx "$f" || echo "$f"; done)
[ -z "$missing" ] || fail "fields without a row in docs/differences.md: "$missing
unknown=$(echo "$rows" | while read -r f; do echo "$fields" | grep -qx "$f" || echo "$f"; done)
[ -z "$unknown" ] || fail "rows of docs/differences.md that are no field: "$unknown
twice=$(echo "$rows" | uniq -d)
[ -z "$twice" ] || fail "fields with two rows in docs/differences.md: "$twice

for f in $fields; do
  case $f in gnu_target) continue ;; esac
  grep -rqE "(profile|profile_|profile\(\)|program|p)(\.|->)$f\b" asm --include='*.cpp' --include='*.h' --exclude=releases.h --exclude=base_profiles.h ||
    fail "no place reads the field $f"
done

sources() { grep -rnE "$1" asm --include='*.cpp' --include='*.h' --exclude=releases.h --exclude=base_profiles.h; }
asked=$(sources '[A-Za-z_)]\.gnu\b[^.]' | grep -vE 'target\.gnu = to\.profile\.gnu_target;')
[ -z "$asked" ] || fail "asks what the target alone decides:
$asked"
asked=$(sources '\bgnu_target\b' | grep -vE '\.gnu = |^asm/options/profile.h:')
[ -z "$asked" ] || fail "asks which assembler the profile stands for:
$asked"
changed=$(sources '\bprofile_?(\.|->)[a-z0-9_]+ = ')
[ -z "$changed" ] || fail "changes the profile; a profile is a constant of base_profiles.h or releases.h:
$changed"
named=$(sources '\b(gnu|llvm)_[0-9_]+_profile\b')
[ -z "$named" ] || fail "names a profile; profile_for chooses it:
$named"
exit $status
