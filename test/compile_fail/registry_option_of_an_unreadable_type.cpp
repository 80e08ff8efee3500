// expect-error: tutti::option: an option must be of a type that can be written as text; specialise tutti::option_type for it
// expect-shown: fixed_string<6>{"depth"}
#include <tutti/runtime/parse_pipeline.hpp>

#include <boost/hana/tuple.hpp>

struct levels {
    int low, high;
};
struct fuse_ops {
    static constexpr tutti::pass_info info{.name = "FuseOps"};
    levels depth{};

    static constexpr auto options = boost::hana::make_tuple(tutti::option{"depth", &fuse_ops::depth});
    void operator()(int&) const {}
};

tutti::runtime::registry<int> known{tutti::passes<fuse_ops>{}};
