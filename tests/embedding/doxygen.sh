#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# doxygen.sh: the reference documentation of include/xas is made without warnings, and has every function of the C
# interface. Nothing is tested where doxygen is not installed.
cd "$(dirname "$0")/../.." || exit 1
command -v doxygen > /dev/null || { echo "doxygen is not installed"; exit 0; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $out"; } | doxygen - || exit 1
failed=0
for function in $(grep -oh 'xas_[a-z_0-9]*(' include/xas/xas.h include/xas/stream.h | tr -d '(' | sort -u); do
  grep -q "^ *[a-z].*[ *]$function(" include/xas/xas.h include/xas/stream.h || continue
  grep -rqs "$function" "$out"/html/*_8h.html || { echo "FAIL: $function is not documented"; failed=1; }
done
exit $failed
