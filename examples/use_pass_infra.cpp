// Follows the reference's tutorial on the pass infrastructure, section by section, with the same output.

#include <tutti/instrument.hpp>
#include <tutti/pass.hpp>
#include <tutti/relay.hpp>
#include <tutti/relay/transform/passes/alter_op_layout.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>

#include <exception>
#include <iostream>
#include <string_view>
#include <utility>

namespace relay = tutti::relay;

// An example Relay program.
relay::ir_module example() {
    relay::builder b;
    const auto c = b.constant(relay::tensor(relay::dtype::float32, {1, 64, 54, 54}));
    const auto weight = b.variable("weight", {64, 64, 3, 3});
    const auto x = b.variable("x", {1, 64, 56, 56});
    const auto conv = relay::nn::conv2d(x, weight);
    auto y = relay::add(c, c);
    y = relay::multiply(y, b.constant(2.0F));
    y = relay::add(conv, y);
    const auto z = relay::add(y, c);
    const auto z1 = relay::add(y, c);
    return relay::ir_module(b.function({x, weight}, relay::add(z, z1)));
}

// A target that requests convolutions with channels in blocks of 16.
constexpr auto blocked_channels = [](relay::layout_change& call) {
    if (call.op->name != "nn.conv2d") return;
    relay::attribute_edit attributes = call.edit();
    attributes.set("data_layout", "NCHW16c");
    call.attributes = attributes.commit();
};

// A custom pass over functions, which multiplies each constant by a number.
struct custom_pipeline {
    static constexpr tutti::pass_info info{.name = "CustomPipeline", .opt_level = 1};
    float multiplier = 1;

    relay::function operator()(const relay::function& f) const {
        relay::rewriter mutator(f.graph, f.root);
        const relay::expr_id factor = mutator.to().constant(relay::tensor::scalar(multiplier));
        const relay::expr_id root = mutator.run([&](relay::rewriter& r, relay::expr_id e) {
            const relay::expr_id same = r.rebuild(e);
            if (r.from().kind(e) != relay::expr_kind::constant) return same;
            const relay::expr_id arguments[]{factor, same};
            return relay::add_call<relay::op::multiply>(r.to(), arguments);
        });
        return {std::move(mutator.to()), root};
    }
};

void print(const relay::ir_module& m) {
    std::cout << relay::to_text(m, {.version_line = false, .metadata_note = false}) << "\n\n";
}

int main() try {
    // Apply passes manually: fold constants, eliminate common subexpressions, and put each operator into a function. A
    // call without a scope, `pass(mod)`, would run a pass without a context.
    relay::ir_module mod = example();
    tutti::with(tutti::pass_context{}, [&](auto& scope) {
        scope.run(relay::fold_constant{}, mod);
        print(mod);
        scope.run(relay::eliminate_common_subexpr{}, mod);
        print(mod);
        scope.run(relay::fuse_ops{.fuse_opt_level = 0}, mod);
        print(mod);
    });

    // Use a sequential to apply the passes. At the default opt_level of 2, EliminateCommonSubexpr does not run.
    mod = example();
    constexpr auto seq = tutti::sequential(relay::fold_constant{}, relay::eliminate_common_subexpr{},
                                           relay::fuse_ops{.fuse_opt_level = 2});
    const auto after = [&](const auto& passes, const auto& ctx, relay::ir_module m) {
        tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
        return m;
    };
    print(after(seq, tutti::pass_context{}, mod));

    // At level 3, EliminateCommonSubexpr runs, unless it is disabled.
    const tutti::pass_context thorough{tutti::opt_level<3>};
    print(after(seq, thorough, mod));
    print(after(seq, tutti::pass_context{tutti::opt_level<3>, tutti::disable<relay::eliminate_common_subexpr>}, mod));

    // Passes may depend on a target.
    print(after(seq, thorough, mod));
    print(after(tutti::sequential(relay::alter_op_layout_for(blocked_channels)), thorough, mod));

    // Implement a pass.
    constexpr auto custom_pass = relay::function_pass(custom_pipeline{.multiplier = 3});
    static_assert(custom_pass.info.name == "CustomPipeline");
    print(after(custom_pass, tutti::pass_context{}, example()));

    // Debug a pass. PrintIR prints the module at its position in the pipeline.
    const tutti::print_pass print_ir{[](std::string_view text) { std::cerr << text; }};
    after(tutti::sequential(relay::fold_constant{}, print_ir, relay::eliminate_common_subexpr{}, relay::fuse_ops{},
                            print_ir),
          thorough, example());
    std::cout << "done\n";
} catch (const std::exception& e) {
    std::cerr << "use_pass_infra: " << e.what() << '\n';
    return 1;
}
