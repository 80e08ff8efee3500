#include <tutti/relay/onnx/write/wire_writer.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <string>

using namespace tutti::relay::onnx;

namespace {

std::string varint(std::uint64_t n) { return wire_writer().varint(n).bytes(); }

} // namespace

TEST_CASE("wire_writer: numbers take seven bits a byte", "[relay][onnx][wire_writer]") {
    CHECK(varint(0) == std::string(1, '\0'));
    CHECK(varint(127) == "\x7F");
    CHECK(varint(128) == "\x80\x01");
    CHECK(varint(300) == "\xAC\x02");
    CHECK(varint(std::numeric_limits<std::uint64_t>::max()) == "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
}

TEST_CASE("wire_writer: fields begin with their number and kind", "[relay][onnx][wire_writer]") {
    CHECK(wire_writer().number(1, 150).bytes() == "\x08\x96\x01");
    CHECK(wire_writer().number(20, 7).bytes() == "\xA0\x01\x07");
    CHECK(wire_writer().number(3, -1).bytes() == "\x18\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
    CHECK(wire_writer().text(2, "testing").bytes() == "\x12\x07testing");
    CHECK(wire_writer().text(2, "").bytes() == std::string("\x12\0", 2));
    CHECK(wire_writer().real(2, 1.0F).bytes() == std::string("\x15\0\0\x80\x3F", 5));
}

TEST_CASE("wire_writer: messages are in messages", "[relay][onnx][wire_writer]") {
    const wire_writer inner = wire_writer().number(1, 150);
    CHECK(wire_writer().message(3, inner).bytes() == "\x1A\x03\x08\x96\x01");
    CHECK(wire_writer().begin(3, 3).fields(inner.bytes()).bytes() == wire_writer().message(3, inner).bytes());
    CHECK(wire_writer().number(1, 1).number(1, 2).bytes() == "\x08\x01\x08\x02");
}
