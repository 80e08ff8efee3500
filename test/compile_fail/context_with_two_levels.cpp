// expect-error: an opt_level must be given at most once; leave out all but one
#include <tutti/pass.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{tutti::opt_level<1>, tutti::opt_level(2)};
    tutti::with(ctx, [](auto& scope) { return scope.run(twice, 1); });
}
