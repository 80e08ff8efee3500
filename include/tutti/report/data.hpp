#pragma once

#include <tutti/base/limit.hpp>
#include <tutti/base/printable.hpp>
#include <tutti/instrument/support/hash_index.hpp>
#include <tutti/instrument/support/json.hpp>
#include <tutti/instrument/support/line_matching.hpp>
#include <tutti/instrument/support/sequence_matcher.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/report/graph_formats.hpp>
#include <tutti/unit/operator_counts.hpp>
#include <tutti/unit/unit_graph.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// Limits of a report. The page mentions all omissions.
struct report_limits {
    std::size_t nodes = 2'000;    ///< limit on the nodes of a drawn graph
    std::size_t bytes = 67108864; ///< limit on the page's data, beyond which texts, graphs and remarks are omitted
};

/// The contents of a report's page, as events in JSON that can be embedded in HTML. Events are in order of occurrence,
/// and each depends only on earlier ones, so a truncated page shows everything before the cut.
///
/// Each line of text is stored once. A version of a unit's text is stored as its difference from another version. Lines
/// and words are numbered in order of occurrence. A line is written as its number times 64 plus its indentation. Lines
/// that differ only in the numbers of values (`%12`) share one entry with `%#` in place of the numbers.
///
/// | event | |
/// |---|---|
/// | `["s",TEXT or [WORD,N…]…]` | the next lines and words, as texts or as another word with numbers for its `%#` |
/// | `["v",BASE,[FIRST,COUNT,LINE…]…]` | the next version, as changes to version BASE (-1: to an empty text) |
/// | `["m",[FIRST,COUNT,FIRST,COUNT]…]` | the lines of its base that the latest version replaces, and their replacements, if other lines have other numbers of values only |
/// | `["g",VERSION,WIDTH,HEIGHT,[LABEL,TYPE,GROUP,STYLE,X,Y,WIDTH,HEIGHT,LINE…]…,[FROM,TO,LABEL,X,Y…]…]` | its graph: nodes with at least eight entries in one array, edges in another |
/// | `["g",VERSION,COUNT]` | the number of nodes of a graph that is not drawn |
/// | `["b",OUTER,NAME,KIND,UNIT,TIME,VERSION]` | beginning of the next run of a pass (0), sequential (1) or adaptor (2) |
/// | `["k",OUTER,NAME,WHY]` | the next run is skipped |
/// | `["r",RUN,KIND,WHERE,TEXT]` | a remark |
/// | `["e",RUN,TIME,FAILED,CHANGE,VERSION,WHAT,[OPERATOR,USES…],[NAME,COUNT…]]` | end of a run |
/// | `["t",NAME,TEXT]` | a value |
/// | `["p",PROGRAM,KIND,NAME,CALLS,TIME]` | the calls and nanoseconds of an operation in one run of a program |
/// | `["n",TEXT]` | a note for the reader |
/// | `["x"]` | exit from a context |
class report_data {
public:
    /// No version or run.
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    explicit report_data(report_limits limits = {}) : limits_(limits) {}

    /// The result of `add_version`, which stores a version of a text as its difference from `base`, or finds an equal
    /// version. `number` is the version's number, or none if the limit is reached. `fresh` is true for a new version.
    struct added_version {
        std::uint32_t number = none;
        bool fresh = false;
    };
    [[gnu::cold]] added_version add_version(std::string_view text, std::uint32_t base,
                                            std::string_view value_names = "%") {
        const std::uint64_t hash = tutti::internal::hash_of(text);
        const std::uint32_t there =
            version_index_.find(hash, [&](std::uint32_t v) { return versions_[v].size == text.size(); });
        if (there != tutti::internal::hash_index::none) return {there, false};
        if (is_full()) return {};
        kept_version made{text.size(), {}};
        read_lines(text, made.lines);
        write_words();
        const bool from_base = base < versions_.size();
        const std::vector<std::uint64_t> nothing;
        const std::vector<std::uint64_t>& old = from_base ? versions_[base].lines : nothing;
        event("v").number(from_base ? std::int64_t{base} : -1);
        tutti::internal::sequence_matcher{old.data(), old.size(), made.lines.data(), made.lines.size()}.each_difference(
            [&](std::size_t x, std::size_t gone, std::size_t y, std::size_t added) {
                comma();
                out_ += '[';
                number(x).number(gone);
                for (std::size_t i = y; i < y + added; ++i) number(made.lines[i]);
                out_ += ']';
            });
        out_ += ']';
        if (from_base) write_matches(old, text, value_names);
        versions_.push_back(static_cast<kept_version&&>(made));
        return {version_index_.add(hash), true};
    }

