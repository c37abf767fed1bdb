#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# programs.sh: assembly that people wrote for ARM and AArch64, preprocessed, under build/corpus/programs: kernels of ffmpeg,
# x264, x265, openh264, ISA-L and mpg123, and the string functions of newlib.
#
# The folders are those of make.sh, ORACLE/hand-ARCHITECTURE-base/PACKAGE/FILE.s; both oracles get the same text:
#
#   xas-diff --xas build/test/xas build/corpus/programs
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${XAS_CORPUS:-$root/build/corpus}
src=$cache/src
out=$cache/programs
"$here/fetch.sh" --programs
[ ! -e "$out/.complete" ] || exit 0
rm -rf "$out"
mkdir -p "$out"/{gnu,llvm}/hand-{arm,arm64}-base "$out/include"
printf '%s\n' -march=armv7ve -mfpu=neon-vfpv4 > "$out/gnu/hand-arm-base/options"
: > "$out/gnu/hand-arm64-base/options"
printf '%s\n' -triple=armv7ve-linux-gnueabihf -mattr=+neon,+vfp4,+hwdiv-arm,+virtualization,+trustzone,+mp \
  > "$out/llvm/hand-arm-base/options"
printf '%s\n' -triple=aarch64-linux-gnu -mattr=+all > "$out/llvm/hand-arm64-base/options"

# What the programs' builds find out.
for define in 'EXTERN_ASM' 'EXTERN_PREFIX' 'CONFIG_THUMB 0' 'CONFIG_PIC 1' 'HAVE_AS_FUNC 0' 'HAVE_AS_ARCH_DIRECTIVE 1' \
  'HAVE_AS_FPU_DIRECTIVE 1' 'HAVE_AS_OBJECT_ARCH 1' 'HAVE_SECTION_DATA_REL_RO 1' 'HAVE_ARMV5TE 1' 'HAVE_ARMV6 1' \
  'HAVE_ARMV6T2 1' 'HAVE_VFP 1' 'HAVE_NEON 1' 'HAVE_VFP_ARGS 1' 'HIGH_BIT_DEPTH 0' 'BIT_DEPTH 8' 'X265_NS x265' \
  'ASMALIGN_BALIGN'; do
  echo "#define $define"
done > "$out/include/config.h"

# preprocess ARCHITECTURE PACKAGE FOLDERS OF INCLUDES -- FILES: those that need what is not here are left out
preprocess() {
  local arch=$1 package=$2 includes=() name cc=arm-linux-gnueabihf-gcc-12
  shift 2
  for (( ; $# > 0; )); do
    local folder=$1
    shift
    [ "$folder" != -- ] || break
    includes+=("-I$src/$package/$folder")
  done
  [ "$arch" = arm ] || cc=aarch64-linux-gnu-gcc-12
  local to=$out/gnu/hand-$arch-base/$package
  mkdir -p "$to"
  for file in "$@"; do
    name=${file#"$src/$package/"}
    name=${name//\//_}
    $cc -E -x assembler-with-cpp -D__ASSEMBLER__ -include "$out/include/config.h" -I"$out/include" "${includes[@]}" \
      "$file" -o "$to/${name%.S}.s" 2> /dev/null || rm -f "$to/${name%.S}.s"
  done
}
preprocess arm ffmpeg . -- "$src"/ffmpeg/lib*/arm/*.S
preprocess arm64 ffmpeg . -- "$src"/ffmpeg/lib*/aarch64/*.S
preprocess arm x264 . common/arm -- "$src"/x264/common/arm/*.S
preprocess arm64 x264 . common/aarch64 -- "$src"/x264/common/aarch64/*.S
preprocess arm x265 source/common/arm -- "$src"/x265/source/common/arm/*.S
preprocess arm64 x265 source/common/aarch64 -- "$src"/x265/source/common/aarch64/*.S
preprocess arm openh264 codec/common/arm -- "$src"/openh264/codec/*/*/arm/*.S "$src"/openh264/codec/common/arm/*.S
preprocess arm64 openh264 codec/common/arm64 -- "$src"/openh264/codec/*/*/arm64/*.S "$src"/openh264/codec/common/arm64/*.S
preprocess arm64 libisal include igzip igzip/aarch64 -- "$src"/libisal/*/aarch64/*.S
preprocess arm mpg123 src src/libmpg123 -- "$src"/mpg123/src/libmpg123/*{_arm*,neon,neon_*}.S
preprocess arm64 mpg123 src src/libmpg123 -- "$src"/mpg123/src/libmpg123/*neon64*.S
preprocess arm newlib newlib/libc/machine/arm newlib/libc/include -- "$src"/newlib/newlib/libc/machine/arm/*.S
preprocess arm64 newlib newlib/libc/machine/aarch64 newlib/libc/include -- "$src"/newlib/newlib/libc/machine/aarch64/*.S
for arch in arm arm64; do cp -r "$out/gnu/hand-$arch-base"/*/ "$out/llvm/hand-$arch-base"; done
touch "$out/.complete"
echo "programs: $(find "$out/gnu" -name '*.s' | wc -l) files in $out"
