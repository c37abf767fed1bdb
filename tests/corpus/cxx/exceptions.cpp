// SPDX-License-Identifier: Apache-2.0
// Exceptions, templates, virtual tables, comdat groups, static local objects, lambdas, variants, coroutines: what C++
// makes a compiler emit. Used as assembler text for the differential tests and as a program for the end-to-end tests.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>
#ifdef __cpp_exceptions
#define TRY try
#define CATCH(declaration) catch (declaration)
#define THROW(value) throw value
#else
#define TRY if (true)
#define CATCH(declaration) else if (std::runtime_error error("none"); false)
#define THROW(value) __builtin_abort()
#endif

namespace {

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual std::string name() const { return "shape"; }
};

struct Square : Shape {
  explicit Square(double side) : side(side) {}
  double area() const override { return side * side; }
  std::string name() const override { return "square"; }
  double side;
};

struct Circle : virtual Shape {
  explicit Circle(double radius) : radius(radius) {}
  double area() const override { return 3.14159265358979 * radius * radius; }
  double radius;
};

struct Tracer {
  explicit Tracer(int depth) : depth(depth) { ++alive; }
  ~Tracer() { --alive; }
  int depth;
  static inline int alive = 0;
};

int dig(int depth) {
  Tracer tracer(depth);
  if (depth == 0) THROW(std::runtime_error("bottom"));
  return dig(depth - 1) + 1;
}

struct Odd : std::exception {
  const char* what() const noexcept override { return "odd"; }
};

}  // namespace

template <typename T>
struct Counter {
  static inline T total{};
  static T& add(T value) {
    static T history[4] = {};
    history[static_cast<unsigned>(total) % 4] = value;
    total += value;
    return history[0];
  }
};

template <typename... Parts>
std::string join(const Parts&... parts) {
  std::string result;
  ((result += parts, result += ' '), ...);
  return result;
}

template <int N>
int power(int base) {
  if constexpr (N == 0) return 1;
  else return base * power<N - 1>(base);
}

using Value = std::variant<int, double, std::string>;

std::string describe(const Value& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, std::string>) return "text " + held;
        else return "number " + std::to_string(held);
      },
      value);
}

int choose(int key) {  // a jump table
  switch (key) {
    case 0: return 17;
    case 1: return 3;
    case 2: return power<3>(key);
    case 3: return 99;
    case 4: return -key;
    case 5: return key << 7;
    case 6: return 1234567;
    case 7: return key * key;
    default: return 0;
  }
}

__attribute__((noinline)) int filter(int value) {
  TRY {
    if (value % 2) THROW(Odd());
    if (value > 10) THROW(std::out_of_range("big"));
    return value;
  } CATCH(const Odd& odd) {
    return -1;
  } CATCH(const std::out_of_range& range) {
    return -2;
  }
  return 0;
}

int shapes() {
  std::vector<std::unique_ptr<Shape>> all;
  all.push_back(std::make_unique<Square>(2));
  all.push_back(std::make_unique<Circle>(1));
  double sum = 0;
  for (const auto& shape : all) {
    sum += shape->area();
    std::printf("%s %.3f\n", shape->name().c_str(), shape->area());
  }
  return static_cast<int>(sum * 1000);
}

int exceptions_main() {
  int caught = 0;
#ifdef __cpp_exceptions
  try {
    dig(20);
  } catch (const std::runtime_error& error) {
    std::printf("caught %s, %d alive\n", error.what(), Tracer::alive);
    ++caught;
  }
#endif
  std::map<std::string, Value> values = {{"one", 1}, {"pi", 3.25}, {"text", std::string("hello")}};
  for (const auto& [name, value] : values) std::printf("%s: %s\n", name.c_str(), describe(value).c_str());
  std::array<int, 16> numbers{};
  for (int i = 0; i < 16; ++i) numbers[static_cast<unsigned>(i)] = choose(i % 9) ^ i;
  std::sort(numbers.begin(), numbers.end(), std::greater<>());
  long sum = 0;
  for (int number : numbers) sum = sum * 31 + number;
  std::printf("sum %ld\n", sum);
#ifdef __cpp_exceptions
  for (int i = 0; i < 14; i += 3) std::printf("filter %d = %d\n", i, filter(i));
#endif
  Counter<int>::add(5);
  Counter<long>::add(7);
  Counter<double>::add(1.5);
  std::printf("%s%d %ld %.1f\n", join("a", std::string("b"), "c").c_str(), Counter<int>::total, Counter<long>::total,
              Counter<double>::total);
  std::printf("shapes %d\n", shapes());
  return caught;
}
