#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build-programs.sh XAS [WORK-DIRECTORY]: builds lua, zlib, sqlite3 and a C++ program by gcc and by clang with xas as their
# assembler, for this machine, AArch64 and ARM, and once more of the objects that GNU as makes of the same text, and runs
# both. What the two print has to be the same. XAS_E2E_RUNS: a pattern of the runs to be made.
#
# Last line: "N passed, N failed".
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$here/../lib.sh"
xas=$(realpath "${1:?the xas program}")
src=${XAS_CORPUS:-$root/build/corpus}/src
work=${2:-$(mktemp -d /tmp/xas-e2e-XXXXXX)}
[ -n "${2:-}" ] || trap 'rm -rf "$work"' EXIT
jobs=${XAS_JOBS:-2}
"$root/tests/corpus/fetch.sh" || exit 1

# use_assembler DIRECTORY GNU-AS OPTION...: what a compiler finds as `as` in DIRECTORY/bin. xas, with the options, makes its object
# in DIRECTORY/xas, and GNU as one of the same text in DIRECTORY/usual. It counts the calls of xas, so that a run that used
# another assembler cannot pass. What GNU as says, much of clang's text, is in DIRECTORY/gnu-as.log.
use_assembler() {
  local directory=$1 gnu=$2
  shift 2
  mkdir -p "$directory"/{bin,usual,xas}
  cat > "$directory/bin/as" << EOF
#!/bin/bash
echo x >> "$directory/calls"
"$xas" $* "\$@" || exit
made="$directory/xas/" twin="$directory/usual/"
exec $gnu "\${@/#\$made/\$twin}" 2>> "$directory/gnu-as.log"
EOF
  chmod +x "$directory/bin/as"
}


# compile COMPILER FLAGS OBJECT-DIRECTORY FILES...: every file to an object; those of GNU as are there already
compile() {
  local compiler=$1 flags=$2 directory=$3
  shift 3
  [ "${directory##*/}" = xas ] || return 0
  printf '%s\n' "$@" | xargs -P "$jobs" -I{} sh -c \
    "$compiler $flags -w -c '{}' -o \"$directory/\$(basename '{}').o\" || { echo 'cannot build {}'; exit 255; }" 2>&1 | head -n 20
  [ "${PIPESTATUS[1]}" = 0 ]
}

