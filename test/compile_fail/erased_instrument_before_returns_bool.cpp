// expect-error: an instrument's run_before_pass must return nothing, since it cannot keep a pass from running; call it should_run
#include <tutti/runtime.hpp>

struct i {
    bool run_before_pass(const int&, const tutti::pass_info&) { return false; }
};

int main() {
    i kept;
    tutti::runtime::any_instrument<int> erased{kept};
}
