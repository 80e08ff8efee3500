#include <tutti/relay/op/diagonal.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dims;
using relay::dtype;

TEST_CASE("diagonal: trilu keeps the type", "[relay][diagonal]") {
    const auto part = [](const dims& shape, const dims& k, dtype element = dtype::int32) {
        return [=](relay::builder& b) { return relay::trilu(b.variable("x", shape), b.variable("k", k, element)); };
    };
    CHECK(type_of(part({2, 3, 4}, {})) == "Tensor[(2, 3, 4), float32]");
    CHECK_THAT(refusal_of(part({2}, {})), Contains("argument `data`"));
    CHECK_THAT(refusal_of(part({2, 3}, {1})), Contains("argument `k`"));
    CHECK_THAT(refusal_of(part({2, 3}, {}, dtype::float32)), Contains("an integer"));
}

TEST_CASE("diagonal: matrix_set_diag has a row for each diagonal", "[relay][diagonal]") {
    const auto set = [](const dims& input, const dims& diagonal, const relay::matrix_set_diag_attributes& a) {
        return [=](relay::builder& b) {
            return relay::matrix_set_diag(b.variable("x", input), b.variable("d", diagonal), a);
        };
    };
    CHECK(type_of(set({2, 2}, {2}, {})) == "Tensor[(2, 2), float32]");
    CHECK(type_of(set({2, 3, 4}, {2, 4, 3}, {.k1 = -1, .k2 = 2})) == "Tensor[(2, 3, 4), float32]");
    CHECK(type_of(set({2, relay::dim::any(), 4}, {2, 3}, {.k1 = 1, .k2 = 1})) == "Tensor[(2, ?, 4), float32]");
    CHECK_THAT(refusal_of(set({2, 3, 4}, {2, 4, 4}, {.k1 = -1, .k2 = 2})), Contains("Tensor[(2, 4, 3), float32]"));
    CHECK_THAT(refusal_of(set({2}, {2}, {})), Contains("argument `input`"));
    CHECK_THAT(refusal_of(set({2, 2}, {2}, {.k1 = 1, .k2 = 0})), Contains("attribute `k2`"));
    CHECK_THAT(refusal_of(set({2, 2}, {2}, {.k1 = -2, .k2 = 0})), Contains("attribute `k1`"));
    CHECK_THAT(refusal_of(set({2, 2}, {2}, {.k2 = 2})), Contains("attribute `k2`"));
}
