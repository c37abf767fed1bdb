// SPDX-License-Identifier: Apache-2.0
// Exceptions of both kinds, thread-local variables, guarded initialisation, virtual tables, large frames: what makes
// sections, COMDATs and unwind tables for Microsoft's environment. There are no headers for C++ in it.
struct S {
  int v;
  S(int);
  ~S();
};
struct E {
  int code;
  virtual ~E();
  virtual int what();
};
struct F : E {
  int more;
  int what() override;
};
extern "C" void ext(int);
void g(S&);
inline int helper(int x) {
  S s(x);
  g(s);
  return s.v;
}
int f(int n) {
  S a(n);
#ifndef __aarch64__  // of catch blocks there, Clang writes text that llvm-mc refuses
  try {
    S b(n + 1);
    g(b);
    if (n > 3) throw n;
    ext(helper(n));
  } catch (int i) {
    ext(i);
    S c(i);
    g(c);
    return i;
  } catch (F& e) {
    ext(e.what());
  } catch (E* e) {
    ext(e->what());
    throw;
  } catch (...) {
    ext(-1);
  }
#endif
  return a.v;
}
thread_local int tls = 5;
thread_local S tls_s(4);
int use() {
  tls_s.v++;
  return ++tls;
}
static S global(3);
template <typename T>
T twice(T x) {
  S s((int)x);
  ::g(s);
  return x + x;
}
template int twice(int);
template double twice(double);
int F::what() { return 4 + more; }
double many(double a, double b, double c, double d, double e) {
  char buf[9000];
  ext((long long)buf);
  S s(1);
  g(s);
  ext(int(a + b));
  ext(int(c * d));
  return a * b + c * d + e;
}
#ifdef _MSC_VER
int seh(int n) {
  __try {
    ext(n);
  } __except (n == 2) {
    ext(4);
  }
  __try {
    ext(7);
  } __finally {
    ext(n + 1);
  }
  return n;
}
#endif
int sw(int n) {
  switch (n) {
    case 0: return 5;
    case 1: ext(3); return 9;
    case 2: return 77;
    case 3: ext(4); return 1;
    case 4: ext(9); return 3;
    case 5: return 12;
    case 6: return 99;
  }
  return helper(n);
}
