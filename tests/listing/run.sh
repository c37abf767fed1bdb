#!/bin/bash
# run.sh XAS: the listings of cases.txt. The last line is "N passed, N failed".
set -u
xas=$(realpath "$1")
cd "$(dirname "$0")" || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
while read -r name options; do
  [[ $name != \#* ]] || continue
  if "$xas" --target=x86_64-linux-gnu $options "$name.s" -o "$tmp/x.o" > "$tmp/x.lst" && diff "$name${options//[ =]/}.lst" "$tmp/x.lst" > "$tmp/diff"; then
    passed=$((passed + 1))
  else
    echo "FAIL: $name $options"
    head -n 10 "$tmp/diff"
    failed=$((failed + 1))
  fi
done < cases.txt
# From standard input.
"$xas" --target=x86_64-linux-gnu -al - -o "$tmp/x.o" < input.s | diff input-al.lst - > "$tmp/diff" && passed=$((passed + 1)) ||
  { echo "FAIL: listing of standard input"; failed=$((failed + 1)); head -n 10 "$tmp/diff"; }
# To a file; with errors, addresses are not known.
"$xas" -al="$tmp/file.lst" code.s -o "$tmp/x.o" && diff <(sed 1d "code-al--listing-lhs-width24.lst" | head -n 3) <(sed 1d "$tmp/file.lst" | head -n 3) > "$tmp/diff" &&
  passed=$((passed + 1)) || { echo "FAIL: listing to a file"; failed=$((failed + 1)); }
printf '\t.byte 1\n\t.error "no"\n' > "$tmp/error.s"
"$xas" -aln "$tmp/error.s" -o "$tmp/e.o" > "$tmp/error.lst" 2> /dev/null
printf '   1 ???? 01       \t\t.byte 1\n   2              \t\t.error "no"\n' | diff - "$tmp/error.lst" && passed=$((passed + 1)) ||
  { echo "FAIL: listing of a file with errors"; failed=$((failed + 1)); }

echo "$passed passed, $failed failed"
[ $failed = 0 ]
