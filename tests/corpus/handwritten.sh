#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# handwritten.sh: AArch64 assembly that people wrote, preprocessed, under build/corpus/handwritten: dav1d's video kernels
# and libgcrypt's cryptography, both made of macros.
#
# The folders are those of make.sh, ORACLE/hand-arm64-base/PACKAGE/FILE.s; both oracles get the same text.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${XAS_CORPUS:-$root/build/corpus}
src=$cache/src
out=$cache/handwritten
"$here/fetch.sh" --handwritten
gnu=$out/gnu/hand-arm64-base
llvm=$out/llvm/hand-arm64-base
[ ! -e "$out/.complete" ] || exit 0
rm -rf "$out"
mkdir -p "$gnu"/{dav1d,libgcrypt} "$llvm" "$out/include"
: > "$gnu/options"
printf '%s\n' -triple=aarch64-linux-gnu -mattr=+all > "$llvm/options"
cc="aarch64-linux-gnu-gcc-12 -E -x assembler-with-cpp"

# What dav1d's build finds out.
cat > "$out/include/config.h" <<'EOF'
#define ARCH_AARCH64 1
#define ARCH_ARM 0
#define ARCH_X86 0
#define PREFIX 0
#define PRIVATE_PREFIX dav1d_
#define HAVE_AS_FUNC 0
#define CONFIG_8BPC 1
#define CONFIG_16BPC 1
EOF
for file in "$src"/dav1d/src/arm/64/*.S; do
  $cc -I"$out/include" -I"$src/dav1d" -I"$src/dav1d/src" "$file" -o "$gnu/dav1d/$(basename "$file" .S).s"
done

# What libgcrypt's build finds out.
cat > "$out/include/gcrypt-config.h" <<'EOF'
#define HAVE_COMPATIBLE_GCC_AARCH64_PLATFORM_AS 1
#define HAVE_GCC_INLINE_ASM_AARCH64_NEON 1
#define HAVE_GCC_INLINE_ASM_AARCH64_CRYPTO 1
#define HAVE_GCC_ASM_CFI_DIRECTIVES 1
#define HAVE_GCC_ASM_ELF_DIRECTIVES 1
EOF
for define in __AES USE_ARM_CE USE_AES USE_SHA1 USE_SHA256 USE_SHA512 USE_SM3 USE_SM4 USE_CAMELLIA USE_TWOFISH USE_CHACHA20 \
  USE_CRC USE_GOST28147 USE_SALSA20 USE_SERPENT USE_BLOWFISH; do
  echo "#define $define 1" >> "$out/include/gcrypt-config.h"
done
mkdir -p "$out/include/gcrypt"
mv "$out/include/gcrypt-config.h" "$out/include/gcrypt/config.h"
echo '#define C_SYMBOL_NAME(name) name' > "$out/include/gcrypt/sysdep.h"
: > "$out/include/gcrypt/asm-syntax.h"
for file in "$src"/libgcrypt20/cipher/*aarch64*.S "$src"/libgcrypt20/mpi/aarch64/*.S; do
  $cc -I"$out/include/gcrypt" -I"$src/libgcrypt20/mpi" -I"$src/libgcrypt20/src" "$file" -o "$gnu/libgcrypt/$(basename "$file" .S).s"
done
cp -r "$gnu"/{dav1d,libgcrypt} "$llvm"
touch "$out/.complete"
echo "handwritten: $(find "$gnu" -name '*.s' | wc -l) files in $out"
