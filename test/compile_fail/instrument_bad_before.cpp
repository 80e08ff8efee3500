// expect-error: run_before_pass must be callable with (unit, info); declare it
#include <tutti/pass.hpp>

struct watcher {
    void run_before_pass(const tutti::pass_info&) {}
};

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{tutti::instruments(watcher{})};
    tutti::with(ctx, [](auto& scope) { return scope.run(twice, 1); });
}
