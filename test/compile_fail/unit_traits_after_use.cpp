// expect-error: after instantiation
// expect-shown: tutti::unit_traits<plan>
#include <tutti/runtime.hpp>

struct plan {
    int size = 0;
};
struct grow {
    static constexpr tutti::pass_info info{.name = "Grow"};
    void operator()(plan& p) const { ++p.size; }
};

void run(plan& p) {
    tutti::runtime::pass_context<plan> ctx{};
    tutti::with(ctx, [&](auto& scope) { scope.run(grow{}, p); });
}

template <>
struct tutti::unit_traits<plan> {
    static constexpr std::string_view name = "plan";
};
