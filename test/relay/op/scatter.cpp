#include <tutti/relay/op/scatter.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;

TEST_CASE("scatter: along an axis, an index for each update", "[relay][scatter]") {
    const auto put = [](const dims& indices, const dims& updates, std::int64_t axis, dtype element = dtype::int64) {
        return [=](relay::builder& b) {
            return relay::scatter_add(b.variable("x", {2, 3}), b.variable("i", indices, element),
                                      b.variable("u", updates), {.axis = dim(axis)});
        };
    };
    CHECK(type_of(put({2, 7}, {2, 7}, 1)) == "Tensor[(2, 3), float32]");
    CHECK(type_of(put({dim::any(), 3}, {4, 3}, 0)) == "Tensor[(2, 3), float32]");
    CHECK_THAT(refusal_of(put({2}, {2}, 0)), Contains("argument `indices`"));
    CHECK_THAT(refusal_of(put({2, 3}, {2, 2}, 0)), Contains("argument `updates`"));
    CHECK_THAT(refusal_of(put({2, 3}, {2, 3}, 2)), Contains("attribute `axis`"));
    CHECK_THAT(refusal_of(put({2, 3}, {2, 3}, 1, dtype::float32)), Contains("integers"));
    CHECK_THAT(refusal_of([](relay::builder& b) {
                   const auto x = b.variable("x", {2});
                   const auto i = b.variable("i", {2}, dtype::int32);
                   return relay::scatter(x, i, i);
               }),
               Contains("scatter, argument `updates`"));
}

TEST_CASE("scatter: scatter_nd puts slices", "[relay][scatter]") {
    const auto put = [](const dims& indices, const dims& updates, std::string_view mode = "add") {
        return [=](relay::builder& b) {
            return relay::scatter_nd(b.variable("x", {2, 3, 4}), b.variable("i", indices, dtype::int32),
                                     b.variable("u", updates), mode);
        };
    };
    CHECK(type_of(put({2, 5}, {5, 4})) == "Tensor[(2, 3, 4), float32]");
    CHECK(type_of(put({3}, {}, "max")) == "Tensor[(2, 3, 4), float32]");
    CHECK_THAT(refusal_of(put({4}, {})), Contains("no more indices per column than the data has axes"));
    CHECK_THAT(refusal_of(put({}, {})), Contains("a first axis whose size is known"));
    CHECK_THAT(refusal_of(put({2, 5}, {5, 3})), Contains("a slice of the data for each column of indices"));
    CHECK_THAT(refusal_of(put({2, 5}, {5})), Contains("argument `updates`"));
    CHECK_THAT(refusal_of(put({2, 5}, {5, 4}, "sub")), Contains("attribute `mode`: \"sub\""));
}
