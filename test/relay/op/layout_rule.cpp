#include <tutti/relay/op/layout_rule.hpp>

#include "support/catch.hpp"

using namespace tutti::relay;

namespace {

constexpr bool takes_any(layout_query& q) { return q.all_in(q.first()); }

struct my_rules {
    static constexpr layout_rule find(const op_def& op) { return op.name == "mine" ? &takes_any : nullptr; }
};
static_assert(layout_rule_set<my_rules>);
static_assert(!layout_rule_set<int>);

} // namespace

TEST_CASE("layout_query: an answer for all arguments is known if the layout is", "[relay][layout]") {
    const type_id types[]{type_id{0}, type_id{0}};
    const maybe_layout old_in[]{std::nullopt, layout::parse("NCHW")};
    const maybe_layout new_in[]{layout::parse("NHWC"), layout::parse("NCHW")};
    layout_query q{.graph = nullptr, .op = nullptr, .attributes = attrs_id::none, .arguments = types, .old_in = old_in};
    CHECK_FALSE(q.all_in(q.first()));
    q.new_in = new_in;
    q.altered = true;
    CHECK(q.all_in(q.first()));
    CHECK(q.in.size() == 2);
    CHECK(q.out == std::vector{layout::parse("NHWC")});
}

TEST_CASE("layouts: an axis is found where it went", "[relay][layout]") {
    const layout nhwc = *layout::parse("NHWC");
    const layout blocked = *layout::parse("NCHW16c");
    CHECK(tutti::relay::detail::axis_at(nhwc, -1)->letter == 'C');
    CHECK_FALSE(tutti::relay::detail::axis_at(nhwc, 4));
    CHECK_FALSE(tutti::relay::detail::axis_at(nhwc, -5));
    CHECK(tutti::relay::detail::moved_axis(nhwc, blocked, 3) == 1);
    CHECK(tutti::relay::detail::moved_axis(blocked, nhwc, 4) == std::nullopt);
    CHECK(tutti::relay::detail::factor(blocked, 'C') == 16);
    CHECK(tutti::relay::detail::factor(blocked, 'H') == 0);
}
