// expect-error: required passes must not form a cycle; remove a pass that
#include <tutti/pass.hpp>

struct fold;
struct infer {
    static constexpr tutti::pass_info info{.name = "Infer"};
    using required = tutti::passes<fold>;
    int operator()(int n) const { return n; }
};
struct fold {
    static constexpr tutti::pass_info info{.name = "Fold"};
    using required = tutti::passes<infer>;
    int operator()(int n) const { return n; }
};

void run() {
    tutti::with(tutti::pass_context{},
                [](auto& scope) { return scope.run(tutti::resolve(tutti::sequential(fold{})), 1); });
}
