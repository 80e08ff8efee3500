// expect-error: a body must be callable with a scope or with nothing; write
#include <tutti/pass.hpp>

void run() {
    tutti::with(tutti::pass_context{}, [](int& n) { ++n; });
}
