// expect-error: tutti::instrument::graph_file: a unit must have a graph; specialise tutti::unit_traits for it
#include <tutti/pass.hpp>
#include <tutti/report/graph_file.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::instrument::graph_file picture{{.file = "n.svg"}};
    tutti::with(tutti::pass_context{tutti::instruments(picture)}, [](auto& scope) { return scope.run(twice, 1); });
}
