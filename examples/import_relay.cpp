// Parses, optimises and prints a Relay program, with the C++20 module of tutti/relay.
//
//     CXX=clang++-19 meson setup build -Dmodules=enabled

#include <cstdio>

import tutti.relay;

namespace relay = tutti::relay;

int main() {
    relay::ir_module m = relay::parse("def @main(%x: Tensor[(2), float32]) { add(%x, add(1f, 2f)) }");
    tutti::pass_context ctx{tutti::opt_level<2>};
    tutti::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(relay::infer_type{}, relay::fold_constant{}, relay::fuse_ops{}), m);
    });
    std::puts(relay::to_text(m).c_str());

    relay::evaluator evaluate(m);
    const relay::tensor input({2}, {0.5F, -1.F});
    const relay::tensor result = evaluate.run({&input, 1})[0];
    std::printf("%g %g\n", static_cast<double>(result.elements<float>()[0]),
                static_cast<double>(result.elements<float>()[1]));
}
