// expect-error: tutti::scope::run(pass, unit): an instrument's run_before_pass must be callable with (unit, info); declare it
#include <tutti/pass.hpp>

struct i {
    void run_before_pass(const int&) {}
    void run_after_pass(const auto&, const tutti::pass_info&) {}
};

int main() {
    i kept;
    tutti::pass_context ctx{tutti::instruments(kept)};
    tutti::with(ctx, [](auto& scope) { return scope.run(tutti::make_pass<"P">([](int n) { return n; }), 1); });
}
