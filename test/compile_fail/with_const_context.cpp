// expect-error: a context with instruments must not be const; declare it
#include <tutti/pass.hpp>

struct told {
    void run_before_pass(const int&, const tutti::pass_info&) {}
};

void run() {
    const tutti::pass_context ctx{tutti::instruments(told{})};
    tutti::with(ctx, [](auto& scope) { return scope.run(tutti::make_pass<"Twice">([](int n) { return 2 * n; }), 1); });
}
