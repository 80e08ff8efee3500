// expect-error: tutti::pipeline<text>(passes): a text must be passes joined by commas; write Name, Name{key=value,key=[a,b]}
#include <tutti/pipeline/literal.hpp>

#include <boost/hana/tuple.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    int fuse_opt_level = -1;

    static constexpr auto options = boost::hana::make_tuple(tutti::option{"fuse_opt_level", &fuse_ops::fuse_opt_level});
    void operator()(int&) const {}
};

constexpr auto pipeline = tutti::pipeline<"seq(FuseOps">(tutti::passes<fuse_ops>{});
