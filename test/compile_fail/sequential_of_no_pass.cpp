// expect-error: tutti::sequential(pass...): a pass must have a member info
#include <tutti/pass.hpp>

void run() {
    tutti::with(tutti::pass_context{},
                [](auto& scope) { return scope.run(tutti::sequential([](int n) { return 2 * n; }), 1); });
}
