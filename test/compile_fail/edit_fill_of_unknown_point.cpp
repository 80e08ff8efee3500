// expect-error: tutti::edit::fill<point>(pipeline, pass...): a point must be in the pipeline; write one of those that
// expect-shown: "before-fold, after-fold"
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
constexpr auto pipeline = tutti::sequential(tutti::point<"before-fold">{},
                                            tutti::fixpoint(tutti::sequential(fold{}, tutti::point<"after-fold">{})));
constexpr auto filled = tutti::edit::fill<"afterfold">(pipeline, fuse{});
