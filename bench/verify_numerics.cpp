// The cost of verify_numerics for the pipeline of level 3 over ResNet-18. The parameters are inputs, or are all bound
// except the image. The target is 20 times the time of one evaluation.

#include <tutti/relay/debug/verify_numerics.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/transform/passes/bind_params.hpp>
#include <tutti/relay/transform/passes/canonicalize_ops.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/passes/simplify_expr.hpp>
#include <tutti/relay/transform/passes/simplify_inference.hpp>

#include "cpu_time.hpp"

#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;

namespace {

constexpr auto level_3 = tutti::sequential(
    relay::infer_type{}, relay::simplify_inference{}, relay::eliminate_common_subexpr{}, relay::fold_constant{},
    relay::fold_scale_axis{}, relay::simplify_expr{}, relay::canonicalize_ops{}, relay::fuse_ops{});

// Returns the network with synthetic constants for all parameters except the image.
relay::ir_module bound() {
    const relay::ir_module m = relay::model::resnet();
    const relay::evaluator e(m);
    std::map<std::string, relay::tensor, std::less<>> values;
    for (const relay::parameter& p : e.parameters())
        if (p.name != "data") values[p.name] = relay::synthetic_input(p.name, e.types(), p.type);
    return relay::ir_module(relay::bind_params(*m.find("main"), [&](std::string_view name) {
        const auto found = values.find(name);
        return found == values.end() ? nullptr : &found->second;
    }));
}

void measure(const char* what, const relay::ir_module& m) {
    double start = now_ns();
    {
        relay::evaluator e(m);
        std::vector<relay::tensor> inputs;
        for (const relay::parameter& p : e.parameters())
            inputs.push_back(relay::synthetic_input(p.name, e.types(), p.type));
        start = now_ns();
        e.run(std::span<const relay::tensor>(inputs));
    }
    const double once = now_ns() - start;
    relay::ir_module checked = m;
    relay::verify_numerics check{{}, [](std::string_view line) { std::fwrite(line.data(), 1, line.size(), stdout); }};
    tutti::pass_context ctx{tutti::opt_level<3>, tutti::instruments(check)};
    start = now_ns();
    tutti::with(ctx, [&](auto& scope) { scope.run(level_3, checked); });
    const double verified = now_ns() - start;
    std::printf("%-36s %10.1f %10.1f %8.1f\n", what, once / 1e6, verified / 1e6, verified / once);
}

} // namespace

int main() {
    std::printf("%-36s %10s %10s %8s\n", "ResNet-18, level 3", "once, ms", "with, ms", "times");
    measure("parameters given", relay::model::resnet());
    measure("parameters bound", bound());
}
