// expect-error: disabled and required must be lists of names; put the name in braces, as in {.disabled = {"Name"}}
#include <tutti/runtime.hpp>

void run() { tutti::runtime::pass_context<int> ctx{{.disabled = "Good"}}; }
