#pragma once

#include <tutti/pipeline/words.hpp>

#include <cstddef>
#include <string_view>

namespace tutti {

/// The beginning of a pass in a pipeline's text, before its options and members: `Name`, `Name[label]` or
/// `Name[label,level]`. Each word is kept as written, and an absent word is empty.
struct stage_head {
    std::string_view name{};
    std::string_view label{};
    std::string_view level{};
};

namespace internal {

/// A mistake in a pipeline's text: the expected element, and the position and length of the text found instead.
struct pipeline_mistake {
    const char* expected = nullptr; ///< null if there is no mistake
    std::size_t position = 0;
    std::size_t length = 0;
};

} // namespace internal

namespace detail {

/// Limit on the nesting depth of passes in a text.
inline constexpr std::size_t max_pipeline_depth = 64;

/// Reads the text of a pipeline; see `read_pipeline`.
template <class Sink>
class pipeline_reader {
public:
    constexpr pipeline_reader(std::string_view text, Sink& sink) : text_(text), sink_(sink) {}

    constexpr internal::pipeline_mistake read() {
        if (skip_space(); at_ == text_.size()) return {};
        do
            if (read_stage() && !opened_) end_stages();
        while (more_ && mistake_.expected == nullptr);
        return mistake_;
    }

private:
    // Describes, for messages, the element expected at the beginning of a stage. Brackets may be empty, so ')' may
    // replace the first stage.
    static constexpr const char* wanted_stage(bool first) {
        if constexpr (requires { Sink::wanted_stage; })
            return Sink::wanted_stage;
        else
            return first ? "a pass, seq(...) or ')'" : "a pass or seq(...)";
    }
    constexpr void skip_space() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    }
    constexpr bool next_is(char c) {
        skip_space();
        return at_ < text_.size() && text_[at_] == c;
    }
    constexpr bool take(char c) {
        const bool there = next_is(c);
        if (there) ++at_;
        return there;
    }
    constexpr bool refuse(const char* expected, std::size_t position, std::size_t length) {
        mistake_ = {expected, position, length};
        return false;
    }
    // Records a mistake: the text at the current position is not `what`. Returns false.
    constexpr bool expect(const char* what) {
        if (skip_space(); at_ == text_.size()) return refuse(what, at_, 0);
        const bool plain = is_word_char(text_[at_]);
        return refuse(what, at_, plain ? word_length(text_.substr(at_)) : 1);
    }

    constexpr bool take_word(std::string_view& word, const char* what) {
        skip_space();
        const std::size_t length = word_length(text_.substr(at_));
        if (length == 0) return expect(what);
        if (length > text_.size()) return refuse("a closing '\"'", at_, text_.size() - at_);
        word = text_.substr(at_, length);
        at_ += length;
        return true;
    }

    // Reads a pass with its options, up to the bracket that opens its members, if any. False after a mistake.
    constexpr bool read_stage() {
        stage_head head;
        const bool first = opened_;
        opened_ = false;
        if (!take_word(head.name, wanted_stage(first))) return false;
        const bool labelled = take('[');
        if (labelled) {
            if (!take_word(head.label, "a label")) return false;
            if (take(',') && !take_word(head.level, "a level")) return false;
            if (!take(']')) return expect(head.level.empty() ? "',' or ']'" : "']'");
        }
        sink_.stage(head);
        if (take('{') && !take('}') && !read_options()) return false;
        if (!take('(')) return !labelled || expect("'('");
        sink_.open();
        if (++depth_ > max_pipeline_depth) return refuse("at most 64 nested passes", at_ - 1, 1);
        opened_ = !next_is(')');
        return true;
    }

    constexpr bool read_options() {
        do {
            std::string_view key;
            if (!take_word(key, "an option's name")) return false;
            if (!take('=')) return expect("'='");
            skip_space();
            const std::size_t start = at_;
            if (!read_value()) return false;
            sink_.option(key, text_.substr(start, at_ - start));
        } while (take(','));
        return take('}') || expect("',' or '}'");
    }

    constexpr bool read_value() {
        std::string_view word;
        if (!take('[')) return take_word(word, "a value: a number, True, False, a word or a list");
        if (take(']')) return true;
        do
            if (!take_word(word, "a value: a number, True, False or a word")) return false;
        while (take(','));
        return take(']') || expect("',' or ']'");
    }

    // Reads the text after a stage: the ends of surrounding stages, then a comma or the end of the text.
    constexpr void end_stages() {
        while (depth_ > 0 && take(')')) {
            --depth_;
            sink_.close();
        }
        more_ = take(',');
        skip_space();
        if (!more_ && (depth_ > 0 || at_ < text_.size())) expect(depth_ > 0 ? "',' or ')'" : "',' or the end");
    }

    std::string_view text_;
    Sink& sink_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    bool more_ = true;
    bool opened_ = false; // members follow
    internal::pipeline_mistake mistake_{};
};

} // namespace detail

/// Reads the text of a pipeline and calls the functions of `sink` in order: for each pass, `stage(head)`,
/// `option(key, value)` for each option, and, if the pass has members, `open()`, the calls for its members, and
/// `close()`.
///
/// Grammar: passes are joined by commas. A pass is `Name` or `Name{key=value,key=[a,b]}`. A pass with members is
/// `Head{key=value}(A,B)`. `seq(A,B)` is a nested sequential, `seq[name](A,B)` has a name, and `seq[name,3](A,B)` also
/// has a level. `resolved(A,B)` is a resolved sequential. `point(name)` is an extension point. Any other head is an adaptor: `fixpoint{limit=3}(A,B)`,
/// `only_if[has_loops](A)`, `function(A,B)`. Spaces are ignored. An empty text has no passes.
///
/// The sink checks names and values. If the text does not list passes, the sink describes an element of the list in
/// `static constexpr const char* wanted_stage`, for messages: "an instrument".
///
/// Cost: linear; no allocation, no recursion.
template <class Sink>
constexpr internal::pipeline_mistake read_pipeline(std::string_view text, Sink& sink) {
    return detail::pipeline_reader<Sink>{text, sink}.read();
}

} // namespace tutti
