#pragma once

#include <tutti/base/described.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace tutti {

namespace internal {

/// Writes texts to standard error: the default of `print_pass` and of the instruments that print. Standard output
/// belongs to the program.
struct write_to_stderr {
    void operator()(std::string_view text) const { std::fwrite(text.data(), 1, text.size(), stderr); }
};

} // namespace internal

/// A pass that writes the unit as text, for debugging pipelines: a line `PrintIR(header):`, then the text.
///
/// Calls `Write` with the text. The printed form of the pass is `PrintIR{header="after fusing",show_meta_data=True}`.
/// It does not contain the destination, which the list or registry of passes determines.
///
/// Requires: the unit has a text (`unit_traits<Unit>::to_text`).
/// Example:  `tutti::sequential(fold, tutti::print_pass{[](std::string_view text) { std::cerr << text; }}, fuse)`
template <std::invocable<std::string_view> Write = internal::write_to_stderr>
class print_pass {
    Write write_{};

public:
    static constexpr pass_info info{.name = "PrintIR"};

    std::string header;          ///< the text in the brackets of the first line
    bool show_meta_data = false; ///< write the complete text, if the unit has one (`unit_traits<Unit>::to_full_text`)

    static constexpr option_list<&print_pass::header, &print_pass::show_meta_data> options{"header", "show_meta_data"};

    constexpr print_pass() = default;
    constexpr explicit print_pass(Write write, std::string title = {})
        : write_(std::move(write)), header(std::move(title)) {}

    template <class Unit>
    change operator()(Unit& unit) const {
        static_assert(
            internal::has_text<Unit>,
            "tutti::print_pass: a unit must have a text; specialise tutti::unit_traits for it, before it is used, with static "
            "std::string to_text(const Unit&)");
        if constexpr (internal::has_text<Unit>) {
            std::string text = "PrintIR(" + header + "):\n" + text_of(unit);
            if (!text.ends_with('\n')) text += '\n';
            write_(std::string_view(text));
        }
        return unchanged;
    }

private:
    template <class Unit>
    std::string text_of(const Unit& unit) const {
        if constexpr (internal::has_full_text<Unit>)
            if (show_meta_data) return unit_traits<Unit>::to_full_text(unit);
        return unit_traits<Unit>::to_text(unit);
    }
};

} // namespace tutti
