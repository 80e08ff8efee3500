// expect-error: a pass must be able to change the unit; let it take a Unit& instead of a const Unit& or a Unit, or let it return
#include <tutti/pass.hpp>

struct twice {
    static constexpr tutti::pass_info info{.name = "Twice"};
    void operator()(int n, auto&) const { n *= 2; }
};

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(twice{}, 1); });
}
