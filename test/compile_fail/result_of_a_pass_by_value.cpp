// expect-error: a pass must be able to change the unit; let it take a Unit&
#include <tutti/pass.hpp>
#include <tutti/pass/result.hpp>

struct check {
    static constexpr tutti::pass_info info{.name = "Check"};
    tutti::result<> operator()(int) const { return tutti::pass_error{"no"}; }
};

int main() {
    int n = 0;
    tutti::with(tutti::pass_context{}, [&](auto& scope) { static_cast<void>(tutti::try_run(scope, check{}, n)); });
}
