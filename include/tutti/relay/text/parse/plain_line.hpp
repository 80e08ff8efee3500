#pragma once

#include <tutti/relay/text/parse/characters.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::text {

/// A line as most are: a call of an operator whose arguments are variables and numbers and no more, bound to a number.
struct plain_line {
    static constexpr std::size_t most_arguments = 4;

    struct argument {
        std::string_view name{}; ///< of a variable; empty if it is a number
        std::uint32_t number = 0;
    };

    std::uint32_t number = 0;
    std::string_view op{};
    argument arguments[most_arguments];
    std::size_t count = 0;  ///< of the arguments
    std::size_t length = 0; ///< of what was read, up to the closing bracket, or the `;` behind it
    bool ends = false;      ///< with a `;`
};

/// Reads the line that a text begins with, `%2 = add(%x, %1);`: a quick look, which leaves all that is out of the ordinary (other
/// blanks, variables with dots in their names, more arguments, numbers of ten digits) to the parser.
class plain_line_reader {
public:
    explicit plain_line_reader(std::string_view text) : at_(text.data()), begin_(at_) {
        if (text.empty() || (text.back() != '}' && text.back() != '\n')) at_ = begin_ = ""; // see below
    }

    /// Whether there is one. If there is none, what is in `line` says nothing.
    bool read(plain_line& line) {
        if (!pass('%') || !number(line.number)) return false;
        pass(' ');
        if (!pass('=')) return false;
        pass(' ');
        line.op = name();
        if (line.op.empty()) return false;
        while (pass('.')) {
            if (name().empty()) return false;
            line.op = {line.op.data(), static_cast<std::size_t>(at_ - line.op.data())};
        }
        if (!pass('(') || reads_as_number(line.op)) return false;
        for (line.count = 0; line.count != plain_line::most_arguments;) {
            plain_line::argument& a = line.arguments[line.count++];
            if (!pass('%')) return false;
            a.name = name();
            if (a.name.empty() && !number(a.number)) return false;
            if (pass(')')) {
                line.ends = pass(';');
                line.length = static_cast<std::size_t>(at_ - begin_);
                return true;
            }
            if (!pass(',')) return false;
            pass(' ');
        }
        return false;
    }

private:
    // Nothing looks for the end of the text: its last character is part of no such line, so nothing passes it.
    bool pass(char c) {
        if (*at_ != c) return false;
        ++at_;
        return true;
    }

    // A letter, and the letters and digits behind it.
    std::string_view name() {
        const char* const first = at_;
        const char* at = first;
        if (is_kind(*at, letter)) do
                ++at;
            while (is_kind(*at, letter | digit));
        at_ = at;
        return {first, static_cast<std::size_t>(at - first)};
    }

    // At most nine digits.
    bool number(std::uint32_t& value) {
        const char* const first = at_;
        const char* at = first;
        std::uint32_t read = 0;
        for (; is_kind(*at, digit); ++at) read = read * 10 + static_cast<std::uint32_t>(*at - '0');
        at_ = at;
        value = read;
        return at != first && at - first < 10;
    }

    // `inff`, `nanf64`
    static bool reads_as_number(std::string_view name) {
        return name.size() > 3 && name[3] == 'f' && (name.starts_with("inff") || name.starts_with("nanf"));
    }

    const char* at_;
    const char* begin_;
};

} // namespace tutti::relay::text
