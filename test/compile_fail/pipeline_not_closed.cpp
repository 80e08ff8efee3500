// expect-error: tutti::pipeline<text>(passes): a text must be passes joined by commas; write Name, Name{key=value,key=[a,b]}
#include <tutti/pass/pipeline.hpp>

#include <boost/hana/adapt_struct.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    int fuse_opt_level = -1;
    void operator()(int&) const {}
};
BOOST_HANA_ADAPT_STRUCT(fuse_ops, fuse_opt_level);

constexpr auto pipeline = tutti::pipeline<"seq(FuseOps">(tutti::passes<fuse_ops>{});
