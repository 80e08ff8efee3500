// expect-error: an instrument's pass_failed must be callable with (unit, info, exception), unit a pointer, since a pass by value has lost it
#include <tutti/pass.hpp>

struct i {
    void pass_failed(const int&, const tutti::pass_info&, const std::exception_ptr&) {}
};

int main() {
    i kept;
    tutti::pass_context ctx{tutti::instruments(kept)};
    tutti::with(ctx, [](auto& scope) { return scope.run(tutti::make_pass<"P">([](int n) { return n; }), 1); });
}
