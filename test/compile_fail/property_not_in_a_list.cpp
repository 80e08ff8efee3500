// expect-error: tutti::check_order(pipeline): a pass's needs, gives, breaks and keeps must be lists of properties; write
// expect-shown: {"Lower"}>
#include <tutti/pass.hpp>
#include <tutti/pass/property.hpp>

struct typed {
    static constexpr std::string_view name = "typed";
};
struct lower {
    static constexpr tutti::pass_info info{.name = "Lower"};
    using breaks = typed;
    void operator()(int&) const {}
};

static_assert(tutti::check_order(tutti::sequential(lower{})));
