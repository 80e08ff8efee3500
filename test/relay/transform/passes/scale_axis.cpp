#include <tutti/relay/transform/passes/scale_axis.hpp>

#include <tutti/relay/ir/builder.hpp>

#include "support/catch.hpp"

#include <limits>

using namespace tutti;
using relay::dims;

namespace {

constexpr bool matches(const dims& lhs, const dims& rhs, std::int16_t axis) {
    return relay::detail::match_axes(lhs, rhs, {axis, -1}).has_value();
}

} // namespace

TEST_CASE("match_axes: a tensor varies along one axis only", "[relay][transform]") {
    CHECK(matches({2, 4, 10, 10}, {4, 1, 1}, 1));
    CHECK(matches({2, 4, 10, 10}, {1, 4, 1, 1}, 1));
    CHECK(matches({2, 10, 10, 4}, {4}, 3));
    CHECK_FALSE(matches({2, 4, 10, 10}, {4}, 1));
    CHECK_FALSE(matches({2, 4, 10, 10}, {4, 10, 1}, 1));
    CHECK_FALSE(matches({2, 4, 10, 10}, {1, 1, 1}, 1));
    CHECK_FALSE(matches({2, 4, 10, 10}, {}, 1));
    CHECK_FALSE(matches({4}, {2, 4}, 0));
}

TEST_CASE("match_axes: an unknown size matches nothing", "[relay][transform]") {
    const relay::dim any = relay::dim::any();
    CHECK(matches({any, 4, any, 10}, {4, 1, 1}, 1));
    CHECK_FALSE(matches({2, any, 10, 10}, {any, 1, 1}, 1)); // either size may be 1
    CHECK_FALSE(matches({2, 4, 10, 10}, {any, 1, 1}, 1));
    CHECK_FALSE(matches({2, 4, 10, 10}, {4, any, 1}, 1));
}

TEST_CASE("match_axes: returns the axes to squeeze", "[relay][transform]") {
    const auto match = relay::detail::match_axes(dims{2, 4, 10, 10}, dims{1, 4, 1, 1}, {1, -1});
    REQUIRE(match);
    CHECK(match->squeezed == dims{0, 2, 3});
}

TEST_CASE("match_axes: channels in blocks are two axes", "[relay][transform]") {
    const auto match = relay::detail::match_axes(dims{2, 2, 10, 10, 2}, dims{1, 2, 1, 1, 2}, {1, 4});
    REQUIRE(match);
    CHECK(match->squeezed == dims{0, 2, 3});
    CHECK_FALSE(relay::detail::match_axes(dims{2, 2, 10, 10, 2}, dims{1, 2, 1, 1, 1}, {1, 4}));
}

TEST_CASE("match_factor: a scalar is repeated", "[relay][transform]") {
    const auto match = relay::detail::match_factor(dims{2, 4, 10, 10}, dims{}, {1, -1});
    REQUIRE(match);
    CHECK(match->repeated == relay::dim(4));
    CHECK_FALSE(relay::detail::match_factor(dims{2, relay::dim::any(), 10, 10}, dims{}, {1, -1}));
}

TEST_CASE("as_scale: a scalar gets an axis and is repeated along it, other factors lose theirs", "[relay][transform]") {
    relay::builder b;
    const auto name = [&](relay::expr_id e) { return b.graph().called_op(e)->name; };
    const auto scalar = b.constant(2.0F);
    const relay::expr_id repeated = relay::detail::as_scale(b.graph(), scalar.id, {{}, relay::dim(4)});
    CHECK(name(repeated) == "repeat");
    CHECK(name(b.graph().arguments(repeated)[0]) == "expand_dims");
    CHECK(relay::detail::is_positive_constant(b.graph(), repeated));
    const auto vector = b.variable("x", {4, 1, 1});
    CHECK(name(relay::detail::as_scale(b.graph(), vector.id, {dims{1, 2}, {}})) == "squeeze");
}

