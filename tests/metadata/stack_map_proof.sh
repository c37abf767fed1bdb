#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stack_map_proof.sh BUILD [COUNT]: llc's assembly of COUNT (default 60) functions with records, in which directives stand for
# llc's labels, no-ops and section: xas' object has the code, stack maps and relocations of llc's, and llvm-readobj reads both
# alike. The last line is "N passed, N failed". With 1200, it takes some minutes.
set -u
build=$(realpath "$1")
count=${2:-60}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
temporary_folder
cd "$tmp" || exit 1
per_file=20

# relocations FILE: of code and of stack maps, by section
relocations() { llvm-readobj-22 -r --expand-relocs "$1" | sed -n '/Section (.*\.rel[a]*\.text\|Section (.*\.rel[a]*\.llvm_stackmaps\|Section (.*\.text\|Section (.*\.llvm_st/,/^  }/p' | grep -E 'Offset|Type|Symbol:|Addend' | sed 's/ ([0-9]*)$//'; }

for ((first = 0; first < count; first += per_file)); do
  "$here/stack_map_ir.sh" $per_file $((first + 1)) > ir.ll
  for target in x86_64-linux-gnu aarch64-linux-gnu x86_64-pc-windows-msvc aarch64-pc-windows-msvc; do
    machine=${target%%-*}
    # llc 22 crashes on live-outs of some functions for x86-64.
    options=(-O1 -relocation-model=pic -mtriple=$target)
    [ $machine != x86_64 ] || options+=(-enable-patchpoint-liveness=0)
    llc-22 "${options[@]}" -filetype=obj ir.ll -o llc.o 2> llc.txt && llc-22 "${options[@]}" ir.ll -o llc.s || {
      echo "llc refuses seed $((first + 1)) for $target: $(head -n 1 llc.txt)"
      continue
    }
    cpu=; [ $machine != x86_64 ] || cpu=-mcpu=x86-64  # as llc
    awk -v machine=$machine -f "$here/stack_map_text.awk" llc.s llc.s > text.s
    good=1
    if ! "$build/xas" --compat=llvm -triple=$target $cpu text.s -o xas.o 2> xas.txt; then
      good=0
      head -n 3 xas.txt
    else
      for section in .text .llvm_stackmaps; do
        for object in llc xas; do llvm-objdump-22 -s -j $section $object.o | grep '^ ' > $object.bin; done
        cmp -s llc.bin xas.bin || { good=0; echo "$section differs"; }
      done
      for object in llc xas; do
        relocations $object.o > $object.relocs
        llvm-readobj-22 --stackmap $object.o | sed 1,4d > $object.maps
      done
      cmp -s llc.relocs xas.relocs || { good=0; echo "relocations differ"; diff llc.relocs xas.relocs | head -n 5; }
      cmp -s llc.maps xas.maps || { good=0; echo "llvm-readobj reads them otherwise"; }
    fi
    if [ $good = 1 ]; then
      pass $per_file
    else
      fail "seed $((first + 1)) for $target"
      if [ -n "${KEEP:-}" ]; then mkdir -p "$KEEP/$first-$target" && cp ir.ll llc.s text.s llc.o xas.o "$KEEP/$first-$target" 2> /dev/null; fi
    fi
  done
done
finish
