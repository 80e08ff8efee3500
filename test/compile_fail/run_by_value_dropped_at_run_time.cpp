// expect-error: ignoring return value of
// expect-shown: the unit was moved into the pass: keep the returned unit, or run the pass over an lvalue
#include <tutti/runtime.hpp>

#pragma GCC diagnostic error "-Wunused-result"

struct next {
    static constexpr tutti::pass_info info{.name = "Next"};
    int operator()(int n) const { return n + 1; }
};

void run() { tutti::runtime::pass_context<int>::current().run(next{}, 1); }
