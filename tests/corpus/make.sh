#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make.sh [--small] [--only PATTERN]: compile the test programs to assembler text, under build/corpus/s.
#
# The folders tell the kind: ORACLE/COMPILER-BITS-VARIANT/PACKAGE/FILE.s, where ORACLE is gnu (compare with GNU as) or
# llvm (compare with llvm-mc). A file `options` in ORACLE/COMPILER-BITS-VARIANT has the options that the compiler's
# driver would pass to its assembler. What exists is not compiled again. --small is the part that fits a test run; the
# whole corpus takes about 30 minutes on two cores. --only makes the folders ORACLE/COMPILER-BITS-VARIANT/PACKAGE that match
# a regular expression.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=$(realpath -m "${XAS_CORPUS:-$root/build/corpus}")
src=$cache/src
out=$cache/s
jobs=${XAS_JOBS:-2}
small=no only=
while [ $# != 0 ]; do
  case $1 in
    --small) small=yes ;;
    --only) only=${2:?a pattern}; shift ;;
    *) echo "make.sh: unknown option $1" >&2; exit 2 ;;
  esac
  shift
done
"$here/fetch.sh"
export GCC=gcc-12 GXX=g++-12 CLANG=clang-22 CLANGXX=clang++-22

list=$(mktemp)
beside=$cache/beside  # what compilers write beside their output (clang -gsplit-dwarf)
mkdir -p "$beside"
trap 'rm -rf "$list" "$beside"' EXIT

# The driver's assembler options for the compiler "$@", without input, output and clang's path to as.
driver_options() {
  "$@" -c -x c /dev/null -o /dev/null -### 2>&1 | grep -E '(^| |/|-)as"? ' | tail -n 1 | tr -d '"' | tr ' ' '\n' |
    awk '/(^|[\/-])as$/ || /\.s$/ || /^$/ || /^\/dev\/null$/ || /^-o$/ { next } { print }'
}

architecture() { case $1 in 32) echo i386 ;; 64) echo x86_64 ;; arm64) echo aarch64 ;; arm | thumb) echo armv7 ;; esac; }

# add KIND COMPILER-NAME BITS VARIANT PACKAGE FLAGS FILES...: one line of the job list for each file
add() {
  local oracle=$1 compiler=$2 bits=$3 variant=$4 package=$5 flags=$6
  shift 6
  local dir=$out/$oracle/$compiler-$bits-$variant
  [ -z "$only" ] || [[ $oracle/$compiler-$bits-$variant/$package =~ $only ]] || return 0
  mkdir -p "$dir/$package"
  local driver
  local arch=x86_64
  [ "$bits" != 32 ] || arch=i686
  [ "$bits" != arm64 ] || arch=aarch64
  [ "$bits" != thumb ] || arch=thumbv7
  local headers=${arch/aarch64/x86_64}  # of mingw, which has none for ARM
  headers=${headers/thumbv7/i686}
  case $compiler in
    mingw) driver="$arch-w64-mingw32-gcc" ;;
    clangw) driver="$CLANG --target=$arch-w64-windows-gnu -isystem /usr/$headers-w64-mingw32/include" ;;
    # Microsoft's environment with mingw's headers, which want to be read by a compiler like gcc
    clangm) driver="$CLANG --target=$arch-pc-windows-msvc -fgnuc-version=4.2.1 -isystem $here/msvc -isystem /usr/x86_64-w64-mingw32/include" ;;
    gcc) driver=$([ "$bits" = arm64 ] && echo "aarch64-linux-gnu-$GCC" || echo "$GCC -m$bits") ;;
    clang) driver="$CLANG --target=$(architecture "$bits")-linux-gnu" ;;
  esac
  case $compiler-$bits in
    gcc-arm | gcc-thumb) driver="arm-linux-gnueabihf-$GCC -march=armv7-a -mfpu=vfpv3-d16 -m$bits" ;;
    clang-arm | clang-thumb) driver="$CLANG --target=armv7-linux-gnueabihf -m$bits -isystem /usr/arm-linux-gnueabihf/include" ;;
  esac
  # Debian has <asm/...> for 32 bits in the 64-bit directory.
  case $bits$compiler in 32gcc | 32clang) driver+=" -idirafter /usr/include/x86_64-linux-gnu" ;; esac
  [ "$oracle-$compiler" != gnu-clang ] || driver+=" -fno-integrated-as"
  if [ ! -e "$dir/options" ] && [ "$compiler" = mingw ]; then
    : > "$dir/options"
    echo "$arch-w64-mingw32-as" > "$dir/assembler"
  elif [ ! -e "$dir/options" ] && [ "$compiler" = clangw ]; then
    echo "-triple=$arch-w64-windows-gnu" > "$dir/options"
    [ "$bits" != thumb ] || echo "-mattr=+neon,+vfp4,+hwdiv,+mp" >> "$dir/options"
  elif [ ! -e "$dir/options" ] && [ "$compiler" = clangm ]; then
    echo "-triple=$arch-pc-windows-msvc" > "$dir/options"
  elif [ ! -e "$dir/options" ]; then
    if [ "$oracle" = gnu ]; then
      # shellcheck disable=SC2086
      driver_options $driver $flags > "$dir/options"
    else
      {
        echo "-triple=$(architecture "$bits")-linux-gnu$(case $bits in arm | thumb) echo eabihf ;; esac)"
        case $bits in arm | thumb) echo "-mattr=+neon,+hwdiv,+hwdiv-arm,+mp" ;; esac
        # What the compiler tells its own assembler.
        case " $flags " in *" -march=armv9-a "*) echo "-mattr=+v9a,+sve2" ;; *" -march=armv"*) echo "-mattr=+all" ;; esac
        case " $flags " in *" -gz "*) echo "--compress-debug-sections=zlib" ;; esac
      } > "$dir/options"
    fi
  fi
  local file name language
  for file in "$@"; do
    name=$dir/$package/$(basename "${file%.*}").s
    case $file in *.cpp) language="-std=c++20" ;; *) language= ;; esac
    [ -e "$name" ] || echo "$driver $flags $language -w -S $file -o $name" >> "$list"
  done
}

