#pragma once

#include <tutti/diagnostic.hpp>
#include <tutti/pipeline/grammar.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::runtime {

/// A text that is no pipeline, or not what else is written as pipelines are: `what()` shows the place, as a compiler does.
///
/// ```
/// pipeline:1:11: error: FuseOp: no such pass; did you mean FuseOps?
/// InferType,FuseOp{fuse_opt_level=2}
///           ^~~~~~
/// ```
class pipeline_error : public input_error {
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
    /// `of` is what messages call the text.
    ///
    /// Requires: `position` is in the text, or its end.
    pipeline_error(std::string_view text, std::size_t position, std::size_t length, complaint said,
                   std::string_view of = "pipeline")
        : input_error(std::move(said), place(of, text, position))
        , position_(position)
        , length_(length)
        , text_(compiler_message(where(), problem(), expected(), excerpt_of(text, position, length))) {}

    /// Where in the text, in characters.
    std::size_t position() const noexcept { return position_; }
    /// How many characters are wrong; none if something is missing.
    std::size_t length() const noexcept { return length_; }
    const char* what() const noexcept override { return text_.c_str(); }
};

/// The error for what is wrong with the grammar of a text.
///
/// Requires: `mistake.expected`.
[[gnu::cold]] inline pipeline_error error_of(std::string_view text, const pipeline_mistake& mistake,
                                             std::string_view of = "pipeline") {
    const std::string_view there = text.substr(mistake.position, mistake.length);
    std::string found = "found the end";
    if (!there.empty()) found = there.size() > 40 ? "found something else" : "found `" + std::string{there} + "`";
    return {text, mistake.position, mistake.length, {std::move(found), mistake.expected, std::string{there}}, of};
}

/// The error for a text that is too long to be read.
[[gnu::cold]] inline pipeline_error error_of_length(std::string_view text, std::size_t most,
                                                    std::string_view of = "pipeline") {
    return {text.substr(0, most), most, 1, {"the text goes on", "at most " + std::to_string(most) + " characters"}, of};
}

} // namespace tutti::runtime
