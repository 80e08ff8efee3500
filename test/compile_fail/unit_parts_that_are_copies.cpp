// expect-error: its elements must be references to the parts, since passes change them; return the container of the parts
#include <tutti/unit/unit_traits.hpp>

struct module {
    long functions[2]{};
};
template <>
struct tutti::unit_traits<module> {
    static const long (&parts(module& m))[2] { return m.functions; }
};

constexpr bool has = tutti::internal::has_parts<module>;
