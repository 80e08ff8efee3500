// expect-error: a pass must be able to change the unit; let it take a Unit& instead of a const Unit& or a Unit, or let it return the unit
#include <tutti/pass.hpp>

struct p {
    static constexpr tutti::pass_info info{.name = "P"};
    void operator()(const int&) const {}
};

int main() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(p{}, 1); });
}
