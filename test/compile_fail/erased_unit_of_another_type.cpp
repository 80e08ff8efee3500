// expect-error: a unit must be of the context's type, or one of its parts; run the pass in
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](auto n) { return n; });

void run() { tutti::runtime::pass_context<int>::current().run(twice, 1L); }
