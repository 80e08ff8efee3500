// expect-error: a required pass must be default-constructible; give its options defaults
#include <tutti/pass.hpp>

struct infer {
    static constexpr tutti::pass_info info{.name = "Infer"};
    explicit infer(int) {}
    int operator()(int n) const { return n; }
};
struct fold {
    static constexpr tutti::pass_info info{.name = "Fold"};
    using required = tutti::passes<infer>;
    int operator()(int n) const { return n; }
};

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(tutti::sequential(fold{}), 1); });
}
