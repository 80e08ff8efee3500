#include <tutti/relay/transform/rewrite/integer_call.hpp>

#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/op_def.hpp>

#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using relay::dtype;

TEST_CASE("integer_call: scales are nearly equal pairwise, or all to a single one", "[relay][transform]") {
    relay::graph g;
    const auto c = [&](relay::tensor t) { return g.constant(std::move(t)); };
    const auto one = c(relay::tensor::scalar(1.F));
    const auto two = c(relay::tensor({2}, {1.F, 2.F}));
    CHECK(relay::nearly_equal(g, one, c(relay::tensor::scalar(1.000001F))));
    CHECK_FALSE(relay::nearly_equal(g, one, c(relay::tensor::scalar(1.001F))));
    CHECK(relay::nearly_equal(g, one, c(relay::tensor({3}, {1.F, 1.F, 1.F}))));
    CHECK_FALSE(relay::nearly_equal(g, one, two));
    CHECK(relay::nearly_equal(g, two, two));
    CHECK_FALSE(relay::nearly_equal(g, two, c(relay::tensor({3}, {1.F, 1.F, 1.F}))));
    CHECK(relay::constant_in(g, g.tuple(std::span<const relay::expr_id>{&one, 1})).empty());
}

TEST_CASE("integer_call: has the quantisation of the arguments, and the result of a rule", "[relay][transform]") {
    const relay::ir_module m = test::typed("def @main(%x: Tensor[(2), int8]) {\n  %0 = qnn.dequantize(%x, 0.5f, 3);\n"
                                           "  nn.relu(%0)\n}");
    const relay::function& f = *m.find("main");
    relay::rewriter r(f);
    const auto function = r.rewrite([](relay::rewriter& w, relay::expr_id e) {
        if (!relay::calls<relay::op::nn::relu>(w.from(), e)) return w.rebuild(e);
        const relay::expr_id before = w.from().arguments(e)[0];
        const relay::affine_type t{.scale = w[w.from().arguments(before)[1]],
                                   .zero_point = w[w.from().arguments(before)[2]],
                                   .type = dtype::int8};
        const relay::integer_call::argument argument[]{{w[w.from().arguments(before)[0]], &t, 1}};
        relay::integer_call c(w, e, argument, nullptr, false);
        CHECK(c.is_quantized(0));
        CHECK(c.wanted() == nullptr);
        CHECK(c.shape(0).size() == 1);
        CHECK_FALSE(c.is_zero(t.zero_point));
        CHECK(c.same(t, c.type(0)));
        CHECK(c.real_constant(0).empty());
        CHECK_FALSE(c.leave("no"));
        CHECK(c.why() == "no");
        const relay::expr scale = c.product_of_scales(t, t);
        CHECK(relay::number_at(relay::constant_in(w.to(), scale.id), 0) == 0.25);
        CHECK(c.is_zero(c.zeros_like_scale(scale).id));
        CHECK(c.result(c.rebuilt(), t));
        CHECK(c.made_types().size() == 1);
        return c.made();
    });
    CHECK(function.graph.called_op(function.graph.body(function.root))->name == "nn.relu");
}
