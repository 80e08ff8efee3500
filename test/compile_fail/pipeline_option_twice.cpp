// expect-error: tutti::pipeline<text>(passes): an option must be given once; leave out all but one
#include <tutti/pass/pipeline.hpp>

#include <boost/hana/adapt_struct.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    int fuse_opt_level = -1;
    void operator()(int&) const {}
};
BOOST_HANA_ADAPT_STRUCT(fuse_ops, fuse_opt_level);

constexpr auto pipeline = tutti::pipeline<"FuseOps{fuse_opt_level=1,fuse_opt_level=2}">(tutti::passes<fuse_ops>{});
