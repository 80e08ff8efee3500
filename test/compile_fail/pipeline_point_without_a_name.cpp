// expect-error: tutti::pipeline<text>(passes): a point must have a single name; write point(after-simplify)
// expect-shown: "Fold,point(Fold,Fold)"
#include <tutti/pipeline/literal.hpp>

struct fold {
    static constexpr tutti::pass_info info{.name = "Fold"};
    void operator()(int&) const {}
};
constexpr auto pipeline = tutti::pipeline<"Fold,point(Fold,Fold)">(tutti::passes<fold>{});
