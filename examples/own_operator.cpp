// A custom operator with attributes, a type relation, a fusion pattern, a layout rule, a precision and a kernel. The
// library treats it like a built-in operator. It parses, prints, infers, folds, fuses and evaluates calls of the
// operator, propagates the layout of a convolution through them, and computes them in float16 if their arguments are
// float16.

#include <tutti/kernel/elementwise.hpp>
#include <tutti/pass.hpp>
#include <tutti/relay.hpp>
#include <tutti/relay/transform/passes/convert_layout.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/to_mixed_precision.hpp>

#include <array>
#include <cstddef>
#include <iostream>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;

struct leaky_attributes {
    double slope = 0.01;
    static constexpr tutti::option_list<&leaky_attributes::slope> options{"slope"};
};

// Computes x, or slope * x for negative x.
struct leaky {
    static constexpr std::string_view name = "my.leaky";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = leaky_attributes;
    static constexpr relay::fusion_pattern pattern = relay::fusion_pattern::elementwise;
    static constexpr auto layout = &relay::layout_rules::elementwise;
    static constexpr auto precision = relay::precision_rule::follow;

    static constexpr relay::type_id infer(relay::relation& r, const attributes&) {
        if (!r.knows(0)) return relay::type_id::none; // called again once the type is known
        if (!tutti::kernel::is_floating(r.element(0))) r.refuse(0, "a tensor of floating-point numbers");
        return r.argument(0);
    }
    static void evaluate(const relay::invocation& call, const attributes& a) {
        tutti::kernel::leaky_relu(call.input(0), a.slope, call.result());
    }
};

int main() {
    const auto operators = relay::op_set{relay::standard_ops}.with<leaky>();
    relay::ir_module m = relay::parse(R"(
def @main(%x: Tensor[(1, 3, 1, 2), float32], %w: Tensor[(2, 3, 1, 1), float32]) {
  %0 = my.leaky(-4f, slope=0.25);
  %1 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  my.leaky(add(%1, %0), slope=0.5)
})",
                                      {.operators = operators});
    tutti::pass_context ctx{tutti::opt_level<3>};
    tutti::with(ctx, [&](auto& scope) {
        const relay::convert_layout to_nhwc{.desired_layouts = {{"nn.conv2d", {"NHWC", "HWIO"}}}};
        scope.run(tutti::sequential(to_nhwc, relay::to_mixed_precision{}, relay::infer_type{}, relay::fold_constant{},
                                    relay::fuse_ops{}),
                  m);
    });
    std::cout << relay::to_text(m);
    const std::vector<relay::tensor> inputs{relay::tensor({1, 3, 1, 2}, {0.F, 1.F, 2.F, 3.F, 4.F, 5.F}),
                                            relay::tensor({2, 3, 1, 1}, {1.F, 0.F, 0.F, -1.F, 0.F, 1.F})};
    const std::vector<relay::tensor> results = relay::evaluate(m, inputs);
    for (const tutti::kernel::float16 y : results[0].elements<tutti::kernel::float16>())
        std::cout << static_cast<float>(y) << '\n';
}
