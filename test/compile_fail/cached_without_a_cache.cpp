// expect-error: tutti::cached(cache, pass): there must be a cache before the pass
#include <tutti/cache/cached.hpp>
#include <tutti/pass.hpp>

struct a {
    static constexpr tutti::pass_info info{.name = "A"};
    void operator()(int& n) const { ++n; }
};

const auto pass = tutti::cached(a{});
