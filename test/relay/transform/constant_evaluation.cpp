#include <tutti/relay/transform/fold_constant.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>

#include "catch.hpp"
#include "../programs.hpp"
#include "relay/constant_evaluation.hpp"

using namespace tutti;
using namespace tutti::test;

namespace {

// The example of the tutorial on the pass infrastructure, for small shapes. (Its text says 64 channels of 56 × 56.)
constexpr relay::ir_module example() {
    relay::builder b;
    const auto x = b.variable("x", {1, 2, 5, 5});
    const auto weight = b.variable("weight", {2, 2, 3, 3});
    relay::tensor data(relay::dtype::float32, {1, 2, 3, 3});
    float next = 1;
    for (float& value : data.mutable_elements<float>()) value = next++;
    const auto c = b.constant(data);
    auto y = relay::add(c, c);
    y = relay::multiply(y, b.constant(2.0F));
    y = relay::add(relay::nn::conv2d(x, weight), y);
    const auto z = relay::add(y, c);
    const auto z1 = relay::add(y, c);
    return relay::ir_module(b.function({x, weight}, relay::add(z, z1)));
}

// What there is to compare of a module: each expression's kind and number of dimensions, and the constants' elements.
struct summary {
    std::array<std::uint8_t, 32> kinds{};
    std::array<std::size_t, 32> ranks{};
    std::array<float, 64> values{};
    std::size_t count = 0;
    std::size_t constants = 0;

    friend constexpr bool operator==(const summary&, const summary&) = default;
};

constexpr summary summarise(const relay::ir_module& m) {
    summary s;
    const relay::function& f = *m.find("main");
    std::size_t filled = 0;
    for (const relay::expr_id e : relay::post_order(f.graph, f.root)) {
        s.kinds[s.count] = static_cast<std::uint8_t>(f.graph.kind(e));
        const relay::type_id type = f.graph.type(e);
        s.ranks[s.count++] = f.graph.types().is_tensor(type) ? relay::shape_of(f.graph, e).size() : 99;
        if (f.graph.kind(e) != relay::expr_kind::constant) continue;
        ++s.constants;
        for (const float value : f.graph.constant_value(e).elements<float>()) s.values[filled++] = value;
    }
    return s;
}

constexpr summary inferred_example() {
    relay::ir_module m = example();
    relay::infer_types(m);
    return summarise(m);
}

constexpr summary folded_example() {
    relay::ir_module m = example();
    pass_context ctx{};
    with(ctx, [&](auto& scope) { scope.run(sequential(relay::infer_type{}, relay::fold_constant{}), m); });
    return summarise(m);
}

}  // namespace

#if TUTTI_TEST_CONSTEXPR_STRING

static_assert(inferred_example().count == 15 && inferred_example().constants == 2);
static_assert(folded_example().constants == 2);
static_assert(folded_example().values[0] == 4 && folded_example().values[17] == 72);  // (c + c) · 2

TEST_CASE("constant evaluation: the tutorial's example has the types and constants that it has at run time",
          "[relay][constant_evaluation]") {
    constexpr summary inferred = inferred_example();
    constexpr summary folded = folded_example();
    CHECK(inferred == inferred_example());
    CHECK(folded == folded_example());
}

#endif

TEST_CASE("constant evaluation: the tutorial's example folds as the reference's", "[relay][constant_evaluation]") {
    relay::ir_module m = example();
    pass_context ctx{};
    with(ctx, [&](auto& scope) { scope.run(relay::fold_constant{}, m); });
    CHECK(bare_text(m) ==
          "def @main(%x: Tensor[(1, 2, 5, 5), float32], %weight: Tensor[(2, 2, 3, 3), float32]) -> Tensor[(1, 2, 3, 3), float32] {\n"
          "  %0 = nn.conv2d(%x, %weight, padding=[0, 0, 0, 0]);\n"
          "  %1 = add(%0, meta[relay.Constant][0]);\n"
          "  %2 = add(%1, meta[relay.Constant][1]);\n"
          "  %3 = add(%1, meta[relay.Constant][1]);\n"
          "  add(%2, %3)\n"
          "}\n");
    CHECK(inferred_example().count == 15);
    CHECK(folded_example().values[17] == 72);
    CHECK_FALSE(inferred_example() == folded_example());
}
