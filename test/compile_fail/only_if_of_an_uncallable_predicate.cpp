// expect-error: tutti::only_if(predicate, pass): a predicate must be callable with the unit, when const, and return bool
#include <tutti/pass.hpp>

struct a {
    static constexpr tutti::pass_info info{.name = "A"};
    void operator()(int& n) const { ++n; }
};
struct named {
    bool operator()(const char*) const { return true; }
};

void run(int& n) {
    tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(tutti::only_if(named{}, a{}), n); });
}