# The programs: each function gets the compilers, the flags, and a directory; it leaves programs there.
build_lua() {
  local files=("$src"/lua5.4/src/l*.c)
  compile "$1" "$3 -DLUA_USE_LINUX -DLUA_COMPAT_5_3" "$4" "${files[@]}" &&
    $1 -o "$4/lua" $(printf '%s\n' "$4"/*.o | grep -v luac) -Wl,-E -lm -ldl &&
    $1 -o "$4/luac" $(printf '%s\n' "$4"/*.o | grep -v 'lua\.c\.o') -lm -ldl
}
build_zlib() {
  compile "$1" "$3 -DHAVE_UNISTD_H -I$src/zlib" "$4" "$src"/zlib/*.c "$src"/zlib/test/{example,minigzip,infcover}.c &&
    for tool in example minigzip infcover; do
      $1 -o "$4/$tool" "$4/$tool.c.o" $(printf '%s\n' "$4"/*.c.o | grep -vE '/(example|minigzip|infcover)\.c\.o') || return 1
    done
}
build_sqlite() {
  compile "$1" "$3 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE" "$4" "$src"/sqlite3/amalgamation/{sqlite3,shell}.c &&
    $1 -o "$4/sqlite3" "$4"/*.o -lpthread -ldl -lm
}
build_cxx() {
  compile "$2" "$3 -std=c++20" "$4" "$root"/tests/corpus/cxx/*.cpp &&
    compile "$1" "$3" "$4" "$root"/tests/corpus/cxx/*.c && $2 -o "$4/program" "$4"/*.o
}

# What the programs do, in a directory of their own; everything they say goes to standard output.
run_lua() {
  "$1/lua" "$here/workload.lua"
  "$1/luac" -o out.luac "$here/workload.lua" && cksum < out.luac && "$1/lua" out.luac | cksum
}
run_zlib() {  # zlib's `make test`, and a round trip of real text
  ./example 2>&1 || "$1/example" example.gz
  "$1/infcover" 2>&1 | sed 's/0x[0-9a-f]*//g'
  echo hello world | "$1/minigzip" | "$1/minigzip" -d
  for level in -1 -6 -9; do
    cat "$src"/zlib/*.c | "$1/minigzip" $level > packed.gz && cksum < packed.gz && "$1/minigzip" -d < packed.gz | cksum && gzip -dc packed.gz | cksum
  done
}
run_sqlite() {
  "$1/sqlite3" base.db < "$here/workload.sql" 2>&1
  "$1/sqlite3" base.db .dump | cksum
}
run_cxx() { "$1/program"; "$1/program" --linkage; }

# program TRIPLE COMPILER PROGRAM FLAGS: builds it for this machine, or for AArch64 or ARM with gcc's cross compiler and with
# clang, linked statically, and runs it, there under qemu. Prints what went wrong.
program() {
  local triple=$1 compiler=$2 program=$3 flags=$4
  local machine=${triple%%-*} options= prefix= headers=
  local name="$program for $triple by $compiler $flags"
  local directory=$work/$program-$machine-$compiler${flags// /} cc cxx kind file
  mkdir -p "$directory"/{usual,xas}-run
  if [ "$machine" = x86_64 ]; then
    use_assembler "$directory" as
  else
    use_assembler "$directory" "$triple-as" "--target=$triple"
    prefix=$triple- options=-static
    [ "$machine" = aarch64 ] || headers="-isystem /usr/$triple/include"
  fi
  if [ "$compiler" = gcc ]; then
    cc="${prefix}gcc-12 $options" cxx="${prefix}g++-12 $options"
  else
    options="--target=$triple $headers $options -fno-integrated-as"
    cc="clang-22 $options" cxx="clang++-22 $options"
  fi
  for kind in xas usual; do
    "build_$program" "$cc -B$directory/bin" "$cxx -B$directory/bin" "$flags" "$directory/$kind" > "$directory/log" 2>&1 ||
      { cat "$directory/log"; echo "$name does not build: $kind"; return 1; }
  done
  [ "$(wc -l < "$directory/calls")" = "$(printf '%s\n' "$directory"/xas/*.o | wc -l)" ] || { echo "$name: xas was not called for every file"; return 1; }
  for kind in usual xas; do
    local programs=$directory/$kind
    # What runs under qemu does so through a script of its name, so that it can be called as any other.
    if [ "$machine" != x86_64 ]; then
      programs=$directory/$kind-qemu
      mkdir -p "$programs"
      for file in lua luac example minigzip infcover sqlite3 program; do
        [ -x "$directory/$kind/$file" ] || continue
        printf '#!/bin/sh\nexec qemu-%s "%s" "$@"\n' "$machine" "$directory/$kind/$file" > "$programs/$file"
        chmod +x "$programs/$file"
      done
    fi
    (cd "$directory/$kind-run" && "run_$program" "$programs" > "$directory/$kind.out" 2> "$directory/$kind.err"; echo "status $?" >> "$directory/$kind.out")
    cat "$directory/$kind.err" >> "$directory/$kind.out"
  done
  diff <(sed "s#$directory/usual##g" "$directory/usual.out") <(sed "s#$directory/xas##g" "$directory/xas.out") || { echo "$name: what the run prints"; return 1; }
  [ "$(wc -c < "$directory/usual.out")" -gt 100 ] || { echo "$name does nothing"; return 1; }
}

# All of them, side by side, each with a log of its own. sqlite comes first: it keeps one processor busy for half a minute.
x64=x86_64-linux-gnu arm64=aarch64-linux-gnu arm=arm-linux-gnueabihf fast="-O3 -march=x86-64-v3 -fPIC -ffunction-sections"
runs=("$x64 gcc sqlite -O2 -g" "$x64 clang sqlite -O1 -g" "$arm64 gcc sqlite -O1 -g" "$arm64 clang sqlite -O1"
  "$arm gcc sqlite -O1 -mthumb" "$arm clang sqlite -O1 -marm")
for compiler in gcc clang; do
  for program in lua zlib cxx; do runs+=("$x64 $compiler $program -O2 -g"); done
  ! grep -q avx2 /proc/cpuinfo || for program in lua zlib cxx; do runs+=("$x64 $compiler $program $fast"); done
done
runs+=("$arm64 gcc lua -O2 -g" "$arm64 gcc zlib -O3 -march=armv8.2-a -ffunction-sections" "$arm64 clang lua -O2 -g"
  "$arm64 clang zlib -O3 -march=armv8.2-a" "$arm64 gcc cxx -O2 -g" "$arm64 clang cxx -O1 -fPIC" "$arm gcc lua -O2 -g -marm"
  "$arm gcc zlib -O3 -mthumb -mcpu=cortex-a15 -ffunction-sections" "$arm clang lua -O2 -g -mthumb"
  "$arm clang zlib -O3 -marm -mcpu=cortex-a7")
mkdir -p "$work"
all_jobs=$jobs jobs=1 number=0
for run in "${runs[@]}"; do
  if [[ $run != $x64* ]]; then
    command -v "${run%% *}-gcc-12" > /dev/null && command -v "qemu-${run%%-*}" > /dev/null || continue
  fi
  [[ $run =~ ${XAS_E2E_RUNS:-.} ]] || continue
  number=$((number + 1))
  # shellcheck disable=SC2086
  (set -- $run; program "$1" "$2" "$3" "${*:4}" > "$work/run-$number.log" 2>&1; echo $? > "$work/run-$number.status") &
  [ "$(jobs -r | wc -l)" -lt "$all_jobs" ] || wait -n
done
wait
for i in $(seq $number); do
  check "$(tail -n 1 "$work/run-$i.log")" test "$(cat "$work/run-$i.status")" = 0
  head -n 20 "$work/run-$i.log"
done
finish
