// expect-error: tutti::instrument::op_diff: a unit's operators must be countable; specialise tutti::unit_traits for it
#include <tutti/instrument/op_diff.hpp>
#include <tutti/pass.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::instrument::op_diff diff;
    tutti::with(tutti::pass_context{tutti::instruments(diff)}, [](auto& scope) { return scope.run(twice, 1); });
}
