// expect-error: run_before_pass must be callable with (unit, info); declare it
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

struct watcher {
    void run_before_pass(const tutti::pass_info&) {}
};

void run() { tutti::runtime::pass_context<int>::current().override_instruments({watcher{}}); }
