// expect-error: a pass's info must be a tutti::pass_info; declare it
#include <tutti/pass.hpp>

struct twice {
    static constexpr const char* info = "Twice";
    int operator()(int n, auto&) const { return 2 * n; }
};

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(twice{}, 1); });
}
