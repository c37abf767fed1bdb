#!/bin/bash
# run.sh XAS: the assembly language, object by object. The first lines of an input say with which options xas and a reference
# assembler have to make the same object, byte for byte:
#
#   # gnu OPTIONS           as, x86-64           # gnu-aarch64 OPTIONS   aarch64-linux-gnu-as
#   # llvm OPTIONS          llvm-mc, x86-64      # llvm-aarch64 OPTIONS  llvm-mc, AArch64
#   # gnu-thumb OPTIONS     arm-linux-gnueabihf-as   # llvm-thumb OPTIONS   llvm-mc; both with the triple and options given
#   # both                  gnu and llvm
#   # bytes SECTION HEX...  what no reference assembler knows yet: the section's contents, with the profile of the last line
#   # has TEXT              for `bytes`: llvm-readobj --sections --symbols prints a line with this in it
#
# An assembler that is not installed is left out. The last line is "N passed, N failed".
set -u
xas=$(realpath "$1")
cd "$(dirname "$0")" || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mc=${XAS_LLVM_MC:-llvm-mc-22}
readobj=${XAS_LLVM_READOBJ:-llvm-readobj-22}
passed=0 failed=0
fail() {
  echo "FAIL: $*"
  failed=$((failed + 1))
}

# compare "OPTIONS OF XAS" REFERENCE... : the input $source
compare() {
  local mine=$1
  shift
  command -v "$1" > /dev/null || return 0
  if ! "$@" "$source" -o "$tmp/reference.o" 2> "$tmp/reference.txt"; then
    fail "$source: rejected by $*"
    head -n 3 "$tmp/reference.txt"
  elif ! "$xas" $mine "$source" -o "$tmp/xas.o" 2> "$tmp/xas.txt"; then
    fail "$source, $mine: rejected"
    head -n 3 "$tmp/xas.txt"
  elif ! cmp "$tmp/reference.o" "$tmp/xas.o"; then
    fail "$source, $mine"
  else
    passed=$((passed + 1))
  fi
}

# check_bytes SECTION HEX: of an object of xas
check_bytes() {
  "$xas" --target=x86_64-linux-gnu $last "$source" -o "$tmp/xas.o" 2> "$tmp/xas.txt" || { fail "$source: rejected"; return; }
  local got
  got=$(objdump -s -j "$1" "$tmp/xas.o" | awk '/^ [0-9a-f]+ / { hex = substr($0, length($1) + 3, 35); gsub(/ /, "", hex); printf "%s", hex }')
  [ "$got" = "${2//[ ]/}" ] && passed=$((passed + 1)) || fail "$source: $1 is $got"
}

gnu64="--target=x86_64-linux-gnu"
llvm64="--compat=llvm --target=x86_64-linux-gnu"
gnu_arm="--target=aarch64-linux-gnu"
llvm_arm="--compat=llvm --target=aarch64-linux-gnu"
for source in *.s; do
  last=
  while read -r mark kind options; do
    [ "$mark" = "#" ] || break
    case $kind in
      gnu-thumb) compare "--target=arm-linux-gnueabihf $options" arm-linux-gnueabihf-as $options; last=$options ;;
      llvm-thumb) compare "--compat=llvm $options" "$mc" -filetype=obj $options; last=$options ;;
      gnu) compare "$gnu64 $options" as --64 $options; last=$options ;;
      llvm) compare "$llvm64 $options" "$mc" -filetype=obj -triple=x86_64-linux-gnu $options; last="--compat=llvm $options" ;;
      both)
        compare "$gnu64" as --64
        compare "$llvm64" "$mc" -filetype=obj -triple=x86_64-linux-gnu
        ;;
      gnu-aarch64) compare "$gnu_arm $options" aarch64-linux-gnu-as $options ;;
      llvm-aarch64) compare "$llvm_arm $options" "$mc" -filetype=obj -triple=aarch64-linux-gnu $options ;;
      bytes) check_bytes "${options%% *}" "${options#* }" ;;
      has)
        "$readobj" --sections --symbols "$tmp/xas.o" | grep -qF -- "$options" && passed=$((passed + 1)) || fail "$source: no $options"
        ;;
      *) ;;
    esac
  done < "$source"
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
