// expect-error: deleted function
// expect-shown: // write tutti::with(ctx, [&](auto& scope) { scope.run(pass, unit); });
#include <tutti/pass.hpp>

constexpr auto count = tutti::make_pass<"Count">([](int& n, auto& ctx) { ctx.count("calls", n); });

void run(int& n) { count(n); }
