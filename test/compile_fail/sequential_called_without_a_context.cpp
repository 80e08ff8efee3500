// expect-error: deleted function
// expect-shown: // write tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, unit); });
#include <tutti/pass.hpp>

struct good {
    static constexpr tutti::pass_info info{.name = "Good"};
    void operator()(int& n) const { ++n; }
};

void run(int& n) { tutti::sequential(good{})(n); }
