#include <tutti/instrument/support/line_diff.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using tutti::instrument::line_diff;

namespace {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}
// A statement that names of a range have other numbers in some lines of the old text.
struct renumbering {
    std::size_t first, last;
    std::string stem;
    std::size_t from, to, becomes;
};
// Reads `%5-%60 to %4-%59, %70 to %68`.
void read_ranges(std::string_view text, std::size_t first, std::size_t last, std::vector<renumbering>& into) {
    const auto number = [](std::string_view name) {
        return std::stoul(std::string{name.substr(name.find_last_not_of("0123456789") + 1)});
    };
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(", "));
        text.remove_prefix(std::min(text.size(), one.size() + 2));
        const std::size_t to = one.find(" to ");
        const std::string_view old_names = one.substr(0, to), new_names = one.substr(to + 4);
        const std::string_view begin = old_names.substr(0, old_names.find('-'));
        const std::string_view stem = begin.substr(0, begin.find_last_not_of("0123456789") + 1);
        into.push_back({first, last, std::string{stem}, number(begin), number(old_names),
                        number(new_names.substr(0, new_names.find('-')))});
    }
}
// Returns a line with the numbers that were stated for it.
std::string renumbered(std::string_view line, std::size_t i, const std::vector<renumbering>& all) {
    std::string made;
    for (std::size_t at = 0; at < line.size();) {
        if (line[at] != '%') {
            made += line[at++];
            continue;
        }
        std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", at + 1);
        if (end == std::string_view::npos) end = line.size();
        std::string name{line.substr(at, end - at)};
        const std::size_t digits = name.find_last_not_of("0123456789") + 1;
        if (digits < name.size() && (name[digits] != '0' || digits + 1 == name.size())) {
            const std::size_t n = std::stoul(name.substr(digits));
            for (const renumbering& each : all)
                if (each.first <= i && i <= each.last && each.stem == name.substr(0, digits) && each.from <= n &&
                    n <= each.to)
                    name = each.stem + std::to_string(n - each.from + each.becomes);
        }
        made += name;
        at = end;
    }
    return made;
}
// Returns the output of `patch` for a text and a diff, after the renumbering that the diff states: the other text, or
// "refused" if the diff does not apply.
std::string patched(const std::string& before, std::string_view diff) {
    const std::vector<std::string> old_lines = lines_of(before);
    std::vector<std::string> kept = old_lines;
    std::vector<renumbering> stated;
    std::size_t at = 0;
    std::string out;
    bool begun = false;
    for (const std::string& line : lines_of(diff)) {
        if (line.starts_with("@@ renumbered in line")) {
            const std::size_t colon = line.find(": "), place = line.find_first_of("0123456789");
            const std::string range = line.substr(place, colon - place);
            const std::size_t dash = range.find('-');
            read_ranges(std::string_view{line}.substr(colon + 2, line.size() - colon - 5), std::stoul(range) - 1,
                        std::stoul(dash == std::string::npos ? range : range.substr(dash + 1)) - 1, stated);
            continue;
        }
        if (!std::exchange(begun, true))
            for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = renumbered(old_lines[i], i, stated);
        if (line.starts_with("@@ -")) {
            std::size_t begin = std::stoul(line.substr(4));
            const std::size_t comma = line.find_first_of(", ", 4);
            const bool empty = line.substr(comma, 3) == ",0 ";
            if (!empty) --begin;
            while (at < begin) out += kept.at(at++) + "\n";
        } else if (line[0] == '+') {
            out += line.substr(1) + "\n";
        } else {
            if ((line[0] == ' ' ? kept : old_lines).at(at) != line.substr(1)) return "refused";
            if (line[0] == ' ') out += kept.at(at) + "\n";
            ++at;
        }
    }
    if (!begun)
        for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = renumbered(old_lines[i], i, stated);
    while (at < kept.size()) out += kept[at++] + "\n";
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

TEST_CASE("line_diff: values with other numbers are stated, and their lines count as equal",
          "[instrument][line_diff]") {
    const std::string before =
        "def @main(%x) {\n  %0 = conv(%x);\n  %1 = relu(%0);\n  %2 = conv(%1);\n  %3 = relu(%2);\n"
        "  %4 = pool(%3);\n  %5 = dense(%4);\n  add(%4, %5)\n}\n";
    // Without the second relu.
    const std::string after = "def @main(%x) {\n  %0 = conv(%x);\n  %1 = relu(%0);\n  %2 = conv(%1);\n"
                              "  %3 = pool(%2);\n  %4 = dense(%3);\n  add(%3, %4)\n}\n";
    CHECK(line_diff(before, after, {.context = 1}) ==
          "@@ renumbered in lines 7-8: %4-%5 to %3-%4 @@\n@@ -4,4 +4,3 @@\n   %2 = conv(%1);\n-  %3 = relu(%2);\n"
          "-  %4 = pool(%3);\n+  %3 = pool(%2);\n   %4 = dense(%3);\n");
    CHECK(patched(before, line_diff(before, after)) == after);
    // If the values have no numbered names, all lines differ.
    CHECK(marked(line_diff(before, after, {.value_names = ""})) == 7);
    CHECK(line_diff("a %1\nb %1\n", "a %2\nb %2\n") == "@@ renumbered in lines 1-2: %1 to %2 @@\n");
    CHECK(line_diff("a v[1]\nb v[1]\n", "a v[2]\nb v[2]\n", {.value_names = "% v["}) ==
          "@@ renumbered in lines 1-2: v[1 to v[2 @@\n");
    // The operands of one line were exchanged.
    CHECK(line_diff("a %1\nb %2\nsub %1 %2\n", "a %1\nb %2\nsub %2 %1\n", {.context = 0}) ==
          "@@ -3 +3 @@\n-sub %1 %2\n+sub %2 %1\n");
}

TEST_CASE("line_diff: a random program, edited and numbered again, follows from its diff", "[instrument][line_diff]") {
    unsigned seed = 11;
    const auto next = [&](unsigned below) { return (seed = seed * 1664525U + 1013904223U) / 65536U % below; };
    struct operation {
        unsigned name;
        std::vector<std::size_t> uses; // identifiers of operations
        std::size_t id;
        bool begins_scope;
    };
    const auto text_of = [](const std::vector<operation>& all, std::size_t first) {
        std::string text;
        std::vector<std::pair<std::size_t, std::size_t>> numbers; // identifier, number
        std::size_t number = first;
        for (const operation& each : all) {
            if (each.begins_scope) text += "}\nfn\n", number = first;
            text += "  %" + std::to_string(number) + " = " + static_cast<char>('a' + each.name);
            for (const std::size_t use : each.uses) {
                text += " %";
                const auto at = std::find_if(numbers.rbegin(), numbers.rend(), [&](auto& n) { return n.first == use; });
                text += at == numbers.rend() ? "p0" + std::to_string(use % 3) : std::to_string(at->second);
            }
            text += "\n";
            numbers.emplace_back(each.id, number++);
        }
        return text;
    };
    std::size_t shorter = 0;
    for (int round = 0; round < 2000; ++round) {
        std::vector<operation> program;
        for (std::size_t n = 5 + next(30), id = 0; id < n; ++id) {
            program.push_back({next(4), {}, id, next(15) == 0});
            for (unsigned uses = next(3); uses > 0 && id > 0; --uses) program.back().uses.push_back(next(unsigned(id)));
        }
        const std::string before = text_of(program, next(2));
        for (unsigned edits = next(4), made = 0; made < edits && !program.empty(); ++made) {
            const auto at = program.begin() + next(static_cast<unsigned>(program.size()));
            if (const unsigned kind = next(3); kind == 0)
                program.erase(at);
            else if (kind == 1)
                program.insert(at, {next(4), {next(5)}, 100 + made, false});
            else
                at->name = next(5);
        }
        const std::string after = text_of(program, next(2));
        const std::string diff = line_diff(before, after, {.context = next(4)});
        CAPTURE(before, after, diff);
        REQUIRE(patched(before, diff) == after);
        REQUIRE(diff.empty() == (before == after));
        const std::size_t plain = marked(line_diff(before, after, {.value_names = ""}));
        REQUIRE(marked(diff) <= plain);
        shorter += marked(diff) < plain ? 1 : 0;
    }
    CHECK(shorter > 500);
}

TEST_CASE("line_diff: stays linear for numbered values", "[instrument][line_diff]") {
    // Names are numbered again after every hundredth operation, which is removed; other lines are all different.
    std::string before, after;
    const auto line = [](int value, int name, int used) {
        return "%" + std::to_string(value) + " = f" + std::to_string(name) + " %" + std::to_string(used) + "\n";
    };
    for (int i = 0, n = 0; i < 20000; ++i) {
        before += line(i, i % 7, i - i % 9);
        if (i % 100 == 50) continue;
        after += line(n, i % 7, n - n % 9);
        ++n;
    }
    CHECK(patched(before, line_diff(before, after)) == after);
    std::string other;
    for (int i = 0; i < 20000; ++i) other += "%" + std::to_string(i) + " = g" + std::to_string(i) + "\n";
    CHECK(patched(before, line_diff(before, other)) == other);
}