    /// Draws the graph of a version. Records only the number of nodes if the graph is too large.
    [[gnu::cold]] void add_graph(std::uint32_t of, const unit_graph& graph) {
        if (graph.nodes.empty() || of == none) return;
        if (graph.nodes.size() > limits_.nodes || is_full()) {
            event("g").number(of).number(graph.nodes.size());
            out_ += ']';
            return;
        }
        const graph_drawing drawn = draw(graph);
        std::vector<std::uint64_t> lines; // concatenated over all nodes
        std::vector<std::size_t> first;
        std::vector<std::uint32_t> words;
        for (const unit_graph::node& each : graph.nodes) {
            words.push_back(word(each.label));
            words.push_back(word(each.type));
            words.push_back(word(each.group));
            first.push_back(lines.size());
            read_lines(each.text, lines);
        }
        first.push_back(lines.size());
        for (const unit_graph::edge& each : graph.edges) words.push_back(word(each.label));
        write_words();
        event("g").number(of).number(drawn.at.width).number(drawn.at.height);
        comma();
        out_ += '[';
        for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
            comma();
            out_ += '[';
            number(words[3 * v]).number(words[3 * v + 1]).number(words[3 * v + 2]);
            number(style_of_group(graph.nodes[v].group)).number(drawn.at.x[v]).number(drawn.at.y[v]);
            number(drawn.boxes.widths[v]).number(drawn.boxes.heights[v]);
            for (std::size_t i = first[v]; i < first[v + 1]; ++i) number(lines[i]);
            out_ += ']';
        }
        out_ += "],[";
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            comma();
            out_ += '[';
            number(graph.edges[e].from).number(graph.edges[e].to).number(words[3 * graph.nodes.size() + e]);
            for (std::uint32_t i = drawn.at.first_bend[e]; i < drawn.at.first_bend[e + 1]; ++i)
                number(drawn.at.bend_x[i]).number(drawn.at.bend_y[i]);
            out_ += ']';
        }
        out_ += "]]";
    }

    /// Begins a run of a pass and returns the run's number.
    [[gnu::cold]] std::uint32_t begin(std::uint32_t outer, const pass_info& pass, std::string_view unit,
                                      std::int64_t time, std::uint32_t version) {
        event("b").reference(outer).text(pass.name).number(static_cast<int>(pass.kind)).text(unit).number(time);
        reference(version);
        out_ += ']';
        return runs_++;
    }
    [[gnu::cold]] void skip(std::uint32_t outer, const pass_info& pass, skip_reason why) {
        event("k").reference(outer).text(pass.name).text(to_string(why));
        out_ += ']';
        ++runs_;
    }
    /// The outcome of a run.
    struct ending {
        bool failed = false;
        change what = change::unknown;
        std::uint32_t version = none;
        std::string_view failure{};
        const operator_counts* operators = nullptr; ///< changes in the number of uses of each operator; may be null
    };
    [[gnu::cold]] void end(std::uint32_t run, std::int64_t time, const ending& how) {
        event("e").reference(run).number(time).number(how.failed ? 1 : 0).number(static_cast<int>(how.what));
        reference(how.version).text(how.failure);
        out_ += ",[";
        if (how.operators)
            for (const auto& [name, uses] : *how.operators) text(name).number(uses);
        out_ += "],[";
        while (!counted_.empty() && counted_.back().run > run) counted_.pop_back(); // drops runs inside this one
        if (!counted_.empty() && counted_.back().run == run) {
            for (const count& each : counted_.back().counts) text(each.name).number(each.count);
            counted_.pop_back();
        }
        out_ += "]]";
    }
    [[gnu::cold]] void add_remark(std::uint32_t run, const remark& said) {
        if (is_full()) return;
        event("r").reference(run).text(to_string(said.kind)).text(said.where).text(said.text);
        out_ += ']';
    }
    /// Adds to a count of a run. Counts are written when the run ends.
    [[gnu::cold]] void add_count(std::uint32_t run, std::string_view name, std::int64_t n) {
        while (!counted_.empty() && counted_.back().run > run) counted_.pop_back(); // drops runs inside this one
        if (counted_.empty() || counted_.back().run != run) counted_.push_back({run, {}, {}});
        counted_run& of = counted_.back();
        const std::uint64_t hash = tutti::internal::hash_of(name);
        const std::uint32_t there = of.index.find(hash, [&](std::uint32_t i) { return of.counts[i].name == name; });
        if (there != tutti::internal::hash_index::none) {
            of.counts[there].count += n;
            return;
        }
        of.counts.push_back({std::string{name}, n});
        of.index.add(hash);
    }
    [[gnu::cold]] void add_value(std::string_view name, std::string_view summary) {
        event("t").text(name).text(summary);
        out_ += ']';
    }
    /// A measured operation of a program, such as an operator's call.
    struct operation {
        std::string_view program, kind, name;
        std::int64_t calls = 1;       ///< in one run of the program
        std::int64_t nanoseconds = 0; ///< time of these calls
    };
    /// Adds an operation to the profile, which the page shows by kind and by operation.
    [[gnu::cold]] void add_operation(const operation& measured) {
        event("p").text(measured.program).text(measured.kind).text(measured.name);
        number(measured.calls).number(measured.nanoseconds);
        out_ += ']';
    }
    [[gnu::cold]] void add_note(std::string_view what) {
        event("n").text(what);
        out_ += ']';
    }
    [[gnu::cold]] void leave() { event("x") += ']'; }

    /// Returns the number of runs, including skipped ones.
    std::uint32_t runs() const { return runs_; }
    /// Returns the events since `clear`, separated by commas.
    const std::string& events() const { return out_; }
    /// Discards the text of the events. Later events do not depend on it.
    void clear() {
        size_ += out_.size();
        out_.clear();
    }

