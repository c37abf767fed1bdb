// SPDX-License-Identifier: Apache-2.0
// What the parts of the program call from each other.
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
long sum(long last);      // sum.c: 1 + 2 + ... + last
long twice(long number);  // twice.S
#ifdef __cplusplus
}
#endif
