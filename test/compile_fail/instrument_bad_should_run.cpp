// expect-error: should_run must be callable with (unit, info) and return bool; declare it
#include <tutti/pass.hpp>

struct watcher {
    bool should_run(const tutti::pass_info&) { return true; }
};

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{tutti::instruments(watcher{})};
    tutti::with(ctx, [](auto& scope) { return scope.run(twice, 1); });
}
