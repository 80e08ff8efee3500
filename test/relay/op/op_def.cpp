#include <tutti/relay/op/op_def.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/norm.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

using namespace tutti;
using namespace tutti::test;
using relay::definition;

namespace user {

// A custom operator that repeats a vector.
struct repeat_attributes {
    relay::required<std::int64_t> times{};

    static constexpr tutti::option_list<&repeat_attributes::times> options{"times"};
};

struct repeat {
    static constexpr std::string_view name = "user.repeat";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = repeat_attributes;
    static constexpr relay::fusion_pattern pattern = relay::fusion_pattern::opaque;
    static constexpr relay::type_id infer(relay::relation& r, const attributes& a) {
        if (!r.knows(0)) return relay::type_id::none;
        const relay::dims shape{r.shape(0)[0].value() * a.times};
        return r.tensor(shape, r.element(0));
    }
};

// A custom operator that inherits everything except its name and precision.
struct tick : relay::op::broadcast, relay::named<"user.tick", relay::precision_rule::never> {};

} // namespace user

TEST_CASE("op_def: a description has the members of the operator's structure", "[relay][op_def]") {
    const relay::op_def& conv = definition<relay::op::nn::conv2d>;
    CHECK(conv.name == "nn.conv2d");
    CHECK(conv.arguments.size() == 2);
    CHECK(conv.attributes.size() == 10);
    CHECK(conv.attributes[0].name == "strides");
    CHECK(conv.pattern == relay::fusion_pattern::out_elementwise_fusable);
    CHECK(conv.infer != nullptr);
    CHECK(conv.evaluate == nullptr); // its kernels are in kernel sets
    CHECK(definition<relay::op::add>.attributes.empty());
    CHECK(&definition<relay::op::add> != &definition<relay::op::multiply>);
}

TEST_CASE("op_def: missing members have the documented defaults", "[relay][op_def]") {
    const relay::op_def& none = definition<user::repeat>;
    CHECK(none.precision == relay::precision_rule::unknown);
    CHECK(none.layout == nullptr);
    CHECK(none.convert == nullptr);
    CHECK(none.static_form.attributes.empty());
    CHECK_FALSE(none.reshapes);
    const relay::op_def& tick = definition<user::tick>;
    CHECK(tick.name == "user.tick");
    CHECK(tick.precision == relay::precision_rule::never);
    CHECK(tick.layout == &relay::layout_rules::broadcast);
    CHECK(tick.pattern == relay::fusion_pattern::broadcast);
}

TEST_CASE("op_def: a call knows its operator and attributes", "[relay][op_def]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto e = relay::nn::softmax(x, {.axis = 2});
    const relay::graph& g = b.graph();
    CHECK(relay::calls<relay::op::nn::softmax>(g, e.id));
    CHECK_FALSE(relay::calls<relay::op::add>(g, e.id));
    CHECK_FALSE(relay::calls<relay::op::add>(g, x.id));
    CHECK(relay::get_attributes<relay::softmax_attributes>(g, g.call_attributes(e.id)).axis == 2);
}

TEST_CASE("op_def: a user's operator is inferred and printed, and has no kernel", "[relay][op_def]") {
    relay::builder b;
    const auto e = relay::call_op<user::repeat>({.times = 3}, b.variable("x", {2}));
    relay::ir_module m(closed(b, e));
    relay::infer_types(m);
    CHECK(definition<user::repeat>.evaluate == nullptr);
    CHECK_THAT(bare_text(m), Catch::Matchers::Contains("-> Tensor[(6), float32] {\n  user.repeat(%x, times=3)\n}"));
}
