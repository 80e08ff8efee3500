#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::instrument {

/// How `line_diff` writes what differs.
struct diff_style {
    std::size_t context = 3; ///< how many lines that are the same to show around those that differ
    bool colour = false;     ///< for terminals: what is gone in red, what is new in green
};

namespace detail {

// Finds which lines of two texts belong to each other by Myers' algorithm, divided at the middle of the shortest path (E. Myers,
// An O(ND) Difference Algorithm and Its Variations, 1986, section 4b): memory for the lines, and no more.
class line_matcher {
    struct line {
        std::size_t begin, size;
        std::uint64_t hash;
    };
    struct point {
        long x, y;
    };
    // A path longer than twice this is not looked for: the farthest that was reached is taken, so that time stays linear.
    static constexpr long longest = 512;
    static constexpr long nowhere = -1;

    std::string_view before_, after_;
    std::vector<line> old_, new_;
    std::vector<char> gone_, added_;       // by line
    std::vector<long> forward_, backward_; // how far paths have come, by diagonal
    long zero_ = 0;                        // where the diagonal 0 stands in these

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
    bool same(long x, long y) const {
        const line& a = old_[static_cast<std::size_t>(x)];
        const line& b = new_[static_cast<std::size_t>(y)];
        return a.hash == b.hash && before_.substr(a.begin, a.size) == after_.substr(b.begin, b.size);
    }
    static long& at(std::vector<long>& reached, long diagonal) { return reached[static_cast<std::size_t>(diagonal)]; }

    // How far a path of one more step can come on a diagonal, from those beside it; the grid has `wide` by `high` lines.
    static long step(std::vector<long>& reached, long zero, long k, long wide, long high) {
        const long left = at(reached, zero + k - 1), above = at(reached, zero + k + 1);
        const long x = left != nowhere && left < wide ? left + 1 : nowhere;
        const long same_x = above != nowhere && above - k <= high ? above : nowhere;
        return x > same_x ? x : same_x;
    }

    // A point that some shortest path goes through, or one that is far along a path, relative to the corner.
    point middle(long x0, long x1, long y0, long y1) {
        const long wide = x1 - x0, high = y1 - y0, delta = wide - high;
        point farthest{0, 0};
        const long most = longest < wide + high ? longest : wide + high;
        for (long k = -most - 2; k <= most + 2; ++k) at(forward_, zero_ + k) = at(backward_, zero_ + k) = nowhere;
        at(forward_, zero_ + 1) = at(backward_, zero_ + 1) = 0; // from where the first step goes to (0, 0)
        for (long d = 0; d <= most; ++d) {
            for (long k = -d; k <= d; k += 2) {
                long x = d == 0 ? 0 : step(forward_, zero_, k, wide, high);
                if (x != nowhere)
                    while (x < wide && x - k < high && same(x0 + x, y0 + x - k)) ++x;
                at(forward_, zero_ + k) = x;
                if (x == nowhere) continue;
                if (x + x - k > farthest.x + farthest.y) farthest = {x, x - k};
                const long other = delta - k;
                if (delta % 2 != 0 && -d < other && other < d && at(backward_, zero_ + other) != nowhere &&
                    x + at(backward_, zero_ + other) >= wide)
                    return {x, x - k};
            }
            for (long k = -d; k <= d; k += 2) {
                long x = d == 0 ? 0 : step(backward_, zero_, k, wide, high);
                if (x != nowhere)
                    while (x < wide && x - k < high && same(x1 - 1 - x, y1 - 1 - x + k)) ++x;
                at(backward_, zero_ + k) = x;
                if (x == nowhere) continue;
                const long other = delta - k;
                if (delta % 2 == 0 && -d <= other && other <= d && at(forward_, zero_ + other) != nowhere &&
                    x + at(forward_, zero_ + other) >= wide)
                    return {wide - x, high - x + k};
            }
        }
        return farthest;
    }

    // Marks the lines that differ; what is left to compare is kept in a list, since a text may be long.
    void match() {
        struct part {
            long x0, x1, y0, y1;
        };
        std::vector<part> open{{0, static_cast<long>(old_.size()), 0, static_cast<long>(new_.size())}};
        while (!open.empty()) {
            auto [x0, x1, y0, y1] = open.back();
            open.pop_back();
            while (x0 < x1 && y0 < y1 && same(x0, y0)) ++x0, ++y0;
            while (x0 < x1 && y0 < y1 && same(x1 - 1, y1 - 1)) --x1, --y1;
            if (x0 == x1 || y0 == y1) {
                for (; x0 < x1; ++x0) gone_[static_cast<std::size_t>(x0)] = 1;
                for (; y0 < y1; ++y0) added_[static_cast<std::size_t>(y0)] = 1;
                continue;
            }
            const point cut = middle(x0, x1, y0, y1);
            open.push_back({x0, x0 + cut.x, y0, y0 + cut.y});
            open.push_back({x0 + cut.x, x1, y0 + cut.y, y1});
        }
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
        gone_.resize(old_.size());
        added_.resize(new_.size());
        const std::size_t both = old_.size() + new_.size();
        const std::size_t most = both < static_cast<std::size_t>(longest) ? both : static_cast<std::size_t>(longest);
        zero_ = static_cast<long>(most) + 2;
        forward_.resize(2 * most + 5);
        backward_.resize(2 * most + 5);
        match();
    }

    std::string write(const diff_style& style) const {
        std::string out;
        std::size_t x = 0, y = 0;
        const auto differs = [&](std::size_t i, std::size_t j) {
            return (i < old_.size() && gone_[i] != 0) || (j < new_.size() && added_[j] != 0);
        };
        while (true) {
            while (x < old_.size() && !differs(x, y)) ++x, ++y;
            if (!differs(x, y)) return out;
            const std::size_t lead = style.context < x ? style.context : x;
            const std::size_t x0 = x - lead, y0 = y - lead;
            // the end of the hunk: behind it more lines are the same than two hunks would show
            std::size_t x1 = x, y1 = y, same_lines = 0;
            while (true) {
                if (differs(x1, y1)) {
                    if (x1 < old_.size() && gone_[x1] != 0)
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
                if (x < x1 && gone_[x] != 0)
                    write_line("\x1b[31m", '-', old_line(x++), style, out);
                else if (y < y1 && added_[y] != 0)
                    write_line("\x1b[32m", '+', new_line(y++), style, out);
                else
                    write_line({}, ' ', old_line(x), style, out), ++x, ++y;
            }
        }
    }
};

} // namespace detail

/// What differs between two texts, line by line, as `diff -u` writes it, without the names of files; nothing where no line does.
///
/// Cost:    memory for a number and a hash of each line; time linear in the lines times the number of those that differ, up to a
///          bound, beyond which the result is no longer the shortest.
/// Example: `line_diff("a\nb\n", "a\nc\n") == "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"`
[[gnu::cold]] inline std::string line_diff(std::string_view before, std::string_view after,
                                           const diff_style& style = {}) {
    return detail::line_matcher{before, after}.write(style);
}

} // namespace tutti::instrument
