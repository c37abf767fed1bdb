#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stack_maps.sh [SUFFIX]: LLVM IR with stack maps and patch points of every kind of location, to standard output. The suffix
# is that of the functions' names.
suffix=${1:-}
types=(i8 i16 i32 i64 ptr double)
for f in 0 1 2 3 4 5 6 7; do
  parameters='i8 %a0, i16 %a1, i32 %a2, i64 %a3, ptr %a4, double %a5'
  echo "define i64 @f$f$suffix($parameters) {"
  echo "  %slot = alloca [$((f + 1)) x i64]"
  [ $f != 7 ] || echo "  %dynamic = alloca i64, i64 %a3"
  values="i64 $f, i64 -$f, i64 4294967295, i64 ${f}0000000000, ptr %slot"
  for ((i = 0; i < f * 3; ++i)); do values+=", ${types[i % 6]} %a$((i % 6))"; done
  echo "  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1$f, i32 $((f * 4)), $values)"
  echo "  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 2$f, i32 $((f * 4 + 16)), ptr null, i32 0, $values)"
  # More values than registers: some are spilled.
  echo "  call void asm sideeffect \"\", \"~{rbx},~{r12},~{r13},~{memory}\"()"
  echo "  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 900719925474$f, i32 0, i64 %a3)"
  echo "  ret i64 %a3"
  echo "}"
done
echo 'declare void @llvm.experimental.stackmap(i64, i32, ...)'
echo 'declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)'
