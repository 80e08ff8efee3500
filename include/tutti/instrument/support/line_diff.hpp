#pragma once

#include <tutti/instrument/support/line_matching.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::instrument {

/// Options of `line_diff`.
struct diff_style {
    std::size_t context = 3;            ///< number of unchanged lines around changes
    bool colour = false;                ///< for terminals: removed lines in red, added lines in green
    std::string_view value_names = "%"; ///< precede the numbers of values, separated by spaces; see `unit_traits`
};

namespace detail {

// Writes the lines that differ between two texts. Keeps no copies of lines.
class diff_writer {
    const tutti::internal::line_matching found_;
    const diff_style& style_;
    std::string out_;

    void write_line(std::string_view colour, char mark, std::string_view text) {
        if (style_.colour && !colour.empty()) out_ += colour;
        out_ += mark;
        out_ += text;
        if (style_.colour && !colour.empty()) out_ += "\x1b[0m";
        out_ += '\n';
    }
    static void write_range(char mark, std::size_t first, std::size_t count, std::string& out) {
        out.append(" ").append(1, mark).append(std::to_string(count == 0 ? first : first + 1));
        if (count != 1) out.append(",").append(std::to_string(count));
    }
    bool differs(std::size_t i, std::size_t j) const { return found_.is_gone(i) || found_.is_added(j); }

    // Writes a hunk that begins with a difference at (x, y). Returns the end of the hunk.
    void write_hunk(std::size_t& x, std::size_t& y) {
        const std::size_t lead = style_.context < x ? style_.context : x;
        const std::size_t x0 = x - lead, y0 = y - lead;
        // Finds the end of the hunk: the next change is farther away than the context of two hunks.
        std::size_t x1 = x, y1 = y, same_lines = 0;
        while (true) {
            if (differs(x1, y1)) {
                if (found_.is_gone(x1))
                    ++x1;
                else
                    ++y1;
                same_lines = 0;
            } else if (x1 < found_.before.size() && same_lines <= 2 * style_.context) {
                ++x1, ++y1, ++same_lines;
            } else {
                break;
            }
        }
        const std::size_t behind = same_lines > style_.context ? same_lines - style_.context : 0;
        x1 -= behind, y1 -= behind;
        std::string head = "@";
        write_range('-', x0, x1 - x0, head);
        write_range('+', y0, y1 - y0, head);
        write_line("\x1b[36m", '@', head.append(" @@"));
        for (x = x0, y = y0; x < x1 || y < y1;) {
            if (x < x1 && found_.is_gone(x))
                write_line("\x1b[31m", '-', found_.before.line(x++));
            else if (y < y1 && found_.is_added(y))
                write_line("\x1b[32m", '+', found_.after.line(y++));
            else
                write_line({}, ' ', found_.after.line(y)), ++x, ++y;
        }
    }

public:
    diff_writer(std::string_view before, std::string_view after, const diff_style& style)
        : found_(before, after, style.value_names), style_(style) {}

    std::string write() {
        for (std::string_view notes = found_.notes; !notes.empty();) {
            const std::size_t end = notes.find('\n');
            write_line("\x1b[36m", '@', "@ " + std::string{notes.substr(0, end)} + " @@");
            notes.remove_prefix(end + 1);
        }
        std::size_t x = 0, y = 0;
        while (true) {
            while (x < found_.before.size() && !differs(x, y)) ++x, ++y;
            if (!differs(x, y)) return static_cast<std::string&&>(out_);
            write_hunk(x, y);
        }
    }
};

} // namespace detail

/// Returns the difference between two texts in the format of `diff -u`, without file names; empty if they are equal.
///
/// A line whose values alone have other numbers counts as unchanged, and is shown as it is in `after`. The numbers are
/// then stated first, with the lines of `before` that they apply to: `@@ renumbered in lines 3-61: %5-%60 to %4-%59 @@`.
/// Removed lines have the old numbers. See `tutti::internal::line_matching` for the rules.
///
/// Cost:    memory for a few numbers per line and value; time proportional to the number of lines times the number of
///          differing lines, up to a bound. Beyond the bound, the result may not be the shortest.
/// Example: `line_diff("a\nb\n", "a\nc\n") == "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"`
[[gnu::cold]] inline std::string line_diff(std::string_view before, std::string_view after,
                                           const diff_style& style = {}) {
    return detail::diff_writer{before, after, style}.write();
}

} // namespace tutti::instrument
