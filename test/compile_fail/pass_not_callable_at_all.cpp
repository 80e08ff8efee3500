// expect-error: a pass must be callable with the unit and a context; declare its
#include <tutti/pass.hpp>

struct twice {
    static constexpr tutti::pass_info info{.name = "Twice"};
};

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(twice{}, 1); });
}
