#pragma once

#include <tutti/instrument/unit_traits.hpp>
#include <tutti/pass/pass_info.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace tutti {

/// A pass that writes the unit as a text, for pipelines that are being looked into: a line `PrintIR(header):`, then the text.
///
/// `Write` is called with the text.
///
/// Requires: the unit has a text (`unit_traits<Unit>::to_text`).
/// Example:  `tutti::sequential(fold, tutti::print_pass{[](std::string_view text) { std::cerr << text; }}, fuse)`
template <std::invocable<std::string_view> Write>
class print_pass {
    Write write_;
    std::string header_;

public:
    static constexpr pass_info info{.name = "PrintIR"};

    explicit print_pass(Write write, std::string header = {}) : write_(std::move(write)), header_(std::move(header)) {}

    template <class Unit>
    void operator()(Unit& unit) const {
        static_assert(has_text<Unit>, "tutti::print_pass: a unit must have a text; specialise tutti::unit_traits for it, with static "
                                      "std::string to_text(const Unit&)");
        if constexpr (has_text<Unit>) {
            std::string text = "PrintIR(" + header_ + "):\n" + unit_traits<Unit>::to_text(unit);
            if (!text.ends_with('\n')) text += '\n';
            write_(std::string_view(text));
        }
    }
};

} // namespace tutti
