// expect-error: tutti::only_if(predicate, pass): a predicate must precede the pass; write
#include <tutti/pass.hpp>

struct a {
    static constexpr tutti::pass_info info{.name = "A"};
    void operator()(int& n) const { ++n; }
};

constexpr auto p = tutti::only_if(a{}, [](const int& n) { return n > 0; });
