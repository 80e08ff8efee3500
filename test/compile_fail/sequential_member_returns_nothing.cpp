// expect-error: a pass must be able to change the unit; let it take a Unit& instead of a const Unit& or a Unit, or let it return
#include <tutti/pass.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { n *= 2; });

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) {
        int n = 1;
        scope.run(tutti::sequential(twice), n);
    });
}
