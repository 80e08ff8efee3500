// expect-error: tutti::pass_context::override_instruments(list): a context must have its instruments at run time to replace them; enter
#include <tutti/pass.hpp>

struct counter {
    int n = 0;
    void run_before_pass(const int&, const tutti::pass_info&) { ++n; }
};

void run() {
    counter count;
    tutti::pass_context ctx{tutti::opt_level<3>};
    ctx.override_instruments({count});
}
