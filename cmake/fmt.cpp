// SPDX-License-Identifier: Apache-2.0
// fmt as a static library of one file.
//
// Distributions ship fmt as a shared library, which a statically linked program cannot use, and as headers alone, which
// cost every file that formats a message seven seconds of compilation. So the definitions that its headers leave out
// are compiled here, once.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template FMT_API auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);
template FMT_API void vformat_to(buffer<char>&, string_view,
#if FMT_VERSION < 100000
                                 basic_format_args<FMT_BUFFER_CONTEXT(char)>,
#else
                                 typename vformat_args<char>::type,
#endif
                                 locale_ref);

}  // namespace detail
FMT_END_NAMESPACE
