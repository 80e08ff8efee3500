// expect-error: without the whole; make it a pass over the whole, as relay::function_pass(pass) does
#include <tutti/pass/each.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/transform/function_pass.hpp>

struct sees_module {
    static constexpr tutti::pass_info info{.name = "SeesModule"};
    void operator()(tutti::relay::function&, const tutti::relay::ir_module&, auto&) const {}
};

void run(tutti::relay::ir_module& m) {
    tutti::with(tutti::pass_context{},
                [&](auto& scope) { scope.run(tutti::each<tutti::relay::function>(sees_module{}), m); });
}
