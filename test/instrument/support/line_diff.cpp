#include <tutti/instrument/support/line_diff.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

using tutti::instrument::line_diff;

namespace {

// Returns the output of `patch` for a text and a diff: the other text, or "refused" if the diff does not apply.
std::string patched(const std::string& before, std::string_view diff) {
    const auto lines_of = [](std::string_view text) {
        std::vector<std::string> lines;
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            lines.emplace_back(text.substr(0, end));
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
        return lines;
    };
    const std::vector<std::string> old_lines = lines_of(before);
    std::size_t at = 0;
    std::string out;
    for (const std::string& line : lines_of(diff)) {
        if (line.starts_with("@@ -")) {
            std::size_t begin = std::stoul(line.substr(4));
            const std::size_t comma = line.find_first_of(", ", 4);
            const bool empty = line.substr(comma, 3) == ",0 ";
            if (!empty) --begin;
            while (at < begin) out += old_lines.at(at++) + "\n";
        } else if (line[0] == '+') {
            out += line.substr(1) + "\n";
        } else {
            if (old_lines.at(at) != line.substr(1)) return "refused";
            if (line[0] == ' ') out += old_lines.at(at) + "\n";
            ++at;
        }
    }
    while (at < old_lines.size()) out += old_lines[at++] + "\n";
    return out;
}
std::size_t marked(std::string_view diff) {
    std::size_t n = 0;
    bool first = true;
    for (const char c : diff) {
        n += first && (c == '+' || c == '-') ? 1 : 0;
        first = c == '\n';
    }
    return n;
}
// Returns the length of the shortest edit script, by dynamic programming.
std::size_t shortest(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> common(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t j = b.size(); j-- > 0;)
            common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    return a.size() + b.size() - 2 * common[0][0];
}
std::string as_lines(std::string_view letters) {
    std::string text;
    for (const char c : letters) text.append(1, c).append("\n");
    return text;
}

} // namespace

TEST_CASE("line_diff: writes differences as diff -u does", "[instrument][line_diff]") {
    CHECK(line_diff("", "").empty());
    CHECK(line_diff("a\nb\n", "a\nb\n").empty());
    CHECK(line_diff("a\nb\n", "a\nc\n") == "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
    CHECK(line_diff("", "a\n") == "@@ -0,0 +1 @@\n+a\n");
    CHECK(line_diff("a\n", "") == "@@ -1 +0,0 @@\n-a\n");
    CHECK(line_diff("a", "b") == "@@ -1 +1 @@\n-a\n+b\n");
    CHECK(line_diff(as_lines("0123456789abcdef"), as_lines("012x456789abcdyf")) ==
          "@@ -1,7 +1,7 @@\n 0\n 1\n 2\n-3\n+x\n 4\n 5\n 6\n@@ -12,5 +12,5 @@\n b\n c\n d\n-e\n+y\n f\n");
    CHECK(line_diff(as_lines("0123456789"), as_lines("012x4567y9"), {.context = 1}) ==
          "@@ -3,3 +3,3 @@\n 2\n-3\n+x\n 4\n@@ -8,3 +8,3 @@\n 7\n-8\n+y\n 9\n");
    // The gap is as long as the context of both hunks, so they become one hunk.
    CHECK(line_diff(as_lines("a012345b"), as_lines("x012345y")) ==
          "@@ -1,8 +1,8 @@\n-a\n+x\n 0\n 1\n 2\n 3\n 4\n 5\n-b\n+y\n");
    CHECK(line_diff("a\nb\n", "a\nc\n", {.colour = true}) ==
          "\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n a\n\x1b[31m-b\x1b[0m\n\x1b[32m+c\x1b[0m\n");
}

TEST_CASE("line_diff: finds the shortest diff, and applying it gives the other text", "[instrument][line_diff]") {
    unsigned seed = 7;
    const auto next = [&](unsigned below) { return (seed = seed * 1664525U + 1013904223U) / 65536U % below; };
    for (int round = 0; round < 3000; ++round) {
        const unsigned letters = 1 + next(5);
        std::string a, b;
        for (unsigned n = next(14); n > 0; --n) a += static_cast<char>('a' + next(letters));
        for (unsigned n = next(14); n > 0; --n) b += static_cast<char>('a' + next(letters));
        const std::string before = as_lines(a), after = as_lines(b);
        const std::string diff = line_diff(before, after, {.context = 1 + next(3)});
        REQUIRE(patched(before, diff) == after);
        REQUIRE(marked(diff) == shortest(a, b));
    }
}

TEST_CASE("line_diff: stays linear where all is different", "[instrument][line_diff]") {
    std::string before, after;
    for (int i = 0; i < 20000; ++i) {
        before += "old " + std::to_string(i) + "\n";
        after += (i % 50 == 0 ? "old " : "new ") + std::to_string(i) + "\n";
    }
    CHECK(patched(before, line_diff(before, after)) == after);
    CHECK(patched(after, line_diff(after, before)) == before);
}
