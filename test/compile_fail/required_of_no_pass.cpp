// expect-error: tutti::scope::run(pass): a pass must have a member info; add
#include <tutti/pass.hpp>

struct a {
    static constexpr tutti::pass_info info{.name = "A"};
    using required = tutti::passes<int>;
    void operator()(int& n) const { ++n; }
};

void run(int& n) {
    tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(tutti::sequential(a{}), n); });
}
