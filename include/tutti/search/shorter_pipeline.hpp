#pragma once

#include <tutti/pipeline/grammar.hpp>
#include <tutti/search/delta_debug.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::instrument {

/// A pipeline in text form, from which edits remove passes with their members, remove adaptors but not their members
/// (`fixpoint(A,B)` becomes `A,B`), and reset options to their defaults.
///
/// Edits may produce an invalid pipeline: `function(CSE)` becomes `CSE`, which may not be a pass over the outer units.
///
/// Requires: `text` is a valid pipeline.
/// Example:  `pipeline_parts{"A,seq(B,C{x=1})"}.without({0, 1, 0, 0, 0, 0})  // "A": passes first, in order`
class pipeline_parts {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct setting {
        std::string text{};
        std::size_t edit = none;
    };
    struct node {
        std::string head{}; // the name, with label and level
        std::vector<setting> options{};
        std::vector<std::size_t> members{};
        std::size_t outer = none;
        std::size_t unwrapped = none; // the edit that replaces an adaptor by its members
        bool open = false;            // true if it has brackets
    };

    std::vector<node> stages_; // the first node is the whole pipeline
    std::size_t edits_ = 0;

    struct reader {
        std::vector<node>& stages;
        std::size_t inside = 0, current = 0;
        bool in_point = false; // the name of an extension point belongs to its head

        void stage(const stage_head& head) {
            if (in_point) {
                stages[current].head.append("(").append(head.name).append(")");
                return;
            }
            node made;
            made.head = head.name;
            if (!head.label.empty()) {
                made.head.append("[").append(head.label);
                if (!head.level.empty()) made.head.append(",").append(head.level);
                made.head += ']';
            }
            made.outer = inside;
            current = stages.size();
            stages[inside].members.push_back(current);
            stages.push_back(static_cast<node&&>(made));
        }
        void option(std::string_view key, std::string_view value) {
            setting made;
            made.text.append(key).append("=").append(value);
            stages[current].options.push_back(static_cast<setting&&>(made));
        }
        void open() {
            in_point = stages[current].head == "point";
            if (in_point) return;
            stages[current].open = true;
            inside = current;
        }
        void close() {
            if (in_point) {
                in_point = false;
                return;
            }
            current = inside;
            inside = stages[inside].outer;
        }
    };

    // Appends a stage, with these edits applied. Appends nothing if they remove the stage or all its members.
    void write(std::size_t at, const edit_set& edits, std::string& out) const {
        if (edits[at - 1] != 0) return;
        const node& s = stages_[at];
        std::string inner;
        for (const std::size_t each : s.members) write(each, edits, inner);
        if (s.open && inner.empty()) return;
        if (!out.empty()) out += ',';
        if (s.open && edits[s.unwrapped] != 0) {
            out += inner;
            return;
        }
        out += s.head;
        char before = '{';
        for (const setting& each : s.options) {
            if (edits[each.edit] != 0) continue;
            out += before;
            out += each.text;
            before = ',';
        }
        if (before == ',') out += '}';
        if (s.open) out.append("(").append(inner).append(")");
    }

public:
    explicit pipeline_parts(std::string_view text) : stages_(1) {
        reader sink{stages_};
        read_pipeline(text, sink);
        edits_ = stages_.size() - 1;
        for (node& s : stages_)
            if (s.open) s.unwrapped = edits_++;
        for (node& s : stages_)
            for (setting& each : s.options) each.edit = edits_++;
    }

    /// Returns the number of passes, including adaptors and sequentials.
    std::size_t passes() const { return stages_.size() - 1; }
    /// Returns the number of edits. Their order is: removals of passes, removals of adaptors, resets of options.
    std::size_t edits() const { return edits_; }
    /// Returns the text form of the first pass and its members, or "" if the pipeline is empty.
    std::string first() const {
        std::string out;
        if (passes() != 0) write(stages_.front().members.front(), edit_set(edits_), out);
        return out;
    }
    /// Returns the text form of the pipeline after these edits. Requires: `edits` has `edits()` entries.
    std::string without(const edit_set& edits) const {
        std::string out;
        for (const std::size_t each : stages_.front().members) write(each, edits, out);
        return out;
    }
};

/// Shortens a pipeline as far as possible while a property holds. Uses delta debugging to remove passes (also nested
/// ones), adaptors and options.
///
/// `holds(text)` returns true if the property holds for that pipeline.
///
/// Cost:    that of `delta_debug` for each round. Repeats until a round does not shorten the pipeline.
/// Example: `shorter_pipeline("A,fixpoint(B,C),D", [&](const std::string& passes) { return !is_right(run(passes,
///          input)); })`
template <class Holds>
std::string shorter_pipeline(std::string text, Holds&& holds) {
    for (;;) {
        const pipeline_parts parts{text};
        const edit_set dropped = delta_debug(parts.edits(), [&](const edit_set& edits) {
            const std::string shorter = parts.without(edits);
            return shorter != text && static_cast<bool>(holds(shorter));
        });
        std::string shorter = parts.without(dropped);
        if (shorter == text) return text;
        text = static_cast<std::string&&>(shorter);
    }
}

} // namespace tutti::instrument
