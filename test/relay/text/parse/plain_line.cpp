#include <tutti/relay/text/parse/plain_line.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <string>
#include <string_view>

using tutti::relay::text::plain_line;
using tutti::relay::text::plain_line_reader;

namespace {

std::string read(std::string_view text) {
    plain_line line;
    if (!plain_line_reader(text).read(line)) return "";
    std::string out = std::to_string(line.number) + ' ' + std::string(line.op);
    for (std::size_t i = 0; i < line.count; ++i) {
        const plain_line::argument& a = line.arguments[i];
        out += ' ' + (a.name.empty() ? std::to_string(a.number) : std::string(a.name));
    }
    return out + (line.ends ? " ends " : " ") + std::to_string(line.length);
}

} // namespace

TEST_CASE("plain_line: reads a call of variables and numbers that is bound to a number", "[relay][text][plain_line]") {
    CHECK(read("%0 = add(%x, %y);\n") == "0 add x y ends 17");
    CHECK(read("%12=add(%x,%11);}") == "12 add x 11 ends 16");
    CHECK(read("%3 = nn.relu(%p_01);\n}") == "3 nn.relu p_01 ends 20");
    CHECK(read("%999999999 = f(%1, %2, %3, %4)\n") == "999999999 f 1 2 3 4 30");
    CHECK(read("%1 = f(%2) /* ty=int32 */;\n") == "1 f 2 10");
    CHECK(read("%1 = f(%2).0;\n") == "1 f 2 10");
    CHECK(read("%1 = nanosecond(%2);\n") == "1 nanosecond 2 ends 20");
}

TEST_CASE("plain_line: declines unusual lines", "[relay][text][plain_line]") {
    for (const std::string_view line : {"",
                                        "}",
                                        "x",
                                        "%",
                                        "%0",
                                        "%0 ",
                                        "%0 =",
                                        "%0 = ",
                                        "%0 = add",
                                        "%0 = add(",
                                        "%0 = add(%",
                                        "%0 = add(%x",
                                        "%0 = add(%x,",
                                        "%0 = add(%x, ",
                                        "%x = add(%y)",
                                        "%0 == add(%x)",
                                        "%0  = add(%x)",
                                        "%0 =  add(%x)",
                                        "%0 = add (%x)",
                                        "%0 = add()",
                                        "%0 = add( %x)",
                                        "%0 = add(%x )",
                                        "%0 = add(%x , %y)",
                                        "%0 = add(%x.0)",
                                        "%0 = add(%1.0)",
                                        "%0 = add(%x/y)",
                                        "%0 = add(%x, 1f)",
                                        "%0 = add(%x, axis=1)",
                                        "%0 = add(%1, %2, %3, %4, %5)",
                                        "%0 = add.(%x)",
                                        "%0 = add.1(%x)",
                                        "%0 = .add(%x)",
                                        "%0 = %f(%x)",
                                        "%0 = @f(%x)",
                                        "%0 = 1",
                                        "%0 = (%x)",
                                        "%1234567890 = f(%x)",
                                        "%0 = f(%1234567890)",
                                        "%0 = inff(%x)",
                                        "%0 = nanf64(%x)",
                                        "%0 = f(%x + %y)",
                                        "%0 = f(%x\n)"}) {
        CAPTURE(line);
        CHECK(read(std::string(line) + '\n').empty());
        CHECK(read(std::string(line) + '}').empty());
    }
}

TEST_CASE("plain_line: does not look behind the text", "[relay][text][plain_line]") {
    const std::string_view text = "%0 = add(%x, %12);\n";
    for (std::size_t size = 1; size < text.size(); ++size) CHECK(read(text.substr(0, size)).empty());
    CHECK(!read(text).empty());
}
