// expect-error: tutti::pipeline<text>(passes): a name must be that of a pass in the list; spell it as in the pass's info
// expect-shown: fixed_string<7>{"FuseOp"}
#include <tutti/pipeline/literal.hpp>

#include <boost/hana/tuple.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    int fuse_opt_level = -1;

    static constexpr auto options = boost::hana::make_tuple(tutti::option{"fuse_opt_level", &fuse_ops::fuse_opt_level});
    void operator()(int&) const {}
};

constexpr auto pipeline = tutti::pipeline<"FuseOp">(tutti::passes<fuse_ops>{});
