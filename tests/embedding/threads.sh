#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# threads.sh: the library under ThreadSanitizer, used by 16 threads with a context each.
cd "$(dirname "$0")/../.." || exit 1
flags="-fsanitize=thread -g1 -O0"  # optimized, it takes far longer to build
{
  cmake -G Ninja -S . -B build/threads -DCMAKE_BUILD_TYPE=None -DXAS_TESTS=ON -DXAS_UNITY=ON -DXAS_STATIC=OFF -DXAS_SHARED=OFF \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_C_FLAGS="$flags" && ninja -C build/threads -j "${XAS_JOBS:-2}" endurance
} > build/threads.log 2>&1 || { tail -n 20 build/threads.log; echo "0 passed, 1 failed"; exit 1; }
if TSAN_OPTIONS=halt_on_error=1 build/threads/tests/embedding/endurance 20000; then
  echo "1 passed, 0 failed"
else
  echo "0 passed, 1 failed"
  exit 1
fi
