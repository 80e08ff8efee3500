// expect-error: an instrument has a member that is spelt almost like a hook; write run_before_pass(unit, info), or give it another name
#include <tutti/pass.hpp>

struct i {
    void run_befor_pass(const auto&, const tutti::pass_info&) {}
    void run_after_pass(const auto&, const tutti::pass_info&) {}
};

int main() {
    i kept;
    tutti::pass_context ctx{tutti::instruments(kept)};
}
