// expect-error: a unit must not be const, since passes change it; pass a copy
#include <tutti/pass.hpp>

struct twice {
    static constexpr tutti::pass_info info{.name = "Twice"};
    int operator()(int n, auto&) const { return 2 * n; }
};
const int one = 1;

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { scope.run(twice{}, one); });
}
