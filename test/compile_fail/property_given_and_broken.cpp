// expect-error: tutti::check_order(pipeline): a pass must not break a property that it gives or keeps; remove the
// expect-shown: {"Lower"}>
#include <tutti/pass.hpp>
#include <tutti/pass/property.hpp>

struct typed {
    static constexpr std::string_view name = "typed";
};
struct lower {
    static constexpr tutti::pass_info info{.name = "Lower"};
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<typed>;
    void operator()(int&) const {}
};

static_assert(tutti::check_order(tutti::sequential(lower{})));
