#include <tutti/relay/onnx/schema.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("schema: a message and those in it are looked through, those inside first", "[relay][onnx][schema]") {
    static std::string seen;
    const std::string bytes = wire().number(1, 8).message(7, wire().message(5, wire().number(1, 2)).text(2, "g")).bytes;
    seen.clear();
    check_message({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), 0}, message_kind::model,
                  [](message_kind kind, const file_part& part) {
                      seen += std::to_string(static_cast<int>(kind)) + "@" + std::to_string(part.offset) + " ";
                  });
    CHECK(seen == "4@6 1@4 0@0 ");
}

TEST_CASE("schema: a field that is stored otherwise than its kind is refused", "[relay][onnx][schema]") {
    const auto said = [](const wire& w, message_kind kind = message_kind::model) {
        return refused([&] {
            check_message({reinterpret_cast<const unsigned char*>(w.bytes.data()), w.bytes.size(), 0}, kind,
                          [](message_kind, const file_part&) {});
        });
    };
    CHECK(said(wire().text(1, "x")) == "byte 0: field `ir_version` has the wrong wire type; expected an ONNX model");
    CHECK(said(wire().number(1, 1).number(7, 5)).find("byte 2: field `graph`") == 0);
    CHECK(said(wire().text(4, "abc"), message_kind::tensor).find("byte 0: field `float_data` ends within a number") ==
          0);
    CHECK(said(wire().text(1, "\x80"), message_kind::tensor).find("byte 2: the file ends within a number") == 0);
    CHECK(said(wire().number(999, 1)).empty()); // unknown fields are skipped
    wire deep;
    for (int i = 0; i < 60; ++i) deep = wire().message(5, wire().message(6, wire().message(1, deep)));
    CHECK(said(deep, message_kind::node).find("messages nested more than 100 deep") != std::string::npos);
}
