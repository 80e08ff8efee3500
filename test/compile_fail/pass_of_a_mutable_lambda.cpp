// expect-error: a const pass must be callable; declare its operator const, or run a pipeline that is a non-const lvalue
#include <tutti/pass.hpp>

void run() {
    const auto pass = tutti::make_pass<"Count">([count = 0](int n) mutable { return n + ++count; });
    tutti::with(tutti::pass_context{}, [&](auto& scope) { return scope.run(pass, 1); });
}
