#pragma once

#include <tutti/base/decimal.hpp>
#include <tutti/pipeline/option_type.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace tutti::detail {

// Reading and writing of floating-point options at run time. Separate from option_type.hpp so that <tutti/pass.hpp>
// does not include <charconv>.

template <std::floating_point T>
bool read_decimal_at_run_time(std::string_view word, T& value) {
    const auto [end, problem] = internal::decimal_from_chars(word.data(), word.data() + word.size(), value);
    return problem == std::errc{} && end == word.data() + word.size();
}

template <std::floating_point T>
void write_decimal(T value, auto& out) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value);
    out.append(std::string_view(text, static_cast<std::size_t>(end.ptr - text)));
}

} // namespace tutti::detail
