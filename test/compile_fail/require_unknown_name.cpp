// expect-error: tutti::require<name>: a name must be that of a pass in the sequential that is run; spell it as in
#include <tutti/pass.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{tutti::require<"Twice", "Thrice">};
    tutti::with(ctx, [](auto& scope) { return scope.run(tutti::sequential(twice), 1); });
}
