/* SPDX-License-Identifier: Apache-2.0 */
// A program for Windows on ARM64 and ARM that needs no library but zlib, to be linked and looked at: references to data
// and code, tables of addresses, an export, large frames.
#include <stddef.h>
#include <zlib.h>

void* memset(void* p, int c, size_t n) {
  volatile char* q = p;
  while (n--) *q++ = (char)c;
  return p;
}
void* memcpy(void* p, const void* s, size_t n) {
  volatile char* q = p;
  const char* r = s;
  while (n--) *q++ = *r++;
  return p;
}
size_t strlen(const char* s) {
  size_t n = 0;
  while (*(volatile const char*)(s + n)) n++;
  return n;
}
void* malloc(size_t n) {
  static char pool[1 << 20];
  static size_t used;
  void* p = pool + used;
  used += (n + 15) & ~(size_t)15;
  return p;
}
void free(void* p) { (void)p; }
void __chkstk(void) {}

static int twice(int x) { return x + x; }
int (*const table[])(int) = {twice};
static const char* const names[] = {"one", "two", "three"};
__declspec(dllexport) const char* name(unsigned i) { return names[i % 3]; }

static unsigned char in[4096], packed[8192], out[4096];
int mainCRTStartup(void) {
  uLongf n = sizeof packed, m = sizeof out;
  char big[20000];
  memset(big, 1, sizeof big);
  return compress(packed, &n, in, sizeof in) + uncompress(out, &m, packed, n) + big[n] + table[0](1);
}
