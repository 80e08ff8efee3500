#pragma once

#include <tutti/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::runtime {

/// A text that is no pipeline: `what()` shows the place, as a compiler does.
///
/// ```
/// pipeline:1:11: error: FuseOp: no such pass; did you mean FuseOps?
/// InferType,FuseOp{fuse_opt_level=2}
///           ^~~~~~
/// ```
class pipeline_error : public error {
    std::size_t position_;
    std::string text_;

    static std::size_t line_start(std::string_view text, std::size_t position) {
        const std::size_t newline = position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
        return newline == std::string_view::npos ? 0 : newline + 1;
    }
    static std::string place(std::string_view text, std::size_t position) {
        const auto line = 1 + std::ranges::count(text.substr(0, position), '\n');
        return "pipeline:" + std::to_string(line) + ":" + std::to_string(position - line_start(text, position) + 1);
    }
    // The line, or what of a long one is around the place, and a mark under the place.
    static std::string excerpt(std::string_view text, std::size_t position, std::size_t length) {
        constexpr std::size_t before = 60, after = 60;
        std::size_t begin = line_start(text, position);
        std::string shown;
        if (position - begin > before) {
            begin = position - before;
            shown = "...";
        }
        const std::size_t end = std::min({text.find('\n', position), text.size(), position + after});
        const std::size_t column = shown.size() + (position - begin);
        shown += text.substr(begin, end - begin);
        for (char& c : shown)
            if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
        const std::size_t marked = std::clamp<std::size_t>(length, 1, std::max<std::size_t>(end - position, 1));
        return shown + "\n" + std::string(column, ' ') + "^" + std::string(marked - 1, '~') + "\n";
    }

public:
    /// Requires: `position` is in the text, or its end.
    pipeline_error(std::string_view text, std::size_t position, std::size_t length, std::string problem,
                   std::string expected = {})
        : error(place(text, position), std::move(problem), std::move(expected)), position_(position) {
        text_ = where() + ": error: " + this->problem();
        if (!this->expected().empty()) text_ += "; expected " + this->expected();
        text_ += "\n" + excerpt(text, position, length);
    }

    /// Where in the text, in characters.
    std::size_t position() const noexcept { return position_; }
    const char* what() const noexcept override { return text_.c_str(); }
};

} // namespace tutti::runtime
