// expect-error: a pass must return the unit; let it take a Unit and return a Unit
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { n *= 2; });

void run() { tutti::runtime::any_pass<int> pass{twice}; }
