// A short program with its own IR, as a new user of the library might write it.

#include <tutti/pass.hpp>

#include <cstdio>

struct program {
    int constants, calls;
};

struct announce {
    void run_after_pass(const program& p, const tutti::pass_info& info) const {
        std::printf("%.*s: %d calls\n", static_cast<int>(info.name.size()), info.name.data(), p.calls);
    }
};

int main() {
    constexpr auto fold = tutti::make_pass<"Fold", 1>([](program& p) { p.calls -= p.constants; });
    constexpr auto unroll = tutti::make_pass<"Unroll", 3>([](program& p) { p.calls *= 4; });
    tutti::pass_context ctx{tutti::opt_level<2>, tutti::instruments(announce{})};
    const program out = tutti::with(ctx, [&](auto& scope) {
        return scope.run(tutti::sequential(fold, unroll), program{.constants = 2, .calls = 5});
    });
    std::printf("%d calls left\n", out.calls);
}
