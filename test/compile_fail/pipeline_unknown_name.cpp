// expect-error: tutti::pipeline<text>(passes): a name must be that of a pass in the list; spell it as in the pass's info
// expect-shown: fixed_string<7>{"FuseOp"}
#include <tutti/pass/pipeline.hpp>

#include <boost/hana/adapt_struct.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    int fuse_opt_level = -1;
    void operator()(int&) const {}
};
BOOST_HANA_ADAPT_STRUCT(fuse_ops, fuse_opt_level);

constexpr auto pipeline = tutti::pipeline<"FuseOp">(tutti::passes<fuse_ops>{});
