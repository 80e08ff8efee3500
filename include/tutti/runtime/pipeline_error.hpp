#pragma once

#include <tutti/diagnostic.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::runtime {

/// A text that is no pipeline: `what()` shows the place, as a compiler does.
///
/// ```
/// pipeline:1:11: error: FuseOp: no such pass; did you mean FuseOps?
/// InferType,FuseOp{fuse_opt_level=2}
///           ^~~~~~
/// ```
class pipeline_error : public input_error {
    std::size_t position_, length_;
    std::string text_;

    static std::string place(std::string_view text, std::size_t position) {
        std::size_t line = 1, column = 1;
        for (const char c : text.substr(0, position)) {
            column = c == '\n' ? 1 : column + 1;
            line += c == '\n' ? 1 : 0;
        }
        return "pipeline:" + std::to_string(line) + ":" + std::to_string(column);
    }

public:
    /// Requires: `position` is in the text, or its end.
    pipeline_error(std::string_view text, std::size_t position, std::size_t length, complaint said)
        : input_error(std::move(said), place(text, position))
        , position_(position)
        , length_(length)
        , text_(compiler_message(where(), problem(), expected(), excerpt_of(text, position, length))) {}

    /// Where in the text, in characters.
    std::size_t position() const noexcept { return position_; }
    /// How many characters are wrong; none if something is missing.
    std::size_t length() const noexcept { return length_; }
    const char* what() const noexcept override { return text_.c_str(); }
};

} // namespace tutti::runtime
