// expect-error: tutti::edit(place, pipeline): a place must be that of a pass in the pipeline; write Name or Name#2
// expect-shown: "Fold, fixpoint, Fuse, Fold"
#include <tutti/pass.hpp>
#include <tutti/pipeline/edit.hpp>

struct fold {
    static constexpr tutti::pass_info info{.name = "Fold"};
    void operator()(int&) const {}
};
struct fuse {
    static constexpr tutti::pass_info info{.name = "Fuse"};
    void operator()(int&) const {}
};
constexpr auto pipeline = tutti::sequential(fold{}, tutti::fixpoint(tutti::sequential(fuse{}, fold{})));

constexpr auto edited = tutti::edit::insert_after<"Fusee">(pipeline, fold{});
