// SPDX-License-Identifier: Apache-2.0
// As flags-program.c, for what C++ adds: exceptions, COMDATs, virtual functions, static initialization, inline
// variables.
namespace {
int quiet = 5;
thread_local int quiet_counter = 7;
}

struct Base {
  virtual ~Base() {}
  virtual int value() const { return 1; }
};

struct Derived : Base {
  explicit Derived(int n) : n_(n) {}
  ~Derived() override;
  int value() const override { return n_ + quiet; }
  int n_;
};

Derived::~Derived() { --quiet_counter; }

template <class T>
struct Holder {
  static inline T shared{};
  T get() const { return item; }
  T item;
};

inline int counted() {
  static int calls = quiet;
  return ++calls;
}

struct Error { int code; };
void might_throw(int);

int guarded(int n) {
  Derived d(n);
  try {
    might_throw(n);
    if (n > 10) throw Error{n};
  } catch (const Error& e) {
    return e.code + d.value();
  } catch (...) {
    return -1;
  }
  return counted();
}

thread_local Derived dynamic_tls(3);
Derived global(4);

int together(Base& b, Holder<long>* h) {
  const auto call = [&](int x) noexcept { return b.value() * x; };
  return call(2) + int(h->get() + Holder<long>::shared) + dynamic_tls.value() + global.n_;
}
