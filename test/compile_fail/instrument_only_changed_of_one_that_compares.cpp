// expect-error: tutti::instrument::only_changed(instrument): an instrument must need only the end of passes
#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/only_changed.hpp>
#include <tutti/instrument/timing.hpp>
#include <tutti/pass.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::instrument::only_changed times{tutti::instrument::measured{tutti::instrument::timing{}}};
    tutti::with(tutti::pass_context{tutti::instruments(times)}, [](auto& scope) { return scope.run(twice, 1); });
}
