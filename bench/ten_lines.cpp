// A small program whose compile time is measured. It parses a module, runs passes over it and prints it.

#include <tutti/pass.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>

#include <iostream>
#include <iterator>
#include <string>

int main() {
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    tutti::relay::ir_module m = tutti::relay::parse(text);
    tutti::pass_context ctx{tutti::opt_level<2>};
    constexpr auto passes =
        tutti::sequential(tutti::relay::infer_type{}, tutti::relay::fold_constant{}, tutti::relay::fuse_ops{});
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
    std::cout << tutti::relay::to_text(m) << '\n';
}
