#pragma once

#include <cstddef>
#include <string_view>

namespace tutti {

/// What a part of a pipeline's text is.
enum class stage_kind : unsigned char { pass, sequential, option };

/// A part of a pipeline's text: a pass, a sequential, or an option of the pass before it. Words are as they
/// were written.
struct stage {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    stage_kind kind{};
    std::size_t parent =
        none;                ///< where the sequential or pass that it belongs to stands in the list; none: the pipeline
    std::string_view name{}; ///< a pass's or sequential's name, or an option's key
    std::string_view value{}; ///< an option's value, a sequential's level
};

/// Why a text is no pipeline: what was expected, and the part of the text that stands there instead.
struct pipeline_mistake {
    const char* expected = nullptr; ///< null: there is no mistake
    std::size_t position = 0;
    std::size_t length = 0;
};

/// The deepest nesting of `seq(…)` that is read.
inline constexpr std::size_t max_pipeline_depth = 64;

namespace detail {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Whether a character may stand in a word that is not in quotes.
constexpr bool is_plain(char c) {
    const auto code = static_cast<unsigned char>(c);
    return code > ' ' && code != 0x7f && std::string_view(",(){}[]=\"").find(c) == std::string_view::npos;
}

/// The characters that a word stands for, one by one: its own, or those between its quotes.
struct word_chars {
    std::string_view rest;
    bool quoted;

    constexpr explicit word_chars(std::string_view word) : rest(word), quoted(word.starts_with('"')) {
        if (quoted) rest = rest.substr(1, rest.size() - 2);
    }
    constexpr bool done() const { return rest.empty(); }
    constexpr char next() {
        if (quoted && rest.front() == '\\') rest.remove_prefix(1);
        const char c = rest.front();
        rest.remove_prefix(1);
        return c;
    }
};

/// Whether a word, as it was written, stands for this text.
constexpr bool stands_for(std::string_view word, std::string_view text) {
    word_chars chars{word};
    for (const char c : text)
        if (chars.done() || chars.next() != c) return false;
    return chars.done();
}

/// Whether two words, as they were written, stand for the same text.
constexpr bool same_word(std::string_view a, std::string_view b) {
    word_chars left{a}, right{b};
    while (!left.done() && !right.done())
        if (left.next() != right.next()) return false;
    return left.done() && right.done();
}

/// Appends a text as a word that stands for it: in quotes if it would not be read as one otherwise.
constexpr void write_word(std::string_view text, auto& out) {
    bool plain = !text.empty();
    for (const char c : text) plain = plain && is_plain(c);
    if (plain) {
        out.append(text);
        return;
    }
    out.push_back('"');
    for (const char c : text) {
        if (c == '"' || c == '\\') out.push_back('\\');
        out.push_back(c);
    }
    out.push_back('"');
}

/// Reads the text of a pipeline; see `read_pipeline`.
template <class Sink>
class pipeline_reader {
public:
    constexpr pipeline_reader(std::string_view text, Sink& sink) : text_(text), sink_(sink) {}

    constexpr pipeline_mistake read() {
        if (skip_space(); at_ == text_.size()) return {};
        do
            if (read_stage() && !opened_) end_stages();
        while (more_ && mistake_.expected == nullptr);
        return mistake_;
    }

private:
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
    // Notes that something else was expected than what is next.
    constexpr bool expect(const char* what) {
        skip_space();
        mistake_ = {what, at_, 0};
        if (at_ < text_.size()) mistake_.length = 1;
        if (at_ < text_.size() && is_plain(text_[at_]))
            while (at_ + mistake_.length < text_.size() && is_plain(text_[at_ + mistake_.length])) ++mistake_.length;
        return false;
    }

    constexpr bool read_word(std::string_view& word, const char* what) {
        skip_space();
        const std::size_t start = at_;
        if (take('"')) {
            for (; at_ < text_.size() && text_[at_] != '"'; ++at_)
                if (text_[at_] == '\\') ++at_;
            if (at_ >= text_.size()) {
                mistake_ = {"a closing '\"'", start, text_.size() - start};
                return false;
            }
            ++at_;
        } else {
            while (at_ < text_.size() && is_plain(text_[at_])) ++at_;
        }
        word = text_.substr(start, at_ - start);
        return !word.empty() || expect(what);
    }

    // A pass with its options, or the head of a sequential.
    constexpr bool read_stage() {
        std::string_view name;
        const bool first = opened_;
        opened_ = false;
        if (!read_word(name, first ? "a pass, seq(...) or ')'" : "a pass or seq(...)")) return false;
        if (name == "seq" && (next_is('(') || next_is('['))) return read_head(at_);
        sink_.pass(name);
        return !take('{') || take('}') || read_options();
    }

    constexpr bool read_head(std::size_t start) {
        std::string_view name = "sequential", level;
        if (take('[')) {
            if (!read_word(name, "the sequential's name")) return false;
            if (take(',') && !read_word(level, "the sequential's level")) return false;
            if (!take(']')) return expect(level.empty() ? "',' or ']'" : "']'");
        }
        if (!take('(')) return expect("'('");
        if (++depth_ > max_pipeline_depth) {
            mistake_ = {"no more than 64 sequentials inside each other", start, at_ - start};
            return false;
        }
        sink_.open(name, level);
        opened_ = !next_is(')');
        return true;
    }

    constexpr bool read_options() {
        do {
            std::string_view key;
            if (!read_word(key, "an option's name")) return false;
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
        if (!take('[')) return read_word(word, "a value: a number, True, False, a word or a list");
        if (take(']')) return true;
        do
            if (!read_word(word, "a value: a number, True, False or a word")) return false;
        while (take(','));
        return take(']') || expect("',' or ']'");
    }

    // What may follow a stage: the ends of sequentials, then the end or a comma.
    constexpr void end_stages() {
        while (depth_ > 0 && take(')')) {
            --depth_;
            sink_.close();
        }
        skip_space();
        more_ = take(',');
        if (!more_ && (depth_ > 0 || at_ < text_.size())) expect(depth_ > 0 ? "',' or ')'" : "',' or the end");
    }

    std::string_view text_;
    Sink& sink_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    bool more_ = true;
    bool opened_ = false; // a sequential was opened, and its first member comes next
    pipeline_mistake mistake_{};
};

} // namespace detail

/// Reads the text of a pipeline and tells `sink` of each part, in order: `pass(name)`, `option(key, value)`
/// of that pass, `open(name, level)` and `close()` of a sequential.
///
/// The grammar: `Name`, `Name{key=value,key=[a,b]}`, joined by commas; `seq(A,B)` nests, `seq[name](A,B)`
/// names it and `seq[name,3](A,B)` gives it a level. A word is anything without spaces, commas, quotes, `=`
/// and brackets, or a text in double quotes, in which a backslash takes the next character as it is. Spaces
/// mean nothing. No text is no passes.
///
/// Cost: linear; no allocation, no recursion. Names and values are the sink's to judge.
template <class Sink>
constexpr pipeline_mistake read_pipeline(std::string_view text, Sink& sink) {
    return detail::pipeline_reader<Sink>{text, sink}.read();
}

} // namespace tutti