lua=$src/lua5.4/src
lua_flags="-DLUA_USE_LINUX -DLUA_COMPAT_5_3"
sqlite=$src/sqlite3/amalgamation
sqlite_flags="-DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE"
zlib=$src/zlib

# choose FILES...: sets `chosen`; in a test run to every other one, for each set of flags in turn the first or the second of two
turn=0
choose() {
  chosen=("$@")
  [ $small = yes ] || return 0
  local i
  for ((i = turn % 2; i < $#; i += 2)); do unset "chosen[i]"; done
}

# programs KIND COMPILER BITS VARIANT FLAGS [nosqlite]
programs() {
  turn=$((turn + 1))
  choose "$lua"/*.c
  add "$1" "$2" "$3" "$4" lua5.4 "$5 $lua_flags" "${chosen[@]}"
  choose "$zlib"/*.c "$zlib"/test/{example,minigzip,infcover}.c
  add "$1" "$2" "$3" "$4" zlib "$5 -DHAVE_UNISTD_H -I$zlib" "${chosen[@]}"
  if [ "${6:-}" != nosqlite ]; then
    add "$1" "$2" "$3" "$4" sqlite3 "$5 $sqlite_flags" "$sqlite"/{sqlite3,shell}.c
  fi
}

# cxx KIND COMPILER BITS VARIANT FLAGS
cxx() {
  turn=$((turn + 1))
  choose "$here"/cxx/*.cpp "$here"/cxx/*.c
  add "$1" "$2" "$3" "$4" cxx "$5" "${chosen[@]}"
}

windows_sqlite() { add "$1" "$2" "$3" "$4" sqlite3 "$5 $sqlite_flags" "$sqlite"/sqlite3.c; }

# windows KIND COMPILER BITS VARIANT FLAGS: what needs no Unix
windows() {
  turn=$((turn + 1))
  choose "$lua"/*.c
  [ "$small-$2" = yes-clangm ] || add "$1" "$2" "$3" "$4" lua5.4 "$5 -DLUA_COMPAT_5_3" "${chosen[@]}"
  choose "$zlib"/*.c
  add "$1" "$2" "$3" "$4" zlib "$5 -I$zlib" "${chosen[@]}"
  [ "$small" = yes ] || windows_sqlite "$@"
  case $2$3 in mingw64 | clangmarm64) ;; *) return 0 ;; esac
  [ "$2" != clangm ] || add "$1" "$2" "$3" "$4" windows "$5 -fcxx-exceptions -fexceptions" "$here"/msvc/*.cpp
  [ "$2" != mingw ] || add "$1" "$2" "$3" "$4" windows "$5" "$root"/tests/e2e/windows.cpp
}
if command -v x86_64-w64-mingw32-gcc > /dev/null && command -v i686-w64-mingw32-gcc > /dev/null; then
  windows gnu mingw 64 O2 -O2
  windows gnu mingw 32 O2-g "-O2 -g"
  windows llvm clangw 64 O2-codeview "-O2 -g -gcodeview"
  windows llvm clangw 32 O2 -O2
  windows llvm clangm arm64 O2-codeview "-O2 -g -gcodeview"
  # The benchmark's inputs; a test run has one of them.
  if [ $small = yes ]; then windows_sqlite llvm clangw 64 O2-codeview "-O2 -g -gcodeview"; fi
  if [ $small = no ]; then
    windows llvm clangw arm64 O0-g "-O0 -g"
    windows llvm clangw arm64 O2 -O2
    windows llvm clangw arm64 O2-codeview "-O2 -g -gcodeview"
    windows llvm clangm arm64 O0-codeview "-O0 -g -gcodeview -ffunction-sections"
    windows llvm clangm 64 O2-codeview "-O2 -g -gcodeview"
    windows gnu mingw 64 O2-g "-O2 -g"
    windows gnu mingw 64 Os -Os
    windows llvm clangw 64 O0-g "-O0 -g"
    windows llvm clangw 32 O0-codeview "-O0 -g -gcodeview"
  fi
fi

spr="-O3 -march=sapphirerapids"
for compiler in gcc clang; do
  case $compiler in
    gcc) oracles="gnu" ;;
    clang) oracles="llvm gnu" ;;
  esac
  for oracle in $oracles; do
    [ "$small-$oracle-$compiler" != yes-gnu-clang ] || { programs gnu clang 64 O2-g "-O2 -g" nosqlite; continue; }
    while IFS='|' read -r variant flags; do
      [ -n "$variant" ] || continue
      case $small-$variant in
        no-*) programs $oracle $compiler 64 $variant "$flags"; programs $oracle $compiler 32 $variant "$flags" ;;
        yes-O2 | yes-O2-g) programs $oracle $compiler 64 $variant "$flags" ;;
        yes-O0-g | yes-Os | yes-spr) programs $oracle $compiler 64 $variant "$flags" nosqlite ;;
      esac
    done <<EOF
O0-g|-O0 -g
O2|-O2
O2-g|-O2 -g
Os|-Os
spr|$spr
pic|-O2 -fPIC
EOF
    [ $small = no ] || programs $oracle $compiler 32 O2-g "-O2 -g" nosqlite
    bits_list="64 32"
    for bits in $bits_list; do
      while IFS='|' read -r who variant flags; do
        [ -n "$who" ] || continue
        [ "$who" = both ] || [ "$who" = $compiler ] || [ "$who" = $compiler$bits ] || [ "$who" = both$bits ] || continue
        cxx $oracle $compiler $bits "cxx-$variant" "$flags"
      done < "$here/variants.txt"
    done
  done
done

# AArch64: gcc against GNU as, clang against llvm-mc.
for kind in gnu:gcc llvm:clang; do
  while IFS='|' read -r variant flags; do
    case $small-$variant in yes-O0-g | yes-O2) continue ;; esac
    programs ${kind%:*} ${kind#*:} arm64 $variant "$flags" $([ $small = no ] || echo nosqlite)
  done <<EOF
O0-g|-O0 -g
O2|-O2
O2-g|-O2 -g
v9|-O3 -march=armv9-a
EOF
  # C++ needs the cross compiler's library.
  [ -d /usr/aarch64-linux-gnu/include/c++ ] || continue
  while IFS='|' read -r who variant flags; do
    [ "$who" = both ] || [ "$who" = "${kind#*:}" ] || continue
    case $small-$variant in no-* | yes-pauth) ;; *) continue ;; esac
    cxx ${kind%:*} ${kind#*:} arm64 "cxx-$variant" "$flags"
  done < "$here/variants-arm64.txt"
done

# ARM: the same for Linux, in A32 and Thumb code, and clang for Windows.
# sqlite3 is for tests/bench alone, which asks for it.
if command -v arm-linux-gnueabihf-$GCC > /dev/null; then
  for bits in arm thumb; do
    for kind in gnu:gcc llvm:clang; do
      while IFS='|' read -r variant flags; do
        case $small-$variant in yes-O0-g) continue ;; esac
        if [ $small = no ]; then
          programs ${kind%:*} ${kind#*:} $bits $variant "$flags" $([ -n "$only" ] || echo nosqlite)
        else
          add ${kind%:*} ${kind#*:} $bits $variant lua5.4 "$flags $lua_flags" "$lua"/l{vm,api,strlib}.c
          add ${kind%:*} ${kind#*:} $bits $variant zlib "$flags -I$zlib" "$zlib"/{deflate,inflate,crc32}.c
        fi
      done <<EOF
O0-g|-O0 -g
O2|-O2
O2-g|-O2 -g
EOF
    done
  done
fi
if [ $small = no ]; then
  windows llvm clangw thumb O2 -O2
  windows llvm clangw thumb O0 -O0
else
  add llvm clangw thumb O2 lua5.4 "-O2 -DLUA_COMPAT_5_3" "$lua"/l{vm,api,strlib,code,auxlib}.c
  add llvm clangw thumb O2 zlib "-O2 -I$zlib" "$zlib"/{deflate,inflate,crc32}.c
fi

total=$(wc -l < "$list")
[ "$total" = 0 ] || echo "corpus: compiling $total files with $jobs jobs"
# A file appears under its name only when the compiler has finished it.
cd "$beside"
< "$list" xargs -P "$jobs" -d '\n' -I{} bash -c '
  set -- {}
  name=${!#}
  if "${@:1:$#-1}" "$name.part" 2> "$name.log"; then mv "$name.part" "$name"; rm -f "$name.log"
  else rm -f "$name.part"; fi'
failed=$(find "$out" -name '*.s.log' | wc -l)
if [ "$failed" != 0 ]; then
  echo "corpus: $failed files could not be compiled, the first of them:"
  first=$(find "$out" -name '*.s.log' | sort | head -n 1)
  echo "$first"
  head -n 3 "$first"
fi
echo "corpus: $(find "$out" -name '*.s' | wc -l) files in $out"
