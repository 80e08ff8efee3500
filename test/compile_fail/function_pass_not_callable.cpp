// expect-error: a pass must be callable when const as (function&, ctx), or as (function&, const ir_module&, ctx)
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/transform/function_pass.hpp>

struct takes_the_module_first {
    static constexpr tutti::pass_info info{.name = "Wrong"};
    void operator()(const tutti::relay::ir_module&, tutti::relay::function&) const {}
};

void run(tutti::relay::ir_module& m) {
    tutti::with(tutti::pass_context{},
                [&](auto& scope) { scope.run(tutti::relay::function_pass(takes_the_module_first{}), m); });
}
