#include <tutti/kernel/layout_transform.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cctype>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::layout;
using kernel::tensor;
using test::error_of;
using test::shape_of;
using test::shape_t;

namespace {

/// Reads the axes of a layout, even if the layout is invalid.
layout read(std::string_view text) {
    layout axes;
    std::int32_t number = 0;
    for (const char c : text) {
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            number = number * 10 + (c - '0');
        } else {
            axes.push_back({static_cast<char>(std::toupper(static_cast<unsigned char>(c))), number});
            number = 0;
        }
    }
    return axes;
}

/// Maps an index of a blocked tensor to the element's position along each axis before blocking. The indices along an
/// axis and its blocks are the digits of this position. The last block is the least significant digit.
std::map<char, std::int64_t> whole_index(const layout& axes, const shape_t& index) {
    std::map<char, std::int64_t> along;
    for (std::size_t i = 0; i < axes.rank(); ++i)
        if (axes.axes()[i].block == 0) along[axes.axes()[i].letter] = index[i];
    for (std::size_t i = 0; i < axes.rank(); ++i)
        if (const auto [letter, block] = axes.axes()[i]; block != 0) along[letter] = along[letter] * block + index[i];
    return along;
}

shape_t shape_in(const layout& axes, std::map<char, std::int64_t> size) {
    for (const layout::axis a : axes.axes())
        if (a.block != 0) size[a.letter] /= a.block;
    shape_t shape;
    for (const layout::axis a : axes.axes()) shape.push_back(a.block != 0 ? a.block : size[a.letter]);
    return shape;
}

tensor transformed(const tensor& t, std::string_view from, std::string_view to) {
    return test::made([&](tensor& out) { kernel::layout_transform(t, read(from), read(to), out); });
}

constexpr bool blocks_in_constant_evaluation() {
    const tensor t({1, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
    tensor out;
    kernel::layout_transform(t, *layout::parse("NCW"), *layout::parse("NCW2c"), out);
    const auto x = out.elements<int>();
    return out.rank() == 4 && x[0] == 0 && x[1] == 2 && x[2] == 1 && x[3] == 3 && x[4] == 4 && x[5] == 6;
}

} // namespace

TEST_CASE("layout_transform: splits an axis into blocks in constant evaluation", "[kernel][layout_transform]") {
    static_assert(blocks_in_constant_evaluation());
    CHECK(blocks_in_constant_evaluation());
}

TEST_CASE("layout_transform: each element is at the same place of its whole axes", "[kernel][layout_transform]") {
    struct {
        std::string_view from;
        std::string_view to;
        std::map<char, std::int64_t> size;
    } const cases[]{
        {"NCHW", "NHWC", {{'N', 2}, {'C', 3}, {'H', 4}, {'W', 5}}},
        {"NHWC", "NCHW", {{'N', 2}, {'C', 3}, {'H', 4}, {'W', 5}}},
        {"NCHW", "NCHW4c", {{'N', 2}, {'C', 8}, {'H', 3}, {'W', 2}}},
        {"NCHW4c", "NCHW", {{'N', 2}, {'C', 8}, {'H', 3}, {'W', 2}}},
        {"NHWC", "NCHW4c", {{'N', 2}, {'C', 8}, {'H', 3}, {'W', 2}}},
        {"NCHW4c", "NCHW8c", {{'N', 1}, {'C', 16}, {'H', 3}, {'W', 2}}},
        {"NCHW8c", "NCHW2c", {{'N', 1}, {'C', 16}, {'H', 3}, {'W', 2}}},
        {"NCHW4c", "NCHW6c", {{'N', 2}, {'C', 12}, {'H', 3}, {'W', 7}}},
        {"NCHW6c", "4cNHWC", {{'N', 2}, {'C', 12}, {'H', 3}, {'W', 7}}},
        {"OIHW", "OIHW4i2o", {{'O', 4}, {'I', 8}, {'H', 3}, {'W', 2}}},
        {"OIHW", "OHWI2i4o2i", {{'O', 8}, {'I', 8}, {'H', 3}, {'W', 1}}},
        {"OHWI2i4o2i", "OIHW4i2o", {{'O', 8}, {'I', 8}, {'H', 1}, {'W', 2}}},
        {"OIHW4i2o", "HWIO", {{'O', 4}, {'I', 8}, {'H', 3}, {'W', 2}}},
        {"NCHW", "NCHW4c", {{'N', 2}, {'C', 8}, {'H', 0}, {'W', 2}}},
        {"NCHW2c1c", "NC1cHW", {{'N', 2}, {'C', 4}, {'H', 1}, {'W', 1}}},
    };
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const auto& c : cases) {
        const layout from = read(c.from);
        const layout to = read(c.to);
        const tensor t = test::any_data(random, shape_in(from, c.size));
        std::map<std::map<char, std::int64_t>, double> x;
        const test::elements_of elements(t);
        test::for_each_index(shape_of(t), [&](const shape_t& index) { x[whole_index(from, index)] = elements(index); });
        INFO(c.from << " to " << c.to << ", " << kernel::text(t));
        CHECK(test::difference_from(transformed(t, c.from, c.to), t.type(), shape_in(to, c.size),
                                    [&](const shape_t& index) { return x.at(whole_index(to, index)); }) == "");
    }
}

TEST_CASE("layout_transform: the same layout shares the elements", "[kernel][layout_transform]") {
    const tensor t(dtype::float32, {2, 2, 3, 4, 4});
    CHECK(transformed(t, "NCHW4c", "NCHW4c").same_elements(t));
}

TEST_CASE("layout_transform: layouts that do not fit are errors", "[kernel][layout_transform]") {
    const tensor t(dtype::float32, {2, 8, 3, 4});
    const auto error = [&](std::string_view from, std::string_view to) {
        return error_of([&] { transformed(t, from, to); });
    };
    const std::string data = "kernel::layout_transform: data is (2, 8, 3, 4) float32, to be converted from ";
    CHECK(error("NCHW", "NCHW3c") == data + "NCHW to NCHW3c; expected blocks that divide the sizes of their axes");
    CHECK(error("NCW", "NWC") ==
          data + "NCW to NWC; expected data and a result with as many axes as their layouts have");
    CHECK(error("NCHW", "NCDW") == data + "NCHW to NCDW; expected the same axes in both layouts, each once");
    CHECK(error("NCHW", "NCHWD") == data + "NCHW to NCHWD; expected the same axes in both layouts, each once");
    CHECK(error("NCHW", "NCHWW") == data + "NCHW to NCHWW; expected the same axes in both layouts, each once");
    CHECK(error("NCHW", "NCHW4d") == data + "NCHW to NCHW4d; expected the same axes in both layouts, each once");
    CHECK(error("NCW2c", "NCW") == data + "NCW2c to NCW; expected data with the block sizes of its layout");
    const tensor large(dtype::float32, {0, std::int64_t{1} << 47, 4});
    CHECK(error_of([&] { transformed(large, "NC4c", "NC"); }).ends_with("expected sizes below 2^48"));
}
