// expect-error: a pass must be able to change the function; let it take a function& and return nothing, or let it return the function
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/transform/function_pass.hpp>

struct looks {
    static constexpr tutti::pass_info info{.name = "Looks"};
    void operator()(const tutti::relay::function&) const {}
};

void run(tutti::relay::ir_module& m) {
    tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(tutti::relay::function_pass(looks{}), m); });
}
