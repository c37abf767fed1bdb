# SPDX-License-Identifier: Apache-2.0
# lib.sh: what test scripts share; they source it. It counts in $passed and $failed. A script ends with `finish`, whose line
# "N passed, N failed" tests/run.sh adds up.
passed=0 failed=0

# pass [N]: N checks have passed; one, if nothing is said
pass() { passed=$((passed + ${1:-1})); }

# fail WHAT...: a check has failed
fail() {
  echo "FAIL: $*"
  failed=$((failed + 1))
}

# check NAME COMMAND...: the command succeeds. What it says is shown if it does not. It may be a function.
check() {
  local name=$1 log
  shift
  log=$(mktemp)
  if "$@" > "$log" 2>&1; then pass; else
    fail "$name"
    tail -n 40 "$log" | cut -c 1-400
  fi
  rm -f "$log"
}

# add_up LINE: adds the last line of another suite; fails if it is none
add_up() {
  if [[ $1 =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
  else
    fail "no result, but: $1"
    return 1
  fi
}

# temporary_folder: makes $tmp, which goes when the script ends
temporary_folder() {
  tmp=$(mktemp -d) || exit 1
  trap 'rm -rf "$tmp"' EXIT
}

# finish: the sum, and the end of the script
finish() {
  echo "$passed passed, $failed failed"
  exit $((failed != 0))
}
