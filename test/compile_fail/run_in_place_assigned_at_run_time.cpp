// expect-error: the run over an lvalue transforms it in place, and returns a tutti::change; write scope.run(pass, unit); or unit = scope.run(pass, std::move(unit));
#include <tutti/runtime.hpp>

struct plan {
    int size = 0;
};
struct grow {
    static constexpr tutti::pass_info info{.name = "Grow"};
    void operator()(plan& p) const { ++p.size; }
};

void run(plan& p) { p = tutti::runtime::pass_context<plan>::current().run(grow{}, p); }
