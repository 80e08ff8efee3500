// expect-error: tutti::pipeline<text>(passes): a sequential's level must be an integer; write seq[name,3](A,B)
#include <tutti/pass/pipeline.hpp>

#include <boost/hana/adapt_struct.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    int fuse_opt_level = -1;
    void operator()(int&) const {}
};
BOOST_HANA_ADAPT_STRUCT(fuse_ops, fuse_opt_level);

constexpr auto pipeline = tutti::pipeline<"seq[name,high](FuseOps)">(tutti::passes<fuse_ops>{});
