// expect-error: tutti::runtime::registry::add<P>(): a pass must be default-constructible, since a text need not give all options; give its options defaults, or add one that is made: add(P{option})
#include <tutti/runtime.hpp>

struct add_some {
    static constexpr tutti::pass_info info{.name = "AddSome"};
    int some;
    static constexpr tutti::option_list<&add_some::some> options{"some"};

    explicit add_some(int given) : some(given) {}
    void operator()(int& n) const { n += some; }
};

tutti::runtime::registry<int> known{tutti::passes<add_some>{}};
