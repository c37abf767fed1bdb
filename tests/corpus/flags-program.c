/* SPDX-License-Identifier: Apache-2.0 */
/* What flags of compilers act upon: thread-local, common, weak, hidden and read-only data, calls, switches, strings,
   floating point, atomics, variable arguments, aliases, sections. */
#define SIZE 16
#define SQUARE(x) ((x) * (x))

typedef unsigned long word;

enum colour { red, green = 7, blue };
struct pair { int first; double second; struct pair *next; char name[SIZE]; };
union either { int i; float f; };

int common_array[SIZE];
static int local_common[4];
int initialized = SQUARE(5);
static int local_initialized = 3;
const char *const names[] = {"red", "green", "blue"};
static const double table[] = {1.0, 0.5, 0.25, 1e300};
_Thread_local int counter;
static _Thread_local int local_counter = 4;
extern _Thread_local int foreign_counter;
extern int foreign;
extern struct pair *make(int, double);
extern void use(const void *, ...);
__attribute__((weak)) int weak_variable = 1;
extern int weak_function(int) __attribute__((weak));
__attribute__((visibility("hidden"))) int hidden_variable;
__attribute__((section(".special"))) int special = 2;
__attribute__((aligned(64))) char aligned_buffer[100];

static int helper(int x) __attribute__((noinline));
static int helper(int x) { return x * local_initialized + local_common[x & 3]++; }

int alias_target(int x) { return helper(x) + SQUARE(x); }
int alias(int) __attribute__((alias("alias_target")));

int choose(enum colour c, int x) {
  switch (x) {
    case 0: return c + 1;
    case 1: return foreign;
    case 2: return counter++;
    case 3: return local_counter += x;
    case 4: return foreign_counter;
    case 5: return helper(x);
    case 6: return weak_function ? weak_function(x) : 0;
    case 7: return initialized ^ hidden_variable;
    default: return (int)table[x & 3];
  }
}

double sum(const struct pair *p, int n) {
  double s = 0;
  for (int i = 0; i < n && p; ++i, p = p->next) s += p->second * table[i & 3] + p->name[i % SIZE];
  return s;
}

word atomics(word *p) {
  __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
  word old = 0;
  __atomic_compare_exchange_n(p, &old, 5, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  return old + __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

int variable(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  int total = 0;
  while (n--) total += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return total;
}

void vectors(float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; ++i) a[i] = a[i] * b[i] + 2.0f;
}

void labels(int i) {
  static void *const targets[] = {&&one, &&two};
  char buffer[200];
  goto *targets[i & 1];
one:
  use(buffer, names[0], common_array, &special, aligned_buffer);
  return;
two:
  use(buffer, names[1], &weak_variable, make(i, 0.5));
}

__attribute__((constructor)) static void start(void) { hidden_variable = variable(3, 1, 2, 3); }
