// expect-error: tutti::make_pass(f): f must be callable; give it a lambda
#include <tutti/pass.hpp>

void run() {
    tutti::with(tutti::pass_context{}, [](auto& scope) { return scope.run(tutti::make_pass<"FortyTwo">(42), 1); });
}
