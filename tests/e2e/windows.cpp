// SPDX-License-Identifier: Apache-2.0
// Exceptions through frames with saved registers, large frames, COMDAT functions and thread-local data (windows.sh).
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

struct Loud {
  const char* name;
  explicit Loud(const char* n) : name(n) {}
  ~Loud() { std::printf("gone: %s\n", name); }
};

template <class T>
T checked(const std::vector<T>& v, std::size_t i) {
  Loud loud("template");
  if (i >= v.size()) throw std::runtime_error("from below");
  return v[i];
}

thread_local int counter = 5;

int large_frame(int depth) {
  volatile char space[20000];
  space[depth] = char(depth);
  Loud loud("large");
  if (depth == 3) return checked(std::vector<int>{1, 2, 3}, 7);
  return large_frame(depth + 1) + space[depth];
}

double with_vectors(double x) {
  double sum = 0;
  for (int i = 0; i < 5; ++i) {
    sum += x * i;
    std::printf("%.2f\n", sum);
  }
  return sum;
}

int main() {
  try {
    large_frame(0);
  } catch (const std::exception& e) {
    std::printf("caught: %s\n", e.what());
  }
  try {
    throw 42;
  } catch (int i) {
    std::printf("number %d, counter %d\n", i, ++counter);
  }
  return with_vectors(1.5) > 0 ? 0 : 1;
}
