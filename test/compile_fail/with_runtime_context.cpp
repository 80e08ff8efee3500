// expect-error: or call tutti::runtime::with if it is a run-time context
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

void run() {
    tutti::runtime::pass_context<int> ctx;
    tutti::with(ctx, [](auto& scope) { scope.run(tutti::make_pass<"Twice">([](int n) { return 2 * n; }), 1); });
}
