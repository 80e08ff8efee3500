// expect-error: a should_apply must be callable with (info, site) and return bool; declare it
#include <tutti/pass.hpp>

struct watcher {
    void should_apply(const tutti::pass_info&, const tutti::rewrite_site&) {}
};

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{tutti::instruments(watcher{})};
    tutti::with(ctx, [](auto& scope) { return scope.run(twice, 1); });
}
