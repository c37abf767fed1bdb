#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# neovim.sh XAS-LSP: the language server with a real client, Neovim without a window. The last line printed is
# "N passed, N failed".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
server=$(realpath "$1")
command -v nvim > /dev/null || { echo "neovim.sh: Neovim is missing"; echo "0 passed, 0 failed"; exit; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat > "$tmp/a.s" << 'END'
	.text
first:
	movl	$1, %eax
	jmp	secnd
second:	ret
	jmp	first
END
export HOME=$tmp XAS_LSP=$server
cd "$tmp"
# The editor's own words, if it fails, are the report.
timeout 120 nvim --headless -u NONE -i NONE -c "luafile $here/neovim.lua" a.s > "$tmp/log" 2>&1 || true
tr -d '\r' < "$tmp/log"
echo
grep -qE '^[0-9]+ passed, 0 failed' "$tmp/log"
