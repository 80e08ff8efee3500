// expect-error: TUTTI_PLUGIN(name, version, add): a name must not be empty; messages show it
#include <tutti/pass.hpp>
#include <tutti/runtime/plugin.hpp>

struct mixer {};
void add(mixer&) {}

TUTTI_PLUGIN("", "1.0", add)
