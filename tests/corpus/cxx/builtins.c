/* SPDX-License-Identifier: Apache-2.0 */
/* C that reaches instructions the programs do not: bit counting, wide arithmetic, atomics, floating point of all sizes,
   string operations, computed goto, variable arguments, common symbols. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int common_object;
static int static_zero[7];

static int classify(double value) {
  return __builtin_isnan(value) ? 0 : __builtin_isinf(value) ? 1 : value < 0 ? 2 : 3;
}

static uint64_t mix(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64) ^ (uint64_t)(product / (b | 1));
#else
  return a * b ^ (a / (b | 1)) ^ (a % (b | 1));
#endif
}

static int run(const unsigned char *program) {
  static void *const operations[] = {&&stop, &&increment, &&twice, &&negate};
  int value = 1;
  goto *operations[*program];
increment:
  ++value;
  goto *operations[*++program];
twice:
  value *= 2;
  goto *operations[*++program];
negate:
  value = -value;
  goto *operations[*++program];
stop:
  return value;
}

static long sum(int count, ...) {
  va_list list;
  va_start(list, count);
  long total = 0;
  while (count--) total += va_arg(list, int);
  va_end(list);
  return total;
}

static void saxpy(float *restrict y, const float *restrict x, float a, int n) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}

static int dot(const int8_t *a, const int8_t *b, int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += a[i] * b[i];
  return total;
}

static void convert(double *out, const int *in, const float *scale, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i] * (double)scale[i] + (in[i] > 3 ? 1.5 : -2.5);
}

static unsigned permute(unsigned value) {
  return __builtin_bswap32(value) ^ (unsigned)__builtin_popcount(value) ^ (unsigned)__builtin_clz(value | 1) ^
         (unsigned)__builtin_ctz(value | 0x80000000u) ^ (value << 7 | value >> 25);
}

int c_main(void) {
  static const unsigned char program[] = {1, 2, 2, 3, 1, 0};
  float y[37], x[37];
  double out[37];
  int in[37];
  int8_t bytes[64];
  for (int i = 0; i < 37; ++i) x[i] = (float)i, y[i] = (float)(i * i), in[i] = i % 9;
  for (int i = 0; i < 64; ++i) bytes[i] = (int8_t)(i * 7);
  saxpy(y, x, 0.5f, 37);
  convert(out, in, x, 37);
  __atomic_fetch_add(&common_object, 5, __ATOMIC_SEQ_CST);
  int expected = 5;
  __atomic_compare_exchange_n(&common_object, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  printf("%d %d %d %ld %g %g %d %u\n", classify(-1.0), classify(1e308 * 10), run(program), sum(4, 1, 2, 3, 4),
         (double)y[36], out[20], dot(bytes, bytes, 64), permute(0x12345678u));
  printf("%llx %d %d %lu\n", (unsigned long long)mix(0x123456789abcdefULL, 0xfedcba987654321ULL), common_object,
         static_zero[3], (unsigned long)strlen("text"));
  return 0;
}
