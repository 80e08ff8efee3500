#pragma once

#include <tutti/pipeline/words.hpp>

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
