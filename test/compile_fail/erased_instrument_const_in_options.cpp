// expect-error: tutti::runtime::any_instrument(instrument): an instrument must not be const, since its hooks may change it; declare it without const, or give a copy of it
#include <tutti/runtime.hpp>

struct told {
    void run_before_pass(const int&, const tutti::pass_info&) {}
};

void run(const told& given) { tutti::runtime::pass_context<int> ctx{{.instruments = {given}}}; }
