// expect-error: tutti::pipeline<text>(passes): an option's value must be of the option's type; write a number that fits
#include <tutti/pipeline/literal.hpp>

#include <boost/hana/tuple.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    int fuse_opt_level = -1;

    static constexpr auto options = boost::hana::make_tuple(tutti::option{"fuse_opt_level", &fuse_ops::fuse_opt_level});
    void operator()(int&) const {}
};

constexpr auto pipeline = tutti::pipeline<"FuseOps{fuse_opt_level=two}">(tutti::passes<fuse_ops>{});
