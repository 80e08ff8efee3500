// expect-error: tutti::runtime::registry::add<P>(): a pass must describe its options; write static constexpr tutti::option_list
#include <tutti/runtime/parse_pipeline.hpp>

struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    int fuse_opt_level = -1;
    void operator()(int&) const {}
};

tutti::runtime::registry<int> known{tutti::passes<fuse_ops>{}};
