#pragma once

#include <tutti/instrument/support/line_history.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// The output of `render`.
enum class blame_form {
    list, ///< a table for readers
    json,
};

/// Options of `blame`.
struct blame_options {
    std::size_t max_bytes = 67108864; ///< limit on kept versions of lines; the earliest are discarded beyond it
};

/// Finds the passes that made each line of a unit's text, as `git blame` does for commits: the pass that last changed the
/// line, and its line in the source. `history().versions(line)` has all versions of a line, and `render` writes them.
///
/// The source is the text before the first pass. If the instrument is entered again with an equal text, the history
/// goes on; with another text, it begins anew. Runs count as in `bisect`: each pass over each part, but no sequentials
/// and adaptors. A change by passes over parts counts as the surrounding pass's.
///
/// See `line_history` for the rules that tell if a line is a version of another.
///
/// Requires: units have a text (`unit_traits<Unit>::to_text`). The unit followed is the outermost one with a text.
/// Cost:     a text before the first pass and after each pass, and a `line_diff` for each change. Memory for the changed
///           lines, up to `max_bytes`.
/// Example:  `blame found; …; std::cout << render(found.history());`
class blame {
    struct running_pass {
        seen_run seen; // when the unit was seen last
        const char* type;
        pass_kind kind;
        std::string_view name;
        std::size_t run;
    };

    line_history history_;
    pass_frames<running_pass> frames_;
    const char* type_ = nullptr; // identifies the type of the unit followed
    std::size_t runs_ = 0;

    template <class Unit>
    static constexpr char type_of = 0; // its address identifies the type

    template <class Unit>
    void look(const Unit& unit, std::string_view pass, std::size_t run) {
        history_.add(std::string{unit_traits<Unit>::to_text(unit)}, pass, run);
    }
    template <class Unit>
    void look_before(const Unit& unit, const pass_run& run) {
        if (frames_.empty()) {
            std::string text{unit_traits<Unit>::to_text(unit)};
            const bool goes_on = type_ == &type_of<Unit> && history_.begun() && history_.text() == text;
            type_ = &type_of<Unit>;
            if (goes_on) return;
            history_.start(std::move(text), tutti::internal::unit_value_names<Unit>());
            runs_ = 0;
        } else if (type_ == &type_of<Unit>) {
            const running_pass& outer = frames_.back();
            // A pass may change its unit before it runs another one.
            const bool is_current =
                !frames_.outermost() && outer.kind != pass_kind::pass && outer.type == type_ && outer.seen.is_next(run);
            if (!is_current) look(unit, outer.name, outer.run);
        }
    }

public:
    static constexpr std::string_view name = "blame";
    static constexpr bool pairs_begin_and_end = true;
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    blame() = default;
    explicit blame(const blame_options& options) : history_(options.max_bytes) {}

    /// The history of the unit's lines.
    const line_history& history() const { return history_; }

    void enter_pass_ctx() {
        if (!frames_.enter()) frames_.back().seen.forget();
    }
    void exit_pass_ctx() { frames_.exit(); }
    template <tutti::internal::has_text Unit>
    void run_before_pass(const Unit& unit, const pass_run& run) {
        look_before(unit, run);
        if (run.kind == pass_kind::pass) ++runs_;
        frames_.begin(run, {seen_run(run), &type_of<Unit>, run.kind, run.name, runs_});
    }
    template <tutti::internal::has_text Unit>
    void run_after_pass(const Unit& unit, const pass_run& run, change) {
        frames_.end(run, [&](const running_pass& done) {
            if (done.type != type_) return;
            // a sequential changes nothing itself
            const bool is_current = done.kind == pass_kind::sequential && done.seen.is_current(run);
            if (!is_current) look(unit, done.name, done.run);
            if (running_pass* const outer = frames_.around(); outer && outer->type == type_ && outer->seen.runs(run))
                outer->seen.see(run);
        });
    }
    template <tutti::internal::has_text Unit>
    void pass_failed(const Unit*, const pass_info& info, const std::exception_ptr&) {
        frames_.end(info);
        if (!frames_.empty()) frames_.back().seen.forget();
    }

    /// For `check_instrument_of`.
    template <class... Unit>
    static consteval bool check_units(units<Unit...>) {
        constexpr bool fits = (tutti::internal::has_text<Unit> || ...);
        static_assert(fits,
                      "tutti::instrument::blame: a unit must have a text; specialise tutti::unit_traits for it, before "
                      "it is used, with static std::string to_text(const Unit&)");
        return fits;
    }
};

