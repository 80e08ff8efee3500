#pragma once

#include <tutti/base/fixed_string.hpp>
#include <tutti/pass/pass.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/point.hpp>
#include <tutti/pipeline/words.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>

namespace tutti::edit {

/// Passes of a pipeline, as edits name them: `Name` for all passes of that name, `Name#2` for the second one.
///
/// Passes are counted in the order of the pipeline's text, nested ones and those in adaptors included. A name in double
/// quotes may end with a number: `"A#2"#1` is the first pass with the name `A#2`.
///
/// Example: `place{"FoldConstant#2"}.occurrence // 2`
struct place {
    std::string_view name;      ///< a word of a pipeline's text
    std::size_t occurrence = 0; ///< counts from 1; 0 if no number is given

    constexpr explicit place(std::string_view text) : name(text) {
        std::size_t end = text.size(), factor = 1, number = 0;
        for (; end > 0 && text[end - 1] >= '0' && text[end - 1] <= '9' && text.size() - end < 9; factor *= 10)
            number += factor * static_cast<std::size_t>(text[--end] - '0');
        if (number == 0 || end < 2 || text[end - 1] != '#') return;
        name = text.substr(0, end - 1);
        occurrence = number;
    }

    /// True if the place is `pass`, or the pass `pass#n` for some number.
    constexpr bool is_of(std::string_view pass) const {
        const bool whole = !name.starts_with('"') || tutti::detail::word_length(name) == name.size();
        return whole && internal::stands_for(name, pass);
    }
    /// True if an edit changes the pass with this name and occurrence, which counts from 1.
    constexpr bool selects(std::size_t n) const { return occurrence == 0 || occurrence == n; }
};

} // namespace tutti::edit

namespace tutti {

namespace internal {

/// The kinds of edits.
enum class edit_kind { insert_before, insert_after, replace, remove, start_from, stop_after };

/// True for the edits that need a single pass: `Name` is then the only pass of
/// that name.
constexpr bool needs_single_place(edit_kind kind) {
    return kind == edit_kind::start_from || kind == edit_kind::stop_after;
}

/// True for a sequential that a pipeline's text shows only as a list: edits do
/// not name it.
constexpr bool is_unnamed(const pass_info& info) {
    return info.kind == pass_kind::sequential && info.name == "sequential";
}

/// The passes that an edit names, by name.
template <fixed_string Place>
struct place_by_name {
    static constexpr edit::place where{Place.view()};
    template <class P>
    static constexpr bool is() {
        if constexpr (describes_itself_statically<P> && !is_point<P>)
            return !is_unnamed(P::info) && where.is_of(P::info.name);
        else
            return false;
    }
};
/// The passes that an edit names, by type.
template <class Pass, std::size_t Occurrence>
struct place_by_type {
    static constexpr edit::place where = [] {
        edit::place made{""};
        made.occurrence = Occurrence;
        return made;
    }();
    template <class P>
    static constexpr bool is() {
        return std::same_as<P, Pass>;
    }
};

/// The extension points that an edit fills.
template <fixed_string Name>
struct place_by_point {
    static constexpr edit::place where{""};
    template <class P>
    static constexpr bool is() {
        return std::same_as<P, point<Name>>;
    }
};

} // namespace internal

} // namespace tutti
