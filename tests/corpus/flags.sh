#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# flags.sh BUILD [MACHINE...]: one C and one C++ file through gcc's and clang's flags, assembled by xas and by the reference
# assembler. Machines: x64, i386, x32, arm64, arm, thumb, w64, w32; all of them unless told. The reports of xas-diff follow, and
# the sum of their last lines. The text that the compilers write is kept under BUILD/flags, a folder for each pair of compiler
# and assembler.
#
# GCC 12 is judged by GNU as, clang 22 by both. Newer compilers are judged by the assembler of their time, where both are
# installed: GCC 14 by GNU as 2.44, GCC 15 and 16 by 2.47, clang 23 by LLVM 23. $XAS_COMPILERS chooses of `compilers` below.
# gcc-14, gcc-15 and gcc-16 get their text on standard input; $XAS_GCC_14 and so on are commands in their place.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
build=$(cd "${1:?flags.sh: which BUILD?}" && pwd)
shift
[ $# != 0 ] || set -- x64 i386 x32 arm64 arm thumb w64 w32
out=$build/flags
jobs=${XAS_JOBS:-2}
compilers=${XAS_COMPILERS:-gcc-12 clang-22-gnu clang-22-llvm gcc-14 gcc-15 gcc-16 clang-23}
rm -rf "$out"
mkdir -p "$out"
list=$out/list
: > "$list"

# For each machine: flags, a line of them each; `gcc:` or `clang:` in front are for that compiler alone, `llvm:` for clang
# judged by LLVM, where GNU as does not take what comes out.
flags() {
  local optimization debug
  for optimization in -O0 -O2; do
    for debug in -g0 -g1 -g -g3 "-gdwarf-2 -gstrict-dwarf" -gdwarf-4 "-g -gsplit-dwarf" "-g -fdebug-types-section" \
      "-g3 -fno-asynchronous-unwind-tables"; do
      echo "$optimization $debug"
    done
  done
  cat << 'END'
-O2 -fno-asynchronous-unwind-tables
-O2 -ffunction-sections -fdata-sections
-O2 -fno-common
-O2 -fcommon
-O2 -fstack-protector-all
-O2 -fsanitize=undefined
-O2 -finstrument-functions
-O2 -pg
-O2 --coverage
-O2 -g -gz
-Os
-O1 -gdwarf-5 -gdwarf64
-O2 -fpatchable-function-entry=4
-O2 -fpatchable-function-entry=6,2
-O2 -g -fpatchable-function-entry=3,3 -ffunction-sections
gcc:-O2 -fno-dwarf2-cfi-asm -g
gcc:-O2 -g -gno-as-loc-support
gcc:-O2 -g -gas-locview-support
gcc:-O2 -flto -ffat-lto-objects
gcc:-O2 -fverbose-asm
clang:-O2 -femulated-tls
END
  case $1 in w64 | w32) ;; *) cat << 'END' ;; esac
-O2 -fPIC
-O2 -fPIC -fvisibility=hidden
-O2 -fPIC -fno-plt
-O2 -fno-pie
-O2 -fPIC -ftls-model=global-dynamic
-O2 -fPIC -ftls-model=local-dynamic
-O2 -fPIC -ftls-model=initial-exec
-O2 -ftls-model=local-exec
-O3 -g3 -fPIC -ffunction-sections
END
  case $1 in arm64 | arm | thumb) cat << 'END' ;; esac
gcc:-O2 -fsection-anchors
gcc:-O2 -fno-section-anchors
gcc:-O2 -g3 -fsection-anchors -ftls-model=local-exec
gcc:-O2 -fsection-anchors -fPIC -ftls-model=global-dynamic
END
  case $1 in arm64 | arm | thumb) ;; *) cat << 'END' ;; esac
-O2 -fcf-protection=none
-O2 -fcf-protection=full
-O2 -fno-stack-clash-protection
-O2 -fstack-clash-protection -g
-O3 -march=x86-64-v4
-O3 -march=sapphirerapids -g
-O2 -fno-omit-frame-pointer -mno-red-zone
-O1 -masm=intel
-O2 -m80387 -mlong-double-64
gcc:-O2 -mindirect-branch=thunk -mfunction-return=thunk
gcc:-O2 -mfpmath=387
clang:-O2 -mretpoline
clang:-O2 -fbasic-block-sections=all
clang:-O2 -fstack-size-section
llvm:-O2 -faddrsig -fno-unique-section-names -ffunction-sections
END
  case $1 in
    arm64) cat << 'END' ;;
