// expect-error: tutti::check_order(pipeline): a pass must not need a property that does not hold there; the pass, the
// expect-shown: {"Lower"}>
#include <tutti/pass.hpp>
#include <tutti/pass/property.hpp>

struct typed {
    static constexpr std::string_view name = "typed";
};
struct lower {
    static constexpr tutti::pass_info info{.name = "Lower"};
    using breaks = tutti::properties<typed>;
    void operator()(int&) const {}
};
struct fuse {
    static constexpr tutti::pass_info info{.name = "Fuse"};
    using needs = tutti::properties<typed>;
    void operator()(int&) const {}
};
#include <tutti/runtime.hpp>
#include <tutti/runtime/property.hpp>

void run(int& unit) {
    tutti::runtime::pass_context<int> ctx;
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(lower{}, fuse{}), unit); });
}
