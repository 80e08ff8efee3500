#include <tutti/relay/op/tuple.hpp>

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

const auto two = [](const dims& x, const dims& y) {
    return [=](relay::builder& b) { return b.tuple({b.variable("x", x), b.variable("y", y)}); };
};

} // namespace

TEST_CASE("tuple: concatenate adds up the sizes along one axis", "[relay][tuple]") {
    const auto joined = [](const dims& x, const dims& y, std::int64_t axis) {
        return [=](relay::builder& b) { return relay::concatenate(two(x, y)(b), {.axis = axis}); };
    };
    CHECK(type_of(joined({2, 3}, {4, 3}, 0)) == "Tensor[(6, 3), float32]");
    CHECK(type_of(joined({2, 3}, {2, 5}, -1)) == "Tensor[(2, 8), float32]");
    CHECK(type_of(joined({2, dim::any()}, {2, 5}, 1)) == "Tensor[(2, ?), float32]");
    CHECK(type_of(joined({2, dim::any()}, {4, 5}, 0)) == "Tensor[(6, ?), float32]");
    CHECK(type_of(joined({dim::any(), dim::any()}, {4, 5}, 0)) == "Tensor[(?, 5), float32]");
    CHECK(refusal_of(joined({2, 3}, {4, 4}, 0)) == "@main: concatenate, argument `data`: (Tensor[(2, 3), "
                                                   "float32], Tensor[(4, 4), float32]) does not fit; "
                                                   "expected tensors that agree along the other axes");
    CHECK_THAT(refusal_of(joined({2, 3}, {4}, 0)), Contains("the same number of dimensions"));
    CHECK_THAT(refusal_of({2}, [](expr x) { return relay::concatenate(x); }), Contains("a tuple of tensors"));
    CHECK_THAT(refusal_of([](relay::builder& b) { return relay::concatenate(b.tuple({})); }),
               Contains("one tensor or more"));
}

TEST_CASE("tuple: stack makes a new axis", "[relay][tuple]") {
    const auto stacked = [](const dims& x, const dims& y, std::int64_t axis) {
        return [=](relay::builder& b) { return relay::stack(two(x, y)(b), {.axis = axis}); };
    };
    CHECK(type_of(stacked({3, 4}, {3, 4}, 0)) == "Tensor[(2, 3, 4), float32]");
    CHECK(type_of(stacked({3, 4}, {3, dim::any()}, -1)) == "Tensor[(3, 4, 2), float32]");
    CHECK(type_of(stacked({3, dim::any()}, {3, 4}, -1)) == "Tensor[(3, ?, 2), float32]");
    CHECK(type_of(stacked({}, {}, 0)) == "Tensor[(2), float32]");
    CHECK_THAT(refusal_of(stacked({3, 4}, {3, 5}, 0)), Contains("tensors that agree"));
    CHECK_THAT(refusal_of(stacked({3}, {3}, 2)), Contains("attribute `axis`"));
}

TEST_CASE("tuple: split into equal parts, or at places", "[relay][tuple]") {
    const auto parts = [](relay::one_or_more where, std::int64_t axis) {
        return [=](expr x) { return relay::split(x, {.indices_or_sections = where, .axis = axis}); };
    };
    CHECK(type_of({2, 6}, parts(3, 1)) ==
          "(Tensor[(2, 2), float32], Tensor[(2, 2), float32], Tensor[(2, 2), float32])");
    CHECK(type_of({2, 6}, parts(dims{1, 4}, -1)) ==
          "(Tensor[(2, 1), float32], Tensor[(2, 3), float32], Tensor[(2, 2), float32])");
    CHECK(type_of({dim::any()}, parts(2, 0)) == "(Tensor[(?), float32], Tensor[(?), float32])");
    CHECK(type_of({dim::any()}, parts(dims{2}, 0)) == "(Tensor[(2), float32], Tensor[(?), float32])");
    CHECK_THAT(refusal_of({2, 6}, parts(4, 1)), Contains("a size that can be divided by 4 along the axis"));
    CHECK_THAT(refusal_of({2, 6}, parts(0, 1)), Contains("attribute `indices_or_sections`"));
    CHECK_THAT(refusal_of({dim::any()}, parts(std::int64_t{1} << 40, 0)), Contains("1 to 65536"));
    CHECK_THAT(refusal_of({2, 6}, parts(dims{4, 1}, 1)), Contains("rising indices"));
}

TEST_CASE("tuple: meshgrid makes a grid for each vector", "[relay][tuple]") {
    const auto grid = [](std::string_view indexing, std::vector<relay::dims> shapes) {
        return [=](relay::builder& b) {
            std::vector<relay::expr_id> parts;
            for (const relay::dims& s : shapes) parts.push_back(b.variable("x", s).id);
            return relay::meshgrid({&b.graph(), b.graph().tuple(parts)}, {.indexing = indexing});
        };
    };
    using tutti::test::refusal_of;
    using tutti::test::type_of;
    CHECK(type_of(grid("ij", {{3}, {relay::dim::any()}})) == "(Tensor[(3, ?), float32], Tensor[(3, ?), float32])");
    CHECK(type_of(grid("xy", {{3}, {5}})) == "(Tensor[(5, 3), float32], Tensor[(5, 3), float32])");
    CHECK(type_of(grid("xy", {{}})) == "(Tensor[(1), float32],)");
    CHECK_THAT(refusal_of(grid("yx", {{3}})), Contains("expected \"ij\" or \"xy\""));
    CHECK_THAT(refusal_of(grid("ij", {{3, 3}})), Contains("at most one dimension"));
    CHECK_THAT(refusal_of(grid("ij", {})), Contains("1 to 32 vectors"));
}
