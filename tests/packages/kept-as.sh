#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# GNU as in the root of rebuild.sh, each call of which is kept in a directory of /tmp/kept for replay.sh:
#
#   cwd        the working directory
#   arguments  one a line
#   name       the input's; empty for the standard input
#   input.gz   the input
#   object     the object's SHA-256; `taken` if it is no file; or `refused`
as=/usr/bin/x86_64-linux-gnu-as.gnu
previous='' input='' output=a.out
for argument; do
  case $previous in
    -o) output=$argument ;;
    -I | -MD | --MD | --defsym) ;;
    *)
      case $argument in
        --version | --help | --target-help) exec $as "$@" ;;
        -?*) ;;
        *) [ ! -f "$argument" ] || input=$argument ;;
      esac
      ;;
  esac
  previous=$argument
done

call=$(mktemp -d /tmp/kept/XXXXXXXXXX)
pwd > "$call/cwd"
[ $# = 0 ] || printf '%s\n' "$@" > "$call/arguments"
printf '%s' "$input" > "$call/name"
if [ -n "$input" ]; then
  gzip -1 < "$input" > "$call/input.gz"
  $as "$@"
else
  cat > "$call/input"
  $as "$@" < "$call/input"
fi
status=$?
if [ $status != 0 ]; then
  echo refused > "$call/object"
elif [ -f "$output" ]; then
  sha256sum < "$output" > "$call/object"
else
  echo taken > "$call/object"
fi
[ -n "$input" ] || gzip -1 "$call/input"
exit $status
