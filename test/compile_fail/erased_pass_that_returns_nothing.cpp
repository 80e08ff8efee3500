// expect-error: a pass must be able to change the unit; let it take a Unit& instead of a const Unit& or a Unit, or let it return
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { n *= 2; });

void run() { tutti::runtime::any_pass<int> pass{twice}; }