gcc:-O2 -mbranch-protection=standard
gcc:-O2 -mbranch-protection=pac-ret+leaf
gcc:-O2 -mbranch-protection=bti -g3
llvm:-O2 -mbranch-protection=standard
-O2 -mcmodel=tiny -fno-pie
gcc:-O2 -mcmodel=large -fno-pie
-O2 -march=armv8.2-a+sve -ftree-vectorize
-O2 -march=armv9-a -g
-O2 -mno-outline-atomics
-O2 -fno-omit-frame-pointer -mtls-size=24
-O1 -fsanitize=address -g
-O1 -fsanitize=thread
gcc:-O2 -fPIC -mtls-dialect=trad
gcc:-O2 -mlow-precision-sqrt -ffast-math -mcpu=neoverse-n1
END
    arm | thumb) cat << 'END' ;;
-O2 -mfloat-abi=softfp -march=armv7-a -mfpu=neon
gcc:-O2 -march=armv7-a+mp+sec -mfpu=vfpv3-d16
-O2 -march=armv8-a -mfpu=neon-fp-armv8
-O2 -mlong-calls
-O2 -mno-unaligned-access
clang:-O2 -mno-movt
gcc:-O2 -mword-relocations
gcc:-O2 -mtls-dialect=gnu2 -fPIC
gcc:-O2 -mtp=soft
-O1 -fsanitize=address -g
END
    x64 | i386 | x32) cat << 'END' ;;
-O1 -fsanitize=address -g
-O2 -fPIC -mtls-dialect=gnu2
gcc:-O2 -fsplit-stack
gcc:-O2 -pg -mfentry -mrecord-mcount -fno-pie
gcc:-O2 -fno-plt -mno-direct-extern-access -fPIC
END
    w64 | w32) cat << 'END' ;;
gcc:-O2 -gstabs
llvm:-O2 -g -gcodeview
-O2 -mno-ms-bitfields
-O1 -fno-exceptions -fno-rtti
clang:-O1 -fexceptions -fseh-exceptions
END
  esac
  case $1 in x64) cat << 'END' ;; esac
-O2 -mcmodel=medium
-O2 -mcmodel=large -fno-pie
-O1 -mcmodel=large -fPIC
-O2 -mcmodel=kernel -fno-pie -fno-pic
-O1 -fsanitize=thread
gcc:-O2 -fcallgraph-info -ftrampolines
END
}

# The command of a compiler for a machine; nothing if it is not there.
driver() {  # COMPILER MACHINE
  local release=${1#*-} command
  release=${release%%-*}
  case $1-$2 in
    clang-*-x64) command="clang-$release --target=x86_64-linux-gnu" ;;
    clang-*-i386) command="clang-$release --target=i386-linux-gnu" ;;
    clang-*-x32) command="clang-$release --target=x86_64-linux-gnux32" ;;
    clang-*-arm64) command="clang-$release --target=aarch64-linux-gnu" ;;
    clang-*-arm) command="clang-$release --target=armv7-linux-gnueabihf -marm" ;;
    clang-*-thumb) command="clang-$release --target=armv7-linux-gnueabihf -mthumb" ;;
    clang-*-w64) command="clang-$release --target=x86_64-w64-windows-gnu" ;;
    clang-*-w32) command="clang-$release --target=i686-w64-windows-gnu" ;;
    gcc-*-x64) command="gcc-$release -m64" ;;
    gcc-*-i386) command="gcc-$release -m32" ;;
    gcc-*-x32) command="gcc-$release -mx32" ;;
    gcc-*-arm64) command="aarch64-linux-gnu-gcc-$release" ;;
    gcc-*-arm) command="arm-linux-gnueabihf-gcc-$release -marm" ;;
    gcc-*-thumb) command="arm-linux-gnueabihf-gcc-$release -mthumb" ;;
    gcc-12-w64) command="x86_64-w64-mingw32-gcc" ;;
    gcc-12-w32) command="i686-w64-mingw32-gcc" ;;
  esac
  local prefix=XAS_GCC_$release
  case $1 in gcc-*) prefix=${!prefix:-} ;; *) prefix= ;; esac
  # shellcheck disable=SC2086
  if [ -n "${command:-}" ] && $prefix $command --version > /dev/null 2>&1; then echo "$prefix $command"; fi
}

