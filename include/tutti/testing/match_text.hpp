#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/testing/line_pattern.hpp>
#include <tutti/testing/outcome.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::testing {

namespace detail {

// One line of a pattern.
struct text_check {
    enum class kind : unsigned char { after, next, never, any_order, label };
    kind how;
    std::size_t number; // line number in the pattern
    std::string text;   // the line
    detail::line_pattern pattern;
};

// Matches a text with the checks of a pattern.
class text_matcher {
public:
    text_matcher(std::string_view text, std::string_view pattern) : text_(text) { read(pattern); }

    outcome run() {
        // Labels divide the text: the checks between two labels match only text between the labels' matches.
        std::size_t first = 0, at = 0;
        for (std::size_t i = 0; i <= checks_.size(); ++i) {
            if (i < checks_.size() && checks_[i].how != text_check::kind::label) continue;
            detail::text_range label{text_.size(), text_.size()};
            if (i < checks_.size() && !look(checks_[i], {at, text_.size()}, label))
                return missing(checks_[i], {at, text_.size()});
            if (outcome said = run_block(first, i, {at, label.begin}); !said) return said;
            at = label.end;
            first = i + 1;
            began_ = i < checks_.size() ? " (after the label in line " + line_text(label.begin) + ")" : "";
        }
        return {};
    }

private:
    using kind = text_check::kind;

    static constexpr struct {
        std::string_view word;
        kind how;
    } words[] = {{"CHECK", kind::after},
                 {"CHECK-NEXT", kind::next},
                 {"CHECK-NOT", kind::never},
                 {"CHECK-DAG", kind::any_order},
                 {"CHECK-LABEL", kind::label}};

    static std::string_view trimmed(std::string_view s) {
        while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
        while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
        return s;
    }

    void read(std::string_view pattern) {
        std::size_t number = 0;
        while (!pattern.empty()) {
            const std::size_t end = pattern.find('\n');
            const std::string_view line = trimmed(pattern.substr(0, end));
            pattern.remove_prefix(end == std::string_view::npos ? pattern.size() : end + 1);
            ++number;
            if (line.empty() || line.starts_with("//") || line.starts_with("#")) continue;
            read_check(line, number);
        }
        if (checks_.empty()) throw error("the pattern", "checks nothing", "a line `CHECK: ...`");
    }
    void read_check(std::string_view line, std::size_t number) {
        const std::size_t colon = line.find(':');
        const std::string_view word = line.substr(0, colon);
        const std::string where = "line " + std::to_string(number) + " of the pattern";
        tutti::internal::nearest_name meant(word.substr(0, 16));
        for (const auto& each : words) {
            meant.offer(each.word);
            if (each.word != word || colon == std::string_view::npos) continue;
            const std::string_view rest = trimmed(line.substr(colon + 1));
            if (rest.empty()) throw error(where, "has nothing after the colon", "a pattern");
            checks_.push_back({each.how, number, std::string(line), detail::line_pattern(rest)});
            if (each.how == kind::label && checks_.back().pattern.has_variables())
                throw error(where, "is a label with variables", "a label without variables");
            if (each.how == kind::next && (checks_.size() == 1 || checks_[checks_.size() - 2].how == kind::never))
                throw error(where, "follows no match", "a CHECK, CHECK-DAG or CHECK-LABEL just before it");
            return;
        }
        std::string said = "is not a check: `" + std::string(line) + '`';
        if (!meant.found().empty()) said += "; did you mean " + std::string(meant.found()) + ':';
        throw error(where, std::move(said), "CHECK:, CHECK-NEXT:, CHECK-NOT:, CHECK-DAG: or CHECK-LABEL:");
    }

    bool look(const text_check& check, detail::text_range from, detail::text_range& found) {
        return check.pattern.find(text_, from, variables_, found);
    }

    // Runs the checks in [first, last), which are between two labels, on the text between the labels' matches.
    outcome run_block(std::size_t first, std::size_t last, detail::text_range block) {
        std::size_t at = block.begin;
        std::size_t never = first; // the first pending CHECK-NOT
        for (std::size_t i = first; i < last; ++i) {
            if (checks_[i].how == kind::never) continue;
            detail::text_range found{block.end, at};
            if (checks_[i].how == kind::any_order) {
                std::vector<detail::text_range> taken;
                for (; i < last && checks_[i].how == kind::any_order; ++i) {
                    detail::text_range one;
                    if (!look_beside(checks_[i], {at, block.end}, taken, one))
                        return missing(checks_[i], {at, block.end});
                    found = {one.begin < found.begin ? one.begin : found.begin,
                             one.end > found.end ? one.end : found.end};
                }
                --i;
            } else if (checks_[i].how == kind::next) {
                const detail::text_range line = line_behind(at, block.end);
                if (!look(checks_[i], line, found)) return missing_next(checks_[i], line, block.end);
            } else if (!look(checks_[i], {at, block.end}, found)) {
                return missing(checks_[i], {at, block.end});
            }
            if (outcome said = look_for_none(never, i, {at, found.begin}); !said) return said;
            at = found.end;
            never = i + 1;
            began_ = " (after the match of line " + std::to_string(checks_[i].number) + " of the pattern)";
        }
        return look_for_none(never, last, {at, block.end});
    }
    // Finds a match that overlaps no range in `taken`, and adds the match to `taken`.
    bool look_beside(const text_check& check, detail::text_range from, std::vector<detail::text_range>& taken,
                     detail::text_range& found) {
        while (look(check, from, found)) {
            const detail::text_range* hit = nullptr;
            for (const detail::text_range& t : taken)
                if (found.begin < t.end && t.begin < found.end) hit = &t;
            if (hit == nullptr) {
                taken.push_back(found);
                return true;
            }
            from.begin = hit->end;
        }
        return false;
    }
    outcome look_for_none(std::size_t first, std::size_t last, detail::text_range from) {
        for (std::size_t i = first; i < last; ++i) {
            detail::text_range found;
            if (checks_[i].how != kind::never || !look(checks_[i], from, found)) continue;
            return failed(named(checks_[i]) + " is in line " + line_text(found.begin) + ":\n" + shown(found.begin) +
                          searched(from));
        }
        return {};
    }

