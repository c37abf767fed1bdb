// SPDX-License-Identifier: Apache-2.0
// Exceptions and COMDATs without any library but printf, for windows_cxx.sh: in plain functions, templates and inline
// functions, nested, rethrown, with cleanups, from constructors, through other translation units. Compiled twice, as
// PART 1 and PART 2, so that the linker chooses among equal templates, inline functions and inline variables. With
// RETHROW=0 nothing is thrown again, which wine's 32-bit runtime can't do.
extern "C" int printf(const char*, ...);

#ifndef RETHROW
#define RETHROW 1
#endif

struct Loud {
  const char* name;
  int number;
  Loud(const char* n, int i = 0) : name(n), number(i) { printf("+%s %d\n", name, number); }
  Loud(const Loud& other) : name(other.name), number(other.number + 100) { printf("copy %s %d\n", name, number); }
  ~Loud() { printf("-%s %d\n", name, number); }
};

struct Base {
  int value;
  explicit Base(int v) : value(v) {}
  virtual ~Base() {}
  virtual int get() const { return value; }
};
struct Derived : Base {
  explicit Derived(int v) : Base(v) {}
  int get() const override { return value + 1000; }
};
struct Other {
  virtual ~Other() {}
  int o = 3;
};
struct Both : Other, Derived {
  explicit Both(int v) : Derived(v) {}
};

/// A COMDAT whose functions have cleanups, handlers and parts of their own.
template <class T>
struct Stack {
  T items[8];
  int size = 0;
  void push(T item) {
    Loud guard("push", size);
    if (size == 3) throw item;
    items[size++] = item;
  }
  T pop() {
    if (size == 0) throw Derived(7);
    return items[--size];
  }
};

template <class T>
int fill(T start) {
  Stack<T> stack;
  try {
    for (int i = 0;; ++i) stack.push(T(start + i));
  } catch (T thrown) {
    printf("full at %d\n", int(thrown));
  }
  int sum = 0;
  try {
    for (;;) sum += int(stack.pop());
  } catch (const Base& b) {
    printf("empty: %d\n", b.get());
  }
  return sum;
}

/// Set by code when the program starts, in an order that no one says.
struct Started {
  const char* name;
  int number;
  Started(const char* n, int i);
};

inline volatile int one = 1;
inline int counter = 1;
inline Started::Started(const char* n, int i) : name(n), number(i + one) {}
inline Started shared("shared", 42);
inline const int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
template <class T>
Started per_type("per type", int(sizeof(T)));

inline int nested(int depth) {
  Loud guard("nested", depth);
  try {
    try {
      if (depth == 0) throw 5;
      return nested(depth - 1) + 1;
    } catch (const Base& b) {
      printf("not this one %d\n", b.value);
    }
  } catch (int n) {
    printf("caught %d in %d\n", n, depth);
    try {
      throw Derived(n + depth);
    } catch (Base& b) {
      printf("inner %d\n", b.get());
      return b.get();
    }
  }
  return -1;
}

#if RETHROW
inline int again(int times) {
  try {
    if (times == 0) throw Both(9);
    return again(times - 1);
  } catch (Derived& d) {
    d.value += 10;
    printf("again %d\n", d.value);
    if (times < 3) throw;
    return d.get();
  }
}
#endif

int in_other_part(int n);

#if PART == 1

struct Partly {
  Loud first, second;
  explicit Partly(int n) : first("first"), second("second", n) {
    if (n & 1) throw n;
  }
};

static int with_switch(int n) {
  switch (n) {
    case 0: return table[n];
    case 1: throw 1;
    case 2: throw 'c';
    case 3: throw 3.5;
    case 4: throw "text";
    case 5: throw Both(50);
    case 6: throw &counter;
    default: return counter++;
  }
}

static int catches(int n) {
  Loud guard("catches", n);
  try {
    return with_switch(n);
  } catch (int i) {
    return 100 + i;
  } catch (char c) {
    return 200 + c;
  } catch (double d) {
    return int(d * 100);
  } catch (const char* text) {
    printf("%s\n", text);
    return 400;
  } catch (Other& o) {
    return 500 + o.o;
  } catch (...) {
    return 600;
  }
}

static int loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    Loud guard("loop", i);
    if (i == 1) continue;
    try {
      Partly partly(i);
      sum += i;
    } catch (int thrown) {
      sum += 10 * thrown;
    }
    if (sum > 40) break;
  }
  return sum;
}

int function_try(int n) try {
  Loud guard("try", n);
  return in_other_part(n);
} catch (int thrown) {
  return -thrown;
} catch (const Base& b) {
  return -b.get();
}

__attribute__((weak)) int weak_one(int n) {
  if (n > 2) throw n;
  return n;
}

int (*const functions[])(int) = {nested, fill<int>, catches, loops, function_try, weak_one};

#if defined(_MSC_VER) && defined(__x86_64__)
/// Microsoft's other exceptions: the tables are those of .seh_handlerdata itself.
static int* volatile nowhere;
__declspec(noinline) static void fault(int n) { *nowhere = n; }
static int filtered(int n) {
  __try {
    __try {
      fault(n);
    } __finally {
      counter += 100;
    }
  } __except (n == 1) {
    counter += 1000;
  }
  counter -= 1100;
  return 0;
}
#else
static int filtered(int) { return 0; }
#endif

int main() {
  printf("%d\n", nested(2));
  printf("%d\n", fill<int>(10));
  printf("%d\n", fill<long long>(20));
  for (int i = 0; i < 9; ++i) printf("%d\n", catches(i));
  printf("%d\n", loops(6));
  for (int i = 0; i < 4; ++i) printf("%d\n", function_try(i));
  int caught = 0;
  for (int i = 0; i < 6; ++i) {
    try {
      const int result = functions[i](i);
      caught += result;
    } catch (int n) {
      caught += 10000 * n;
    }
  }
  printf("%d\n", caught);
  printf("%d\n", filtered(1));
  printf("%d\n", counter);
#if RETHROW
  printf("%d\n", again(4));
#endif
  printf("%s %d %s %d\n", shared.name, shared.number, per_type<char>.name, per_type<short>.number);
  return 0;
}

#else

int in_other_part(int n) {
  Loud guard("other", n);
  if (n == 1) throw fill<int>(n);
  if (n == 2) throw Derived(n);
  counter += table[n];
  const int inside = nested(n);
  return inside + fill<short>(short(n)) + per_type<short>.number;
}

#endif
