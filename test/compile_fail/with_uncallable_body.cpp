// expect-error: a body must be callable with a scope; write [&](auto&
#include <tutti/pass.hpp>

void run() {
    tutti::with(tutti::pass_context{}, [](int& n) { ++n; });
}