TEST_CASE("is_positive_constant: looks through changes of shape, and checks every element", "[relay][transform]") {
    relay::builder b;
    const auto positive = b.constant(relay::tensor({2}, {1.0F, 2.0F}));
    const auto zero = b.constant(relay::tensor({2}, {1.0F, 0.0F}));
    const auto negative = b.constant(relay::tensor({2}, {1.0F, -1.0F}));
    const auto variable = b.variable("x", {2});
    const auto expanded = relay::squeeze(relay::expand_dims(positive, {.axis = 1}));
    CHECK(relay::detail::is_positive_constant(b.graph(), positive.id));
    CHECK(relay::detail::is_positive_constant(b.graph(), expanded.id));
    CHECK(relay::detail::is_positive_constant(b.graph(), zero.id)); // as in the reference
    CHECK_FALSE(relay::detail::is_positive_constant(b.graph(), negative.id));
    CHECK_FALSE(relay::detail::is_positive_constant(b.graph(), variable.id));
    CHECK_FALSE(relay::detail::is_positive_constant(b.graph(), relay::add(positive, positive).id));
}

TEST_CASE("can_divide_by: accepts constants of normal numbers with normal reciprocals", "[relay][transform]") {
    relay::builder b;
    const auto divides = [&](float x) {
        return relay::detail::can_divide_by(b.graph(), b.constant(relay::tensor({2}, {1.0F, x})).id);
    };
    CHECK(divides(-2));
    for (const float x :
         {0.0F, 1e-40F, 2e+38F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
        CHECK_FALSE(divides(x));
    CHECK_FALSE(relay::detail::can_divide_by(b.graph(), b.variable("x", {2}).id)); // the value is unknown
}

TEST_CASE("all_finite: false for everything that is not constant", "[relay][transform]") {
    relay::builder b;
    const auto finite = [&](float x) {
        return relay::detail::all_finite(b.graph(), b.constant(relay::tensor({2}, {1.0F, x})).id);
    };
    CHECK(finite(0));
    CHECK(finite(std::numeric_limits<float>::lowest()));
    CHECK_FALSE(finite(std::numeric_limits<float>::infinity()));
    CHECK_FALSE(finite(std::numeric_limits<float>::quiet_NaN()));
    CHECK(relay::detail::all_finite(b.graph(), b.variable("x", {2}).id));
}

TEST_CASE("none_negative: supports the element types that the reference supports", "[relay][transform]") {
    using kernel::dtype;
    for (const dtype type : {dtype::float32, dtype::float64, dtype::int8, dtype::int32, dtype::uint8, dtype::uint32}) {
        CAPTURE(type);
        CHECK(relay::detail::none_negative(kernel::tensor(type, {3})));
    }
    for (const dtype type : {dtype::float16, dtype::int16, dtype::int64, dtype::boolean}) {
        CAPTURE(type);
        CHECK_FALSE(relay::detail::none_negative(kernel::tensor(type, {3})));
    }
}

TEST_CASE("scalable_axes: a weight with one channel on both sides is depthwise", "[relay][transform]") {
    relay::builder b;
    const auto axes = [&](std::initializer_list<relay::dim> weight, relay::conv2d_attributes a) {
        const auto x = b.variable("x", {1, 4, 8, 8});
        const auto w = b.variable("w", weight);
        b.graph().set_type(w.id, b.graph().annotation(w.id));
        return relay::detail::scalable_axes(b.graph(), relay::nn::conv2d(x, w, a).id);
    };
    CHECK(axes({8, 4, 3, 3}, {}).weight_in.first == 1);
    CHECK(axes({4, 1, 3, 3}, {.groups = 4}).weight_in.first == 0);
    CHECK(axes({1, 1, 3, 3}, {}).weight_in.first == 0);
    CHECK(axes({4, 2, 3, 3}, {.groups = 2}).in.count() == 0);
    CHECK(axes({4, 2, 3, 3}, {.groups = 2}).out.first == 1);
    CHECK(axes({4, 2, 3, 3}, {.groups = 4}).out.count() == 0); // two output channels for each input channel
    const auto blocks =
        axes({2, 1, 3, 3, 4, 4}, {.data_layout = "NCHW4c", .kernel_layout = "OIHW4i4o", .out_layout = "NCHW"});
    CHECK(blocks.in == relay::detail::scale_axes{1, 4});
    CHECK(blocks.out.count() == 0); // the weight is blocked, but the result is not
}
