#include <tutti/relay/text/tensor_bytes.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

using namespace tutti;
using kernel::tensor;
using relay::text::from_bytes;
using relay::text::to_bytes;

namespace {

template <class T>
bool survives(const tensor& t) {
    const tensor back = from_bytes(to_bytes(t));
    const auto bytes = [](const tensor& it) { return std::as_bytes(it.elements<T>()); };
    return back.type() == t.type() && std::ranges::equal(back.shape(), t.shape()) &&
           std::ranges::equal(bytes(back), bytes(t));
}

std::string refusal(std::span<const unsigned char> bytes) {
    try {
        from_bytes(bytes);
    } catch (const error& e) {
        return e.what();
    }
    return "(read)";
}

// Changes one byte of a tensor of two int32, and reads the tensor. Returns the error.
std::string refusal_with(std::size_t place, unsigned char value) {
    auto bytes = to_bytes(tensor({2}, {std::int32_t{1}, std::int32_t{2}}));
    bytes[place] = value;
    return refusal(bytes);
}

} // namespace

TEST_CASE("tensor_bytes: the layout is the reference's, byte for byte", "[relay][text]") {
    const std::vector<unsigned char> expected{0x3F, 0xA1, 0xB4, 0x96, 0xF0, 0x40, 0x5E, 0xDD, // magic
                                              0,    0,    0,    0,    0,    0,    0,    0,    // reserved
                                              1,    0,    0,    0,    0,    0,    0,    0,    // device
                                              1,    0,    0,    0,                            // rank
                                              2,    32,   1,    0,                            // element type
                                              2,    0,    0,    0,    0,    0,    0,    0,    // shape
                                              8,    0,    0,    0,    0,    0,    0,    0,    // number of bytes
                                              0,    0,    0x80, 0x3F, 0,    0,    0,    0xC0};
    CHECK(to_bytes(tensor({2}, {1.0F, -2.0F})) == expected);
}

TEST_CASE("tensor_bytes: tensors of every element type survive", "[relay][text]") {
    CHECK(survives<bool>(tensor({3}, {true, false, true})));
    CHECK(survives<std::int8_t>(tensor({2}, {std::int8_t{-128}, std::int8_t{127}})));
    CHECK(survives<std::int16_t>(tensor({1}, {std::int16_t{-2}})));
    CHECK(survives<std::int32_t>(tensor({2, 1}, {1, -1})));
    CHECK(survives<std::int64_t>(tensor({1}, {std::numeric_limits<std::int64_t>::min()})));
    CHECK(survives<std::uint8_t>(tensor({1}, {std::uint8_t{255}})));
    CHECK(survives<std::uint16_t>(tensor({1}, {std::uint16_t{65535}})));
    CHECK(survives<std::uint32_t>(tensor({1}, {std::uint32_t{4294967295}})));
    CHECK(survives<std::uint64_t>(tensor({1}, {std::numeric_limits<std::uint64_t>::max()})));
    CHECK(survives<kernel::float16>(tensor({1}, {kernel::float16(1.5F)})));
    CHECK(survives<float>(tensor({1}, {std::numeric_limits<float>::quiet_NaN()})));
    CHECK(survives<double>(tensor({1}, {-0.0})));
}

TEST_CASE("tensor_bytes: rank 0 and tensors without elements survive", "[relay][text]") {
    CHECK(survives<float>(tensor::scalar(2.5F)));
    CHECK(survives<float>(tensor(kernel::dtype::float32, {0})));
    CHECK(survives<std::int64_t>(tensor(kernel::dtype::int64, {3, 0, 2})));
}

TEST_CASE("tensor_bytes: detects missing and additional bytes", "[relay][text]") {
    auto bytes = to_bytes(tensor({2}, {std::int32_t{1}, std::int32_t{2}}));
    for (std::size_t n = 0; n < bytes.size(); ++n) CHECK(refusal(std::span(bytes).first(n)) != "(read)");
    CHECK(refusal({}) == "a tensor ends too early; expected 8 more bytes");
    CHECK(refusal(std::span(bytes).first(bytes.size() - 1)) == "a tensor has 7 bytes of elements; expected 8");
    bytes.push_back(0);
    CHECK(refusal(bytes) == "a tensor has 9 bytes of elements; expected 8");
}

TEST_CASE("tensor_bytes: wrong magic, element types, shapes and sizes are refused", "[relay][text]") {
    CHECK(refusal_with(8, 1) == "(read)"); // reserved bytes are ignored
    CHECK(refusal_with(0, 0) == "a tensor begins with the wrong bytes; expected its magic number");
    CHECK(refusal_with(28, 3).starts_with("a tensor's element type is not known: code 3, 32 bits, 1 lanes"));
    CHECK(refusal_with(29, 24).starts_with("a tensor's element type is not known: code 0, 24 bits"));
    CHECK(refusal_with(30, 4).starts_with("a tensor's element type is not known: code 0, 32 bits, 4 lanes"));
    CHECK(refusal_with(39, 0xFF).starts_with("a tensor's shape is impossible: a dimension is -"));
    CHECK(refusal_with(32, 3) == "a tensor has 8 bytes of elements; expected 12");
    CHECK(refusal_with(40, 4) == "a tensor has 8 bytes of elements; expected 8");
}

TEST_CASE("tensor_bytes: no memory is taken for a shape that the bytes do not have", "[relay][text]") {
    CHECK(refusal_with(27, 0xFF) == "a tensor ends before its shape does; expected 4278190081 dimensions");
    CHECK(refusal_with(38, 0x0F).starts_with("a tensor has 8 bytes of elements; expected "));
    CHECK(refusal_with(39, 0x7F).starts_with("a tensor's shape is impossible: a dimension is 9"));
}
