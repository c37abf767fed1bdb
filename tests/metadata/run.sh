#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD: PC sections, stack maps and bitstreams that LLVM's programs write, read by xas-dump. What it says is compared
# with llvm-readobj, llvm-bcanalyzer, llvm-nm and llvm-dis, with the linked programs' own view of their tables (runtime.c),
# and, for bitstreams, with the bytes themselves.
#
# The last line is "N passed, N failed".
set -u
build=$(realpath "$1")
cd "$(dirname "$0")" || exit 1
here=$PWD
. ../lib.sh
dump=$build/xas-dump
test=$build/tests/metadata/bitstream-test
temporary_folder
cd "$tmp" || exit 1

# same NAME A B: the two files are equal
same() {
  if cmp -s "$2" "$3"; then pass; else
    fail "$1"
    diff "$2" "$3" | head -n 10
  fi
}
for tool in clang-22 clang++-22 llc-22 llvm-readobj-22 llvm-bcanalyzer-22 llvm-dis-22 llvm-nm-22 llvm-cat-22 llvm-ar-22 ld.lld-22 jq; do
  command -v $tool > /dev/null || fail "$tool is not installed"
done

# Bitstreams
cat > a.c << 'END'
#include <stdlib.h>
static int table[4] = {1, 2, 3, 4};
extern int other(const char*) __attribute__((weak));
int common_one;
struct list { struct list* next; int value; };
__attribute__((noinline)) static int add(int a, int b) { return a + b; }
int sum(struct list* l) {
  int s = 0;
  for (; l; l = l->next) s = add(s, l->value + table[l->value & 3]);
  return s + (other ? other("text") : atoi("12"));
}
int sum_too(struct list*) __attribute__((alias("sum")));
__thread int per_thread;
int* where(void) { return &per_thread; }
END
clang-22 -O2 -fcommon -c -emit-llvm a.c -o plain.bc
clang-22 -O0 -g -c -emit-llvm a.c -o debug.bc
clang-22 -O2 -flto -c a.c -o lto.bc
clang-22 -O2 -flto=thin -c a.c -o thin.bc
clang-22 -O2 -flto -funified-lto -c a.c -o unified.bc
clang-22 -O2 -flto -ffat-lto-objects -c a.c -o fat.o
clang-22 -O2 -fembed-bitcode=all -c a.c -o embedded.o
# Without the parts that these formats do not have.
sed '/include/d; /alias/d; /weak/d; s/(other ? .*;/1;/; s/__thread//' a.c > b.c
clang-22 -O2 --target=arm64-apple-macos -ffreestanding -c -emit-llvm b.c -o wrapped.bc
clang-22 -O2 --target=x86_64-pc-windows-msvc -ffreestanding -fembed-bitcode=all -c b.c -o embedded.obj
clang-22 -x c-header a.c -o header.pch
clang-22 -fsyntax-only -Weverything --serialize-diagnostics a.dia a.c 2> /dev/null
clang-22 -O2 -c a.c -fsave-optimization-record=bitstream -foptimization-record-file=a.opt -o /dev/null 2> /dev/null
llvm-cat-22 -b -o several.bc plain.bc thin.bc
! command -v clang-14 > /dev/null || clang-14 -O2 -g -emit-llvm -c a.c -o clang14.bc
llvm-ar-22 rcs lib.a plain.bc fat.o debug.bc
llvm-ar-22 rcsT thin.a plain.bc fat.o
for file in *.bc fat.o embedded.o embedded.obj header.pch a.dia a.opt lib.a; do
  check "$file: text gives the same bits" "$test" roundtrip "$file"
  check "$file: xas-dump --verify" "$dump" --bitstream --verify "$file"
  check "$file: JSON" bash -c "'$dump' --bitstream --json $file | jq -e . > /dev/null"
done
"$test" names > names.bc
for file in *.bc header.pch a.dia a.opt; do
  llvm-bcanalyzer-22 --dump "$file" > "$file.dump" 2> /dev/null
  check "$file: as llvm-bcanalyzer has it" "$test" analyzer "$file" "$file.dump"
done
for file in plain debug lto thin unified wrapped; do
  "$dump" --bitcode "$file.bc" | sed -n 's/^  \(. [^ ]*\)$/\1/p' | sort > ours.txt
  llvm-nm-22 "$file.bc" | sed 's/^[-0-9a-f ]*\([a-zA-Z]\) /\1 /' | sort > theirs.txt
  same "$file.bc: symbols as llvm-nm has them" ours.txt theirs.txt
