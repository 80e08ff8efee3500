#include <tutti/relay/op/reshape.hpp>

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

std::string reshaped(const dims& from, const dims& to, bool allow_zero = false) {
    return type_of(from, [&](expr x) { return relay::reshape(x, {.newshape = to, .allowzero = allow_zero}); });
}
std::string refused(const dims& from, const dims& to) {
    return refusal_of(from, [&](expr x) { return relay::reshape(x, {.newshape = to}); });
}

} // namespace

TEST_CASE("reshape: the codes of a new shape", "[relay][reshape]") {
    CHECK(reshaped({2, 3, 4}, {4, 6}) == "Tensor[(4, 6), float32]");
    CHECK(reshaped({2, 3, 4}, {-1}) == "Tensor[(24), float32]");
    CHECK(reshaped({2, 3, 4}, {0, -1}) == "Tensor[(2, 12), float32]");
    CHECK(reshaped({2, 3, 4}, {-2}) == "Tensor[(2, 3, 4), float32]");
    CHECK(reshaped({2, 3, 4}, {2, -2}) == "Tensor[(2, 3, 4), float32]");
    CHECK(reshaped({2, 3, 4}, {-3, 4}) == "Tensor[(6, 4), float32]");
    CHECK(reshaped({2, 3, 4}, {-4, 1, 2, -2}) == "Tensor[(1, 2, 3, 4), float32]");
    CHECK(reshaped({2, 3, 4}, {2, -4, -1, 3, -2}) == "Tensor[(2, 1, 3, 4), float32]");
    CHECK(reshaped({0, 3}, {3, 0}, true) == "Tensor[(3, 0), float32]");
    CHECK(reshaped({}, {-1}) == "Tensor[(1), float32]");
    CHECK(reshaped({1, 1}, {}) == "float32");
}

TEST_CASE("reshape: unknown sizes stay unknown, unless they are on both sides", "[relay][reshape]") {
    CHECK(reshaped({dim::any(), 3, 4}, {-1, 12}) == "Tensor[(?, 12), float32]");
    CHECK(reshaped({dim::any(), 3, 4}, {0, -1}) == "Tensor[(?, 12), float32]");
    CHECK(reshaped({dim::any(), 3}, {-3}) == "Tensor[(?), float32]");
    CHECK(reshaped({dim::any(), 3}, {5, 3}) == "Tensor[(5, 3), float32]");
    CHECK(reshaped({dim::any(), 4, 5}, {-3, -1}) == "Tensor[(?, 5), float32]");
    CHECK(reshaped({3, dim::any()}, {-1, -4, 2, -1}) == "Tensor[(3, 2, ?), float32]");
    CHECK(reshaped({dim::any(), dim::any(), 6}, {0, -1, 3}) == "Tensor[(?, ?, 3), float32]");
}

TEST_CASE("reshape: copied dimensions of an empty tensor do not determine the rest", "[relay][reshape]") {
    CHECK(reshaped({0, 3, 4}, {0, -1}) == "Tensor[(0, 12), float32]");
    CHECK(reshaped({3, 0}, {-1, 0}) == "Tensor[(3, 0), float32]");
    CHECK(reshaped({0, 3}, {-1, 4}) == "Tensor[(0, 4), float32]");
    CHECK_THAT(refused({2, 3}, {0, 0, -1, 4}), Contains("divided by 4"));
}

TEST_CASE("reshape: refuses a size with a remainder", "[relay][reshape]") {
    CHECK(refused({2, 3}, {4, 2}) == "@main: reshape, argument `data`: Tensor[(2, 3), float32] does not fit; "
                                     "expected 8 elements, as the new shape has");
    CHECK_THAT(refused({2, 3}, {4, -1}), Contains("a number of elements that can be divided by 4"));
    CHECK_THAT(refused({2, 3}, {-1, -1}), Contains("attribute `newshape`: -1 twice"));
    CHECK_THAT(refused({2, 3}, {0, 0, 0}), Contains("more sizes are kept than there are"));
    CHECK_THAT(refused({2, 3}, {-4, 2}), Contains("-4 at the end"));
    CHECK_THAT(refused({2, 3}, {-4, -1, 5, 3}), Contains("divides"));
    CHECK_THAT(refused({6, 3}, {-4, -2, -3, 3}), Contains("two sizes after -4"));
    CHECK_THAT(refused({6, 3}, {-4, 2, 2, 3}), Contains("two sizes after -4"));
    CHECK_THAT(refused({2, 3}, {-5}), Contains("sizes, or 0 to -4"));
    CHECK_THAT(refused({1 << 30, 1 << 30, 1 << 30, 1 << 30}, {7}), Contains("argument `data`"));
}

TEST_CASE("reshape: read from the right, or like another tensor", "[relay][reshape]") {
    CHECK(type_of({2, 16, 16, 16}, [](expr x) {
              return relay::contrib_reverse_reshape(x, {.newshape = {32, 0, -1}});
          }) == "Tensor[(32, 16, 16), float32]");
    const auto like = [](const relay::reshape_like_attributes& a) {
        return [a](relay::builder& b) {
            return relay::reshape_like(b.variable("x", {2, 3, 4}), b.variable("y", {9, 2, 2}), a);
        };
    };
    CHECK(type_of(like({.lhs_begin = 2, .rhs_begin = 1})) == "Tensor[(2, 3, 2, 2), float32]");
    CHECK(type_of(like({.lhs_begin = 2, .rhs_begin = -2, .rhs_end = dim(3)})) == "Tensor[(2, 3, 2, 2), float32]");
    CHECK_THAT(refusal_of(like({})), Contains("argument `data`") && Contains("36 elements"));
    CHECK_THAT(refusal_of(like({.lhs_begin = 4})), Contains("attribute `lhs_begin`"));
    CHECK_THAT(refusal_of(like({.lhs_begin = 2, .lhs_end = dim(1)})), Contains("attribute `lhs_end`"));
}
