#include <tutti/relay/text/parse/text_parts.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

using tutti::relay::text::parts_of;
using tutti::relay::text::text_part;

namespace {

// Returns the number of lines that begin with `def `.
std::size_t definitions_in(const std::string& text) {
    std::size_t count = text.substr(0, 4) == "def " ? 1 : 0;
    for (std::size_t at = text.find("\ndef "); at != std::string::npos; at = text.find("\ndef ", at + 1)) ++count;
    return count;
}

} // namespace

TEST_CASE("text_parts: the parts are the text, and begin with definitions", "[relay][text][text_parts]") {
    std::string text = "# a line\n";
    for (int i = 0; i < 50; ++i) text += "def @f() {\n  1\n}\n\n";
    for (std::size_t most = 1; most < 70; ++most) {
        std::string joined;
        const auto parts = parts_of(text, most, 20);
        CHECK(parts.size() <= most);
        for (const text_part& part : parts.all()) {
            CHECK(part.line == 1 + static_cast<std::size_t>(std::count(joined.begin(), joined.end(), '\n')));
            if (!joined.empty()) CHECK(part.text.substr(0, 4) == "def ");
            joined += part.text;
        }
        CHECK(joined == text);
        CHECK(parts[0].before == 0);
        CHECK(parts.back().before + parts.back().definitions == 50);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto begin = static_cast<std::size_t>(parts[i].text.data() - text.data());
            CHECK(parts[i].before == definitions_in(text.substr(0, begin)));
            CHECK(parts[i].definitions == definitions_in(std::string(parts[i].text)));
        }
    }
    CHECK(parts_of(text, 8, 20).size() > 4);
}

TEST_CASE("text_parts: a text without definitions is one part, one without characters none",
          "[relay][text][text_parts]") {
    CHECK(parts_of("", 4, 1).size() == 0);
    CHECK(parts_of(std::string(100, 'x'), 4, 1).size() == 1);
    CHECK(parts_of("def", 4, 1).size() == 1);
    CHECK(parts_of("def", 4, 1)[0].definitions == 0);
    CHECK(parts_of("\ndef ", 1, 1)[0].definitions == 1);
    CHECK(parts_of("def @f\n\ndef", 1, 1)[0].definitions == 1);
    std::string long_lines(1000, '\n');
    for (int i = 0; i < 9; ++i) long_lines += "def @f" + std::string(300, ' ') + "\n deft\n";
    CHECK(parts_of(long_lines, 1, 1)[0].definitions == 9);
}
