// expect-error: tutti::instrument::verify: a unit must be verifiable; specialise tutti::unit_traits for it
#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/verify.hpp>
#include <tutti/pass.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::instrument::measured check{tutti::instrument::verify{}};
    tutti::with(tutti::pass_context{tutti::instruments(check)}, [](auto& scope) { return scope.run(twice, 1); });
}
