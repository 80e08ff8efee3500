// expect-error: an enter_pass_ctx must be callable without arguments; declare it
#include <tutti/pass.hpp>

struct watcher {
    void enter_pass_ctx(int) {}
};

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{tutti::instruments(watcher{})};
    tutti::with(ctx, [](auto& scope) { return scope.run(twice, 1); });
}
