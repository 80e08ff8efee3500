#include <tutti/relay/onnx/tensor_view.hpp>

#include <tutti/kernel/support/numbers.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

tensor_view view_of(const wire& w) {
    return tensor_view(message({reinterpret_cast<const unsigned char*>(w.bytes.data()), w.bytes.size(), 0}));
}
std::string check_refused(const wire& w) {
    return refused([&] { view_of(w).check(); });
}
template <class T>
std::vector<T> elements_of(const wire& w) {
    view_of(w).check();
    const tensor t = view_of(w).value(nullptr);
    return {t.elements<T>().begin(), t.elements<T>().end()};
}

} // namespace

TEST_CASE("tensor_view: each type of elements, raw and in its own field", "[relay][onnx][tensor_view]") {
    using namespace std::string_literals;
    const auto raw = [](std::int64_t type, std::string bytes) {
        return wire().number(1, 2).number(2, type).text(9, bytes);
    };
    CHECK(elements_of<float>(raw(1, "\0\0\x80\x3F\0\0\0\x40"s)) == std::vector<float>{1, 2});
    CHECK(elements_of<std::int16_t>(raw(5, "\xFF\xFF\x01\x02"s)) == std::vector<std::int16_t>{-1, 513});
    CHECK(view_of(raw(9, "\0\x02"s)).value(nullptr).elements<bool>()[1]);
    const std::vector<kernel::bfloat16> short_ones = elements_of<kernel::bfloat16>(raw(16, "\x80\x3F\0\x40"s));
    CHECK(static_cast<float>(short_ones[0]) == 1);
    CHECK(short_ones[1].bits == 0x4000);
    const wire typed = wire().number(1, 2).number(2, 1).real(4, 1).real(4, -2);
    CHECK(elements_of<float>(typed) == std::vector<float>{1, -2});
    CHECK(elements_of<std::int8_t>(wire().number(1, 2).number(2, 3).number(5, -1).number(5, 5)) ==
          std::vector<std::int8_t>{-1, 5});
    CHECK(elements_of<std::uint32_t>(wire().number(1, 1).number(2, 12).number(11, 7)) == std::vector<std::uint32_t>{7});
    CHECK(elements_of<std::int64_t>(wire().number(1, 2).number(2, 7).text(7, "\x05\xAC\x02"s)) ==
          std::vector<std::int64_t>{5, 300});
    CHECK(elements_of<double>(wire().number(1, 1).number(2, 11).text(10, "\0\0\0\0\0\0\xF0\x3F"s)) ==
          std::vector<double>{1});
    const tensor half = view_of(wire().number(1, 1).number(2, 10).number(5, 0x3C00)).value(nullptr);
    CHECK(static_cast<float>(half.elements<kernel::float16>()[0]) == 1);
    CHECK(view_of(wire().number(2, 7).number(7, 4)).value(nullptr).rank() == 0);
}

TEST_CASE("tensor_view: elements of 4 and 2 bits are packed in bytes", "[relay][onnx][tensor_view]") {
    using namespace std::string_literals;
    const auto given = [](std::int64_t type, std::int64_t count) { return wire().number(1, count).number(2, type); };
    CHECK(elements_of<std::int8_t>(given(22, 3).text(9, "\x87\x01"s)) == std::vector<std::int8_t>{7, -8, 1});
    CHECK(elements_of<std::uint8_t>(given(21, 3).number(5, 0x87).number(5, 1)) == std::vector<std::uint8_t>{7, 8, 1});
    CHECK(elements_of<std::int8_t>(given(26, 5).text(9, "\xE4\x03"s)) == std::vector<std::int8_t>{0, 1, -2, -1, -1});
    CHECK(elements_of<std::uint8_t>(given(25, 4).text(9, "\xE4"s)) == std::vector<std::uint8_t>{0, 1, 2, 3});
    const tensor fours = view_of(given(23, 2).text(9, "\x7A"s)).value(nullptr);
    CHECK(kernel::number::at(fours, 0).real() == -1);
    CHECK(kernel::number::at(fours, 1).real() == 6);
    const tensor eights = view_of(given(17, 2).text(9, "\x38\xB8"s)).value(nullptr);
    CHECK(eights.type() == kernel::dtype::float8_e4m3fn);
    CHECK(kernel::number::at(eights, 1).real() == -1);
    CHECK(elements_of<std::uint8_t>(given(21, 0).text(9, ""s)).empty());
    CHECK(check_refused(given(22, 3).text(9, "\x87"s)) ==
          "tensor at byte 0: 1 bytes of raw data; expected 2 for its shape and type");
    CHECK(check_refused(given(26, 5).number(5, 1)) == "tensor at byte 0: 1 elements; expected 2 for its shape");
    // The tensor has more elements than are copied at once.
    const std::int64_t many = (std::int64_t{1} << 22) + 5;
    const std::vector<unsigned char> packed((1 << 21) + 3, 0x21);
    const tensor large = view_of(given(22, many)).value_of({packed.data(), packed.size(), 0}, nullptr);
    CHECK(large.elements<std::int8_t>()[static_cast<std::size_t>(many) - 1] == 1);
    CHECK(large.elements<std::int8_t>()[static_cast<std::size_t>(many) - 2] == 2);
}

TEST_CASE("tensor_view: many elements that are aligned are referred to, others copied", "[relay][onnx][tensor_view]") {
    alignas(8) static unsigned char bytes[8192 + 8]{};
    bytes[8] = 7;
    const wire w = wire().number(1, 1024).number(2, 7);
    const tensor there = view_of(w).value_of({bytes + 8, 8192, 0}, nullptr);
    CHECK(there.memory() == bytes + 8);
    CHECK(there.elements<std::int64_t>()[0] == 7);
    const tensor copied = view_of(w).value_of({bytes + 4, 8192, 0}, nullptr);
    CHECK(copied.elements<std::int64_t>()[0] == std::int64_t{7} << 32);
    CHECK(refused([&] { view_of(w).value_of({bytes, 8191, 0}, nullptr); }) ==
          "tensor at byte 0: 8191 bytes of data; expected 8192 for its shape and type");
}

TEST_CASE("tensor_view: refuses sizes that do not match the bytes, and unsupported types",
          "[relay][onnx][tensor_view]") {
    CHECK(check_refused(int64_tensor("t", {3}, {1, 2})) ==
          "tensor `t`: 16 bytes of raw data; expected 24 for its shape and type");
    CHECK(check_refused(float_tensor("t", {3}, {1, 2})) == "tensor `t`: 2 elements; expected 3 for its shape");
    CHECK(check_refused(wire().number(1, -1).number(2, 1)).find("has impossible sizes") != std::string::npos);
    CHECK(check_refused(wire().number(1, 1LL << 40).number(1, 1LL << 40).number(2, 1)).find("has impossible sizes") !=
          std::string::npos);
    CHECK(check_refused(wire().number(2, 99)).find("has elements of type number 99") != std::string::npos);
    CHECK(check_refused(wire().number(2, 1).number(14, 1)).find("external data without a location") !=
          std::string::npos);
    const wire strings = wire().number(1, 2).number(2, 8).text(6, "a").text(6, "b");
    CHECK(check_refused(strings).empty());
    CHECK(refused([&] { view_of(strings).value(nullptr); }) ==
          "tensor at byte 0: has elements of type string; expected numbers or bool");
}
