#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# same-objects.sh OLD NEW [--quick] [--seed N] [--only NAME] [--instructions]: two builds of xas on the same inputs. Every
# object, exit status and message of NEW has to be that of OLD, in both profiles: one line for each difference, and
# "N passed, N failed" at the end.
#
# The inputs: the tests' cases, their own files for every target, random texts, compiler output
# (corpus/make.sh), and the suites of LLVM and GNU as if they are there (corpus/fetch.sh --mc-tests --gas-tests). --quick
# takes a sample. --only cases|own|random|corpus|mc|gas takes one of them.
#
# --instructions counts instead how many instructions the two execute for each input of xas-bench.
#
# The programs of the tests are those of build/test, or $XAS_BUILD.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=${XAS_BUILD:-$root/build/test}
corpus=${XAS_CORPUS:-$root/build/corpus}
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \?//p' "$0"; exit 2; }
old=$(realpath "$1") new=$(realpath "$2")
shift 2
quick=no seed=1 only= instructions=no
while [ $# != 0 ]; do
  case $1 in
    --quick) quick=yes ;;
    --seed) seed=$2; shift ;;
    --only) only=$2; shift ;;
    --instructions) instructions=yes ;;
    *) echo "same-objects.sh: unknown option $1" >&2; exit 2 ;;
  esac
  shift
done
. "$here/lib.sh"
temporary_folder
# Both are called xas, which usage and listings repeat.
mkdir "$tmp/old" "$tmp/new"
ln -s "$old" "$tmp/old/xas"
ln -s "$new" "$tmp/new/xas"
old=$tmp/old/xas new=$tmp/new/xas

# per QUICK FULL: one of them
per() { [ $quick = yes ] && echo "$1" || echo "$2"; }

# same NAME SAMPLE PLACE...: every SAMPLE-th case of these places; options of xas-diff stand among the places.
same() {
  local name=$1 sample=$2 line
  shift 2
  [ -z "$only" ] || [ "$only" = "$name" ] || return 0
  "$build/tests/differential/xas-diff" --same "$old" --xas "$new" --jobs "${XAS_JOBS:-2}" --sample "$sample" "$@" > "$tmp/log" 2>&1
  line=$(tail -n 1 "$tmp/log")
  if add_up "$line"; then sed '$d' "$tmp/log"; else cat "$tmp/log"; fi
  echo "$name: $line ($SECONDS s)" >&2
}

# The inputs that are files: each for every target.
own_files() {
  local file
  for file in "$here"/{object,object/*,fuzz/seeds}/*.s "$root"/examples/*.s; do
    printf '=== %s | all x32 thumb wa64 warm\n' "${file#"$here"/}"
    cat "$file"
    echo
  done
}

if [ $instructions = yes ]; then
  "$build/tests/bench/xas-bench" --instructions "$old" --xas "$new" --corpus "$corpus/s" --scale "$(per 0.2 1)"
  exit
fi
own_files > "$tmp/files.txt"
same own "$(per 7 1)" --tables "$tmp/files.txt"
# shellcheck disable=SC2046
same cases "$(per 6 1)" --tables $(ls "$here"/cases/*.txt | grep -v known)
"$build/xas-corpus" texts -o "$tmp/random" --count="$(per 5 60)" --seed="$seed" && same random 1 "$tmp/random"
[ ! -d "$corpus/s" ] || same corpus "$(per 13 1)" "$corpus/s"
mc=$corpus/src/llvm-tests/llvm/test/MC
[ ! -d "$mc" ] || same mc "$(per 11 1)" --mc-tests "$mc"/{ELF,AsmParser,COFF,X86,AArch64,ARM}
gas=$corpus/src/gas-tests/gas/testsuite/gas
[ ! -d "$gas" ] || same gas "$(per 5 1)" --gas-tests "$gas"
finish
