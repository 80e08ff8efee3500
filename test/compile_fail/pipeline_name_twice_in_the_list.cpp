// expect-error: tutti::pipeline<text>(passes): a list of passes must have a name once; take one of the passes of that name out
// expect-shown: fixed_string<8>{"FuseOps"}
#include <tutti/pipeline/literal.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    void operator()(int&) const {}
};
struct other_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps", .opt_level = 2};
    void operator()(int&) const {}
};

constexpr auto pipeline = tutti::pipeline<"FuseOps">(tutti::passes<fuse_ops, other_ops>{});
