#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# windows_cxx.sh XAS [WORK-DIRECTORY]: what clang makes of C++ with exceptions and COMDATs (exceptions.cpp), and LLVM's
# forms of .section (comdat.s), for Microsoft's and mingw's environments, x86-64 and i386, by xas in both profiles. Linked
# by lld-link, or by mingw's linker and by lld in its mingw form, and run under wine, the programs have to print what the
# same C++ prints that clang has compiled for this machine. The objects of the llvm profile are llvm-mc's, byte for byte.
#
# 32-bit programs run in the 64-bit wine, with its 32-bit libraries (fetch.sh --wine32); where these can't be had,
# images are linked and not run. Wine 8's 32-bit runtime of Visual C++ does not survive an exception that is thrown again.
#
# Last line: "N passed, N failed".
set -uo pipefail
# shellcheck source=tests/e2e/windows_setup.sh
. "$(dirname "$0")/windows_setup.sh"
mkdir -p "$work" && cd "$work" || exit 1

for tool in clang-22 llvm-mc-22 lld-link-22 llvm-dlltool-22 x86_64-w64-mingw32-g++ i686-w64-mingw32-g++; do
  command -v $tool > /dev/null && [ -n "$wine" ] && continue
  echo "$tool or wine is not installed"
  finish
done
"$root/tests/corpus/fetch.sh" --wine32
export WINEDLLPATH=$src/wine32

# What the programs print.
expected() {  # expected RETHROW
  local part
  for part in 1 2; do
    clang-22 -std=c++20 -O1 -w -DPART=$part -DRETHROW="$1" -c "$here/exceptions.cpp" -o native$part.o || return 1
  done
  clang-22 native1.o native2.o -lstdc++ -o native && ./native > "expected$1.txt"
}
check "what the program prints" expected 1
check "what the program prints without rethrowing" expected 0

# The runtime of Visual C++ is in wine's DLLs; what objects link with beside it is small.
library() {  # library ARCHITECTURE OUTPUT DLL FUNCTIONS...
  printf '%s\n' "LIBRARY $3" EXPORTS "${@:4}" > library.def
  local options=()
  [ "$1" = x86_64 ] || options=(-k)
  llvm-dlltool-22 -m "$([ "$1" = x86_64 ] && echo i386:x86-64 || echo i386)" "${options[@]}" -d library.def -l "$2"
}
msvc_runtime() {  # msvc_runtime ARCHITECTURE
  local throw=_CxxThrowException
  [ "$1" = x86_64 ] || throw+=@8
  library "$1" "vcruntime-$1.lib" vcruntime140.dll __CxxFrameHandler3 __C_specific_handler __std_terminate $throw &&
    library "$1" "msvcrt-$1.lib" msvcrt.dll printf puts putchar exit malloc free memcpy memset || return 1
  clang-22 --target="$1-pc-windows-msvc" -O1 -w -c "$here/msvc_runtime.cpp" -o "runtime-$1.obj"
}
for architecture in x86_64 i686; do check "a runtime for $architecture-pc-windows-msvc" msvc_runtime $architecture; done

mkdir -p lld && ln -sf "$(command -v ld.lld-22)" lld/ld.lld

# link LINKER TRIPLE OUTPUT OBJECTS...
link() {
  local linker=$1 architecture=${2%%-*} output=$3
  shift 3
  case $linker in
    lld-link)
      lld-link-22 "$@" "runtime-$architecture.obj" "vcruntime-$architecture.lib" "msvcrt-$architecture.lib" \
        -entry:mainCRTStartup -subsystem:console -safeseh:no -out:"$output" ;;
    ld) "$architecture-w64-mingw32-g++" -static "$@" -o "$output" ;;
    lld) "$architecture-w64-mingw32-g++" -B"$work/lld/" -fuse-ld=lld -static "$@" -o "$output" ;;
  esac
}

# Does a program of 32 bits run at all?
runs_32_bits() {
  echo 'int main(void) { return 42; }' > probe.c
  clang-22 --target=i686-pc-windows-msvc -c probe.c -o probe.obj && link lld-link i686 probe.exe probe.obj &&
    { timeout 60 "$wine" ./probe.exe > probe.txt 2>&1; [ $? = 42 ]; }
}
can_run="x86_64 "
if runs_32_bits; then can_run+=i686; else echo "32-bit programs can't be run here; their images are linked only"; fi

# prints EXPECTED PROGRAM: the program does not crash, and prints just that.
prints() { run_image "$2" > printed.txt && cmp printed.txt "$1"; }

