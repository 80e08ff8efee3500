// expect-error: tutti::disable<P>: a P must be a pass in the sequential that is run; name one that is in it
#include <tutti/pass.hpp>

struct other {
    static constexpr tutti::pass_info info{.name = "Other"};
    void operator()(int&) const {}
};

int main() {
    tutti::pass_context ctx{tutti::disable<other>};
    tutti::with(ctx, [](auto& scope) {
        return scope.run(tutti::sequential(tutti::make_pass<"P">([](int n) { return n; })), 1);
    });
}
