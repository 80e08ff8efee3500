// expect-error: a pass must have a member info; add static constexpr tutti::pass_info
#include <tutti/pass.hpp>

struct twice {
    int operator()(int n, auto&) const { return 2 * n; }
};

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(twice{}, 1); });
}
