// expect-error: a pass_skipped must be callable with (info, why); declare it
#include <tutti/pass.hpp>

struct watcher {
    void pass_skipped(const tutti::pass_info&) {}
};

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{tutti::instruments(watcher{})};
    tutti::with(ctx, [](auto& scope) { return scope.run(twice, 1); });
}
