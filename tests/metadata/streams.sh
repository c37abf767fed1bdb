#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# streams.sh BUILD DIR SOURCE-DIR...: by hand, the large proof for bitstreams. Makes streams of all sorts from the C and C++
# files below SOURCE-DIR in DIR (what is there is kept): six modes of each clang that is installed, precompiled headers and
# modules of the C++ library's headers, serialized diagnostics, remarks; takes the archives of Rust's library that are found,
# too. Every one must come back bit for bit; every fifth is compared with llvm-bcanalyzer.
#
# The last line is "N passed, N failed".
set -u
build=$(realpath "$1") dir=$2
shift 2
mkdir -p "$dir"
dir=$(realpath "$dir")
sources=()
for root in "$@"; do mapfile -t -O ${#sources[@]} sources < <(find "$(realpath "$root")" -name '*.c' -o -name '*.cc' -o -name '*.cpp'); done

modes=("-O0 -g -emit-llvm" "-O2 -emit-llvm" "-Os -g -flto" "-O2 -flto=thin" "-O3 -flto -ffat-lto-objects" "-O2 -fembed-bitcode=all")
for clang in clang-14 clang-22 clang-23; do
  command -v $clang > /dev/null || continue
  for mode in 0 1 2 3 4 5; do
    [ $clang != clang-14 ] || [ $mode != 4 ] || continue
    for source in "${sources[@]}"; do
      out=$dir/$clang-$mode-$(tr / _ <<< "${source#/}").bc
      # shellcheck disable=SC2086
      [ -e "$out" ] || $clang -w ${modes[mode]} -I "$(dirname "$source")" -c "$source" -o "$out" 2> /dev/null
    done
  done
done
for source in "${sources[@]}"; do
  name=$(tr / _ <<< "${source#/}")
  [ -e "$dir/$name.dia" ] || clang-22 -Weverything -fsyntax-only --serialize-diagnostics "$dir/$name.dia" -I "$(dirname "$source")" "$source" 2> /dev/null
  [ -e "$dir/$name.opt" ] || clang-22 -w -O2 -fsave-optimization-record=bitstream -foptimization-record-file="$dir/$name.opt" \
    -I "$(dirname "$source")" -c "$source" -o /dev/null 2> /dev/null
done
for header in algorithm array bitset chrono complex deque functional iostream list map memory optional random regex set span \
  sstream string thread tuple unordered_map utility variant vector; do
  for standard in 17 20; do
    pch=$dir/$header-$standard.pch
    [ -e "$pch" ] || { echo "#include <$header>" > "$dir/$header.hpp" && clang++-22 -std=c++$standard -x c++-header "$dir/$header.hpp" -o "$pch"; }
  done
done
cat > "$dir/unit.cppm" << 'END'
export module unit;
export template <typename T> struct pair { T a, b; };
export int use(pair<int> p) { return p.a + p.b; }
END
clang++-22 -std=c++20 --precompile "$dir/unit.cppm" -o "$dir/unit.pcm"
mapfile -t rust < <(find /usr/lib/rustlib ~/.rustup/toolchains "$dir" -name '*.rlib' 2> /dev/null)

test=$build/tests/metadata/bitstream-test
passed=0 failed=0
# add FILE: its last line, "N passed, N failed", is added up
add() {
  grep -v ' blocks and records$' "$1" | head -n -1 | head -n 20
  read -r good _ wrong _ < <(tail -n 1 "$1")
  passed=$((passed + good))
  failed=$((failed + wrong))
}
find "$dir" -maxdepth 1 \( -name '*.bc' -o -name '*.pch' -o -name '*.pcm' -o -name '*.dia' -o -name '*.opt' \) -size +0 -print0 |
  xargs -0 -n 100 sh -c '"$0" roundtrip "$@" | tee /dev/stderr | tail -n 1' "$test" 2> "$dir/round-trips.txt" |
  awk '{ p += $1; f += $3 } END { print p " passed, " f " failed" }' > "$dir/sum.txt"
grep -h FAIL "$dir/round-trips.txt" | head -n 20
add "$dir/sum.txt"
echo "files: $(cat "$dir/sum.txt")"
if [ ${#rust[@]} != 0 ]; then
  "$test" roundtrip "${rust[@]}" > "$dir/rust.txt"
  add "$dir/rust.txt"
  echo "Rust: $(tail -n 1 "$dir/rust.txt")"
fi
count=0
for file in "$dir"/clang-2[23]-[0-3]*.bc "$dir"/*.pch "$dir"/*.dia "$dir"/*.opt; do
  [ -s "$file" ] && [ $((++count % 5)) = 0 ] || continue
  analyzer=llvm-bcanalyzer-22
  [[ $file != */clang-23* ]] || analyzer=llvm-bcanalyzer-23
  $analyzer --dump "$file" > "$dir/dump.txt" 2> /dev/null
  "$test" analyzer "$file" "$dir/dump.txt" > "$dir/analyzer.txt"
  add "$dir/analyzer.txt"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
