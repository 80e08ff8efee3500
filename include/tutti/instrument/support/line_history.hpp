#pragma once

#include <tutti/instrument/support/json.hpp>
#include <tutti/instrument/support/line_matching.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// A version of a line of a unit's text.
struct line_version {
    std::string text;
    std::string pass;     ///< the pass that made this version; empty for the source and for changes outside passes
    std::size_t run = 0;  ///< number of runs of passes up to that one; 0 for the source
    std::size_t line = 0; ///< its line, from 1, in the text that the pass left
    bool is_incomplete = false; ///< true if earlier versions were discarded
};

/// The history of each line of a text: its earlier versions, and the passes that made them.
///
/// Lines are matched as in `line_diff`, so new numbers of values alone are no change. A changed line is a version
/// of the line that defined its value before, or else of a line removed at its place. Any other line is new.
///
/// Cost:    for each version, memory for its changed lines, and the time of a `line_diff`. If more than `max_bytes` are
///          used, the earliest versions of lines are discarded, but never the lines of the latest text.
/// Example: `line_history lines; lines.start(before, "%"); lines.add(after, "FuseOps", 1); lines.render();`
class line_history {
    static constexpr std::uint64_t none = tutti::internal::line_matching::none;
    static constexpr std::uint64_t discarded = none - 1;
    static constexpr std::size_t size_of_entry = 96;

    struct entry {
        std::string text;
        std::size_t step, line; // the line counts from 0
        std::uint64_t previous; // another entry, none, or discarded
    };
    struct step {
        std::string pass;
        std::size_t run;
    };

    std::size_t max_bytes_;
    std::string text_, value_names_;
    std::vector<entry> entries_;
    std::vector<step> steps_;           // 0 is the source
    std::vector<std::uint64_t> latest_; // for each line of the text its entry
    std::size_t bytes_ = 0;
    std::size_t first_complete_ = 0; // the step from which on all versions are known
    bool begun_ = false;

    std::uint64_t add_entry(std::string_view text, std::size_t line, std::uint64_t previous) {
        bytes_ += text.size() + size_of_entry;
        entries_.push_back({std::string{text}, steps_.size() - 1, line, previous});
        return entries_.size() - 1;
    }
    // Returns the old line that a changed line continues, if it defines the same value.
    static std::uint64_t old_line_of(const tutti::internal::line_matching& found, std::size_t j) {
        if (found.found.to_old[j] != none) return found.found.to_old[j];
        for (std::size_t n = found.after.firsts[j]; n < found.after.firsts[j + 1]; ++n) {
            if (!found.after.is_definition(n)) continue;
            const std::uint64_t value = found.found.value_old[found.after.name_values[n]];
            if (value == none) continue;
            const std::size_t line = found.before.name_lines[found.before.definitions[value]];
            if (found.is_gone(line)) return line;
        }
        return none;
    }
    // Discards the versions made before a step, except the latest of each line.
    void discard_before(std::size_t cut) {
        std::vector<std::uint64_t> place(entries_.size(), discarded);
        for (const std::uint64_t each : latest_) place[each] = 0;
        std::vector<entry> kept;
        bytes_ = 0;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (place[i] == discarded && entries_[i].step < cut) continue;
            place[i] = kept.size();
            bytes_ += entries_[i].text.size() + size_of_entry;
            kept.push_back(std::move(entries_[i]));
            if (kept.back().previous < discarded) kept.back().previous = place[kept.back().previous];
        }
        for (std::uint64_t& each : latest_) each = place[each];
        entries_ = std::move(kept);
        first_complete_ = cut;
    }
    line_version version(std::uint64_t i) const {
        const entry& at = entries_[i];
        return {at.text, steps_[at.step].pass, steps_[at.step].run, at.line + 1, at.previous == discarded};
    }

public:
    explicit line_history(std::size_t max_bytes = 67108864) : max_bytes_(max_bytes) {}

    /// True if a text was given.
    bool begun() const { return begun_; }
    /// The latest text.
    const std::string& text() const { return text_; }

    /// Begins a new history with the source.
    [[gnu::cold]] void start(std::string text, std::string_view value_names) {
        *this = line_history{max_bytes_};
        begun_ = true;
        text_ = std::move(text);
        value_names_ = value_names;
        steps_.push_back({{}, 0});
        const tutti::internal::numbered_lines lines(text_, {});
        for (std::size_t i = 0; i < lines.size(); ++i) latest_.push_back(add_entry(lines.line(i), i, none));
    }
    /// Adds the text after a pass. Does nothing if the text is the latest one.
    ///
    /// Requires: `begun()`.
    [[gnu::cold]] void add(std::string text, std::string_view pass, std::size_t run) {
        if (text == text_) return;
        const tutti::internal::line_matching found(text_, text, value_names_);
        steps_.push_back({std::string{pass}, run});
        std::vector<std::uint64_t> made;
        for (std::size_t x = 0, y = 0; x < found.before.size() || y < found.after.size();) {
            if (!found.is_gone(x) && !found.is_added(y)) {
                made.push_back(latest_[x]);
                ++x, ++y;
                continue;
            }
            const std::size_t first = x, other = y;
            while (found.is_gone(x)) ++x;
            while (found.is_added(y)) ++y;
            for (std::size_t j = other; j < y; ++j) {
                std::uint64_t from = old_line_of(found, j);
                if (from == none && x != first) from = first + (j - other) * (x - first) / (y - other);
                made.push_back(add_entry(found.after.line(j), j, from == none ? none : latest_[from]));
            }
        }
        latest_ = std::move(made);
        text_ = std::move(text);
        if (bytes_ <= max_bytes_) return;
        discard_before((first_complete_ + steps_.size()) / 2);
        if (bytes_ > max_bytes_) discard_before(steps_.size());
    }

    /// The number of lines of the latest text.
    std::size_t size() const { return latest_.size(); }
    /// Returns the versions of a line of the latest text, counted from 0: the latest first. The last one is the line of
    /// the source if its `run` is 0.
    [[gnu::cold]] std::vector<line_version> versions(std::size_t line) const {
        std::vector<line_version> all;
        for (std::uint64_t i = latest_[line]; i < discarded; i = entries_[i].previous) all.push_back(version(i));
        return all;
    }
    /// Returns the line of the latest text that defines a value such as `%12`, or `size()`.
    [[gnu::cold]] std::size_t find(std::string_view value) const {
        const tutti::internal::numbered_lines lines(text_, value_names_);
        for (std::size_t n = 0; n < lines.names(); ++n)
            if (lines.name(n) == value) return lines.name_lines[n];
        return size();
    }
    /// The first pass from which on all versions are known, with the number of its run; empty if nothing was discarded.
    std::pair<std::string_view, std::size_t> complete_from() const {
        if (first_complete_ == 0 || first_complete_ >= steps_.size()) return {{}, first_complete_};
        return {steps_[first_complete_].pass, steps_[first_complete_].run};
    }
    /// A note for readers if earlier versions were discarded, otherwise empty.
    [[gnu::cold]] std::string missing() const {
        if (first_complete_ == 0) return {};
        const bool is_known = first_complete_ < steps_.size();
        const step& from = steps_[is_known ? first_complete_ : steps_.size() - 1];
        return "earlier versions of lines, from before " + std::string{is_known ? "" : "the end of "} + from.pass +
               ", run " + std::to_string(from.run) + ", were discarded: they exceed " + std::to_string(max_bytes_) +
               " bytes";
    }
};

} // namespace tutti::instrument
