// expect-error: a pass must be callable with the unit and a context; declare its
#include <tutti/pass.hpp>

struct page {};
constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });
constexpr auto print = tutti::make_pass<"Print">([](page&) {});

void run() {
    tutti::with(tutti::pass_context{},
                [](auto& scope) { return scope.run(tutti::sequential(twice, tutti::sequential(print)), 1); });
}
