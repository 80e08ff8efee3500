#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::instrument {

/// What to run, and over what, to see something happen again: one text, in which all but the unit stands in comments.
///
/// ```
/// // reproducer: FuseOps
/// // passes: FuseOps{max_depth=4},InferType
/// // options: --opt-level=3
/// // failed: it cannot
/// ```
/// and then the unit. A value of several lines goes on behind `// + `.
struct reproducer {
    std::string pass{};    ///< which pass was about to run
    std::string passes{};  ///< the pipeline to run: from that pass on
    std::string options{}; ///< what else it takes, in the words of the program that wrote it
    std::string failure{}; ///< what the pass said when it failed; nothing if the process has died
    std::string unit{};    ///< the unit's text
};

/// The text of a reproducer; `comment` begins a line that the reader of units passes over.
///
/// Laws: `read_reproducer(to_text(r, c), c)` is `r`, where the unit's text is not empty, ends with its line, and does not begin
///       as one of the lines above it.
[[gnu::cold]] inline std::string to_text(const reproducer& r, std::string_view comment = "//") {
    std::string text;
    const auto add = [&](std::string_view key, const std::string& value, bool always) {
        if (value.empty() && !always) return;
        text.append(comment).append(" ").append(key).append(": ");
        for (const char c : value) {
            text += c;
            if (c == '\n') text.append(comment).append(" + ");
        }
        text += '\n';
    };
    add("reproducer", r.pass, true);
    add("passes", r.passes, true);
    add("options", r.options, false);
    add("failed", r.failure, false);
    text += r.unit;
    if (!text.ends_with('\n')) text += '\n';
    return text;
}

/// Whether a text is that of a reproducer.
[[gnu::cold]] inline bool is_reproducer(std::string_view text, std::string_view comment = "//") {
    return text.starts_with(comment) && text.substr(comment.size()).starts_with(" reproducer: ");
}

/// Takes a reproducer apart.
///
/// Requires: `is_reproducer(text, comment)`.
[[gnu::cold]] inline reproducer read_reproducer(std::string_view text, std::string_view comment = "//") {
    reproducer r;
    std::string* last = nullptr;
    while (text.starts_with(comment)) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(comment.size(), end == std::string_view::npos ? end : end - comment.size());
        const auto take = [&](std::string_view key, std::string& value) {
            if (!line.starts_with(key)) return false;
            line.remove_prefix(key.size());
            value = line;
            last = &value;
            return true;
        };
        if (last && line.starts_with(" + "))
            last->append("\n").append(line.substr(3));
        else if (!take(" reproducer: ", r.pass) && !take(" passes: ", r.passes) && !take(" options: ", r.options) &&
                 !take(" failed: ", r.failure))
            break;
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    r.unit = text;
    return r;
}

} // namespace tutti::instrument
