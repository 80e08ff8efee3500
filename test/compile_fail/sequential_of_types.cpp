// expect-error: tutti::sequential(pass...): passes must be arguments, since they may have options; write sequential(a{}, b{})
#include <tutti/pass.hpp>

struct a {
    static constexpr tutti::pass_info info{.name = "A"};
    void operator()(int& n) const { ++n; }
};
struct b : a {};

constexpr auto both = tutti::sequential<a, b>();
