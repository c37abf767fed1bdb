#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# agreement.sh BUILD [--record|--all]: what `agree` of xas-corpus says is what GNU as and llvm-mc do. Asks them about one line
# in 40 of --values=edges, or with --all about every line; --record writes the tables anew, for a release.
# XAS_LLVM_MC is llvm-mc (llvm-mc-22). The last line is "N passed, N failed".
set -u
build=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/lib.sh"
corpus=$build/xas-corpus
mode=${2-}
llvm_mc=${XAS_LLVM_MC:-llvm-mc-22}
temporary_folder

for target in x86_64 i386 x86_16 aarch64 arm thumb; do
  case $target in
    x86* | i386) syntaxes='att intel' ;;
    *) syntaxes=gnu ;;
  esac
  for syntax in $syntaxes; do
    name=$target options=(instructions "--target=$target" --values=edges)
    [ "$syntax" = gnu ] || name=${target}_$syntax options+=("--syntax=$syntax")
    asked=(--check=as "--check=$llvm_mc")
    if [ "$mode" = --record ]; then
      table=$root/asm/corpus/instructions/agreement/$name.inc
      echo "// Made by tests/instructions/agreement.sh --record, with $(as --version | head -n 1) and llvm-mc of" \
        "$("$llvm_mc" --version | grep -o 'LLVM version.*')." > "$table"
      "$corpus" "${options[@]}" "${asked[@]}" --record >> "$table" || exit 1
      continue
    fi
    [ "$mode" = --all ] || options+=(--shard=7/40)
    if "$corpus" "${options[@]}" > "$tmp/shipped" && "$corpus" "${options[@]}" "${asked[@]}" > "$tmp/asked" &&
      [ -s "$tmp/shipped" ] && diff "$tmp/shipped" "$tmp/asked" > "$tmp/log"; then
      pass
    else
      fail "agree: $name"
      head -n 4 "$tmp/log"
    fi
  done
done
finish
