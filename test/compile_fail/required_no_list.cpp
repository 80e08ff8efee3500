// expect-error: a pass's required must be a list of passes; write using required = tutti::passes<Required>;
#include <tutti/pass.hpp>

struct good {
    static constexpr tutti::pass_info info{.name = "Good"};
    void operator()(int&) const {}
};
struct p {
    static constexpr tutti::pass_info info{.name = "P"};
    using required = good;
    void operator()(int&) const {}
};

int main() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(tutti::sequential(p{}), 1); });
}
