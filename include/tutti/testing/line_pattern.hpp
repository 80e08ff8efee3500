#pragma once

#include <tutti/base/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::testing::detail {

/// The current values of pattern variables.
class pattern_variables {
public:
    /// Returns the value of a variable, or null.
    const std::string* find(std::string_view name) const {
        for (const variable& v : all_)
            if (v.name == name) return &v.value;
        return nullptr;
    }
    void set(std::string_view name, std::string_view value) {
        for (variable& v : all_)
            if (v.name == name) {
                v.value = value;
                return;
            }
        all_.push_back({std::string{name}, std::string{value}});
    }

private:
    struct variable {
        std::string name, value;
    };
    std::vector<variable> all_;
};

/// A part of a text from `begin` to `end`.
struct text_range {
    std::size_t begin = 0, end = 0;
};

/// A pattern for part of a line, like those of LLVM's FileCheck.
///
/// | in the pattern | matches |
/// |---|---|
/// | `{{RE}}` | regular expression: characters, `.`, `[a-z]`, `[^a-z]`, `\d`, `\w`, `\s`, `( )`, `\|`, `*`, `+`, `?` |
/// | `[[NAME:RE]]` | regular expression; the variable NAME stores the match |
/// | `[[NAME]]` | the value of NAME |
/// | blanks | one or more blanks |
/// | any other character | itself |
class line_pattern {
public:
    /// Compiles a pattern.
    ///
    /// Throws: `tutti::error` for an invalid regular expression or variable.
    explicit line_pattern(std::string_view text) : text_(text) { read(); }

    /// Finds the first match in the range `from` of `text`, and sets the variables that the pattern defines.
    ///
    /// Throws: `tutti::error` for an undefined variable, or after more than a million steps at one position.
    bool find(std::string_view text, text_range from, pattern_variables& variables, text_range& found) const {
        for (const std::string& used : used_)
            if (variables.find(used) == nullptr)
                throw error("[[" + used + "]]", "is not defined", "a [[" + used + ":...]] before it");
        std::vector<std::size_t> slots(2 * defined_.size());
        for (std::size_t at = from.begin; at <= from.end; ++at) {
            std::size_t end = 0;
            if (!match(text.substr(0, from.end), at, variables, slots, end)) continue;
            found = {at, end};
            for (std::size_t i = 0; i < defined_.size(); ++i)
                variables.set(defined_[i], text.substr(slots[2 * i], slots[2 * i + 1] - slots[2 * i]));
            return true;
        }
        return false;
    }

    /// Returns the names of the variables that the pattern uses.
    const std::vector<std::string>& used() const { return used_; }
    bool has_variables() const { return !used_.empty() || !defined_.empty(); }

private:
    // Instructions of the compiled pattern. Jumps are relative, so that code can be moved.
    enum class op : unsigned char { one, any, set, blanks, split, jump, save, variable, done };
    struct instruction {
        op code;
        char c = 0;
        long x = 0, y = 0; // jump, split: offsets of the next instruction (split: y if x fails); otherwise indices
    };
    static constexpr std::size_t most_steps = 1'000'000;

    bool defines(std::string_view name) const {
        for (const std::string& each : defined_)
            if (each == name) return true;
        return false;
    }
    static bool is_blank(char c) { return c == ' ' || c == '\t'; }
    static bool is_name(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }

    [[noreturn]] void refuse(std::size_t at, const char* problem, const char* expected) const {
        throw error("pattern `" + text_ + "`, column " + std::to_string(at + 1), problem, expected);
    }

