// expect-error: a pass must be callable with the unit and a context; declare its
#include <tutti/pass.hpp>

struct page {};
struct infer {
    static constexpr tutti::pass_info info{.name = "Infer"};
    void operator()(page&) const {}
};
struct fold {
    static constexpr tutti::pass_info info{.name = "Fold"};
    using required = tutti::passes<infer>;
    int operator()(int n) const { return n; }
};

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(tutti::sequential(fold{}), 1); });
}
