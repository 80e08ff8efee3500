#include <tutti/relay/op/gather.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("gather: the result has the indices' shape", "[relay][gather]") {
    const auto gathered = [](const dims& indices, std::int64_t axis, dtype element = dtype::int64) {
        return [=](relay::builder& b) {
            return relay::gather(b.variable("x", {2, dim::any(), 4}), b.variable("i", indices, element),
                                 {.axis = dim(axis)});
        };
    };
    CHECK(type_of(gathered({2, 3, 7}, -1)) == "Tensor[(2, 3, 7), float32]");
    CHECK(type_of(gathered({5, dim::any(), 4}, 0, dtype::uint8)) == "Tensor[(5, ?, 4), float32]");
    CHECK_THAT(refusal_of(gathered({2, 3, 7}, 0)), Contains("argument `indices`"));
    CHECK_THAT(refusal_of(gathered({2, 3}, 0)), Contains("the data's shape, except along the axis"));
    CHECK_THAT(refusal_of(gathered({2, 3, 4}, 3)), Contains("attribute `axis`"));
    CHECK_THAT(refusal_of(gathered({2, 3, 4}, 1, dtype::float32)), Contains("integers"));
}

TEST_CASE("gather: gather_nd puts the indices' axes in place of those that they count along", "[relay][gather]") {
    const auto gathered = [](const dims& indices, const relay::gather_nd_attributes& a, dtype element = dtype::int64) {
        return [=](relay::builder& b) {
            return relay::gather_nd(b.variable("x", {2, 3, 4}), b.variable("i", indices, element), a);
        };
    };
    CHECK(type_of(gathered({2, 5, 6}, {})) == "Tensor[(5, 6, 4), float32]");
    CHECK(type_of(gathered({3}, {})) == "float32");
    CHECK(type_of(gathered({1, 2, dim::any()}, {.batch_dims = 1})) == "Tensor[(2, ?, 4), float32]");
    CHECK(type_of(gathered({0, 5}, {})) == "Tensor[(5, 2, 3, 4), float32]");
    CHECK_THAT(refusal_of(gathered({4, 5}, {})), Contains("no more indices per column than the data has axes"));
    CHECK_THAT(refusal_of(gathered({3, 2}, {.batch_dims = 1})), Contains("no more indices"));
    CHECK_THAT(refusal_of(gathered({1, 5}, {.batch_dims = 1})), Contains("the data's sizes"));
    CHECK_THAT(refusal_of(gathered({1, 2}, {.batch_dims = -1})), Contains("attribute `batch_dims`"));
    CHECK_THAT(refusal_of(gathered({1, 2}, {.batch_dims = 2})), Contains("attribute `batch_dims`"));
    CHECK_THAT(refusal_of(gathered({}, {})), Contains("a first axis whose size is known"));
    CHECK_THAT(refusal_of(gathered({dim::any(), 2}, {})), Contains("a first axis whose size is known"));
    CHECK_THAT(refusal_of(gathered({2, 2}, {}, dtype::float16)), Contains("integers"));
}

TEST_CASE("gather: adv_index takes indices that broadcast together", "[relay][gather]") {
    const auto indexed = [](const std::vector<dims>& indices, dtype element = dtype::int32) {
        return [=](relay::builder& b) {
            std::vector<relay::expr_id> all{b.variable("x", {2, 3, 4}).id};
            for (const dims& shape : indices) all.push_back(b.variable("i", shape, element).id);
            return relay::adv_index({&b.graph(), b.graph().tuple(all)});
        };
    };
    CHECK(type_of(indexed({{5}})) == "Tensor[(5, 3, 4), float32]");
    CHECK(type_of(indexed({{5, 1}, {7}})) == "Tensor[(5, 7, 4), float32]");
    CHECK(type_of(indexed({{5}, {}, {1, 1}})) == "Tensor[(1, 5), float32]");
    CHECK_THAT(refusal_of(indexed({})), Contains("at least one tensor of indices"));
    CHECK_THAT(refusal_of(indexed({{1}, {1}, {1}, {1}})), Contains("at least one tensor of indices"));
    CHECK_THAT(refusal_of(indexed({{5}, {7}})), Contains("broadcast together"));
    CHECK_THAT(refusal_of(indexed({{5}}, dtype::float32)), Contains("integers"));
}
