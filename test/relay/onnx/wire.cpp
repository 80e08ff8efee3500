#include <tutti/relay/onnx/wire.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("wire: numbers and bytes, and where each field begins", "[relay][onnx][wire]") {
    const std::string bytes = wire().number(1, 300).text(2, "ab").real(3, 1.5F).number(1, -1).bytes;
    const file_part part{reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), 10};
    std::vector<std::string> seen;
    for (const wire_field& f : wire_fields(part))
        seen.push_back(std::to_string(f.number) + "@" + std::to_string(f.offset) + ":" +
                       (f.kind == wire_kind::bytes     ? std::string(f.payload.text())
                        : f.kind == wire_kind::fixed32 ? std::to_string(f.real())
                                                       : std::to_string(static_cast<std::int64_t>(f.value))));
    CHECK(seen == std::vector<std::string>{"1@10:300", "2@13:ab", "3@17:1.500000", "1@22:-1"});
    std::size_t ones = 0;
    for (const wire_field& f : wire_fields(part, 1)) ones += f.number;
    CHECK(ones == 2);
}

TEST_CASE("wire: truncated and invalid fields are refused with their offset", "[relay][onnx][wire]") {
    const auto said = [](std::string_view bytes) {
        return refused([&] {
            for (const wire_field& f :
                 wire_fields({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), 0}))
                static_cast<void>(f);
        });
    };
    CHECK(said("\x08").find("byte 1: the file ends within a number") == 0);
    CHECK(said("\x08\x80").find("byte 1: the file ends within a number") == 0);
    CHECK(said("\x12\x05"
               "ab") == "byte 2: 5 bytes where 2 are left; expected no more than are left");
    CHECK(said("\x0D\x01").find("byte 1: 4 bytes where 1 are left") == 0);
    CHECK(said("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01").find("byte 1: a number of more than ten bytes") ==
          0);
    CHECK(said("\x0B").find("byte 0: an unknown wire type") == 0);
    CHECK(said(std::string_view("\0\0", 2)).find("byte 0: an invalid field number") == 0);
}
