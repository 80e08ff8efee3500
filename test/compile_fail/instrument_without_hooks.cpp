// expect-error: an instrument must have a hook; give it one or more of enter_pass_ctx(), exit_pass_ctx(), should_run(unit, info), run_before_pass(unit, info), run_after_pass(unit, info), pass_skipped(info, why), pass_failed(unit, info, exception)
#include <tutti/pass.hpp>

struct watcher {
    int count = 0;
};

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::pass_context ctx{tutti::instruments(watcher{})};
    tutti::with(ctx, [](auto& scope) { return scope.run(twice, 1); });
}
