#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# flags.sh BUILD [MACHINE...]: one C and one C++ file through gcc's and clang's flags, assembled by xas and by GNU as.
# Machines: arm64, arm, thumb; all of them unless told. The report of xas-diff follows. The text that the compilers
# write is kept under BUILD/flags. Symbols in another order are counted, and are no failure. Left out are flags of clang whose
# text GNU as does not take.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?flags.sh: which BUILD?}" && pwd)
shift
[ $# != 0 ] || set -- arm64 arm thumb
out=$build/flags
rm -rf "$out"

# For each machine: flags, a line of them each; `gcc:` or `clang:` in front are for that compiler alone.
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
-O2 -fPIC
-O2 -fPIC -fvisibility=hidden
-O2 -fPIC -fno-plt
-O2 -fno-pie
-O2 -fPIC -ftls-model=global-dynamic
-O2 -fPIC -ftls-model=local-dynamic
-O2 -fPIC -ftls-model=initial-exec
-O2 -ftls-model=local-exec
-O2 -fno-common
-O2 -fcommon
-O2 -fstack-protector-all
-O2 -fsanitize=undefined
-O2 -finstrument-functions
-O2 -pg
-O2 --coverage
-O2 -g -gz
-O3 -g3 -fPIC -ffunction-sections
-Os
gcc:-O2 -fsection-anchors
gcc:-O2 -fno-section-anchors
gcc:-O2 -g3 -fsection-anchors -ftls-model=local-exec
gcc:-O2 -fsection-anchors -fPIC -ftls-model=global-dynamic
gcc:-O2 -fno-dwarf2-cfi-asm -g
gcc:-O2 -g -gno-as-loc-support
gcc:-O2 -g -gas-locview-support
gcc:-O2 -flto -ffat-lto-objects
gcc:-O2 -fverbose-asm
clang:-O2 -femulated-tls
END
  case $1 in
    arm64) cat << 'END' ;;
-O2 -fpatchable-function-entry=4
-O2 -fpatchable-function-entry=6,2
-O2 -g -fpatchable-function-entry=3,3 -ffunction-sections
gcc:-O2 -mbranch-protection=standard
gcc:-O2 -mbranch-protection=pac-ret+leaf
gcc:-O2 -mbranch-protection=bti -g3
-O2 -mcmodel=tiny -fno-pie
gcc:-O2 -mcmodel=large -fno-pie
-O2 -march=armv8.2-a+sve -ftree-vectorize
-O2 -march=armv9-a -g
-O2 -mno-outline-atomics
-O2 -fno-omit-frame-pointer -mtls-size=24
gcc:-O2 -fPIC -mtls-dialect=trad
gcc:-O2 -mlow-precision-sqrt -ffast-math -mcpu=neoverse-n1
END
    *) cat << 'END' ;;
gcc:-O2 -fpatchable-function-entry=4
gcc:-O2 -fpatchable-function-entry=6,2
gcc:-O2 -g -fpatchable-function-entry=3,3 -ffunction-sections
-O2 -mfloat-abi=softfp -march=armv7-a -mfpu=neon
gcc:-O2 -march=armv7-a+mp+sec -mfpu=vfpv3-d16
-O2 -march=armv8-a -mfpu=neon-fp-armv8
-O2 -mlong-calls
-O2 -mno-unaligned-access
clang:-O2 -mno-movt
gcc:-O2 -mword-relocations
gcc:-O2 -mtls-dialect=gnu2 -fPIC
gcc:-O2 -mtp=soft
END
  esac
}

# What the compiler's driver passes to its assembler.
assembler_options() {
  "$@" -c -x c /dev/null -o /dev/null -### 2>&1 | grep -E '(^| |/|-)as"? ' | tail -n 1 | tr -d '"' | tr ' ' '\n' |
    awk '/(^|[\/-])as$/ || /\.s$/ || /^$/ || /^\/dev\/null$/ || /^-o$/ || /\/T?m?p?\/cc/ { next } { print }'
}

compile() {  # ORACLE COMPILER MACHINE NUMBER FLAGS COMMAND...
  local oracle=$1 compiler=$2 machine=$3 number=$4 words=$5
  shift 5
  local dir=$out/$oracle/$compiler-$machine-$number
  mkdir -p "$dir/program"
  echo "$words" > "$dir/flags"
  local language file
  for language in c c++; do
    file=$dir/program/program.${language/c++/cpp}
    # shellcheck disable=SC2086
    "$@" $words -x $language -S -o "$file.s" "$here/flags-program.${language/c++/cpp}" 2> "$dir/errors" ||
      { echo "flags.sh: $compiler refuses $words ($machine)" && sed 3q "$dir/errors" && rm -f "$file.s"; } >&2
  done
  if [ "$oracle" = gnu ]; then
    # shellcheck disable=SC2086
    assembler_options "$@" $words > "$dir/options" || true
  fi
}

for machine; do
  case $machine in
    arm64) gcc=aarch64-linux-gnu-gcc-12 triple=aarch64-linux-gnu extra=() ;;
    arm) gcc=arm-linux-gnueabihf-gcc-12 triple=armv7-linux-gnueabihf extra=(-marm) ;;
    thumb) gcc=arm-linux-gnueabihf-gcc-12 triple=armv7-linux-gnueabihf extra=(-mthumb) ;;
    *) echo "flags.sh: unknown machine $machine" >&2; exit 2 ;;
  esac
  number=0
  while read -r line; do
    number=$((number + 1))
    name=$(printf '%03d' $number)
    case $line in clang:*) ;; *) compile gnu gcc "$machine" "$name" "${line#gcc:}" "$gcc" "${extra[@]}" ;; esac
    case $line in
      gcc:*) ;;
      *) compile gnu clang "$machine" "$name" "${line#clang:}" \
        clang-22 "--target=$triple" "${extra[@]}" -fno-integrated-as ;;
    esac
  done < <(flags "$machine")
done

exec "$build/tests/differential/xas-diff" --xas "$build/xas" --no-families "$out"
