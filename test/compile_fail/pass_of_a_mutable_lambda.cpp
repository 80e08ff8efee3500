// expect-error: a pass must be callable, when const, with the unit and a context; declare its
#include <tutti/pass.hpp>

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) {
        scope.run(tutti::make_pass<"Count">([count = 0](int n) mutable { return n + ++count; }), 1);
    });
}
