#include <tutti/relay/transform/rewrite/pattern.hpp>

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/reshape.hpp>

#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay::patterns;
using relay::match;
namespace op = relay::op;

namespace {

// A graph with named expressions, on which patterns are matched.
struct sample {
    relay::builder b;
    relay::expr x = b.variable("x", {2, 3});
    relay::expr y = b.variable("y", {2, 3});
    relay::expr two = b.constant(2.0F);
    relay::expr row = b.constant(relay::tensor({3}, {1.0F, 2.0F, 3.0F}));

    constexpr const relay::graph& g() { return b.graph(); }
};

constexpr bool takes_one(const auto& pattern, sample& s, relay::expr e) {
    return static_cast<bool>(match(pattern, s.g(), e.id));
}

TUTTI_CONSTEXPR bool captures_both() {
    sample s;
    const auto e = relay::subtract(s.x, s.two);
    const auto m = match(call<op::subtract>(_x, scalar(_c)), s.g(), e.id);
    return m && m[_x] == s.x.id && m[_c] == s.two.id;
}
#ifndef TUTTI_COMPILED
static_assert(captures_both());
#endif

} // namespace

TEST_CASE("pattern: a call matches its operator and its arguments", "[relay][transform][pattern]") {
    CHECK(captures_both());
    sample s;
    const auto difference = relay::subtract(s.x, s.two);
    CHECK(takes_one(call<op::subtract>(_, _), s, difference));
    CHECK_FALSE(takes_one(call<op::divide>(_, _), s, difference));
    CHECK_FALSE(takes_one(call<op::subtract>(scalar(_), _), s, difference));
    CHECK_FALSE(takes_one(call<op::subtract>(_, _), s, s.x));
}

TEST_CASE("pattern: a constant has any shape, a scalar none", "[relay][transform][pattern]") {
    sample s;
    CHECK(takes_one(constant(_), s, s.row));
    CHECK(takes_one(constant(_), s, s.two));
    CHECK(takes_one(scalar(_), s, s.two));
    CHECK_FALSE(takes_one(scalar(_), s, s.row));
    CHECK_FALSE(takes_one(constant(_), s, s.x));
}

TEST_CASE("pattern: arguments of add and multiply match in either order, their own order first",
          "[relay][transform][pattern]") {
    sample s;
    const auto scaled = relay::multiply(s.two, s.x);
    const auto m = match(call<op::multiply>(_x, scalar(_c)), s.g(), scaled.id);
    REQUIRE(m);
    CHECK(m[_x] == s.x.id);
    CHECK(m[_c] == s.two.id);
    const auto both = relay::add(s.two, s.two);
    CHECK(match(call<op::add>(_x, scalar(_c)), s.g(), both.id)[_x] == s.two.id);
    CHECK_FALSE(takes_one(call<op::subtract>(_x, scalar(_c)), s, relay::subtract(s.two, s.x)));
}

TEST_CASE("pattern: a capture is the same expression throughout", "[relay][transform][pattern]") {
    sample s;
    CHECK(takes_one(call<op::add>(_x, _x), s, relay::add(s.x, s.x)));
    CHECK_FALSE(takes_one(call<op::add>(_x, _x), s, relay::add(s.x, s.y)));
}

TEST_CASE("pattern: a part may have a name", "[relay][transform][pattern]") {
    sample s;
    const auto inner = relay::exp(s.x);
    const auto m = match(call<op::sqrt>(_y(call<op::exp>(_x))), s.g(), relay::sqrt(inner).id);
    REQUIRE(m);
    CHECK(m[_y] == inner.id);
    CHECK(m[_x] == s.x.id);
}

TEST_CASE("pattern: the first matching alternative counts, and failed ones leave no captures",
          "[relay][transform][pattern]") {
    sample s;
    const auto e = relay::subtract(s.x, s.y);
    const auto m = match(call<op::subtract>(_x, scalar(_a)) | call<op::subtract>(_y, _b), s.g(), e.id);
    REQUIRE(m);
    CHECK(m[_x] == relay::expr_id::none);
    CHECK(m[_y] == s.x.id);
    CHECK(m[_b] == s.y.id);
    CHECK(m.how().calls().size() == 1);
    CHECK(m.how().inputs().size() == 2);
}

TEST_CASE("pattern: matches a call of one of several operators, or of an operator with a property",
          "[relay][transform][pattern]") {
    sample s;
    const auto either = call_any<op::exp, op::sqrt>(_x);
    CHECK(takes_one(either, s, relay::exp(s.x)));
    CHECK(takes_one(either, s, relay::sqrt(s.x)));
    CHECK_FALSE(takes_one(either, s, relay::negative(s.x)));

    const auto broadcasting =
        call_if([](const relay::op_def& o) { return o.pattern == relay::fusion_pattern::broadcast; }, _, _y);
    CHECK(match(broadcasting, s.g(), relay::divide(s.x, s.y).id)[_y] == s.y.id);
    CHECK_FALSE(takes_one(broadcasting, s, relay::exp(s.x)));
}

TEST_CASE("pattern: may test attributes", "[relay][transform][pattern]") {
    sample s;
    const auto last = call<op::nn::softmax>(_x).where<"axis">(-1);
    CHECK(takes_one(last, s, relay::nn::softmax(s.x)));
    CHECK_FALSE(takes_one(last, s, relay::nn::softmax(s.x, {.axis = 0})));
    const auto flat = call<op::reshape>(_x).where<"allowzero">(false).where<"newshape">(relay::dims{6});
    CHECK(takes_one(flat, s, relay::reshape(s.x, {.newshape = {6}})));
    CHECK_FALSE(takes_one(flat, s, relay::reshape(s.x, {.newshape = {3, 2}})));
}

TEST_CASE("pattern: a chain matches as much as possible", "[relay][transform][pattern]") {
    sample s;
    const auto casts = chain<op::cast>(_y(call<op::clip>(_x)));
    auto e = relay::clip(s.x, {.a_min = 0.0, .a_max = 1.0});
    const auto clip = e;
    CHECK_FALSE(takes_one(casts, s, e));
    for (int i = 0; i < 20; ++i) {
        e = relay::cast(e, {.dtype = relay::dtype::int32});
        const auto m = match(casts, s.g(), e.id);
        REQUIRE(m);
        CHECK(m[_y] == clip.id);
        CHECK(m.how().calls().size() == static_cast<std::size_t>(i) + 2);
    }
    CHECK_FALSE(takes_one(casts, s, relay::cast(s.x, {.dtype = relay::dtype::int32})));
}

TEST_CASE("pattern: matches a call without arguments, and one with many", "[relay][transform][pattern]") {
    sample s;
    const auto norm = relay::nn::batch_norm(s.x, s.row, s.row, s.row, s.row);
    const auto m = match(call<op::nn::batch_norm>(_x, constant(_a), _, _, _a), s.g(), norm.id);
    REQUIRE(m);
    CHECK(m[_a] == s.row.id);
    CHECK_FALSE(takes_one(call<op::nn::batch_norm>(_x, _a, _, _, _x), s, norm));

    const auto sum = relay::add(relay::zeros(s.b, {.shape = relay::dims{2, 3}}), s.x);
    CHECK(takes_one(call<op::add>(_x, call<op::zeros>()), s, sum));
    CHECK_FALSE(takes_one(call<op::add>(_x, call<op::ones>()), s, sum));
}