namespace detail {

[[gnu::cold]] inline void write_padded(std::string_view text, std::size_t width, std::string& out) {
    out.append(text);
    if (text.size() < width) out.append(width - text.size(), ' ');
}
[[gnu::cold]] inline void write_right(std::string_view text, std::size_t width, std::string& out) {
    if (text.size() < width) out.append(width - text.size(), ' ');
    out.append(text);
}
[[gnu::cold]] inline std::string name_of(const line_version& each) {
    return !each.pass.empty() ? each.pass : each.run == 0 ? "(source)" : "(no pass)";
}
// Returns the line of the source that a line continues; `-` if it is new, `?` if unknown.
[[gnu::cold]] inline std::string source_of(const std::vector<line_version>& versions) {
    const line_version& first = versions.back();
    return first.run == 0 && first.pass.empty() ? std::to_string(first.line) : first.is_incomplete ? "?" : "-";
}
[[gnu::cold]] inline void write_json(const line_version& each, std::string& out) {
    out += "\"pass\":";
    if (each.pass.empty())
        out += "null";
    else
        tutti::internal::write_json_text(each.pass, out);
    out.append(",\"run\":").append(std::to_string(each.run)).append(",\"line\":").append(std::to_string(each.line));
    out += ",\"text\":";
    tutti::internal::write_json_text(each.text, out);
}
[[gnu::cold]] inline std::string as_json(const line_history& of, std::size_t first, std::size_t count) {
    std::string out = "{\"lines\":[";
    for (std::size_t i = first; i < first + count; ++i) {
        const std::vector<line_version> versions = of.versions(i);
        out.append(i == first ? "\n" : ",\n").append("{\"line\":").append(std::to_string(i + 1)).append(",\"source\":");
        const std::string source = source_of(versions);
        out.append(source == "-" || source == "?" ? "null" : source).append(",\"versions\":[");
        for (const line_version& each : versions) {
            out += &each == versions.data() ? "{" : ",{";
            write_json(each, out);
            out += '}';
        }
        out.append("],\"complete\":").append(versions.back().is_incomplete ? "false}" : "true}");
    }
    out += "],\"missing\":";
    if (const std::string missing = of.missing(); missing.empty())
        out += "null";
    else
        tutti::internal::write_json_text(missing, out);
    return out + "}\n";
}

} // namespace detail

/// Writes each line of the latest text with the pass that last changed it, the number of that run, and the line of the
/// source that it comes from: `-` if a pass inserted it, `?` if that is unknown since earlier versions were discarded.
///
/// The passes `ignored` are never named; the pass before them is, as with `git blame --ignore-rev`. List passes that
/// only annotate lines.
[[gnu::cold]] inline std::string render(const line_history& of, blame_form form = blame_form::list,
                                        const std::vector<std::string>& ignored = {}) {
    if (form == blame_form::json) return detail::as_json(of, 0, of.size());
    const auto is_ignored = [&](const line_version& each) {
        bool found = false;
        for (const std::string& pass : ignored) found = found || pass == each.pass;
        return found && each.run != 0;
    };
    std::size_t width = 4;
    std::vector<std::vector<line_version>> all;
    for (std::size_t i = 0; i < of.size(); ++i) {
        std::vector<line_version>& versions = all.emplace_back(of.versions(i));
        while (versions.size() > 1 && is_ignored(versions.front())) versions.erase(versions.begin());
        const std::size_t size = detail::name_of(versions.front()).size();
        width = size > width ? size : width;
    }
    std::string out;
    if (const std::string missing = of.missing(); !missing.empty()) out.append("// ").append(missing).append("\n");
    detail::write_padded("pass", width, out);
    out += "   run source\n";
    const tutti::internal::numbered_lines lines(of.text(), {});
    for (std::size_t i = 0; i < all.size(); ++i) {
        const line_version& last = all[i].front();
        detail::write_padded(detail::name_of(last), width, out);
        detail::write_right(last.run == 0 ? "" : std::to_string(last.run), 6, out);
        detail::write_right(detail::source_of(all[i]), 7, out);
        out.append(" | ").append(lines.line(i)).append("\n");
    }
    return out;
}

/// Writes the versions of the line that defines a value such as `%12`, the latest first: for each the pass that made it,
/// the number of that run, the line of the text that the pass left, and the version.
[[gnu::cold]] inline std::string render(const line_history& of, std::string_view value, blame_form form) {
    const std::size_t line = of.find(value);
    if (form == blame_form::json) return detail::as_json(of, line, line < of.size() ? 1 : 0);
    std::string out = "// " + std::string{value};
    if (line == of.size()) return out + ": no line of the text after the passes has this value\n";
    out.append(", line ").append(std::to_string(line + 1)).append("\n");
    const std::vector<line_version> versions = of.versions(line);
    std::size_t width = 4;
    for (const line_version& each : versions) {
        const std::size_t size = detail::name_of(each).size();
        width = size > width ? size : width;
    }
    detail::write_padded("pass", width, out);
    out += "   run   line\n";
    for (const line_version& each : versions) {
        detail::write_padded(detail::name_of(each), width, out);
        detail::write_right(each.run == 0 ? "" : std::to_string(each.run), 6, out);
        detail::write_right(std::to_string(each.line), 7, out);
        out.append(" | ").append(each.text).append("\n");
    }
    if (versions.back().is_incomplete) out.append("// ").append(of.missing()).append("\n");
    return out;
}

} // namespace tutti::instrument
