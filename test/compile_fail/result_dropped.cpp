// expect-error: ignoring return value of
// expect-shown: the pass may have failed; test the result, or return it
#include <tutti/pass.hpp>
#include <tutti/pass/result.hpp>

#pragma GCC diagnostic error "-Wunused-result"

struct check {
    static constexpr tutti::pass_info info{.name = "Check"};
    tutti::result<> operator()(int&) const { return tutti::pass_error{"no"}; }
};

void run(int& n) {
    tutti::with(tutti::pass_context{}, [&](auto& scope) { tutti::try_run(scope, check{}, n); });
}
