#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# streams.sh BUILD DIR [COUNT]: the large proof for bitstreams. Makes at least COUNT (3000) streams in DIR, where what is there
# already is kept: each clang that is installed (14, 22, 23) in six modes over lua, zlib and functions of its own making,
# serialized diagnostics and remarks of them; precompiled headers and modules of the C++ library. Rust's library, from Debian,
# is taken too. Every stream must come back bit for bit through xas-dump's text and xas; every fifth is compared with
# llvm-bcanalyzer, record by record.
#
# The last line is "N passed, N failed".
set -u
build=$(realpath "$1") dir=$2 count=${3:-3000}
here=$(realpath "$(dirname "$0")")
. "$here/../lib.sh"
mkdir -p "$dir"
dir=$(realpath "$dir")
corpus=${XAS_CORPUS:-$here/../../build/corpus}
jobs=${XAS_JOBS:-$(nproc)}

modes=("-O0 -g -emit-llvm" "-O2 -emit-llvm" "-Os -g -flto" "-O2 -flto=thin" "-O3 -flto -ffat-lto-objects" "-O2 -fembed-bitcode=all")
clangs=() streams=2 # of each source: diagnostics and remarks
for clang in clang-22 clang-14 clang-23; do
  command -v $clang > /dev/null || continue
  clangs+=($clang)
  streams=$((streams + ${#modes[@]}))
done
[[ " ${clangs[*]} " == *" clang-22 "* ]] || { echo "clang-22 is not installed"; exit 1; }

# Functions with what makes records of bitcode differ: types, constants, control flow, calls, attributes, debug information.
generate() {
  awk -v seed="$1" 'function any(n) { return int(rand() * n) }
    BEGIN {
      srand(seed)
      split("char short int long float double", type, " ")
      split("+ - * / %", op, " ")
      print "extern int outside" seed "(const char*, ...);"
      for (i = 0; i < 2 + any(6); ++i) {
        t = type[1 + any(6)]
        printf "struct s%d { %s a; %s b[%d]; struct s%d* next; };\n", i, t, type[1 + any(4)], 1 + any(9), i
        printf "%s%s g%d_%d[] = {%d, %d, %d};\n", any(2) ? "static " : "", t, seed, i, any(100), any(1e6) - 5e5, any(9)
        printf "%s %s f%d_%d(struct s%d* p, %s x, unsigned n) {\n", any(2) ? "__attribute__((noinline)) static" : "", t, seed, i, i, t
        printf "  %s sum = x;\n  while (p && n--) {\n", t
        printf "    switch (p->b[0] & 7) {\n"
        for (k = 0; k < 2 + any(5); ++k)
          printf "      case %d: sum %s= %d; break;\n", k, substr("+-*", 1 + any(3), 1), 1 + any(90)
        printf "      default: sum += g%d_%d[n %% 3];\n    }\n    p = p->next;\n  }\n", seed, i
        printf "  if (x > %d) outside%d(\"%d %s\\n\", (int)sum%s%d);\n", any(99), seed, any(1e6), t, op[1 + any(5)], 1 + any(30)
        printf "  return sum;\n}\n"
        printf "%s use%d_%d(%s x) { struct s%d one = {x}; return f%d_%d(&one, x, %du); }\n", t, seed, i, t, i, seed, i, any(40)
      }
      if (any(2)) printf "_Thread_local int t%d; _Complex double c%d; int w%d(void) __attribute__((weak));\n", seed, seed, seed
      if (any(2)) printf "typedef float v%d __attribute__((vector_size(16))); v%d add%d(v%d a, v%d b) { return a * b + a; }\n", seed, seed, seed, seed, seed
      if (any(2)) printf "int atomic%d(_Atomic int* p) { return (*p)++; }\n", seed
      if (any(3) == 0) printf "int assembler%d(int x) { __asm__ volatile(\"nop\" : \"+r\"(x)); return x; }\n", seed
    }' > "$dir/made$1.c"
}
XAS_CORPUS=$corpus "$here/../corpus/fetch.sh" > /dev/null || fail "sources could not be fetched"
sources=("$corpus"/src/lua5.4/src/l*.c "$corpus"/src/zlib/*.c)
for ((i = 1; ${#sources[@]} * streams < count + count / 4; ++i)); do
  [ -e "$dir/made$i.c" ] || generate $i
  sources+=("$dir/made$i.c")
done

# make OUT COMMAND...: OUT by the command, in the background; what cannot be made is missed when streams are counted.
make() {
  local out=$1
  shift
  [ ! -e "$out" ] || return 0
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  { "$@" < /dev/null > /dev/null 2>&1 || rm -f "$out"; } &
}
for source in "${sources[@]}"; do
  name=$(basename "$(dirname "$source")")-$(basename "$source" .c)
  for clang in "${clangs[@]}"; do
    for mode in "${!modes[@]}"; do
      [ $clang$mode != clang-144 ] || continue # fat objects came later
      out=$dir/$clang-$mode-$name.bc
      # shellcheck disable=SC2086
      make "$out" $clang -w ${modes[mode]} -I "$(dirname "$source")" -c "$source" -o "$out"
    done
  done
  make "$dir/$name.dia" clang-22 -Weverything -fsyntax-only --serialize-diagnostics "$dir/$name.dia" -I "$(dirname "$source")" "$source"
  make "$dir/$name.opt" clang-22 -w -O2 -fsave-optimization-record=bitstream -foptimization-record-file="$dir/$name.opt" \
    -I "$(dirname "$source")" -c "$source" -o /dev/null
done
for header in algorithm array bitset chrono complex deque functional iostream list map memory optional random regex set span \
  sstream string thread tuple unordered_map utility variant vector; do
  echo "#include <$header>" > "$dir/$header.hpp"
  printf 'module;\n#include <%s>\nexport module %s_unit;\nexport template <typename T> struct pair { T a, b; };\nexport int use(pair<int> p) { return p.a + p.b; }\n' \
    "$header" "$header" > "$dir/$header.cppm"
  for standard in 17 20; do
    make "$dir/$header-$standard.pch" clang++-22 -std=c++$standard -x c++-header "$dir/$header.hpp" -o "$dir/$header-$standard.pch"
  done
  make "$dir/$header.pcm" clang++-22 -std=c++20 --precompile "$dir/$header.cppm" -o "$dir/$header.pcm"
done
wait
if ! ls "$dir"/rust/usr/lib/rustlib/*/lib/*.rlib > /dev/null 2>&1; then
  (cd "$dir" && apt-get download -qq libstd-rust-dev && dpkg-deb -x libstd-rust-dev_*.deb rust) > /dev/null 2>&1 || echo "without Rust's library: libstd-rust-dev cannot be downloaded"
fi

# round_trips WHAT FILE...: each of its streams
test=$build/tests/metadata/bitstream-test
round_trips() {
  local what=$1 good=0 wrong=0 a b
  shift
  printf '%s\0' "$@" | xargs -0 -r -P "$jobs" -n 50 sh -c '"$0" roundtrip "$@" > "'"$dir"'/round-trip.$$"' "$test"
  grep -h FAIL "$dir"/round-trip.* | head -n 20
  while read -r a _ b _; do good=$((good + a)) wrong=$((wrong + b)); done < <(grep -hE '^[0-9]+ passed, [0-9]+ failed$' "$dir"/round-trip.*)
  rm -f "$dir"/round-trip.*
  echo "$what: $good of $((good + wrong)) come back"
  add_up "$good passed, $wrong failed"
}
shopt -s nullglob
for clang in "${clangs[@]}"; do round_trips "$clang" "$dir/$clang"-*.bc; done
round_trips "diagnostics" "$dir"/*.dia
round_trips "remarks" "$dir"/*.opt
round_trips "precompiled headers and modules" "$dir"/*.pch "$dir"/*.pcm
round_trips "Rust's library" "$dir"/rust/usr/lib/rustlib/*/lib/*.rlib
[ $passed -ge "$count" ] || fail "only $passed streams; $count were wanted"

records=0
for file in "$dir"/clang-*-[0-3]-*.bc "$dir"/*.pch "$dir"/*.pcm "$dir"/*.dia "$dir"/*.opt; do
  [ $((++records % 5)) = 0 ] || continue
  analyzer=llvm-bcanalyzer-22
  [[ $file != */clang-23* ]] || analyzer=llvm-bcanalyzer-23
  command -v $analyzer > /dev/null || continue
  $analyzer --dump "$file" > "$dir/dump.txt" 2> /dev/null
  if "$test" analyzer "$file" "$dir/dump.txt" > "$dir/analyzer.txt"; then pass; else
    fail "$file: not as $analyzer has it"
    head -n 3 "$dir/analyzer.txt"
  fi
done
finish
