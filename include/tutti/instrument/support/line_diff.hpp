#pragma once

#include <tutti/instrument/support/sequence_matcher.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::instrument {

/// Options of `line_diff`.
struct diff_style {
    std::size_t context = 3; ///< number of unchanged lines around changes
    bool colour = false;     ///< for terminals: removed lines in red, added lines in green
};

namespace detail {

// Writes the lines that differ between two texts. Keeps a few numbers per line, and no copies of lines.
class line_matcher {
    struct line {
        std::size_t begin, size;
        std::uint64_t hash;
    };
    std::string_view before_, after_;
    std::vector<line> old_, new_;

    static void split(std::string_view text, std::vector<line>& lines) {
        std::size_t begin = 0;
        while (begin < text.size()) {
            std::uint64_t hash = 14695981039346656037U; // FNV-1a
            std::size_t end = begin;
            for (; end < text.size() && text[end] != '\n'; ++end)
                hash = (hash ^ static_cast<unsigned char>(text[end])) * 1099511628211U;
            lines.push_back({begin, end - begin, hash});
            begin = end + 1;
        }
    }
    bool same(std::size_t x, std::size_t y) const {
        const line &a = old_[x], &b = new_[y];
        return a.hash == b.hash && before_.substr(a.begin, a.size) == after_.substr(b.begin, b.size);
    }

    void write_line(std::string_view colour, char mark, std::string_view text, const diff_style& style,
                    std::string& out) const {
        if (style.colour && !colour.empty()) out += colour;
        out += mark;
        out += text;
        if (style.colour && !colour.empty()) out += "\x1b[0m";
        out += '\n';
    }
    std::string_view old_line(std::size_t i) const { return before_.substr(old_[i].begin, old_[i].size); }
    std::string_view new_line(std::size_t i) const { return after_.substr(new_[i].begin, new_[i].size); }

    static void write_range(char mark, std::size_t first, std::size_t count, std::string& out) {
        out.append(" ").append(1, mark).append(std::to_string(count == 0 ? first : first + 1));
        if (count != 1) out.append(",").append(std::to_string(count));
    }

public:
    line_matcher(std::string_view before, std::string_view after) : before_(before), after_(after) {
        split(before, old_);
        split(after, new_);
    }

    std::string write(const diff_style& style) const {
        std::string out;
        std::size_t x = 0, y = 0;
        const tutti::internal::sequence_matcher found{old_.size(), new_.size(),
                                                      [this](std::size_t i, std::size_t j) { return same(i, j); }};
        const auto differs = [&](std::size_t i, std::size_t j) { return found.gone(i) || found.added(j); };
        while (true) {
            while (x < old_.size() && !differs(x, y)) ++x, ++y;
            if (!differs(x, y)) return out;
            const std::size_t lead = style.context < x ? style.context : x;
            const std::size_t x0 = x - lead, y0 = y - lead;
            // Finds the end of the hunk: the next change is farther away than the context of two hunks.
            std::size_t x1 = x, y1 = y, same_lines = 0;
            while (true) {
                if (differs(x1, y1)) {
                    if (found.gone(x1))
                        ++x1;
                    else
                        ++y1;
                    same_lines = 0;
                } else if (x1 < old_.size() && same_lines <= 2 * style.context) {
                    ++x1, ++y1, ++same_lines;
                } else {
                    break;
                }
            }
            const std::size_t behind = same_lines > style.context ? same_lines - style.context : 0;
            x1 -= behind, y1 -= behind;
            std::string head = "@@";
            write_range('-', x0, x1 - x0, head);
            write_range('+', y0, y1 - y0, head);
            write_line("\x1b[36m", '@', head.append(" @@").substr(1), style, out);
            for (x = x0, y = y0; x < x1 || y < y1;) {
                if (x < x1 && found.gone(x))
                    write_line("\x1b[31m", '-', old_line(x++), style, out);
                else if (y < y1 && found.added(y))
                    write_line("\x1b[32m", '+', new_line(y++), style, out);
                else
                    write_line({}, ' ', old_line(x), style, out), ++x, ++y;
            }
        }
    }
};

} // namespace detail

/// Returns the difference between two texts in the format of `diff -u`, without file names; empty if they are equal.
///
/// Cost:    memory for a few numbers per line; time proportional to the number of lines times the number of differing
///          lines, up to a bound. Beyond the bound, the result may not be the shortest.
/// Example: `line_diff("a\nb\n", "a\nc\n") == "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"`
[[gnu::cold]] inline std::string line_diff(std::string_view before, std::string_view after,
                                           const diff_style& style = {}) {
    return detail::line_matcher{before, after}.write(style);
}

} // namespace tutti::instrument
