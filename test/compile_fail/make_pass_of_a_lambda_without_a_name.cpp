// expect-error: tutti::make_pass(f): a pass must have a name, which a lambda or a function lacks; write make_pass<"Name">(f)
#include <tutti/pass.hpp>

constexpr auto next = tutti::make_pass([](int n) { return n + 1; });
