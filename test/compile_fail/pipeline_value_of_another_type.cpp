// expect-error: tutti::pipeline<text>(passes): an option's value must be of the option's type; write a number that fits
#include <tutti/pass/pipeline.hpp>

#include <boost/hana/adapt_struct.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    int fuse_opt_level = -1;
    void operator()(int&) const {}
};
BOOST_HANA_ADAPT_STRUCT(fuse_ops, fuse_opt_level);

constexpr auto pipeline = tutti::pipeline<"FuseOps{fuse_opt_level=two}">(tutti::passes<fuse_ops>{});
