// expect-error: an exit_pass_ctx must be callable without arguments; declare it
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

struct watcher {
    void exit_pass_ctx(int) {}
};

void run() { tutti::runtime::pass_context<int>::current().override_instruments({watcher{}}); }
