#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# threads.sh: the library under ThreadSanitizer, used by 16 threads with a context each, and with four threads for one
# assembly: the tests' own inputs and, where they are, a file of each kind of compiler output.
cd "$(dirname "$0")/../.." || exit 1
flags="-fsanitize=thread -g1 -O0"  # optimized, it takes far longer to build
{
  cmake -G Ninja -S . -B build/threads -DCMAKE_BUILD_TYPE=None -DXAS_TESTS=ON -DXAS_UNITY=ON -DXAS_STATIC=OFF -DXAS_SHARED=OFF \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_C_FLAGS="$flags" && ninja -C build/threads -j "${XAS_JOBS:-2}" endurance threaded
} > build/threads.log 2>&1 || { tail -n 20 build/threads.log; echo "0 passed, 1 failed"; exit 1; }
export TSAN_OPTIONS=halt_on_error=1
passed=0 failed=0
check() { if "$@" > build/threads.log 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); tail -n 40 build/threads.log; fi; }
check build/threads/tests/embedding/endurance 20000
for compat in gnu llvm; do
  check build/threads/tests/embedding/threaded --compat=$compat -- tests/fuzz/seeds/*.s tests/object/*.s
done
[ ! -d build/corpus/s ] || check tests/embedding/corpus.sh build/threads/tests/embedding/threaded build/corpus 1
echo "$passed passed, $failed failed"
[ $failed = 0 ]
