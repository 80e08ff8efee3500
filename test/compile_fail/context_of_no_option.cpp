// expect-error: an option must be one of opt_level, disable, require and instruments; write
#include <tutti/pass.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{3};
    tutti::with(ctx, [](auto& scope) { return scope.run(twice, 1); });
}
