// expect-error: a pass that is const must be callable; declare its operator const, or run a pipeline that is an lvalue and not const
#include <tutti/pass.hpp>

void run() {
    const auto pass = tutti::make_pass<"Count">([count = 0](int n) mutable { return n + ++count; });
    tutti::with(tutti::pass_context{}, [&](auto& scope) { return scope.run(pass, 1); });
}
