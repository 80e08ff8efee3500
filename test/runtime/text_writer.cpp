#include <tutti/runtime/text_writer.hpp>

#include "support/catch.hpp"

#include <string>

using tutti::runtime::text_writer;

TEST_CASE("text_writer: writes to its target; copies share it", "[runtime][text_writer]") {
    std::string text;
    int calls = 0;
    const text_writer write = [&text, calls](std::string_view part) mutable {
        text.append(part).append(std::to_string(++calls));
        return calls;
    };
    const text_writer copy = write;
    write("a");
    copy("b");
    CHECK(text == "a1b2");
}

TEST_CASE("text_writer: one of nothing writes nothing", "[runtime][text_writer]") {
    const text_writer write;
    write("a");
    CHECK(true);
}
