#include <tutti/pass/adaptor.hpp>

#include <tutti/pass/make_pass.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

namespace {
// A user-defined adaptor, as in the header's example.
struct twice_adaptor;
template <class Inner>
struct twice_pass {
    static constexpr tutti::pass_info info{.name = "twice", .kind = tutti::pass_kind::adaptor};
    using adaptor = twice_adaptor;
    using members = tutti::passes<Inner>;
    Inner inner;

    constexpr void each_member(auto&& f) const { f(inner); }
    constexpr tutti::change operator()(auto& unit, auto& ctx) const {
        return ctx.run_member(inner, unit) | ctx.run_member(inner, unit);
    }
};
struct twice_adaptor {
    static constexpr std::string_view name = "twice", label = "";
    template <class Inner>
    static constexpr twice_pass<Inner> make(Inner inner) {
        return {inner};
    }
};
static_assert(tutti::adaptor<twice_adaptor>);
static_assert(!tutti::adaptor<int>);
} // namespace

TEMPLATE_TEST_CASE("adaptor: one of a user's own runs, and its members are enabled or not", "[pass][adaptor]",
                   static_layer, erased_layer) {
    const auto next = tutti::make_pass<"Next", 1>([](int& n) { ++n; });
    const auto pipeline = tutti::sequential(twice_adaptor::make(next));
    auto ctx = TestType::template context<int>({});
    const setup low{.opt_level = 0};
    auto level_0 = TestType::template context<int>(low);
    int n = 1;
    TestType::with(ctx, [&](auto& scope) { scope.run(pipeline, n); });
    CHECK(n == 3);
    TestType::with(level_0, [&](auto& scope) { scope.run(pipeline, n); });
    CHECK(n == 3);
}
