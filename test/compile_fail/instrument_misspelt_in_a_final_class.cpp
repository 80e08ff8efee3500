// expect-error: tutti::scope::run(pass, unit): an instrument must have a hook for units of this type; give it one or more of
#include <tutti/pass.hpp>

struct i final {
    void run_befor_pass(const int&, const tutti::pass_info&) {}
};

int main() {
    i kept;
    tutti::pass_context ctx{tutti::instruments(kept)};
    tutti::with(ctx, [](auto& scope) { return scope.run(tutti::make_pass<"P">([](int n) { return n; }), 1); });
}
