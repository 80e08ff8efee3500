#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::instrument {

/// Everything that is needed to repeat a run, such as one that failed. In the text form, comment lines precede the unit:
///
/// ```
/// // reproducer: FuseOps
/// // passes: FuseOps{max_depth=4},InferType
/// // options: --opt-level=3
/// // failed: it cannot
/// ```
///
/// If a value has several lines, the later ones start with `// + `.
struct reproducer {
    std::string pass{};    ///< the pass about to run
    std::string passes{};  ///< the pipeline to run, starting with that pass
    std::string options{}; ///< further settings, in the syntax of the program that wrote the reproducer
    std::string failure{}; ///< the message of the pass's exception; empty if the process died
    std::string unit{};    ///< the unit's text
    std::string version{}; ///< version of the program that wrote the reproducer; empty if it does not matter
};

/// Returns the text form of a reproducer. `comment` is the prefix of comment lines in the text of units.
///
/// Laws: `read_reproducer(to_text(r, c), c)` equals `r` if `r.unit` is not empty, ends with a line break, and does not
/// begin like one of the comment lines before it.
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
    add("version", r.version, false);
    add("failed", r.failure, false);
    text += r.unit;
    if (!text.ends_with('\n')) text += '\n';
    return text;
}

/// True if a text is a reproducer.
[[gnu::cold]] inline bool is_reproducer(std::string_view text, std::string_view comment = "//") {
    return text.starts_with(comment) && text.substr(comment.size()).starts_with(" reproducer: ");
}

/// Parses a reproducer.
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
                 !take(" failed: ", r.failure) && !take(" version: ", r.version))
            break;
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    r.unit = text;
    return r;
}

} // namespace tutti::instrument
