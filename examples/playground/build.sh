#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh [FOLDER]: makes the playground, one page FOLDER/xas.html (build/playground) that works from a file: xas as
# WebAssembly. Needs Emscripten (Debian: emscripten), and what else a build for this machine needs. zlib and zstd come
# from Debian's sources.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$(realpath -m "${1:-$root/build/playground}")
src=${XAS_CORPUS:-$root/build/corpus}/src
command -v em++ > /dev/null || { echo "build.sh: Emscripten is missing (Debian: emscripten)" >&2; exit 1; }
# Emscripten's own modules, for a Node that is not Debian's.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
mkdir -p "$out/lib" "$out/fmt"
"$root/tests/corpus/fetch.sh" --zstd

cmake -G Ninja -S "$root" -B "$out/isagen" -DCMAKE_BUILD_TYPE=Release > /dev/null
ninja -C "$out/isagen" isagen
isagen=$out/isagen/isagen

# library NAME OPTIONS FILE...: a static library of C files
library() {
  local name=$1 options=$2 file
  shift 2
  [ ! -e "$out/lib/lib$name.a" ] || return 0
  mkdir -p "$out/lib/$name"
  for file in "$@"; do
    # shellcheck disable=SC2086
    emcc -O2 $options -c "$file" -o "$out/lib/$name/$(basename "$file").o"
  done
  emar rcs "$out/lib/lib$name.a" "$out/lib/$name"/*.o
}
library z -DHAVE_UNISTD_H "$src"/zlib/{adler32,compress,crc32,deflate,inflate,inftrees,inffast,trees,zutil}.c
library zstd -DZSTD_DISABLE_ASM "$src"/libzstd/lib/{common,compress}/*.c

# The headers of fmt without the others of this machine.
ln -sfn /usr/include/fmt "$out/fmt/fmt"
cat > "$out/lib/fmtConfig.cmake" << END
add_library(fmt::fmt INTERFACE IMPORTED)
set_target_properties(fmt::fmt PROPERTIES INTERFACE_INCLUDE_DIRECTORIES $out/fmt)
END
emcmake cmake -G Ninja -S "$root" -B "$out/xas" -DCMAKE_BUILD_TYPE=Release -DXAS_UNITY=ON -DXAS_ISAGEN="$isagen" -DXAS_STATIC=OFF \
  -Dfmt_DIR="$out/lib" -DZLIB_LIBRARY="$out/lib/libz.a" -DZLIB_INCLUDE_DIR="$src/zlib" \
  -DXAS_ZSTD_LIBRARY="$out/lib/libzstd.a" -DXAS_ZSTD_INCLUDE="$src/libzstd/lib" \
  -DCMAKE_CXX_FLAGS="-isystem $src/libzstd/lib -include $here/old_library.h" > /dev/null
ninja -C "$out/xas" xas

em++ -std=c++20 -O2 -I"$root" -I"$root/include" -isystem "$out/fmt" -include "$here/old_library.h" \
  -DFMT_STATIC_THOUSANDS_SEPARATOR=0 "-DFMT_BEGIN_NAMESPACE=namespace fmt { inline namespace of_xas {" "-DFMT_END_NAMESPACE=} }" \
  "$here/playground.cpp" "$root/asm/lsp/analysis.cpp" "$root/asm/lsp/text.cpp" \
  "$out"/xas/libxas.a "$out"/xas/libxas_fmt.a "$out"/lib/lib{z,zstd}.a \
  -sSINGLE_FILE=1 -sMODULARIZE=1 -sEXPORT_NAME=createXas -sENVIRONMENT=web,node -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=1048576 \
  -sEXPORTED_FUNCTIONS=_playground -sEXPORTED_RUNTIME_METHODS=cwrap -o "$out/module.js"

# The module goes into the page.
awk -v module="$out/module.js" '
  index($0, "@MODULE@") {
    sub("@MODULE@.*", ""); printf "%s", $0
    while ((getline line < module) > 0) print line
    print "</script>"; next
  }
  { print }' "$here/index.html.in" > "$out/xas.html"
rm "$out/module.js"
echo "$out/xas.html: $(stat -c %s "$out/xas.html") bytes, compressed $(gzip -9 < "$out/xas.html" | wc -c)"