# linked NAME TRIPLE EXPECTED OBJECTS...: links them by all linkers of the environment, and runs the images
linked() {
  local name=$1 triple=$2 expected=$3 linker linkers="ld lld"
  shift 3
  [[ $triple == *gnu ]] || linkers=lld-link
  for linker in $linkers; do
    check "linking $name by $linker" link $linker "$triple" program.exe "$@"
    [[ " $can_run " != *" ${triple%%-*} "* ]] || check "$name, linked by $linker" prints "$expected" program.exe
  done
}

llvm_mc() { llvm-mc-22 -filetype=obj -triple "$triple" "$@"; }
gnu_profile() { "$xas" --target="$triple" "$@"; }
llvm_profile() { "$xas" --compat=llvm --target="$triple" "$@"; }

# objects NAME ASSEMBLER...: NAME1.obj and NAME2.obj of the texts part1.s and part2.s
objects() { "${@:2}" part1.s -o "$1"1.obj && "${@:2}" part2.s -o "$1"2.obj; }

# exceptions TRIPLE OPTIONS...
exceptions() {
  local triple=$1 part rethrow=1 includes=()
  shift
  [ "$triple" != i686-pc-windows-msvc ] || rethrow=0
  local name="$triple $*"
  for part in 1 2; do
    check "compiling part $part for $name" clang-22 --target="$triple" "$@" -std=c++20 -w -fexceptions -fcxx-exceptions \
      -DPART=$part -DRETHROW=$rethrow -S "$here/exceptions.cpp" -o part$part.s
  done
  check "llvm-mc for $name" objects mc llvm_mc
  check "the gnu profile for $name" objects gnu gnu_profile
  check "the llvm profile for $name" objects llvm llvm_profile
  for part in 1 2; do check "llvm-mc's object of part $part for $name" cmp mc$part.obj llvm$part.obj; done
  linked "the gnu profile's objects for $name" "$triple" expected$rethrow.txt gnu1.obj gnu2.obj
  # From clang's text for mingw, llvm-mc's tables of COMDAT functions are not where handlers look for them.
  [[ $triple != x86_64*gnu ]] || return 0
  linked "the llvm profile's objects for $name" "$triple" expected$rethrow.txt llvm1.obj llvm2.obj
  linked "objects of both for $name" "$triple" expected$rethrow.txt gnu1.obj mc2.obj
  linked "objects of both, turned, for $name" "$triple" expected$rethrow.txt mc1.obj gnu2.obj
}

# comdats TRIPLE: the objects of LLVM's forms of .section; the images of llvm-mc's tell what is right
comdats() {
  local triple=$1 part options=()
  [[ $1 != x86_64* ]] || options=(--defsym X64=1)
  for part in 1 2; do
    check "llvm-mc's COMDATs for $1" llvm_mc "${options[@]}" --defsym PART=$part "$here/comdat.s" -o mc$part.obj
    check "the gnu profile's COMDATs for $1" gnu_profile "${options[@]}" --defsym PART=$part "$here/comdat.s" -o gnu$part.obj
    check "the llvm profile's COMDATs for $1" llvm_profile "${options[@]}" --defsym PART=$part "$here/comdat.s" -o llvm$part.obj
    check "llvm-mc's object with COMDATs for $1" cmp mc$part.obj llvm$part.obj
  done
  clang-22 --target="$1" -O1 -c "$here/comdat.c" -o main.obj
  local linker=lld
  [[ $1 == *gnu ]] || linker=lld-link
  check "linking llvm-mc's COMDATs for $1" link $linker "$1" program.exe main.obj mc1.obj mc2.obj
  if [[ " $can_run " == *" ${1%%-*} "* ]]; then run_image program.exe > comdats.txt; fi
  check "they say something for $1" grep -q '^3 8 ' comdats.txt
  linked "the gnu profile's COMDATs for $1" "$1" comdats.txt main.obj gnu1.obj gnu2.obj
  linked "COMDATs of both for $1" "$1" comdats.txt main.obj gnu1.obj mc2.obj
  linked "COMDATs of both, turned, for $1" "$1" comdats.txt main.obj mc1.obj gnu2.obj
}

for triple in x86_64-pc-windows-msvc x86_64-w64-windows-gnu i686-pc-windows-msvc i686-w64-windows-gnu; do
  for level in -O0 -O1 -O2; do exceptions $triple $level; done
  exceptions $triple -O1 -ffunction-sections -fdata-sections
  exceptions $triple -O1 -g
  comdats $triple
done
finish
