#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# windows.sh XAS [WORK-DIRECTORY]: builds lua, zlib, sqlite3 and a C++ program with exceptions for Windows by mingw's gcc,
# by clang, and xas, links them by mingw's linker and by lld, and runs them under wine. What they print has to be what those
# print that gcc has compiled and GNU as has assembled. (llvm-mc's object of clang's C++ ends in an exception that nobody
# catches: what belongs to the handler of a COMDAT function stands in another section there than its UNWIND_INFO.) For ARM64
# and ARM, where nothing can be run, an image is linked and compared with that of llvm-mc's objects.
#
# Last line: "N passed, N failed".
set -uo pipefail
# shellcheck source=tests/e2e/windows_setup.sh
. "$(dirname "$0")/windows_setup.sh"
"$root/tests/corpus/fetch.sh" || exit 1

# The program's name tells xas the target.
mkdir -p "$work/bin" "$work/s"
ln -sf "$xas" "$work/bin/x86_64-w64-mingw32-as"

gcc=x86_64-w64-mingw32-gcc gxx=x86_64-w64-mingw32-g++
texts=$work/s c_compiler=$gcc cxx_compiler=$gxx

# compile PROGRAM COMPILER-OPTIONS SOURCES...: to text, once (Debian's mingw gcc calls its assembler by its full name)
compile() {
  local program=$1 options=$2
  shift 2
  mkdir -p "$texts/$program"
  # shellcheck disable=SC2016
  printf '%s\0' "$@" | xargs -0 -P "${XAS_JOBS:-2}" -I{} sh -c '
    source=$1 to=$2 options=$3
    case $source in *.cpp) c=$5 ;; *) c=$4 ;; esac
    name=$(basename "$source")
    $c $options -w -S "$source" -o "$to/${name%.*}.s"' compile {} "$texts/$program" "$options" "$c_compiler" "$cxx_compiler"
}
compile_all() {
  local zlib=$src/zlib
  compile lua "-O2 -g" "$src"/lua5.4/src/l[!u]*.c "$src"/lua5.4/src/{lua,lundump,lutf8lib}.c &&
    compile example "-O1 -I$zlib" "$zlib"/{adler32,compress,crc32,deflate,gzclose,gzlib,gzread,gzwrite,infback,inffast,inflate,inftrees,trees,uncompr,zutil}.c "$zlib/test/example.c" &&
    compile sqlite3 -O1 "$src"/sqlite3/amalgamation/{sqlite3,shell}.c &&
    compile windows "-O2 -std=c++20" "$here/windows.cpp"
}

