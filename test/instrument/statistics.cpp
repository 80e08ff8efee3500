#include <tutti/instrument/statistics.hpp>

#include "support/catch.hpp"

using tutti::instrument::statistics;

namespace {
constexpr tutti::pass_info fuse{.name = "FuseOps"}, fold{.name = "FoldConstant"};
} // namespace

TEST_CASE("statistics: adds up by pass and name, in the order of first appearance", "[instrument][statistics]") {
    statistics s;
    s.pass_counted(fuse, "groups", 2);
    s.pass_counted(fold, "folded", 1);
    s.pass_counted(fuse, "fused", 5);
    s.pass_counted(fuse, "groups", 10);
    s.pass_counted(fold, "groups", -1);
    CHECK(s.render() == "12  FuseOps       groups\n"
                        " 1  FoldConstant  folded\n"
                        " 5  FuseOps       fused\n"
                        "-1  FoldConstant  groups\n");
    REQUIRE(s.counts().size() == 4);
    CHECK(s.counts()[0].count == 12);
}

TEST_CASE("statistics: starts again when cleared", "[instrument][statistics]") {
    statistics s;
    s.pass_counted(fuse, "groups", 2);
    s.clear();
    CHECK(s.render().empty());
    s.pass_counted(fuse, "groups", 1);
    CHECK(s.render() == "1  FuseOps  groups\n");
}
