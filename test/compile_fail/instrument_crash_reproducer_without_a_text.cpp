// expect-error: tutti::instrument::crash_reproducer: a unit must have a text; specialise tutti::unit_traits for it
#include <tutti/pass.hpp>
#include <tutti/search/crash_reproducer.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::instrument::crash_reproducer shown{{.file = "crash"}};
    tutti::with(tutti::pass_context{tutti::instruments(shown)}, [](auto& scope) { return scope.run(twice, 1); });
}
