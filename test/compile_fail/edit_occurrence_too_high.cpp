// expect-error: tutti::edit(place, pipeline): an occurrence must be at most the number of such passes
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

constexpr auto edited = tutti::edit::remove<"Fold#3">(pipeline);
