// A program with two source files that use the tensor graph. The other file is operators.cpp.

#include <tutti/pass.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>

#include <iostream>
#include <string_view>

namespace relay = tutti::relay;

const relay::op_def* known_operator(std::string_view name);

int main() {
    relay::builder b;
    const auto x = b.variable("x", {3});
    relay::ir_module m(b.function({x}, relay::exp(relay::add(x, b.constant(1.F)))));
    tutti::pass_context ctx;
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(relay::infer_type{}, relay::fuse_ops{}), m); });
    std::cout << relay::to_text(m);
    std::cout << (known_operator("exp") == &relay::definition<relay::op::exp> ? "one exp\n" : "two of exp\n");
}
