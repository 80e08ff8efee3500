// expect-error: a context must be a tutti::pass_context or a tutti::runtime::pass_context; construct one
#include <tutti/pass.hpp>

void run() {
    tutti::with(tutti::opt_level<3>(),
                [](auto& scope) { return scope.run(tutti::make_pass<"Twice">([](int n) { return 2 * n; }), 1); });
}
