// expect-error: an erased pass runs in run-time contexts over its own unit only; enter a tutti::runtime::pass_context<Unit>
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

int main() {
    const tutti::runtime::any_pass<int> pass = tutti::make_pass<"P">([](int n) { return n; });
    tutti::with(tutti::pass_context{}, [&](auto& scope) { return scope.run(pass, 1); });
}
