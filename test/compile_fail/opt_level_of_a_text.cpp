// expect-error: tutti::opt_level<level>: a level must be a whole number; write opt_level<3>
#include <tutti/pass.hpp>

tutti::pass_context ctx{tutti::opt_level<"3">};
