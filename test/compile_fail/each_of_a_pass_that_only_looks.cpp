// expect-error: a pass must be able to change the unit; let it take a Unit& instead of a const Unit& or a Unit, or let it return
#include <tutti/pass/each.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/transform/function_pass.hpp>

struct looks {
    static constexpr tutti::pass_info info{.name = "Looks"};
    void operator()(const tutti::relay::function&) const {}
};

void run(tutti::relay::ir_module& m) {
    tutti::with(tutti::pass_context{},
                [&](auto& scope) { scope.run(tutti::each<tutti::relay::function>(looks{}), m); });
}
