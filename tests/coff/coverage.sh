#!/bin/bash
# coverage.sh INVENTORY: whether every directive of a list (directives.tsv: name, scope, GNU as, LLVM, ...) that objects for
# Windows can have stands in a test of this folder, which run.sh compares byte for byte with what the reference assemblers
# make, or is one whose effect is an error, a listing or nothing in the object and is tested elsewhere (tests/error,
# tests/listing, tests/language).
#
# Last line: "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
passed=0 failed=0

# Of other formats, or of GNU as for ARM and AArch64, which has no objects for Windows; and what neither assembler takes
# in an object for Windows, or (.thumb_set) takes without effect.
skips() {  # skips SCOPE NAME GNU LLVM
  case $1 in
    elf | arm-unwind | scope) return 0 ;;
    arm | aarch64) [ "$4" != yes ] || [ "$2" = .thumb_set ] ;;
    *) case $2 in .ABORT | .ln | .cfi_llvm_def_aspace_cfa) return 0 ;; *) return 1 ;; esac ;;
  esac
}

while IFS=$'\t' read -r name scope gnu llvm _; do
  skips "$scope" "$name" "$gnu" "$llvm" && continue
  word=${name#.seh_}  # arm64_seh.s has a macro that writes the prefix
  [ "$scope" = seh-arm64 ] || word=$name
  case $name in
    "# N"*) word='# 7 "' ;;
    "#APP"*) word='#APP' ;;
    "sym =="*) word='==' ;;
    "sym ="*) word=' = ' ;;
    "name .req"*) word=.req ;;
    "name .dn"*) word=.dn ;;
    "name .qn"*) word=.qn ;;
    LOCAL*) word=LOCAL ;;
  esac
  if grep -qsF -- "$word" "$here"/*.s; then passed=$((passed + 1)); continue; fi
  if grep -qsrF -- "$word" "$here/../error" "$here/../listing" "$here/../language" "$here/../aarch64"; then
    elsewhere="${elsewhere:-} $name"
    passed=$((passed + 1))
    continue
  fi
  failed=$((failed + 1))
  echo "FAIL: no test has $name ($scope)"
done < "$1/directives.tsv"

echo "tested elsewhere:${elsewhere:-}" | fold -s -w 120
echo "$passed passed, $failed failed"
[ $failed = 0 ]
