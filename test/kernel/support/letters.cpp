#include <tutti/kernel/support/letters.hpp>

#include "kernel/placed.hpp"
#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace kernel = tutti::kernel;
using kernel::lettered;
using test::coords;
using test::shape_t;

namespace {

constexpr bool finds_axes() {
    const std::int64_t shape[]{2, 3, 5, 7, 4};
    const kernel::lettered_axes axes = kernel::axes_in("k", "data", lettered::data, "NCHW4c", shape);
    return axes.outer.size == 2 && axes.channel.size == 12 && axes.space[0].size == 1 && axes.space[1].size == 5 &&
           axes.space[2].size == 7 && axes.space[2].stride() == 4 && axes.places() == 35 &&
           axes.channel.at(5) == 35 * 4 + 1;
}

// Compares every position of a layout with the independent implementation in placed.hpp.
void check(lettered kind, std::string_view layout, const coords& sizes) {
    const test::placed expected =
        kind == lettered::data ? test::data_in(layout, sizes) : test::weight_in(layout, sizes);
    INFO(layout);
    const kernel::lettered_axes axes = kernel::axes_in("k", "data", kind, layout, expected.shape());
    REQUIRE(axes.outer.size == sizes[0]);
    REQUIRE(axes.channel.size == sizes[1]);
    const kernel::extents shape = kernel::shape_in("k", kind, layout, axes);
    CHECK(shape_t(shape.begin(), shape.end()) == expected.shape());
    test::for_each_place(sizes, [&](const coords& at) {
        const std::int64_t offset = axes.outer.at(at[0]) + axes.channel.at(at[1]) + at[2] * axes.space[0].stride() +
                                    at[3] * axes.space[1].stride() + at[4] * axes.space[2].stride();
        if (static_cast<std::size_t>(offset) != expected.at(at)) FAIL("place " << kernel::text(at));
    });
}

} // namespace

TEST_CASE("letters: axes are found by their letters", "[kernel][letters]") {
    static_assert(finds_axes());
    CHECK(finds_axes());
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 60; ++round) {
        const auto rank = static_cast<std::size_t>(random.integer(1, 3));
        coords sizes{random.integer(1, 2) * 4, random.integer(0, 2) * 4, 1, 1, 1};
        for (std::size_t i = 5 - rank; i < 5; ++i) sizes[i] = random.integer(1, 4);
        check(lettered::data, test::any_data_layout(random, rank), sizes);
        check(lettered::weight, test::any_weight_layout(random, rank), sizes);
    }
    check(lettered::weight, "OHWI16i64o2i", {64, 64, 1, 3, 2});
}

TEST_CASE("letters: refuses invalid layouts", "[kernel][letters]") {
    static_assert(kernel::is_layout(lettered::data, "NCHW") && kernel::is_layout(lettered::data, "HWNC16c"));
    for (const std::string_view layout : {"", "NC", "CHW", "NHW", "NCH", "NCD", "NCDW", "NNCHW", "NCHWc", "NCHW4",
                                          "NCHW4C", "NCHW4h", "OIHW", "NCHW9999999999c", "4cNHW", "NCHW2c2c2c2c"})
        CHECK(!kernel::is_layout(lettered::data, layout));
    CHECK(kernel::is_layout(lettered::weight, "OIHW1i16o"));
    CHECK(!kernel::is_layout(lettered::weight, "NCHW"));
    const auto error = [](std::string_view layout, const shape_t& shape) {
        return test::error_of([&] { kernel::axes_in("k", "data", lettered::data, layout, shape); });
    };
    CHECK(error("NCHW", {1, 2, 3, 4}) == "nothing thrown");
    CHECK(error("NCHW", {1, 2, 3}) ==
          "kernel::k: data has shape (1, 2, 3) and layout \"NCHW\"; expected a layout such as NCHW, "
          "NHWC, NCHW16c or OIHW, for a tensor of this shape");
    CHECK(error("NCHW4c", {1, 2, 3, 4, 5}) != "nothing thrown");
    constexpr std::int64_t large = std::int64_t{1} << 40;
    CHECK(error("NCHW", {0, 1, large, large}).find("fewer than 2^48 elements") != std::string::npos);
    const std::int64_t shape[]{1, 6, 1, 1};
    const kernel::lettered_axes axes = kernel::axes_in("k", "data", lettered::data, "NCHW", shape);
    CHECK(test::error_of([&] { kernel::shape_in("k", lettered::data, "NCHW4c", axes); }) ==
          "kernel::k: an axis of size 6 in layout \"NCHW4c\"; expected a multiple of 4");
    CHECK(test::error_of([&] { kernel::shape_in("k", lettered::data, "NCHQ", axes); }) ==
          "kernel::k: a result in layout \"NCHQ\"; expected a layout such as NCHW, NHWC or NCHW16c");
}

TEST_CASE("letters: a layout that is not said is the usual one", "[kernel][letters]") {
    CHECK(kernel::usual_layout(lettered::data, 1) == "NCW");
    CHECK(kernel::usual_layout(lettered::data, 3) == "NCDHW");
    CHECK(kernel::usual_layout(lettered::weight, 2) == "OIHW");
    CHECK(kernel::spatial_rank("NCDHW8c") == 3);
    CHECK(kernel::spatial_rank("NWC") == 1);
}

TEST_CASE("letters: the places of a block are evenly apart", "[kernel][letters]") {
    const std::int64_t shape[]{1, 3, 5, 5, 4};
    const kernel::lettered_axes axes = kernel::axes_in("k", "data", lettered::data, "NCHW4c", shape);
    const kernel::lettered_axis& channel = axes.channel;
    CHECK(channel.step() == 1);
    CHECK(channel.evenly(0) == 4);
    CHECK(channel.evenly(6) == 2);
    CHECK(axes.space[2].step() == 4);
    CHECK(axes.space[2].evenly(0) >= 5);
    CHECK(channel.has(11));
    CHECK(!channel.has(12));
    CHECK(!channel.has(-1));
}
