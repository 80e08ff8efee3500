// expect-error: an instrument's run_before_pass must return nothing, since it cannot keep a pass from running; call it should_run
#include <tutti/pass.hpp>

struct i {
    bool run_before_pass(const int&, const tutti::pass_info&) { return false; }
};

int main() {
    i kept;
    tutti::pass_context ctx{tutti::instruments(kept)};
    tutti::with(ctx, [](auto& scope) { return scope.run(tutti::make_pass<"P">([](int n) { return n; }), 1); });
}
