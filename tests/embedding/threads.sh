#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# threads.sh: the library under ThreadSanitizer, used by 16 threads with a context each, and with four threads for one
# assembly: the tests' own inputs and, where they are, a file of each kind of compiler output.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
flags="-fsanitize=thread -g1 -O0"  # optimized, it takes far longer to build
{
  cmake -G Ninja -S . -B build/threads -DCMAKE_BUILD_TYPE=None -DXAS_TESTS=ON -DXAS_UNITY=ON -DXAS_STATIC=OFF -DXAS_SHARED=OFF \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_C_FLAGS="$flags" && ninja -C build/threads -j "${XAS_JOBS:-2}" endurance threaded
} > build/threads.log 2>&1 || { tail -n 20 build/threads.log; fail "building"; finish; }
export TSAN_OPTIONS=halt_on_error=1
check "a context for each thread" build/threads/tests/embedding/endurance 20000
for compat in gnu llvm; do
  check "four threads for one assembly, $compat" build/threads/tests/embedding/threaded --compat=$compat -- tests/fuzz/seeds/*.s tests/object/*.s
done
[ ! -d build/corpus/s ] || check "four threads for compiler output" tests/embedding/corpus.sh build/threads/tests/embedding/threaded build/corpus 1
finish
