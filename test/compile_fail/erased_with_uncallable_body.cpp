// expect-error: a body must be callable with a scope or with nothing; write
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

void run() {
    tutti::runtime::pass_context<int> ctx;
    tutti::with(ctx, [](int& n) { ++n; });
}
