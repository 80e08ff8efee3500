// expect-error: tutti::pass_context::current(): a context must be as_current to be found; write
#include <tutti/pass.hpp>

auto* const context = tutti::pass_context<>::current();
