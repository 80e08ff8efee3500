// expect-error: tutti::check_order(pipeline): a pass must not need a property that does not hold there; the pass, the
// expect-shown: at_opt_level<2>
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
struct infer {
    static constexpr tutti::pass_info info{.name = "Infer", .opt_level = 3};
    using gives = tutti::properties<typed>;
    void operator()(int&) const {}
};

static_assert(tutti::check_order(tutti::sequential(lower{}, infer{}, fuse{})));
