#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh XAS [OBJECTS [DIRECTORY]]: builds the program for x86-64 and AArch64 as position-independent executables, by GNU ld and
# by lld, and runs it: from cons.s and build.s, and from the objects that OBJECTS, the program of objects.cpp, makes; both have
# the same code, stack maps and relocations. What it needs: gcc, aarch64-linux-gnu-gcc-12, ld.lld-22, llvm-objdump-22 and
# qemu-aarch64.
set -eu
xas=$(realpath "$(command -v "$1")")
objects=${2:+$(realpath "$2")}
out=${3:-$(mktemp -d)}
out=$(realpath "$out")
cd "$(dirname "$0")"
expected='sum 5005000, 9 collections, the patched call was taken 6999 times'
ln -sf "$(command -v ld.lld-22)" "$out/ld.lld"
headers=../../include/xas
[ -d $headers ] || headers=$(dirname "$xas")/../include/xas  # installed
mkdir -p "$out/include"
ln -sfn "$(realpath "$headers")" "$out/include/xas"
contents() { llvm-objdump-22 -s -r -j .text -j llvm_stackmaps "$1" | grep -v 'file format'; }
for target in x86_64 aarch64; do
  case $target in
    x86_64) cc=gcc emulator= ;;
    aarch64) cc=aarch64-linux-gnu-gcc-12 emulator='qemu-aarch64 -L /usr/aarch64-linux-gnu' ;;
  esac
  mkdir -p "$out/text" "$out/builder"
  for part in cons build; do "$xas" -triple=$target-linux-gnu $target/$part.s -o "$out/text/$part.o"; done
  [ -z "$objects" ] || "$objects" $target "$out/builder"
  $cc -O1 -fno-omit-frame-pointer -fPIE -I "$out/include" -c runtime.c -o "$out/runtime.o"
  for way in text ${objects:+builder}; do
    for part in cons build; do
      cmp <(contents "$out/text/$part.o") <(contents "$out/$way/$part.o")
    done
    for linker in bfd lld; do
      $cc -pie -fuse-ld=$linker -B "$out" -Wl,--gc-sections "$out/$way"/{cons,build}.o "$out/runtime.o" -o "$out/list"
      answer=$($emulator "$out/list")
      echo "$target, $way, $linker: $answer"
      [[ $answer == "$expected" ]] || { echo "expected '$expected'"; exit 1; }
    done
  done
done
