#include <tutti/relay/op/slice.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

namespace {

const auto cut = [](const dims& begin, const dims& end, const dims& strides, std::string_view mode = "end",
                    const std::optional<dims>& axes = {}) {
    return [=](expr x) {
        return relay::strided_slice(x, {.begin = std::optional(begin),
                                        .end = std::optional(end),
                                        .strides = std::optional(strides),
                                        .slice_mode = mode,
                                        .axes = axes});
    };
};

} // namespace

TEST_CASE("slice: from a place to another, in steps", "[relay][slice]") {
    CHECK(type_of({10, 5}, cut({2, 0}, {8, 5}, {1, 1})) == "Tensor[(6, 5), float32]");
    CHECK(type_of({10, 5}, cut({2}, {8}, {4})) == "Tensor[(2, 5), float32]");
    CHECK(type_of({10, 5}, cut({-3}, {100}, {1})) == "Tensor[(3, 5), float32]");
    CHECK(type_of({10, 5}, cut({8}, {2}, {-2})) == "Tensor[(3, 5), float32]");
    CHECK(type_of({10, 5}, cut({4}, {4}, {1})) == "Tensor[(0, 5), float32]");
    CHECK(type_of({10, 5}, cut({2, 0}, {-1, 2}, {1, 1}, "size")) == "Tensor[(8, 2), float32]");
    CHECK(type_of({10, 5}, cut({1}, {3}, {1}, "end", dims{-1})) == "Tensor[(10, 2), float32]");
    CHECK(type_of({dim::any(), 5}, cut({0, 1}, {4, 3}, {1, 1})) == "Tensor[(?, 2), float32]");
}

TEST_CASE("slice: lists may be shorter than one another", "[relay][slice]") {
    CHECK(type_of({1, 64, 56, 56}, cut({0, 1}, {1, -1, 10}, {1, 1, 2, 1})) == "Tensor[(1, 62, 5, 56), float32]");
    CHECK(type_of({10, 5}, cut({2, 1}, {8}, {})) == "Tensor[(6, 4), float32]");
}

TEST_CASE("slice: refuses invalid options", "[relay][slice]") {
    CHECK_THAT(refusal_of({10}, cut({4}, {3}, {1})), Contains("the slice ends before it begins"));
    CHECK_THAT(refusal_of({10}, cut({3}, {4}, {-1})), Contains("the slice ends before it begins"));
    CHECK_THAT(refusal_of({10}, cut({3}, {4}, {0})), Contains("attribute `strides`"));
    CHECK_THAT(refusal_of({10}, cut({3, 3}, {4, 4}, {1, 1})), Contains("attribute `begin`"));
    CHECK_THAT(refusal_of({10}, cut({3}, {4}, {1}, "middle")), Contains("\"middle\"; expected \"end\" or \"size\""));
    CHECK_THAT(refusal_of({10}, [](expr x) { return relay::strided_slice(x, {}); }), Contains("None"));
}

TEST_CASE("slice: as much as another tensor has", "[relay][slice]") {
    const auto like = [](const dims& x, const dims& y, const std::optional<dims>& axes) {
        return [=](relay::builder& b) {
            return relay::slice_like(b.variable("x", x), b.variable("y", y), {.axes = axes});
        };
    };
    CHECK(type_of(like({5, 6}, {3, 4}, {})) == "Tensor[(3, 4), float32]");
    CHECK(type_of(like({5, 6}, {3}, {})) == "Tensor[(3, 6), float32]");
    CHECK(type_of(like({5, 6}, {3, 4}, dims{-1})) == "Tensor[(5, 4), float32]");
    CHECK(type_of(like({dim::any(), 6}, {3, dim::any()}, {})) == "Tensor[(3, ?), float32]");
    CHECK_THAT(refusal_of(like({5, 6}, {7, 4}, {})),
               Contains("argument `shape_like`: Tensor[(7, 4), float32] does not fit "
                        "`data`, Tensor[(5, 6), float32]"));
    CHECK_THAT(refusal_of(like({5, 6}, {3}, dims{1})), Contains("all sliced axes"));
}

TEST_CASE("slice: a tensor with a part replaced is of the same type", "[relay][slice]") {
    const auto set = [](dtype v) {
        return [=](relay::builder& b) {
            const auto at = b.variable("at", {1}, dtype::int32);
            return relay::strided_set(b.variable("x", {5}), b.variable("v", {2}, v), at, at, at);
        };
    };
    CHECK(type_of(set(dtype::float32)) == "Tensor[(5), float32]");
    CHECK_THAT(refusal_of(set(dtype::int8)), Contains("strided_set, argument `v`"));
}