    void read() {
        std::size_t at = 0;
        while (at < text_.size()) {
            const std::string_view rest = std::string_view{text_}.substr(at);
            if (rest.starts_with("{{")) {
                const std::size_t close = closing(at, at + 2, "}}");
                read_expression(at + 2, close);
                at = close + 2;
            } else if (rest.size() > 2 && rest.starts_with("[[") && is_name(rest[2]) && !is_digit(rest[2]) &&
                       ends_name(at + 2)) {
                at = read_variable(at + 2);
            } else if (is_blank(text_[at])) {
                while (at < text_.size() && is_blank(text_[at])) ++at;
                program_.push_back({op::blanks});
            } else {
                program_.push_back({op::one, text_[at++]});
            }
        }
        program_.push_back({op::done});
    }
    // True if the name at `at` is followed by `:` or `]]`, as in a variable. Otherwise the brackets are ordinary text,
    // such as nested lists of names.
    bool ends_name(std::size_t at) const {
        while (at < text_.size() && is_name(text_[at])) ++at;
        return at < text_.size() && (text_[at] == ':' || text_.compare(at, 2, "]]") == 0);
    }
    std::size_t closing(std::size_t opened, std::size_t from, const char* bracket) const {
        std::size_t found = text_.find(bracket, from);
        if (found == std::string::npos) refuse(opened, "is not closed", bracket);
        while (found + 2 < text_.size() && text_[found + 2] == bracket[0]) ++found; // `[a-z]]]`: the last two close
        return found;
    }
    std::size_t read_variable(std::size_t begin) {
        std::size_t end = begin;
        while (is_name(text_[end])) ++end;
        const std::string name = text_.substr(begin, end - begin);
        if (text_[end] != ':') {
            for (std::size_t i = 0; i < defined_.size(); ++i)
                if (defined_[i] == name) {
                    program_.push_back({op::variable, 0, -1, static_cast<long>(2 * i)});
                    return end + 2;
                }
            program_.push_back({op::variable, 0, static_cast<long>(used_.size())});
            used_.push_back(name);
            return end + 2;
        }
        if (defines(name)) refuse(begin, "is defined twice", "another name");
        const auto slot = static_cast<long>(2 * defined_.size());
        const std::size_t close = closing(begin - 2, end + 1, "]]");
        program_.push_back({op::save, 0, slot});
        read_expression(end + 1, close);
        program_.push_back({op::save, 0, slot + 1});
        defined_.push_back(name);
        return close + 2;
    }

    // Reads a regular expression from `at` to `end`.
    void read_expression(std::size_t at, std::size_t end) {
        read_alternatives(at, end);
        if (at != end) refuse(at, "has no matching (", "a ( before it");
    }
    void read_alternatives(std::size_t& at, std::size_t end) {
        const std::size_t begin = program_.size();
        while (at < end && text_[at] != '|' && text_[at] != ')') read_repeated(at, end);
        if (at == end || text_[at] != '|') return;
        ++at;
        insert(begin, {op::split, 0, 1, static_cast<long>(program_.size() - begin) + 2});
        const std::size_t jump = program_.size();
        program_.push_back({op::jump});
        read_alternatives(at, end);
        program_[jump].x = static_cast<long>(program_.size() - jump);
    }
    void read_repeated(std::size_t& at, std::size_t end) {
        const std::size_t begin = program_.size();
        read_atom(at, end);
        const auto size = static_cast<long>(program_.size() - begin);
        if (at == end) return;
        const char how = text_[at];
        if (how != '*' && how != '+' && how != '?') return;
        ++at;
        if (how == '+') {
            program_.push_back({op::split, 0, -size, 1});
            return;
        }
        insert(begin, {op::split, 0, 1, size + (how == '*' ? 2 : 1)});
        if (how == '*') program_.push_back({op::jump, 0, -size - 1});
    }
    void read_atom(std::size_t& at, std::size_t end) {
        const char c = text_[at++];
        if (c == '*' || c == '+' || c == '?') refuse(at - 1, "repeats nothing", "something before it, or a \\");
        if (c == '(') {
            read_alternatives(at, end);
            if (at == end) refuse(end, "a ( is not closed", ")");
            ++at;
        } else if (c == '.') {
            program_.push_back({op::any});
        } else if (c == '[') {
            sets_.emplace_back(256, '\0');
            const bool other = at < end && text_[at] == '^';
            if (other) ++at;
            const std::size_t first = at;
            while (at < end && (text_[at] != ']' || at == first)) {
                if (text_[at] == '\\' && at + 1 < end) {
                    add_class(text_[at + 1]);
                    at += 2;
                } else if (at + 2 < end && text_[at + 1] == '-' && text_[at + 2] != ']') {
                    for (int each = byte(text_[at]); each <= byte(text_[at + 2]); ++each) add(each);
                    at += 3;
                } else {
                    add(byte(text_[at++]));
                }
            }
            if (at >= end) refuse(end, "a [ is not closed", "]");
            ++at;
            push_set(other);
        } else if (c == '\\' && at < end) {
            sets_.emplace_back(256, '\0');
            add_class(text_[at++]);
            push_set(false);
        } else {
            program_.push_back({op::one, c});
        }
    }
    static int byte(char c) { return static_cast<unsigned char>(c); }
    void add(int c) { sets_.back()[static_cast<std::size_t>(c)] = 1; }
    void add_class(char c) {
        for (int each = 0; each < 256; ++each) {
            const char it = static_cast<char>(each);
            if (c == 'd' ? is_digit(it) : c == 'w' ? is_name(it) : c == 's' ? is_blank(it) : it == c) add(each);
        }
    }
    void push_set(bool other) {
        for (std::size_t i = 0; other && i < 256; ++i) sets_.back()[i] = sets_.back()[i] == 0;
        program_.push_back({op::set, 0, static_cast<long>(sets_.size() - 1)});
    }
    void insert(std::size_t at, instruction what) {
        program_.insert(program_.begin() + static_cast<std::ptrdiff_t>(at), what);
    }

