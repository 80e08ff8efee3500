// expect-error: a unit that is an lvalue is transformed where it is, and tutti::change returned; write scope.run(pass, unit); or unit = scope.run(pass, std::move(unit));
#include <tutti/pass.hpp>

struct plan {
    int size = 0;
};
struct grow {
    static constexpr tutti::pass_info info{.name = "Grow"};
    void operator()(plan& p) const { ++p.size; }
};

void run(plan& p) {
    tutti::with(tutti::pass_context{}, [&](auto& scope) { p = scope.run(tutti::sequential(grow{}), p); });
}
