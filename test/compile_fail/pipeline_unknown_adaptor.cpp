// expect-error: tutti::pipeline<text>(passes): a name before (A,B) must be that of an adaptor in the list; write seq(A,B)
// expect-shown: fixed_string<6>{"twice"}
#include <tutti/pipeline/literal.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    void operator()(int&) const {}
};

constexpr auto pipeline = tutti::pipeline<"twice(FuseOps)">(tutti::passes<fuse_ops>{});