done
for pair in plain:plain lto:"full with summary" thin:ThinLTO; do
  check "${pair%%:*}.bc is ${pair#*:}" grep -q ": ${pair#*:} module by LLVM22" <("$dump" --bitcode "${pair%%:*}.bc")
done
check "modules of an archive" [ "$("$dump" --bitcode lib.a | grep -c ' module by ')" = 3 ]
check "modules of a thin archive" [ "$("$dump" --bitcode thin.a | grep -c ' module by ')" = 2 ]
check "one member, as text" grep -q SOURCE_FILENAME <("$dump" --bitstream --member=plain.bc lib.a)

# Stack maps
"$here/stack_maps.sh" > maps.ll
link=(-fuse-ld=lld-22)
for target in x86_64-linux-gnu aarch64-linux-gnu x86_64-pc-windows-msvc; do
  if ! llc-22 -O1 -relocation-model=pic -mtriple=$target -filetype=obj maps.ll -o maps-$target.o 2> llc.txt; then
    fail "llc for $target"
    head -n 3 llc.txt
    continue
  fi
  "$dump" --stackmaps --json maps-$target.o > maps.json
  jq -r '"record \(.id) \(.offset)",
    (.locations[] | "\({reg:"Register",direct:"Direct",indirect:"Indirect",const:"Constant",constindex:"ConstantIndex"}[.kind]) \(.dwarf // "") \(if .kind == "const" and .value < 0 then .value + 4294967296 else (.value // (if .kind == "reg" then "" else .offset end)) end) size \(.size)"),
    (.liveouts[] | "live \(.dwarf) \(.size)")' maps.json | sed 's/  */ /g' > ours.txt
  llvm-readobj-22 --stackmap maps-$target.o | sed -nE 's/^ *Record ID: ([0-9]+), instruction offset: ([0-9]+)/record \1 \2/p
    s/^ *#[0-9]+: Register R#([0-9]+), size: ([0-9]+)/Register \1 size \2/p
    s/^ *#[0-9]+: (Direct|Indirect) \[?R#([0-9]+) \+ (-?[0-9]+)\]?, size: ([0-9]+)/\1 \2 \3 size \4/p
    s/^ *#[0-9]+: Constant ([0-9]+), size: ([0-9]+)/Constant \1 size \2/p
    s/^ *#[0-9]+: ConstantIndex #[0-9]+ \(([0-9]+)\), size: ([0-9]+)/ConstantIndex \1 size \2/p
    /live-outs:/{s/^[^[]*//; s/R#([0-9]+) \(([0-9]+)-bytes\)/\nlive \1 \2\n/g; p}' | grep -E '^[a-zA-Z]' | sed 's/ *$//' > theirs.txt
  [ -s theirs.txt ] || fail "llvm-readobj says nothing of maps-$target.o"
  same "stack maps for $target as llvm-readobj has them" ours.txt theirs.txt
  check "stack maps for $target are sound" "$dump" --verify maps-$target.o
done
# Linked, with writable sections, as PIE: each linker, all objects' records.
for i in 1 2; do
  "$here/stack_maps.sh" "_$i" > part.ll
  llc-22 -O1 -relocation-model=pic -filetype=obj part.ll -o part.o
  llvm-objcopy-22 --rename-section .llvm_stackmaps=llvm_stackmaps,alloc,data part.o part$i.o
done
clang-22 -O1 -I "$here/../../include" -c "$here/runtime.c" -o runtime.o
for linker in lld-22 bfd; do
  if ! clang-22 -fuse-ld=$linker -pie runtime.o part1.o part2.o -o linked-$linker 2> link.txt; then
    fail "linking with $linker"
    head -n 3 link.txt
    continue
  fi
  "$dump" --stackmaps --json linked-$linker > maps.json
  jq -r '"\(.id) \(.offset) \(.stack_size // "18446744073709551615")" +
    ([.locations[] | " \({reg:1,direct:2,indirect:3,const:4,constindex:5}[.kind]):\(.size):\(.dwarf // 0):\(.value // .offset)"] | add // "") +
    ([.liveouts[] | " live\(.dwarf):\(.size)"] | add // "")' maps.json > ours.txt
  ./linked-$linker stackmaps > theirs.txt
  check "runtime.c with $linker" [ -s theirs.txt ]
  same "stack maps of an image by $linker, as the program itself reads them" ours.txt theirs.txt
  check "functions have names" [ "$(jq -r .function maps.json | grep -c _2)" != 0 ]
  check "stack maps of the image are sound" "$dump" --verify linked-$linker
done

# PC sections
cat > pcs.c << 'END'
_Atomic int counter;
int callee(int*);
static _Thread_local int mine;
inline int in_group(int x) { return counter + x; }
extern inline int in_group(int x);
int escapes(int n) { int local[8]; callee(local); counter += n; return local[n & 7]; }
__attribute__((section("other_text"))) int elsewhere(int n) { mine = n; return counter++; }
int callee(int* p) { return p[0] = counter; }
END
for target in x86_64-linux-gnu i386-linux-gnu aarch64-linux-gnu armv7-linux-gnueabi thumbv7-linux-gnueabi; do
  for model in "" "-mcmodel=large -fno-pic"; do
    case $target$model in i386*large* | arm*large* | thumb*large*) continue ;; esac
    for sections in -fno-function-sections -ffunction-sections; do
      # shellcheck disable=SC2086
      clang-22 --target=$target $model $sections -O1 -ffreestanding -fexperimental-sanitize-metadata=all -c pcs.c -o pcs.o || fail "clang for $target"
      check "PC sections for $target, $model, $sections" "$dump" --pc-sections --verify pcs.o
      # A range begins at each function, and has its size.
      "$dump" --pc-sections --json pcs.o | jq -r 'select(.size != null) | "\(.symbol) \(.symbol_offset) \(.size)"' | sort > ours.txt
      llvm-readelf-22 -s pcs.o | awk '$4 == "FUNC" && $8 !~ /^__sanitizer/ { print $8, 0, $3 }' | sort > theirs.txt
      same "ranges for $target, $model, $sections" ours.txt theirs.txt
    done
  done
done
clang-22 -O1 -fexperimental-sanitize-metadata=all -c pcs.c -o pcs.o
for linker in lld-22 bfd; do
  clang-22 -fuse-ld=$linker -pie runtime.o pcs.o -o linked-$linker || fail "linking with $linker"
  main=$((16#$(nm linked-$linker | awk '$3 == "main" { print $1 }')))
  "$dump" --pc-sections --json linked-$linker | jq -r "select(.size != null) | \"\(.pc - $main) \(.size)\" + ([.constants[] | \" \(.)\"] | add)" > ours.txt
  ./linked-$linker pcs > theirs.txt
  same "PC sections of an image by $linker, as the program itself reads them" ours.txt theirs.txt
done

# Bad input: a located error and exit status 1.
# refused NAME MESSAGE ARGUMENT...: MESSAGE is a regular expression
refused() {
  local name=$1 message=$2
  shift 2
  "$dump" "$@" > out.txt 2> err.txt
  local status=$?
  if [ $status = 1 ] && grep -qE "$message" err.txt; then pass; else
    fail "$name: status $status"
    head -n 3 err.txt
  fi
}
head -c 700 plain.bc > cut.bc
refused "a cut stream" '^cut.bc: bit [0-9]+: error: the stream ends in block' --bitstream cut.bc
head -c 500 maps-x86_64-linux-gnu.o > cut.o
refused "a cut object" '^cut.o: offset 0x[0-9a-f]+: error: the section headers are at 0x[0-9a-f]+, outside' --stackmaps cut.o
head -c 200 lib.a > cut.a
refused "a cut archive" '^cut.a: offset 0x[0-9a-f]+: error: an archive member of' --bitcode cut.a
echo "text" > text
refused "a text" '^text: error: not an object: it is a file of unknown kind' --stackmaps text
refused "a text as bitcode" '^text: error: no bitcode: it is a file of unknown kind' --bitcode text
refused "no file" '^none: error: No such file' --bitcode none
refused "no member" "^lib.a: error: no member 'x'" --bitcode --member=x lib.a
refused "no operation" 'what is to be shown' plain.bc
refused "an unknown option" "unknown option '--foo'" --foo plain.bc
refused "no schema" 'what is in the table\? add --schema .text=FIELD' --pc-sections=.text linked-lld-22
refused "a wrong schema" "'i7' is no field of a PC table" --schema x=i7 --pc-sections x.o
refused "a PC outside" 'the PC 0x[0-9a-f]+ is in no section of this file' --pc-sections=.rodata --schema .rodata=i8 linked-lld-22
check "help" grep -q -- '--schema NAME=FIELD' <("$dump" --help)
finish
