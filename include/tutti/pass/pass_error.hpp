#pragma once

#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <exception>
#include <string_view>
#include <type_traits>

namespace tutti {

/// The error of a pass that has no error type of its own: a short text, which is cut off after 239 characters.
class [[gnu::visibility("default")]] pass_error : public std::exception {
    static constexpr std::size_t most_characters = 239;

    char text_[most_characters + 1]{};

public:
    explicit pass_error(std::string_view text) { text.copy(text_, most_characters); }

    const char* what() const noexcept override { return text_; }
};

namespace detail {

// Identifies a type of errors by the address of a variable, which is not const: equal constants may be merged.
template <class E>
[[gnu::visibility("default")]] inline char error_type = 0; // shared with plugins

// Hands an error to the `try_run` around the pass, if there is one. False if there is none, or if it is for errors of
// another type. The token's type is deduced, so that pass.hpp does without it.
template <class Token, class E>
[[gnu::cold]] bool hand_to_try_run(Token* token, const pass_info& info, E& error, std::string_view text) {
    auto* const sink = token != nullptr ? token->sink() : nullptr;
    if (sink == nullptr) return false;
    if (sink->failed) return true; // only the first error counts
    std::exception_ptr reason;
    if constexpr (std::is_base_of_v<std::exception, E>)
        reason = std::make_exception_ptr(error);
    else
        reason = std::make_exception_ptr(pass_error(text));
    if (!sink->take(*sink, &error_type<E>, &error, info.name, text)) return false;
    sink->reason = static_cast<std::exception_ptr&&>(reason);
    sink->pass = info.name;
    token->fail();
    return true;
}

} // namespace detail

} // namespace tutti
