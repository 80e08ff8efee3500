// An operator of one's own: attributes, type relation, fusion pattern and kernel. Nothing in the library
// knows of it, yet its calls are read, printed, inferred, folded, fused and evaluated as those of any other.

#include <tutti/pass.hpp>
#include <tutti/relay.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>

#include <array>
#include <cstddef>
#include <iostream>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;

struct leaky_attributes {
    double slope = 0.01;
    static constexpr tutti::members<&leaky_attributes::slope> options{"slope"};
};

// x, or slope * x below zero.
struct leaky {
    static constexpr std::string_view name = "my.leaky";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = leaky_attributes;
    static constexpr relay::fusion_pattern pattern = relay::fusion_pattern::elementwise;

    static constexpr relay::type_id infer(relay::relation& r, const attributes&) {
        if (!r.knows(0)) return relay::type_id::none; // asked again when it is known
        if (r.element(0) != relay::dtype::float32) r.refuse(0, "a float32 tensor");
        return r.argument(0);
    }
    static void evaluate(const relay::invocation& call, const attributes& a) {
        call.result().reset(relay::dtype::float32, call.input(0).shape());
        const auto from = call.input(0).elements<float>();
        const auto to = call.result().mutable_elements<float>();
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = from[i] < 0 ? static_cast<float>(a.slope) * from[i] : from[i];
    }
};

int main() {
    const auto operators = relay::op_set{relay::standard_ops}.with<leaky>();
    relay::ir_module m = relay::parse(R"(
def @main(%x: Tensor[(3), float32]) {
  %0 = my.leaky(-4f, slope=0.25);
  exp(my.leaky(add(%x, %0), slope=0.5))
})",
                                      {.operators = operators});
    tutti::pass_context ctx{tutti::opt_level<2>};
    tutti::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(relay::infer_type{}, relay::fold_constant{}, relay::fuse_ops{}), m);
    });
    std::cout << relay::to_text(m);
    const std::vector<relay::tensor> inputs{relay::tensor({3}, {0.F, 1.F, 2.F})};
    const std::vector<relay::tensor> results = relay::evaluate(m, inputs);
    for (const float y : results[0].elements<float>()) std::cout << y << '\n';
}
