// expect-error: tutti::requiring<Required...>(pass): a pass must not be final; write using required = tutti::passes<Required...>; in its class
#include <tutti/pass.hpp>

struct infer {
    static constexpr tutti::pass_info info{.name = "Infer"};
    void operator()(int&) const {}
};
struct twice final {
    static constexpr tutti::pass_info info{.name = "Twice"};
    void operator()(int& n) const { n *= 2; }
};

constexpr auto both = tutti::requiring<infer>(twice{});