    // Returns the line number of an offset, counted from 1.
    std::size_t line_of(std::size_t at) const {
        std::size_t n = 1;
        for (std::size_t i = 0; i < at; ++i) n += text_[i] == '\n' ? 1U : 0U;
        return n;
    }
    std::string line_text(std::size_t at) const { return std::to_string(line_of(at)); }
    detail::text_range line_around(std::size_t at) const {
        const std::size_t before = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
        const std::size_t end = text_.find('\n', at);
        return {before == std::string_view::npos ? 0 : before + 1, end == std::string_view::npos ? text_.size() : end};
    }
    detail::text_range line_behind(std::size_t at, std::size_t end) const {
        const std::size_t newline = text_.find('\n', at);
        if (newline == std::string_view::npos || newline >= end) return {end, end};
        const std::size_t last = text_.find('\n', newline + 1);
        return {newline + 1, last < end ? last : end};
    }
    std::string shown(std::size_t at) const {
        const detail::text_range line = line_around(at);
        std::string number = line_text(at);
        if (number.size() < 4) number.insert(0, 4 - number.size(), ' ');
        return number + " | " + std::string(text_.substr(line.begin, line.end - line.begin)) + '\n';
    }

    std::string named(const text_check& check) const {
        std::string said = "line " + std::to_string(check.number) + " of the pattern, `" + check.text + '`';
        const char* before = " with ";
        for (const std::string& name : check.pattern.used())
            if (const std::string* value = variables_.find(name); value != nullptr) {
                said += before + name + " = `" + *value + '`';
                before = ", ";
            }
        return said + ',';
    }
    // Describes the searched range.
    std::string searched(detail::text_range from) const {
        return "looked for from line " + line_text(from.begin) + began_ + " to line " + line_text(from.end) + '\n';
    }
    outcome missing(const text_check& check, detail::text_range from) {
        std::string said = named(check) + " matches nothing\n" + searched(from) + shown(from.begin);
        detail::text_range before;
        if (from.begin > 0 && look(check, {0, from.begin}, before))
            return failed(said + "it is in line " + line_text(before.begin) + ", before that:\n" + shown(before.begin));
        const std::size_t near = nearest_line(check.text, from);
        if (near != from.end) said += "the nearest is line " + line_text(near) + ":\n" + shown(near);
        return failed(std::move(said));
    }
    outcome missing_next(const text_check& check, detail::text_range line, std::size_t end) {
        std::string said = named(check) + " does not match the next line" + began_ + ":\n" + shown(line.begin);
        detail::text_range found;
        if (look(check, {line.end, end}, found))
            said += "it is in line " + line_text(found.begin) + ":\n" + shown(found.begin);
        return failed(std::move(said));
    }

    // Returns the offset of the line that contains the most words of a check. Returns the end of the range if no line
    // contains at least half of the words.
    std::size_t nearest_line(std::string_view check, detail::text_range from) const {
        std::vector<std::string_view> wanted;
        each_word(check.substr(check.find(':') + 1), [&](std::string_view word) { wanted.push_back(word); });
        std::size_t best = (wanted.size() + 1) / 2, found = from.end;
        for (std::size_t at = from.begin; at < from.end;) {
            const detail::text_range line = line_around(at);
            std::size_t has = 0;
            for (const std::string_view word : wanted)
                has += text_.substr(line.begin, line.end - line.begin).find(word) != std::string_view::npos ? 1U : 0U;
            if (has > best || (has == best && found == from.end)) {
                best = has;
                found = at;
            }
            at = line.end + 1;
        }
        return best == 0 ? from.end : found;
    }
    static void each_word(std::string_view text, auto&& take) {
        const auto in_word = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
        };
        for (std::size_t at = 0; at < text.size();) {
            std::size_t end = at;
            while (end < text.size() && in_word(text[end])) ++end;
            if (end > at) take(text.substr(at, end - at));
            at = end + 1;
        }
    }

    std::string_view text_;
    std::vector<text_check> checks_;
    detail::pattern_variables variables_;
    std::string began_; // describes where the searched range begins, for messages
};

} // namespace detail

/// Checks a text against a pattern, line by line, like LLVM's FileCheck.
///
/// | line of the pattern | requires that P matches |
/// |---|---|
/// | `CHECK: P` | somewhere after the previous match |
/// | `CHECK-NEXT: P` | in the line after the previous match |
/// | `CHECK-NOT: P` | nowhere between the matches of the checks around it |
/// | `CHECK-DAG: P` | somewhere, in any order with adjacent CHECK-DAG lines, without overlap |
/// | `CHECK-LABEL: P` | somewhere; labels are matched first, and the checks between two labels match between them |
///
/// `line_pattern` describes P. Blank lines and lines that begin with `//` or `#` are ignored. Other lines are errors.
/// The message contains the failed check, the searched range, the values of variables, and the nearest line.
///
/// Example: `match_text(to_text(module), "CHECK-LABEL: def @main\nCHECK: [[X:%\\d+]] = exp(%x)\nCHECK-NEXT: add([[X]],
///          [[X]])")`
inline outcome match_text(std::string_view text, std::string_view pattern) {
    try {
        return detail::text_matcher(text, pattern).run();
    } catch (const error& e) {
        return failed(std::string(e.what()) + '\n');
    }
}

} // namespace tutti::testing
