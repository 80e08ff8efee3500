// expect-error: tutti::pipeline<text>(passes): an option must be one that the pass describes; spell it as its static member options does
// expect-shown: fixed_string<11>{"fuse_level"}
#include <tutti/pipeline/literal.hpp>

#include <boost/hana/tuple.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    int fuse_opt_level = -1;

    static constexpr auto options = boost::hana::make_tuple(tutti::option{"fuse_opt_level", &fuse_ops::fuse_opt_level});
    void operator()(int&) const {}
};

constexpr auto pipeline = tutti::pipeline<"FuseOps{fuse_level=2}">(tutti::passes<fuse_ops>{});
