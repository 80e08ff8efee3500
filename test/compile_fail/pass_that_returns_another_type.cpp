// expect-error: a pass must return the unit, or nothing, or tutti::changed or tutti::unchanged; let it take a Unit and return a Unit
#include <tutti/pass.hpp>

struct twice {
    static constexpr tutti::pass_info info{.name = "Twice"};
    long operator()(int n, auto&) const { return 2L * n; }
};

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(twice{}, 1); });
}
