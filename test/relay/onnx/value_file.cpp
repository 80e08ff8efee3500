#include <tutti/relay/onnx/value_file.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

#include <memory>
#include <string>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

shared_file file_of(std::string bytes) {
    return std::make_shared<const file::mapped_file>(file::mapped_file::read_bytes{std::move(bytes)});
}

message message_of(const wire& w) {
    return message({reinterpret_cast<const unsigned char*>(w.bytes.data()), w.bytes.size(), 0});
}

std::string said(std::string bytes, const wire& type = {}) {
    return refused([&] { read_value(file_of(std::move(bytes)), message_of(type)); });
}

const wire of_tensor = wire().message(1, wire().number(1, 7));
const wire of_sequence = wire().message(4, wire().message(1, of_tensor));
const wire one = int64_tensor("", {2}, {1, 2}), other = int64_tensor("", {1}, {3});

} // namespace

TEST_CASE("value_file: a tensor, with and without a type", "[relay][onnx]") {
    for (const wire& type : {wire(), of_tensor}) {
        const auto all = read_value(file_of(one.bytes), message_of(type));
        REQUIRE(all.size() == 1);
        CHECK(all[0].elements<std::int64_t>()[1] == 2);
    }
}

TEST_CASE("value_file: a sequence, an optional, an optional sequence", "[relay][onnx]") {
    const wire both = wire().message(3, one).message(3, other);
    CHECK(read_value(file_of(both.bytes), message_of(of_sequence)).size() == 2);
    CHECK(read_value(file_of({}), message_of(of_sequence)).empty());
    const wire optional = wire().message(9, wire().message(1, of_tensor));
    CHECK(read_value(file_of(wire().message(3, one).bytes), message_of(optional)).size() == 1);
    CHECK(read_value(file_of({}), message_of(optional)).empty());
    const wire optional_sequence = wire().message(9, wire().message(1, of_sequence));
    CHECK(read_value(file_of(wire().message(5, both).bytes), message_of(optional_sequence)).size() == 2);
}

TEST_CASE("value_file: damaged files", "[relay][onnx]") {
    CHECK(said("") == "an empty file; expected a tensor");
    CHECK(said(int64_tensor("t", {3}, {1, 2}).bytes) ==
          "tensor `t`: 16 bytes of raw data; expected 24 for its shape and type");
    CHECK(said(wire().message(3, int64_tensor("t", {3}, {1})).bytes, of_sequence) ==
          "tensor `t`: 8 bytes of raw data; expected 24 for its shape and type");
    for (std::size_t size = 1; size < one.bytes.size(); ++size) CHECK(said(one.bytes.substr(0, size)) != "none");
    const std::string nested = wire().message(3, one).bytes;
    for (std::size_t size = 1; size < nested.size(); ++size) CHECK(said(nested.substr(0, size), of_sequence) != "none");
    CHECK(
        said(wire().number(1, 1).number(2, 7).number(14, 1).message(13, wire().text(1, "location").text(2, "w")).bytes)
            .find("external data; expected a tensor whose elements are in this file") != std::string::npos);
}
