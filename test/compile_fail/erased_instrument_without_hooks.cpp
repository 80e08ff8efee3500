// expect-error: an instrument must have a hook; give it one or more of enter_pass_ctx(), exit_pass_ctx(), should_run(unit, info), run_before_pass(unit, info), run_after_pass(unit, info), pass_skipped(info, why), pass_failed(unit, info, exception)
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

struct watcher {
    int count = 0;
};

void run() { tutti::runtime::pass_context<int>::current().override_instruments({watcher{}}); }
