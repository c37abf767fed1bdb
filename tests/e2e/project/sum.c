/* SPDX-License-Identifier: Apache-2.0 */
#include "sum.h"

long sum(long last) {
  long total = 0;
  for (long i = 1; i <= last; ++i) total += i;
  return total;
}
