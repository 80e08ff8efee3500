#include <tutti/relay/eval/kernels/slice.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dims;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
std::vector<tensor> results(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::slice_kernels<>, inputs, build);
}

const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
const tensor y({2, 1}, {7, 8});

} // namespace

TEST_CASE("kernels/slice: slices take their attributes", "[relay][eval]") {
    const auto slice = [](const relay::strided_slice_attributes& a) {
        return results({x}, [&](builder&, arguments e) { return relay::strided_slice(e[0], a); })[0];
    };
    CHECK(difference(slice({.begin = dims{0, 2}, .end = dims{2, 0}, .strides = dims{1, -1}}), {2, 2}, {3, 2, 6, 5},
                     0) == "");
    CHECK(difference(
              slice({.begin = dims{1}, .end = dims{-1}, .strides = dims{1}, .slice_mode = "size", .axes = dims{-1}}),
              {2, 2}, {2, 3, 5, 6}, 0) == "");
    CHECK(difference(results({x, y}, [](builder&, arguments e) { return relay::slice_like(e[0], e[1]); })[0], {2, 1},
                     {1, 4}, 0) == "");
    CHECK(difference(results({x, y},
                             [](builder&, arguments e) { return relay::slice_like(e[0], e[1], {.axes = dims{0}}); })[0],
                     {2, 3}, {1, 2, 3, 4, 5, 6}, 0) == "");
    const tensor begin({2}, {0, 1});
    const tensor end({2}, {std::int64_t{2}, std::int64_t{2}});
    const tensor strides({2}, {1, 1});
    CHECK(difference(results({x, y, begin, end, strides},
                             [](builder&, arguments e) { return relay::strided_set(e[0], e[1], e[2], e[3], e[4]); })[0],
                     {2, 3}, {1, 7, 3, 4, 8, 6}, 0) == "");
}
