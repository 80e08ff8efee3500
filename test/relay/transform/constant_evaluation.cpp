#include "relay/constant_evaluation.hpp"

#include <tutti/base/form.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/transform/passes/dead_code_elimination.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

using namespace tutti;
using namespace tutti::test;

namespace {

// The example of the reference's tutorial on the pass infrastructure, with small shapes. The tutorial has 64 channels
// of 56 × 56 pixels.
TUTTI_CONSTEXPR relay::ir_module example() {
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

// The properties of a module that are compared: the kind and rank of each expression, and the elements of constants.
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

TUTTI_CONSTEXPR summary inferred_example() {
    relay::ir_module m = example();
    relay::infer_types(m);
    return summarise(m);
}

TUTTI_CONSTEXPR summary folded_example() {
    relay::ir_module m = example();
    pass_context ctx{};
    with(ctx, [&](auto& scope) { scope.run(sequential(relay::infer_type{}, relay::fold_constant{}), m); });
    return summarise(m);
}

TUTTI_CONSTEXPR relay::ir_module optimised(relay::ir_module m) {
    pass_context ctx{opt_level<3>};
    with(ctx, [&](auto& scope) {
        scope.run(sequential(relay::infer_type{}, relay::fold_constant{}, relay::eliminate_common_subexpr{},
                             relay::dead_code_elimination{}, relay::fuse_ops{}),
                  m);
    });
    return m;
}

// The properties that are compared, and a hash of everything that determines results: operators, attributes, types and
// the elements of constants.
using hashed_summary = std::pair<summary, std::uint64_t>;

TUTTI_CONSTEXPR hashed_summary optimised_example() {
    const relay::ir_module m = optimised(example());
    return {summarise(m), relay::structural_hash(m)};
}

// Optimises a program with two lets, one of which is needed. Returns the number of lets left. The example has no lets.
TUTTI_CONSTEXPR std::size_t lets_left() {
    relay::builder b;
    const auto x = b.variable("x", {2});
    const auto needed = b.variable("needed");
    const auto unused = b.variable("unused");
    const auto body = b.let(unused, relay::add(x, x), b.let(needed, relay::multiply(x, x), relay::add(needed, x)));
    const relay::ir_module m = optimised(relay::ir_module(b.function({x}, body)));
    const relay::function& f = *m.find("main");
    std::size_t lets = 0;
    for (const relay::expr_id e : relay::post_order(f.graph, f.root))
        lets += f.graph.kind(e) == relay::expr_kind::let ? 1 : 0;
    return lets;
}

} // namespace

#if TUTTI_TEST_CONSTEXPR_STRING

static_assert(inferred_example().count == 15 && inferred_example().constants == 2);
static_assert(folded_example().constants == 2);
static_assert(folded_example().values[0] == 4 && folded_example().values[17] == 72); // (c + c) · 2
static_assert(optimised_example().first.constants == 2);
static_assert(lets_left() == 1);

TEST_CASE("constant evaluation: the tutorial's example has the types and constants that it has at run time",
          "[relay][constant_evaluation]") {
    constexpr summary inferred = inferred_example();
    constexpr summary folded = folded_example();
    CHECK(inferred == inferred_example());
    CHECK(folded == folded_example());
}

TEST_CASE("constant evaluation: the tutorial's example gives the same result as at run time",
          "[relay][constant_evaluation]") {
    constexpr hashed_summary optimised = optimised_example();
    CHECK(optimised == optimised_example());
}

#endif

TEST_CASE("constant evaluation: the tutorial's example folds like the reference's", "[relay][constant_evaluation]") {
    relay::ir_module m = example();
    pass_context ctx{};
    with(ctx, [&](auto& scope) { scope.run(relay::fold_constant{}, m); });
    CHECK(
        bare_text(m) ==
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

TEST_CASE("constant evaluation: the tutorial's example ends as one fused function", "[relay][constant_evaluation]") {
    const relay::ir_module m = optimised(example());
    relay::verify_structure(m);
    CHECK(bare_text(m) == "def @main(%x: Tensor[(1, 2, 5, 5), float32], %weight: Tensor[(2, 2, 3, 3), float32]) "
                          "-> Tensor[(1, 2, 3, 3), float32] {\n"
                          "  %3 = fn (%p0: Tensor[(1, 2, 5, 5), float32], %p1: Tensor[(2, 2, 3, 3), float32], "
                          "%p2: Tensor[(1, 2, 3, 3), float32], %p3: Tensor[(1, 2, 3, 3), float32], Primitive=1) "
                          "-> Tensor[(1, 2, 3, 3), float32] {\n"
                          "    %0 = nn.conv2d(%p0, %p1, padding=[0, 0, 0, 0]);\n"
                          "    %1 = add(%0, %p2);\n"
                          "    %2 = add(%1, %p3);\n"
                          "    add(%2, %2)\n"
                          "  };\n"
                          "  %3(%x, %weight, meta[relay.Constant][0], meta[relay.Constant][1])\n"
                          "}\n");
    CHECK_FALSE(optimised_example().second == relay::structural_hash(example()));
    CHECK(lets_left() == 1);
}