# build DIRECTORY ASSEMBLER: all programs
build() {
  local program text
  for program in lua example sqlite3 windows; do
    mkdir -p "$1/$program"
    for text in "$texts/$program"/*.s; do
      "$2" "$text" -o "$1/$program/$(basename "$text" .s).o" || return 1
    done
    $gxx -static "$1/$program"/*.o -o "$1/$program.exe" || return 1
  done
}

run_all() {  # run_all DIRECTORY
  local d=$1
  cd "$d" || return 1
  run_image lua.exe "$here/workload.lua"
  run_image example.exe
  run_image sqlite3.exe :memory: ".read '$here/workload.sql'"
  run_image windows.exe
}

if [ -z "$wine" ] || ! command -v x86_64-w64-mingw32-gcc > /dev/null; then
  echo "wine or mingw's gcc is not installed"
  finish
fi
check "compiling" compile_all
check "building with GNU as" build "$work/gnu" x86_64-w64-mingw32-as
check "building with xas" build "$work/xas" "$work/bin/x86_64-w64-mingw32-as"
run_all "$work/gnu" > "$work/gnu.txt" 2> /dev/null
run_all "$work/xas" > "$work/xas.txt" 2> /dev/null
check "the programs say something" [ "$(wc -l < "$work/gnu.txt")" -gt 20 ]
check "the programs say the same" cmp "$work/gnu.txt" "$work/xas.txt"

# same_by_lld DIRECTORY: its objects linked by LLVM's linker in its mingw form (which calls lld-link), and run
link_lld() {
  local program
  mkdir -p "$work/lld/bin" && ln -sf "$(command -v ld.lld-22)" "$work/lld/bin/ld.lld" || return 1
  for program in lua example sqlite3 windows; do
    $gxx -B"$work/lld/bin/" -fuse-ld=lld -static "$1/$program"/*.o -o "$work/lld/$program.exe" || return 1
  done
}
same_by_lld() {
  command -v ld.lld-22 > /dev/null || return 0
  check "linking $1 with lld" link_lld "$work/$1"
  run_all "$work/lld" > "$work/lld.txt" 2> /dev/null
  check "the programs of $1 say the same when lld has linked them" cmp "$work/gnu.txt" "$work/lld.txt"
}
same_by_lld xas
check "exceptions are caught" grep -q "caught: from below" "$work/xas.txt"

# clang with mingw's headers and libraries
if command -v clang-22 > /dev/null; then
  texts=$work/clang-s
  c_compiler="clang-22 --target=x86_64-w64-windows-gnu -isystem /usr/x86_64-w64-mingw32/include"
  library=$(dirname "$($gxx -print-file-name=libstdc++.a)")/include/c++
  cxx_compiler="clang-22 --target=x86_64-w64-windows-gnu -isystem $library -isystem $library/x86_64-w64-mingw32"
  cxx_compiler+=" -isystem /usr/x86_64-w64-mingw32/include"
  check "compiling with clang" compile_all
  check "building clang's output with xas" build "$work/clang" "$work/bin/x86_64-w64-mingw32-as"
  run_all "$work/clang" > "$work/clang.txt" 2> /dev/null
  check "what clang has compiled says the same" cmp "$work/gnu.txt" "$work/clang.txt"
  same_by_lld clang
  # The same in C with LLVM's object: no exceptions in it
  llvm_object() { "$xas" --compat=llvm --target=x86_64-w64-windows-gnu "$@"; }
  check "building clang's output with xas, as llvm-mc" build "$work/clang-llvm" llvm_object
  rm -f "$work/clang-llvm/windows.exe" && cp "$work/clang/windows.exe" "$work/clang-llvm"
  run_all "$work/clang-llvm" > "$work/clang-llvm.txt" 2> /dev/null
  check "and says the same with llvm-mc's object" cmp "$work/gnu.txt" "$work/clang-llvm.txt"
fi

# The CodeView of an object as a PDB, from xas' object and from llvm-mc's: lines, inlined functions, symbols, ranges of
# variables, types and checksums of sources.
pdb_of() {  # pdb_of TRIPLE NAME ASSEMBLER...
  local triple=$1 name=$2
  shift 2
  "$@" "main-$triple.s" -o main.obj &&
    lld-link-22 main.obj -entry:mainCRTStartup -subsystem:console -timestamp:0 -nodefaultlib -debug -out:main.exe &&
    llvm-pdbutil-22 dump -l -il -symbols -fpo -types -ids -files -modules -section-contribs main.pdb > "$name.$triple.txt"
}
pdbs() {  # pdbs TRIPLE
  clang-22 --target="$1" -O2 -g -gcodeview -w -S "$here/codeview.c" -o "main-$1.s" || return 1
  pdb_of "$1" reference llvm-mc-22 -filetype=obj -triple "$1"
  check "an image with a PDB for $1" pdb_of "$1" xas "$xas" --compat=llvm --target="$1"
  check "lines, inlined functions and symbols of the PDB for $1" cmp "reference.$1.txt" "xas.$1.txt"
  check "the PDB for $1 has lines" grep -q "line/addr entries" "xas.$1.txt"
  check "the PDB for $1 has inlined functions" grep -q S_INLINESITE "xas.$1.txt"
  check "the PDB for $1 has ranges of variables" grep -q S_DEFRANGE "xas.$1.txt"
}
if command -v lld-link-22 > /dev/null && command -v clang-22 > /dev/null; then
  cd "$work" || exit 1
  for triple in x86_64-pc-windows-msvc i686-pc-windows-msvc aarch64-pc-windows-msvc; do pdbs $triple; done
  # The lines of a source in assembler, which only GNU as has, must be those of the text: a row for each instruction.
  assembler_lines() {  # assembler_lines TRIPLE
    local entry=mainCRTStartup
    [[ $1 != i686* ]] || entry=_$entry
    {
      [[ $1 != thumb* ]] || printf '%s\n' '.syntax unified' .thumb_func
      printf '.globl %s\n%s:\n' $entry $entry
      for ((i = 0; i < 3000; ++i)); do ((i % 97)) && echo nop || printf '.p2align 4\nnop\n'; done
    } > lines.s
    "$xas" --target="$1" --gcodeview lines.s -o main.obj &&
      lld-link-22 main.obj -entry:mainCRTStartup -subsystem:console -nodefaultlib -safeseh:no -debug -out:main.exe &&
      [ "$(llvm-pdbutil-22 dump -l main.pdb | grep -oE ' [0-9]+ [0-9A-F]{8}\b' | wc -l)" = 3000 ]
  }
  for triple in x86_64-pc-windows-msvc i686-pc-windows-msvc aarch64-pc-windows-msvc thumbv7-pc-windows-msvc; do
    check "a row for each instruction of assembler in the PDB for $triple" assembler_lines $triple
  done
  printf '%s\n' '.globl mainCRTStartup' 'mainCRTStartup:' ' xor %eax, %eax' ' ret' > lines.s
  "$xas" --target=x86_64-w64-mingw32 --gcodeview lines.s -o main.obj &&
    lld-link-22 main.obj -entry:mainCRTStartup -subsystem:console -nodefaultlib -debug -out:main.exe &&
    llvm-pdbutil-22 dump -l main.pdb > lines.txt
  check "lines of assembler in a PDB" grep -q '3 00000000 .*4 00000002' lines.txt
fi

# ARM64 and ARM: image_of MACHINE DIRECTORY ASSEMBLER... links zlib and a program that uses it.
image_of() {
  local machine=$1 directory=$1-$2 text
  shift 2
  mkdir -p "$work/$directory" && cd "$work/$directory" || return 1
  for text in "$work"/s/"$machine"/*.s; do "$@" "$text" -o "$(basename "$text" .s).obj" || return 1; done
  lld-link-22 -machine:"$machine" -entry:mainCRTStartup -subsystem:console -timestamp:0 -nodefaultlib ./*.obj -out:image.exe || return 1
  llvm-readobj-22 --unwind --coff-basereloc --sections --coff-exports image.exe > image.txt
}
# images MACHINE TRIPLE HEADERS LLVM-MC-OPTIONS...
images() {
  local machine=$1 triple=$2 headers=$3 source
  shift 3
  mkdir -p "$work/s/$machine"
  for source in "$here/windows_arm.c" "$src"/zlib/{adler32,compress,crc32,deflate,inffast,inflate,inftrees,trees,uncompr,zutil}.c; do
    clang-22 --target="$triple" -isystem "$headers" -I"$src/zlib" -O2 -fno-builtin -w \
      -S "$source" -o "$work/s/$machine/$(basename "$source" .c).s" || break
  done
  image_of "$machine" llvm llvm-mc-22 -filetype=obj -triple "$triple" "$@"
  check "linking an image for $machine" image_of "$machine" xas "$xas" --target="$triple" --compat=llvm
  check "base relocations and unwind tables for $machine" cmp "$work/$machine-llvm/image.txt" "$work/$machine-xas/image.txt"
  check "the image for $machine has both" [ "$(grep -cE 'RuntimeFunction|Type: DIR64|Type: HIGHLOW|Type: ARM_MOV32' "$work/$machine-xas/image.txt")" -gt 40 ]
  check "the image for $machine" cmp "$work/$machine-llvm/image.exe" "$work/$machine-xas/image.exe"
}
if command -v lld-link-22 > /dev/null && command -v clang-22 > /dev/null; then
  images arm64 aarch64-w64-windows-gnu /usr/x86_64-w64-mingw32/include
  images arm thumbv7-w64-windows-gnu /usr/i686-w64-mingw32/include -mattr=+neon
fi
finish
