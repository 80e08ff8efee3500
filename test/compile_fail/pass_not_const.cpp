// expect-error: a const pass must be callable; declare its operator const, or run a pipeline that is a non-const lvalue
#include <tutti/pass.hpp>

struct twice {
    static constexpr tutti::pass_info info{.name = "Twice"};
    int operator()(int n, auto&) { return 2 * n; }
};

void run() {
    constexpr twice pass{};
    tutti::with(tutti::pass_context{}, [&](auto& scope) { return scope.run(pass, 1); });
}
