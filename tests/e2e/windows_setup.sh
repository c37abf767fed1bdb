# SPDX-License-Identifier: Apache-2.0
# windows_setup.sh: what windows.sh and windows_cxx.sh begin with; they source it, with their arguments XAS [WORK-DIRECTORY].
# Sets here, root, xas, src, work and wine (empty: not installed), has lib.sh, and runs programs (run_image).
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$here/../lib.sh"
xas=$(realpath "${1:?the xas program}")
src=${XAS_CORPUS:-$root/build/corpus}/src
work=${2:-$(mktemp -d /tmp/xas-windows-XXXXXX)}
[ -n "${2:-}" ] || trap 'rm -rf "$work"' EXIT
wine=$(command -v wine64 || ls /usr/lib/wine/wine64 2> /dev/null)
export WINEPREFIX=$work/wine WINEDEBUG=-all

# run_image PROGRAM ARGUMENTS...: what it prints, without carriage returns. Wine itself fails now and then on a busy
# machine (its server is just going, or coming): a program that fails or prints nothing is run twice more.
run_image() {
  local attempt status
  for attempt in 1 2 3; do
    timeout 60 "$wine" "./$1" "${@:2}" > run_image.txt 2> stderr.txt
    status=$?
    [ $status != 0 ] || [ ! -s run_image.txt ] || break
    [ $attempt != 1 ] || { echo "wine, $1: status $status" && cat stderr.txt; } >&2
  done
  tr -d '\r' < run_image.txt
  return $status
}
