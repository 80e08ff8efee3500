#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/text/parse/characters.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// A line of the common form: a number bound to a call of an operator with variables and numbers as arguments.
struct plain_line {
    static constexpr std::size_t most_arguments = 4;

    struct argument {
        std::string_view name{}; ///< the name of a variable; empty for a number
        std::uint32_t number = 0;
    };

    std::uint32_t number = 0;
    std::string_view op{};
    argument arguments[most_arguments];
    std::size_t count = 0;  ///< number of arguments
    std::size_t length = 0; ///< length of the text up to the closing bracket or the `;` after it
    bool ends = false;      ///< ends with a `;`
};

/// Reads a line of the form `%2 = add(%x, %1);`. Leaves everything unusual to the parser: other blanks, dots in
/// variable names, more than four arguments, and numbers of ten or more digits.
class plain_line_reader {
public:
    explicit plain_line_reader(std::string_view text) : at_(text.data()), begin_(at_) {
        if (text.empty() || (text.back() != '}' && text.back() != '\n')) at_ = begin_ = ""; // see `pass`
    }

    /// Reads a line at the start of the text. False if there is no plain line. The contents of `line` are then
    /// unspecified.
    bool read(plain_line& line) {
        if (!pass('%') || !number(line.number)) return false;
        pass(' ');
        if (!pass('=')) return false;
        pass(' ');
        const char* const op = at_;
        if (!pass_name()) return false;
        while (pass('.'))
            if (!pass_name()) return false;
        line.op = {op, static_cast<std::size_t>(at_ - op)};
        if (!pass('(') || reads_as_number(op)) return false;
        for (line.count = 0; line.count != plain_line::most_arguments;) {
            plain_line::argument& a = line.arguments[line.count++];
            if (!pass('%')) return false;
            const char* const name = at_;
            const bool named = pass_name();
            a.name = {name, static_cast<std::size_t>(at_ - name)};
            if (!named && !number(a.number)) return false;
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
    // Skips this character if it follows. Needs no check for the end of the text, because the text's last character is
    // not part of a plain line.
    bool pass(char c) {
        if (*at_ != c) return false;
        ++at_;
        return true;
    }

    // Skips a letter and the letters and digits after it.
    bool pass_name() {
        if (!is_kind(*at_, letter)) return false;
        const char* at = at_ + 1;
        while (is_kind(*at, letter | digit)) ++at;
        at_ = at;
        return true;
    }

    // Reads a number of one to nine digits. False if there is no such number.
    bool number(std::uint32_t& value) {
        const char* at = at_;
        std::uint32_t read = 0;
        for (std::uint32_t next = digit_of(*at); next < 10; next = digit_of(*++at)) read = read * 10 + next;
        const std::size_t digits = static_cast<std::size_t>(at - at_);
        at_ = at;
        value = read;
        return digits - 1 < 9;
    }

    // Returns the value of a digit, or at least ten for other characters.
    static std::uint32_t digit_of(char c) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(c)) - std::uint32_t{'0'};
    }

    // True for a name that reads as a number rather than an operator, such as `inff(` or `nanf64(`.
    // Requires: a bracket follows the name.
    static bool reads_as_number(const char* name) {
        return (name[0] == 'i' && name[1] == 'n' && name[2] == 'f' && name[3] == 'f') ||
               (name[0] == 'n' && name[1] == 'a' && name[2] == 'n' && name[3] == 'f');
    }

    const char* at_;
    const char* begin_;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