    // An entry of the backtracking stack: the instruction and position to continue at. If `slot` is set, `at` is
    // instead the previous value of the slot.
    struct other_way {
        long pc;
        std::size_t at;
        long slot = -1;
    };

    bool match(std::string_view text, std::size_t begin, const pattern_variables& variables,
               std::vector<std::size_t>& slots, std::size_t& end) const {
        std::vector<other_way> others{{0, begin}};
        std::size_t steps = 0;
        while (!others.empty()) {
            auto [pc, at, slot] = others.back();
            others.pop_back();
            if (slot >= 0) {
                slots[static_cast<std::size_t>(slot)] = at;
                continue;
            }
            for (bool fits = true; fits;) {
                if (++steps > most_steps) throw error("pattern `" + text_ + "`", "takes more than a million steps");
                const instruction& i = program_[static_cast<std::size_t>(pc)];
                const bool more = at < text.size() && text[at] != '\n';
                switch (i.code) {
                case op::done:
                    end = at;
                    return true;
                case op::one:
                    fits = more && text[at++] == i.c;
                    break;
                case op::any:
                    fits = more && ++at != 0;
                    break;
                case op::set:
                    fits =
                        more && sets_[static_cast<std::size_t>(i.x)][static_cast<std::size_t>(byte(text[at++]))] != 0;
                    break;
                case op::blanks:
                    fits = more && is_blank(text[at]);
                    while (at < text.size() && is_blank(text[at])) ++at;
                    break;
                case op::split:
                    others.push_back({pc + i.y, at});
                    pc += i.x - 1;
                    break;
                case op::jump:
                    pc += i.x - 1;
                    break;
                case op::save:
                    others.push_back({0, slots[static_cast<std::size_t>(i.x)], i.x});
                    slots[static_cast<std::size_t>(i.x)] = at;
                    break;
                case op::variable: {
                    const std::string_view value = value_of(i, text, variables, slots);
                    fits = text.substr(at, value.size()) == value;
                    at += value.size();
                    break;
                }
                }
                ++pc;
            }
        }
        return false;
    }
    // Returns the value of a variable. A value set earlier in the same pattern takes precedence.
    std::string_view value_of(const instruction& i, std::string_view text, const pattern_variables& variables,
                              const std::vector<std::size_t>& slots) const {
        if (i.x >= 0) return *variables.find(used_[static_cast<std::size_t>(i.x)]);
        const std::size_t* const slot = slots.data() + i.y;
        return text.substr(slot[0], slot[1] - slot[0]);
    }

    std::string text_;
    std::vector<instruction> program_;
    std::vector<std::string> sets_;           // each set is indexed by byte: 1 if the set contains the byte
    std::vector<std::string> used_, defined_; // names of variables
};

} // namespace tutti::testing::detail
