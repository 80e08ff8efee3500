// expect-error: tutti::scope::run(pass, unit): a pass over parts must be run over each part of the unit; write
#include <tutti/pass.hpp>

struct function {};
struct module {
    function functions[2];
};
template <>
struct tutti::unit_traits<module> {
    static auto& parts(module& m) { return m.functions; }
};
struct inline_calls {
    static constexpr tutti::pass_info info{.name = "InlineCalls"};
    void operator()(function&) const {}
};

void run(module& m) {
    tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(inline_calls{}, m); });
}
