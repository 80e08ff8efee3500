// expect-error: tutti::edit(place, pipeline): a place must be the type of a pass in the pipeline
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

struct other : fold {};
constexpr auto edited = tutti::edit::remove<other>(pipeline);
