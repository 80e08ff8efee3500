// expect-error: a pass that returns a tutti::result must run in a try_run, which returns its error
#include <tutti/pass.hpp>
#include <tutti/pass/result.hpp>

struct check {
    static constexpr tutti::pass_info info{.name = "Check"};
    tutti::result<> operator()(int&) const { return tutti::pass_error{"no"}; }
};

int main() {
    int n = 0;
    tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(tutti::sequential(check{}), n); });
}
