// expect-error: tutti::option_list<&T::member...>{name...}: there must be as many names as members; write
#include <tutti/base/described.hpp>

struct fuse_ops {
    int fuse_opt_level = -1;
    long max_depth = 256;
    static constexpr tutti::option_list<&fuse_ops::fuse_opt_level, &fuse_ops::max_depth> options{"fuse_opt_level",
                                                                                                 "max_depth", "more"};
};
