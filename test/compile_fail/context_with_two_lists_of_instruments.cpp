// expect-error: instruments must be given at most once; list all in one instruments(a, b)
#include <tutti/pass.hpp>

struct told {
    void run_before_pass(const int&, const tutti::pass_info&) {}
};

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{tutti::instruments(told{}), tutti::instruments(told{})};
    tutti::with(ctx, [](auto& scope) { return scope.run(twice, 1); });
}
