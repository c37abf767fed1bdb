// SPDX-License-Identifier: Apache-2.0
// Thread-local objects with and without initializers, aliases, indirect functions, weak references, asm names,
// sections by attribute, common and hidden objects, constructors by priority, vector constants, inline assembler.
#include <cstdio>
#include <cstring>

extern "C" {

thread_local int tls_plain = 42;
thread_local int tls_zero;
static thread_local long tls_local[3] = {1, 2, 3};
extern __thread int tls_elsewhere __attribute__((weak));

int weak_reference(int) __attribute__((weak));
int original(int value) { return value + 1; }
int alias_of_original(int value) __attribute__((alias("original")));
int weak_alias(int value) __attribute__((weak, alias("original")));
int renamed(int value) __asm__("the.real$name");
int renamed(int value) { return value * 2; }
static int ref_target(int value) __attribute__((weakref("weak_reference")));

__attribute__((section(".special"))) int in_section = 7;
__attribute__((section("my_table"), used)) static const char* table_entry = "entry";
__attribute__((section("my_table"), used)) static const char* table_entry2 = "second";
extern const char* __start_my_table[] __attribute__((weak, visibility("hidden")));
extern const char* __stop_my_table[] __attribute__((weak, visibility("hidden")));
__attribute__((visibility("hidden"))) int hidden_data = 3;
__attribute__((visibility("protected"))) int protected_data = 4;
__attribute__((aligned(64))) int aligned_data[5] = {1};
int zeroed[1000];
static char buffer[100];
const double constants[] = {1.0, -0.0, 1e300, 5e-324};
const long double wide = 3.14L;

static int fast_version(int value) { return value + 100; }
static int slow_version(int value) { return value + 100; }
typedef int Version(int);
static Version* resolve() __asm__("resolve_version");
__attribute__((no_sanitize("address", "undefined"), no_instrument_function, no_profile_instrument_function))
static Version* resolve() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") ? fast_version : slow_version;
#else
  return sizeof(long) == 8 ? fast_version : slow_version;
#endif
}
int dispatched(int value) __attribute__((ifunc("resolve_version")));

int constructed;
__attribute__((constructor(200))) void first_constructor() { constructed = constructed * 10 + 1; }
__attribute__((constructor)) void second_constructor() { constructed = constructed * 10 + 2; }
__attribute__((destructor)) void last_destructor() { std::fflush(stdout); }

__attribute__((noinline, cold)) void cold_path(int value) { std::printf("cold %d\n", value); }

typedef float Vec __attribute__((vector_size(32)));
void blend(Vec* sum, const Vec* left, const Vec* right) { *sum = *left * *right + *left; }

__attribute__((noinline)) unsigned rotate_by_asm(unsigned value) {
  unsigned result;
#if defined(__aarch64__)
  __asm__("ror %w0, %w1, 27\n\tb 1f\n\t.p2align 4\n1:\teor %w0, %w0, 0xff" : "=r"(result) : "r"(value));
#else
  __asm__("roll $5, %0\n\tjmp 1f\n\t.p2align 4\n1:\txorl $0x55, %0" : "=r"(result) : "0"(value) : "cc");
#endif
  return result;
}

__asm__(
    ".pushsection .note.test,\"a\",@note\n\t.balign 4\n\t.long 2f-1f\n\t.long 4f-3f\n\t.long 77\n1:\t.asciz \"xas\"\n"
    "2:\t.balign 4\n3:\t.ascii \"body\\n\\t\\001\\x41\"\n4:\t.balign 4\n\t.popsection\n");

long double x87(long double value) { return value * value - 1.0L / value; }

}  // extern "C"

struct Dynamic {
  Dynamic() : value(hidden_data) {}
  ~Dynamic() { hidden_data = value; }
  int value;
};
thread_local Dynamic tls_dynamic;
Dynamic global_dynamic;
inline int inline_variable = 12;
template <typename T>
thread_local T tls_template = T(5);

long compute(long seed) {
  for (int i = 0; i < 10; ++i) {
    seed = seed * 6364136223846793005LL + 1442695040888963407LL;
    if (__builtin_expect((seed & 0xffff) == 0, 0)) cold_path(static_cast<int>(seed));
  }
  return seed;
}

int linkage_main() {
  tls_zero = original(tls_plain) + alias_of_original(1) + weak_alias(2) + renamed(21);
  if (weak_reference) tls_zero += weak_reference(1);
  if (&tls_elsewhere == nullptr) tls_zero += tls_elsewhere;
  std::memset(buffer, tls_zero, sizeof buffer);
  std::printf("%d %ld %d %d %d\n", tls_zero, tls_local[1] + tls_local[2], in_section, protected_data, constructed);
  std::printf("%d %d %u\n", dispatched(1), zeroed[5], rotate_by_asm(77));
  for (const char** entry = __start_my_table; entry < __stop_my_table; ++entry) std::printf("%s\n", *entry);
  std::printf("%d %d %d %.3Lf %g\n", tls_dynamic.value, global_dynamic.value, inline_variable + tls_template<int>,
              x87(wide), constants[2]);
  Vec one = {1, 2, 3, 4, 5, 6, 7, 8};
  Vec sum;
  blend(&sum, &one, &one);
  std::printf("%g %g %d %d\n", static_cast<double>(sum[3]), static_cast<double>(sum[7]), buffer[7], aligned_data[0]);
  std::printf("%lx\n", static_cast<unsigned long>(compute(12345)) & 0xffffff);
  return 0;
}
