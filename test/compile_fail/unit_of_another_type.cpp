// expect-error: a pass must be callable with the unit and a context; declare its
#include <tutti/pass.hpp>

struct page {};
struct book {};
struct bind {
    static constexpr tutti::pass_info info{.name = "Bind"};
    void operator()(book&, auto&) const {}
};

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(bind{}, page{}); });
}
