#pragma once

#include <tutti/pipeline/grammar.hpp>
#include <tutti/runtime/pipeline_error.hpp>
#include <tutti/runtime/registry.hpp>
#include <tutti/runtime/sequential.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// How long the text of a pipeline may be.
inline constexpr std::size_t max_pipeline_text = std::size_t{1} << 20;

namespace detail {

// Makes the passes that a text is read to be, one after another.
template <class Unit>
class pipeline_builder {
    struct level {
        std::string name;
        int opt_level;
        std::vector<any_pass<Unit>> passes;
    };

    std::string_view text_;
    const registry<Unit>& known_;
    std::vector<level> open_{{"sequential", 0, {}}};
    stage_head head_; // of the pass whose options are being read; none: empty
    std::vector<option_text> options_;

    [[noreturn]] void fail(std::string_view word, complaint said) const {
        throw pipeline_error{text_, static_cast<std::size_t>(word.data() - text_.data()), word.size(), std::move(said)};
    }
    static std::string meant_by(std::string_view word) {
        std::string text;
        read_word(word, text);
        return text;
    }
    const registered_pass<Unit>& find(std::string_view word) const {
        const std::string name = meant_by(word);
        const auto* pass = known_.find(name);
        if (!pass) fail(word, known_.explain_missing(name));
        return *pass;
    }

public:
    pipeline_builder(std::string_view text, const registry<Unit>& known) : text_(text), known_(known) {}

    /// Makes the pass that has been read, if there is one.
    void finish_pass() {
        if (head_.name.empty()) return;
        const registered_pass<Unit>& pass = find(head_.name);
        rejected_option rejected;
        auto made = pass.make(options_, rejected);
        if (rejected.why != option_outcome::set) {
            const option_text& option = options_[rejected.index];
            fail(rejected.why == option_outcome::no_such_value ? option.value : option.key,
                 explain(pass, option, rejected.why));
        }
        open_.back().passes.push_back(std::move(made));
        head_ = {};
        options_.clear();
    }

    void stage(const stage_head& head) {
        finish_pass();
        head_ = head;
    }
    void option(std::string_view key, std::string_view value) {
        for (const option_text& each : options_)
            if (same_word(each.key, key))
                fail(key, {meant_by(head_.name) + ": option " + std::string{key} + ": is given twice", "it once"});
        options_.push_back({key, value});
    }
    void open() {
        int number = 0;
        if (!head_.level.empty() && (!read_integer(head_.level, number) || number < 0))
            fail(head_.level, {"`" + std::string{head_.level} + "` is no level", "an integer, 0 or more"});
        open_.push_back({head_.label.empty() ? "sequential" : meant_by(head_.label), number, {}});
        head_ = {};
    }
    void close() {
        finish_pass();
        level done = std::move(open_.back());
        open_.pop_back();
        open_.back().passes.push_back(sequential<Unit>{std::move(done.passes), std::move(done.name), done.opt_level});
    }
    sequential<Unit> finish() {
        finish_pass();
        return sequential<Unit>{std::move(open_.front().passes)};
    }
};

} // namespace detail

/// The pipeline that a text describes; `read_pipeline` has the grammar. Its only member may be a sequential.
///
/// Cost:    linear in the text, but for the options of one pass, of which each is compared with each.
/// Throws:  `pipeline_error` for the first thing that is wrong; it says where, and what is right or near.
/// Example: `const auto pipeline = parse_pipeline("InferType,FuseOps{fuse_opt_level=2}", known);`
template <class Unit>
sequential<Unit> parse_pipeline(std::string_view text, const registry<Unit>& known) {
    if (text.size() > max_pipeline_text)
        throw pipeline_error{text.substr(0, max_pipeline_text),
                             max_pipeline_text,
                             1,
                             {"the text goes on", "at most " + std::to_string(max_pipeline_text) + " characters"}};
    detail::pipeline_builder<Unit> builder{text, known};
    const pipeline_mistake mistake = read_pipeline(text, builder);
    if (mistake.expected) {
        builder.finish_pass(); // what is wrong before it comes first
        const std::string_view there = text.substr(mistake.position, mistake.length);
        std::string found = "found the end";
        if (!there.empty()) found = there.size() > 40 ? "found something else" : "found `" + std::string{there} + "`";
        throw pipeline_error{
            text, mistake.position, mistake.length, {std::move(found), mistake.expected, std::string{there}}};
    }
    return builder.finish();
}

} // namespace tutti::runtime
