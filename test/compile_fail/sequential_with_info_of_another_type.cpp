// expect-error: tutti::sequential(pass...): a pass's info must be a tutti::pass_info
#include <tutti/pass.hpp>

struct twice {
    int info = 0;
    int operator()(int n) const { return 2 * n; }
};

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(tutti::sequential(twice{}), 1); });
}
