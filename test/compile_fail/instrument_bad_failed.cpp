// expect-error: pass_failed must be callable with (unit, info, exception), unit a pointer
#include <tutti/pass.hpp>

struct watcher {
    void pass_failed(const int&, const tutti::pass_info&) {}
};

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{tutti::instruments(watcher{})};
    tutti::with(ctx, [](auto& scope) { return scope.run(twice, 1); });
}
