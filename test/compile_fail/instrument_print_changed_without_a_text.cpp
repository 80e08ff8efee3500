// expect-error: tutti::instrument::print_changed: a unit must have a text; specialise tutti::unit_traits for it
#include <tutti/instrument/print_changed.hpp>
#include <tutti/pass.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::instrument::print_changed shown{{}, [](std::string_view) {}};
    tutti::with(tutti::pass_context{tutti::instruments(shown)}, [](auto& scope) { return scope.run(twice, 1); });
}
