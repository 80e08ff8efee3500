#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace program {

/// Formats rows of cells as columns that are two spaces apart.
class text_table {
    std::string_view alignment_;
    std::vector<std::vector<std::string>> rows_;

public:
    /// Creates an empty table. `alignment` has a letter for each column: l or r, for left or right.
    explicit text_table(std::string_view alignment) : alignment_(alignment) {}

    /// Adds a row. Missing and empty cells at the end take no space.
    ///
    /// Requires: `cells` has no more cells than the table has columns.
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    std::string text() const {
        std::vector<std::size_t> widths(alignment_.size(), 0);
        for (const auto& row : rows_)
            for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], characters(row[i]));
        std::string text;
        for (const auto& row : rows_) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                const std::string space(widths[i] - characters(row[i]), ' ');
                line += (i == 0 ? "" : "  ") + (alignment_[i] == 'r' ? space + row[i] : row[i] + space);
            }
            text += line.erase(line.find_last_not_of(' ') + 1) + '\n';
        }
        return text;
    }

private:
    // Returns the number of characters in UTF-8 text.
    static std::size_t characters(std::string_view text) {
        return static_cast<std::size_t>(
            std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    }
};

} // namespace program