private:
    struct kept_version {
        std::size_t size; // size of the text
        std::vector<std::uint64_t> lines;
    };
    struct word_entry {
        std::size_t begin, size;
    };
    struct count {
        std::string name;
        std::int64_t count;
    };
    struct counted_run {
        std::uint32_t run;
        std::vector<count> counts;
        tutti::internal::hash_index index; // finds counts by name
    };

    report_limits limits_;
    std::string out_;
    std::size_t size_ = 0; // bytes of discarded events
    bool told_full_ = false;
    std::uint32_t runs_ = 0;
    std::vector<kept_version> versions_;
    tutti::internal::hash_index version_index_;
    std::string letters_; // the concatenated letters of all words
    std::vector<word_entry> words_;
    tutti::internal::hash_index word_index_;
    std::size_t written_ = 0; // number of words already written to events
    std::vector<std::uint64_t> numbers_;
    std::vector<counted_run> counted_; // runs that have not ended, in order

    bool is_full() {
        if (out_.size() + size_ < limits_.bytes) return false;
        if (!std::exchange(told_full_, true))
            add_note("Texts, graphs and remarks are omitted from here on: the data exceed " +
                     grouped_digits(limits_.bytes) + " bytes.");
        return true;
    }

    std::string_view letters_of(const word_entry& w) const {
        return std::string_view{letters_}.substr(w.begin, w.size);
    }
    std::uint32_t word(std::string_view text) {
        const std::uint64_t hash = tutti::internal::hash_of(text);
        const std::uint32_t there =
            word_index_.find(hash, [&](std::uint32_t w) { return letters_of(words_[w]) == text; });
        if (there != tutti::internal::hash_index::none) return there;
        words_.push_back({letters_.size(), text.size()});
        letters_ += text;
        return word_index_.add(hash);
    }
    // Appends each line of a text as the line's number times 64 plus the indentation.
    void read_lines(std::string_view text, std::vector<std::uint64_t>& lines) {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            std::string_view line = text.substr(0, end);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
            std::size_t indent = 0;
            while (indent < 63 && indent < line.size() && line[indent] == ' ') ++indent;
            line.remove_prefix(indent);
            lines.push_back(std::uint64_t{word(line)} * 64 + indent);
        }
    }
    // Writes the differences from the lines `old` to a text if some lines differ only in the numbers of values.
    void write_matches(const std::vector<std::uint64_t>& old, std::string_view text, std::string_view value_names) {
        std::string before;
        for (const std::uint64_t line : old)
            before.append(line % 64, ' ').append(letters_of(words_[line / 64])).append("\n");
        const tutti::internal::line_matching found{before, text, value_names};
        if (found.notes.empty()) return;
        event("m");
        for (std::size_t x = 0, y = 0; x < found.before.size() || y < found.after.size();) {
            if (!found.is_gone(x) && !found.is_added(y)) {
                ++x, ++y;
                continue;
            }
            const std::size_t first = x, other = y;
            while (found.is_gone(x)) ++x;
            while (found.is_added(y)) ++y;
            comma();
            out_ += '[';
            number(first).number(x - first).number(other).number(y - other);
            out_ += ']';
        }
        out_ += ']';
    }
    // Writes the words that have not been written yet.
    void write_words() {
        if (written_ == words_.size()) return;
        event("s");
        std::string pattern;
        for (; written_ < words_.size(); ++written_) {
            const std::string_view whole = letters_of(words_[written_]);
            pattern.clear();
            numbers_.clear();
            if (!take_numbers(whole, pattern)) {
                text(whole);
                continue;
            }
            comma();
            out_ += '[';
            number(word(pattern));
            for (const std::uint64_t n : numbers_) number(n);
            out_ += ']';
        }
        out_ += ']';
    }

    // Replaces the numbers of values in a line by `#`. False if there are none, or if they could not be restored.
    bool take_numbers(std::string_view line, std::string& pattern) {
        for (std::size_t at = 0; at < line.size();) {
            pattern += line[at];
            if (line[at++] != '%' || at == line.size()) continue;
            if (line[at] == '#') return false;
            const std::size_t begin = at;
            std::uint64_t n = 0;
            while (at < line.size() && line[at] >= '0' && line[at] <= '9' && at - begin < 9)
                n = 10 * n + static_cast<std::uint64_t>(line[at++] - '0');
            if (at - begin > 1 && line[begin] == '0') return false;
            if (at == begin) continue;
            pattern += '#';
            numbers_.push_back(n);
        }
        return !numbers_.empty();
    }

    void comma() {
        if (!out_.empty() && out_.back() != '[') out_ += ',';
    }
    report_data& event(const char* kind) {
        if (!out_.empty()) out_ += ",\n";
        out_.append("[\"").append(kind).append("\"");
        return *this;
    }
    report_data& operator+=(char c) {
        out_ += c;
        return *this;
    }
    report_data& number(std::integral auto n) {
        comma();
        out_ += std::to_string(n);
        return *this;
    }
    report_data& reference(std::uint32_t n) { return number(n == none ? std::int64_t{-1} : std::int64_t{n}); }
    // Writes a text as JSON, without characters that could end the script around it, and without invalid UTF-8.
    report_data& text(std::string_view text) {
        comma();
        const std::size_t begin = out_.size();
        tutti::internal::write_json_text(printable(text), out_);
        for (std::size_t at = begin; (at = out_.find_first_of("<>&", at)) != std::string::npos; at += 6)
            out_.replace(at, 1, out_[at] == '<' ? "\\u003c" : out_[at] == '>' ? "\\u003e" : "\\u0026");
        return *this;
    }
};

} // namespace tutti::instrument
