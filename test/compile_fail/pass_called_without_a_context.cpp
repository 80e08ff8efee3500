// expect-error: no match
// expect-shown: 2 arguments
#include <tutti/pass.hpp>

struct count {
    static constexpr tutti::pass_info info{.name = "Count"};
    void operator()(int& n, auto& ctx) const { ctx.count("calls", n); }
};

void run(int& n) { count{}(n); }