# What the compiler's driver passes to its assembler, a line for each option.
gnu_options() {
  "$@" -c -x c /dev/null -o /dev/null -### 2>&1 | grep -E '(^| |/|-)as"? ' | tail -n 1 | tr -d '"' | tr ' ' '\n' |
    awk '/(^|[\/-])as$/ || /\.s$/ || /^$/ || /^\/dev\/null$/ || /^-o$/ || /\/T?m?p?\/cc/ { next } { print }'
}

# What clang tells its own assembler, in llvm-mc's words. What compilers write says its build attributes itself.
llvm_options() {
  "$@" -c -x assembler /dev/null -o /dev/null -### 2>&1 | grep -- '"-cc1as"' | tail -n 1 | tr -d '"' | tr ' ' '\n' | awk '
    last == "-triple" { print "-triple=" $0 }
    last == "-target-cpu" { print "-mcpu=" $0 }
    last == "-target-feature" { features = features separator $0; separator = "," }
    /^--compress-debug-sections/ { print }
    /^-gdwarf64$/ { print "-dwarf64" }
    { last = $0 }
    END { if (features != "") print "-mattr=" features }'
}

compile() {  # FOLDER FILE COMMAND...: what a compiler refuses is said in BUILD/flags/refused
  local dir=$1 file=$2
  shift 2
  cd "$dir"  # for what compilers write beside
  "$@" -S -o - - < "$here/flags-program.$file" > "$dir/program/program.$file.s" 2> "$dir/errors" && return
  rm -f "$dir/program/program.$file.s"
  echo "$* ($file): $(sed 1q "$dir/errors")" >> "$out/refused"
}
export -f compile gnu_options llvm_options
export here out

add() {  # COMPILER ORACLE MACHINE NUMBER FLAGS COMMAND: what is to be done
  local oracle=$2 extra=
  case $1 in clang-*-gnu) extra=-fno-integrated-as ;; esac
  local dir=$out/$1/$oracle/${1%%-*}-$3-$4
  mkdir -p "$dir/program"
  echo "$5" > "$dir/flags"
  case $oracle-$3 in
    gnu-w64) echo x86_64-w64-mingw32-as > "$dir/assembler" ;;
    gnu-w32) echo i686-w64-mingw32-as > "$dir/assembler" ;;
  esac
  echo "compile $dir c $6 $5 $extra -x c"
  echo "compile $dir cpp $6 $5 $extra -x c++"
  echo "${oracle}_options $6 $5 $extra > $dir/options"
}

for compiler in $compilers; do
  case $compiler in gcc-* | *-gnu) oracle=gnu ;; *) oracle=llvm ;; esac
  for machine; do
    # GNU as can't read clang's COMDATs and ends of functions for Windows.
    case $compiler-$machine in clang-*-gnu-w*) continue ;; esac
    command=$(driver "$compiler" "$machine")
    [ -n "$command" ] || continue
    number=0
    while read -r line; do
      number=$((number + 1))
      case $line in
        "${compiler%%-*}":* | "$oracle":*) line=${line#*:} ;;
        gcc:* | clang:* | llvm:*) continue ;;
      esac
      add "$compiler" $oracle "$machine" "$(printf '%03d' $number)" "$line" "$command" >> "$list"
    done < <(flags "$machine")
  done
done
tr '\n' '\0' < "$list" | xargs -0 -P "$jobs" -I LINE bash -c LINE || true

for compiler in $compilers; do
  [ -d "$out/$compiler" ] || continue
  case $compiler in
    gcc-14) release=(--gnu 2.44) oracle=as-2.44-x86_64-linux-gnu ;;
    gcc-15 | gcc-16) release=(--gnu 2.47) oracle=as-2.47-x86_64-linux-gnu ;;
    clang-23) release=(--llvm 23) oracle=llvm-mc-23 ;;
    *) release=() oracle=as ;;
  esac
  command -v "$oracle" > /dev/null || { echo "flags.sh: $oracle is not installed; $compiler is left out"; continue; }
  echo "$compiler:"
  line=$("$build/tests/differential/xas-diff" --xas "$build/xas" "${release[@]}" --jobs "$jobs" --no-families \
    --report "$out/$compiler.tsv" "$out/$compiler" | tee >(cat >&2) | tail -n 1) || true
  add_up "$line" || true
done
finish
