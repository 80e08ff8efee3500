#pragma once

#include <tutti/base/diagnostic.hpp>
#include <tutti/pipeline/grammar.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::runtime {

/// A mistake in the text form of a pipeline, or in another text with the same grammar. `what()` shows the position like
/// a compiler error.
///
/// ```
/// pipeline:1:11: error: FuseOp: no such pass; did you mean FuseOps?
/// InferType,FuseOp{fuse_opt_level=2}
///           ^~~~~~
/// ```
class [[gnu::visibility("default")]] pipeline_error : public input_error {
    std::size_t position_, length_;
    std::string text_;

    static std::string place(std::string_view of, std::string_view text, std::size_t position) {
        std::size_t line = 1, column = 1;
        for (const char c : text.substr(0, position)) {
            column = c == '\n' ? 1 : column + 1;
            line += c == '\n' ? 1 : 0;
        }
        return std::string{of} + ":" + std::to_string(line) + ":" + std::to_string(column);
    }

public:
    /// Creates an error about `length` bytes of the text. `of` is the name of the text in messages.
    ///
    /// Requires: `position` is at most `text.size()`.
    pipeline_error(std::string_view text, std::size_t position, std::size_t length, tutti::internal::complaint said,
                   std::string_view of = "pipeline")
        : input_error(std::move(said), place(of, text, position))
        , position_(position)
        , length_(length)
        , text_(compiler_message(where(), problem(), expected(), tutti::internal::excerpt_of(text, position, length))) {
    }

    /// The position of the mistake in the text, in bytes.
    std::size_t position() const noexcept { return position_; }
    /// The number of wrong bytes; 0 if something is missing.
    std::size_t length() const noexcept { return length_; }
    const char* what() const noexcept override { return text_.c_str(); }
};

namespace detail {

/// Returns the error for a grammar mistake in a text.
///
/// Requires: `mistake.expected`.
[[gnu::cold]] inline pipeline_error error_of(std::string_view text, const tutti::internal::pipeline_mistake& mistake,
                                             std::string_view of = "pipeline") {
    const std::string_view there = text.substr(mistake.position, mistake.length);
    std::string found = "found the end";
    if (!there.empty()) found = there.size() > 40 ? "found something else" : "found `" + std::string{there} + "`";
    return {text, mistake.position, mistake.length, {std::move(found), mistake.expected, std::string{there}}, of};
}

/// Returns the error for a text that is too long.
[[gnu::cold]] inline pipeline_error error_of_length(std::string_view text, std::size_t most,
                                                    std::string_view of = "pipeline") {
    return {
        text.substr(0, most), most, 1, {"the text is too long", "at most " + std::to_string(most) + " characters"}, of};
}

} // namespace detail

} // namespace tutti::runtime
