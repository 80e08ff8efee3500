// expect-error: tutti::instrument::progress(options, told): told must be callable with a progress_step; write []
#include <tutti/instrument/progress.hpp>
#include <tutti/pass.hpp>

constexpr auto twice = tutti::make_pass<"Twice">([](int n) { return 2 * n; });

void run() {
    tutti::instrument::progress shown{{.pipeline = "Twice"}, [](const char* text) { return text; }};
    tutti::with(tutti::pass_context{tutti::instruments(shown)}, [](auto& scope) { return scope.run(twice, 1); });
}
