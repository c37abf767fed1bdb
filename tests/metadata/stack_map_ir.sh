#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stack_map_ir.sh COUNT SEED: LLVM IR of COUNT functions with stack maps, patch points and statepoints, to standard output:
# 0 to 40 values, shadows of 0 to 64 bytes before labels, calls, other records and ends.
#
# What llc's assembly does not say of a record is in its ID: kind (1 stack map, 2 patch point, 3 patch point with a call,
# 4 statepoint) * 10^9 + bytes * 10^6 + pointers of a statepoint * 10^4 + a number.
exec awk -v count="$1" -v seed="$2" '
function pick(n) { return int(rand() * n) }
function values(n,   i, v, text) {
  text = ""
  for (i = 0; i < n; ++i) {
    v = pick(7)
    if (v == 0) text = text ", i64 " (pick(2000) - 1000)
    else if (v == 1) text = text ", i64 429496729" (5 + pick(4))
    else if (v == 2) text = text ", ptr %slot"
    else if (v == 3) text = text ", i32 " pick(100)
    else if (v == 4) text = text ", double %d"
    else text = text ", i64 %v" pick(last + 1)
  }
  return text
}
function number() { return id++ % 10000 }
function record(   n, bytes, kind) {
  n = pick(4) ? pick(8) : pick(41)
  kind = pick(5)
  bytes = 4 * pick(17)
  if (kind < 3) {
    printf "  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 %d%03d00%04d, i32 %d%s)\n", 1, bytes, number(), bytes, values(n)
  } else if (kind == 3) {
    printf "  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 %d%03d00%04d, i32 %d, ptr null, i32 0%s)\n", 2, bytes, number(), bytes, values(n)
  } else {
    bytes += 16
    printf "  call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 %d%03d00%04d, i32 %d, ptr inttoptr (i64 %d to ptr), i32 0%s)\n", 3, bytes, number(), bytes, 65536 * (1 + pick(1000)) + pick(65536), values(n)
  }
}
function step(   k) {
  k = pick(6)
  if (k < 2) {
    printf "  %%v%d = %s i64 %%v%d, %s\n", last + 1, pick(2) ? "add" : "xor", pick(last + 1), pick(2) ? "%v" pick(last + 1) : pick(1000) + 1
    ++last
  } else if (k == 2) {
    printf "  store volatile i64 %%v%d, ptr %%slot\n", pick(last + 1)
  } else if (k == 3) {
    printf "  call void @callee(i64 %%v%d)\n", pick(last + 1)
  } else {
    record()
  }
}
function statepoint_function(f,   n, i, deopt) {
  n = 1 + pick(2)
  printf "define i64 @s%d(ptr addrspace(1) %%p0, ptr addrspace(1) %%p1, i64 %%v0) nounwind gc \"statepoint-example\" {\n", f
  deopt = pick(2) ? "i64 %v0, i64 " pick(100) : ""
  printf "  %%token = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 4000%02d%04d, i32 0, ptr elementtype(void ()) @nothing, i32 0, i32 0, i32 0, i32 0) [ \"deopt\"(%s), \"gc-live\"(ptr addrspace(1) %%p0%s) ]\n", n, number(), deopt, n == 2 ? ", ptr addrspace(1) %p1" : ""
  for (i = 0; i < n; ++i) {
    printf "  %%q%d = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %%token, i32 %d, i32 %d)\n", i, i, i
    printf "  %%l%d = load i64, ptr addrspace(1) %%q%d\n", i, i
  }
  printf "  %%r = add i64 %%l0, %%l%d\n  ret i64 %%r\n}\n", n - 1
}
function plain_function(f,   i, n) {
  last = 3
  printf "define i64 @f%d(i64 %%v0, i64 %%v1, i64 %%v2, i64 %%v3, double %%d) nounwind {\n  %%slot = alloca i64\n", f
  n = 1 + pick(8)
  record()
  for (i = 0; i < n; ++i) step()
  if (pick(2)) {
    printf "  %%c = icmp slt i64 %%v%d, %%v%d\n  br i1 %%c, label %%yes, label %%no\nyes:\n", pick(last + 1), pick(last + 1)
    outer = last
    for (i = 0; i < 3; ++i) step()
    printf "  ret i64 %%v%d\nno:\n", last
    first = last; last = outer; renamed = 1
    record()
    printf "  ret i64 %%v%d\n}\n", pick(4)
  } else {
    printf "  ret i64 %%v%d\n}\n", last
  }
}
BEGIN {
  srand(seed)
  for (f = 0; f < count; ++f) {
    if (pick(6) == 0) statepoint_function(f)
    else plain_function(f)
  }
  print "declare void @callee(i64)"
  print "declare void @nothing()"
  print "declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)"
  print "declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)"
  print "declare void @llvm.experimental.stackmap(i64, i32, ...)"
  print "declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)"
}'
