#include <tutti/relay/op/einsum.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

#include <string_view>
#include <vector>

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;

namespace {

auto summed(std::string_view equation, std::vector<dims> shapes, dtype second = dtype::float32) {
    return [=](relay::builder& b) {
        std::vector<relay::expr_id> parts;
        for (const dims& s : shapes) parts.push_back(b.variable("x", s, parts.empty() ? dtype::float32 : second).id);
        const relay::expr data{&b.graph(), b.graph().tuple(parts)};
        return relay::einsum(data, {.equation = equation});
    };
}

} // namespace

TEST_CASE("einsum: the result has the sizes of its letters", "[relay][einsum]") {
    CHECK(type_of(summed("ij,jk->ik", {{3, 4}, {4, 5}})) == "Tensor[(3, 5), float32]");
    CHECK(type_of(summed("ii->i", {{4, 4}})) == "Tensor[(4), float32]");
    CHECK(type_of(summed("...ij,...jk", {{2, 1, 3, 4}, {7, dim::any(), 5}})) == "Tensor[(2, 7, 3, 5), float32]");
    CHECK(type_of(summed("ij,jk->ik", {{dim::any(), 4}, {4, 1}})) == "Tensor[(?, 1), float32]");
    CHECK(type_of(summed("i,i->", {{dim::any()}, {3}})) == "float32");
}

TEST_CASE("einsum: refuses operands that do not match the equation", "[relay][einsum]") {
    CHECK_THAT(refusal_of(summed("ij", {{3, 4}, {4, 5}})), Contains("\"ij\": not a part for each tensor"));
    CHECK_THAT(refusal_of(summed("ij,j", {{3, 4}, {5}})), Contains("sizes that agree along each letter of \"ij,j\""));
    CHECK_THAT(refusal_of(summed("i->ij", {{3}})), Contains("attribute `equation`"));
    CHECK_THAT(refusal_of(summed("i,i", {{3}, {3}}, dtype::int32)), Contains("tensors of one element type"));
    CHECK_THAT(refusal_of(summed("...->...", {dims(33, 1)})), Contains("attribute `equation`"));
}
