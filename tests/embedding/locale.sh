#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# locale.sh PROGRAM: runs it where there is a locale with decimal commas, made here from the C library's own sources.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
localedef -c -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" > /dev/null 2>&1 || true
LOCPATH=$folder "$1"
