// SPDX-License-Identifier: Apache-2.0
// What the C++ library of Debian 12's Emscripten does not have of C++20 and xas needs.
#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

namespace std {

#ifndef __cpp_lib_bit_cast
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
#endif

#ifndef __cpp_lib_smart_ptr_for_overwrite
template <class T>
  requires is_array_v<T>
unique_ptr<T> make_unique_for_overwrite(size_t count) {
  return unique_ptr<T>(new remove_extent_t<T>[count]);
}
template <class T>
  requires(!is_array_v<T>)
unique_ptr<T> make_unique_for_overwrite() {
  return unique_ptr<T>(new T);
}
#endif

#ifndef __cpp_lib_ranges
namespace ranges {
template <class Range, class Value>
constexpr auto find(Range&& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value);
}
template <class Range, class Value, class Projection>
constexpr auto find(Range&& range, const Value& value, Projection projection) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](const auto& element) { return std::invoke(projection, element) == value; });
}
template <class Range, class Predicate>
constexpr auto find_if(Range&& range, Predicate predicate) {
  return std::find_if(std::begin(range), std::end(range), predicate);
}
template <class Range, class Value>
constexpr auto count(Range&& range, const Value& value) {
  return std::count(std::begin(range), std::end(range), value);
}
template <class Range, class Output>
constexpr Output copy(Range&& range, Output output) {
  return std::copy(std::begin(range), std::end(range), output);
}
template <class Range>
constexpr void reverse(Range&& range) {
  std::reverse(std::begin(range), std::end(range));
}
template <class Range, class Output, class Change>
constexpr Output transform(Range&& range, Output output, Change change) {
  return std::transform(std::begin(range), std::end(range), output, change);
}
template <class Range, class Predicate>
constexpr bool any_of(Range&& range, Predicate predicate) {
  return std::any_of(std::begin(range), std::end(range), predicate);
}
template <class Range, class Predicate>
constexpr bool none_of(Range&& range, Predicate predicate) {
  return std::none_of(std::begin(range), std::end(range), predicate);
}
template <class Range, class Predicate>
constexpr auto count_if(Range&& range, Predicate predicate) {
  return std::count_if(std::begin(range), std::end(range), predicate);
}
template <class Range, class Predicate>
constexpr bool all_of(Range&& range, Predicate predicate) {
  return std::all_of(std::begin(range), std::end(range), predicate);
}
template <class Range>
constexpr void sort(Range&& range) {
  std::sort(std::begin(range), std::end(range));
}
struct default_order {};
template <class Range, class Projection>
constexpr void sort(Range&& range, default_order, Projection projection) {
  std::sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(projection, a) < std::invoke(projection, b);
  });
}
template <class Range, class Projection>
constexpr void stable_sort(Range&& range, default_order, Projection projection) {
  std::stable_sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(projection, a) < std::invoke(projection, b);
  });
}
/// What is left over, from `begin()` to `end()`.
template <class Iterator>
struct rest {
  Iterator first, last;
  Iterator begin() const { return first; }
  Iterator end() const { return last; }
};
template <class Range, class Projection>
constexpr auto unique(Range&& range, default_order, Projection projection) {
  const auto last = std::unique(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(projection, a) == std::invoke(projection, b);
  });
  return rest<std::decay_t<decltype(last)>>{last, std::end(range)};
}
template <class Range, class Value, class Projection>
constexpr auto lower_bound(Range&& range, const Value& value, default_order, Projection projection) {
  return std::lower_bound(std::begin(range), std::end(range), value,
                          [&](const auto& element, const Value& v) { return std::invoke(projection, element) < v; });
}
}  // namespace ranges
#endif

#ifndef __cpp_lib_to_chars
/// By the C library, whose locale is always "C" here.
inline from_chars_result from_chars(const char* first, const char* last, double& value, chars_format format) {
  const string text = (format == chars_format::hex ? "0x" : "") + string(first, last);
  char* end;
  errno = 0;
  value = strtod(text.c_str(), &end);
  const ptrdiff_t read = end - text.c_str() - (format == chars_format::hex ? 2 : 0);
  if (read <= 0) return {first, errc::invalid_argument};
  return {first + read, errno == ERANGE ? errc::result_out_of_range : errc()};
}
#endif

}  // namespace std
