// expect-error: tutti::edit(place, pipeline): a place to start or stop at must be a single pass; add its number
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

constexpr auto edited = tutti::edit::start_from<fold>(pipeline);
