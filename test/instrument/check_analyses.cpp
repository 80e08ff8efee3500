#include <tutti/instrument/check_analyses.hpp>

#include "catch.hpp"

namespace {
struct kept {
    std::string_view name;
    bool same = true, known = true;
    bool holds() const { return same; }
    bool comparable() const { return known; }
};
constexpr tutti::pass_info fuse{.name = "FuseOps"};
} // namespace

TEST_CASE("check_analyses: blames the pass that kept what does not hold", "[instrument][check_analyses]") {
    tutti::instrument::check_analyses check;
    CHECK_NOTHROW(check.analysis_kept(fuse, kept{"Dominators"}));
    CHECK_NOTHROW(check.analysis_kept(fuse, kept{"Dominators", false, false}));
    try {
        check.analysis_kept(fuse, kept{"Dominators", false});
        FAIL("nothing was thrown");
    } catch (const tutti::error& e) {
        CHECK(e.where() == "after FuseOps");
        CHECK(e.problem() == "the analysis Dominators is not what it would be if it was computed now");
    }
}
