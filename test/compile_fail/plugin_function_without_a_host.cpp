// expect-error: TUTTI_PLUGIN(name, version, add): add must be a function from the host's type; write void add(
#include <tutti/pass.hpp>
#include <tutti/runtime/plugin.hpp>

int add(int a, int b) { return a + b; }

TUTTI_PLUGIN("my-plugin", "1.0", add)
