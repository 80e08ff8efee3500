#include <tutti/runtime/requirement.hpp>

#include <tutti/runtime/any_pass.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"

namespace runtime = tutti::runtime;

namespace {
struct over_both {
    static constexpr tutti::pass_info info{.name = "OverBoth"};
    void operator()(function&) const {}
    void operator()(module&) const {}
};
struct over_modules {
    static constexpr tutti::pass_info info{.name = "OverModules"};
    using required = tutti::passes<over_both>;
    void operator()(module&) const {}
};
struct over_loops {
    static constexpr tutti::pass_info info{.name = "OverLoops"};
    using required = tutti::passes<over_modules>;
    void operator()(loop&) const {}
};
} // namespace

TEST_CASE("requirement: has the identity of a type of passes, and makes one over each unit that it takes",
          "[runtime][requirement]") {
    const runtime::any_pass<loop, module> pass{over_loops{}};
    REQUIRE(pass.required().size() == 1);
    const runtime::requirement<module>& required = pass.required().front();
    CHECK(required.type == &runtime::detail::pass_type<over_modules>);
    CHECK(required.type != runtime::any_pass<module>{over_both{}}.type());
    CHECK(required.maker<loop>() == nullptr);
    CHECK(required.maker<module>()().info.name == "OverModules");
    REQUIRE(required.required().size() == 1);
    CHECK(required.required().front().maker<function>()().info.name == "OverBoth");
    CHECK(runtime::any_pass<module>{over_both{}}.required().empty());
}

TEST_CASE("requirement: required passes come once, each after its own required passes", "[runtime][requirement]") {
    const auto wanted = runtime::detail::wanted_by(runtime::any_pass<loop, module>{over_loops{}});
    REQUIRE(wanted.size() == 2);
    CHECK(wanted[0]->type == &runtime::detail::pass_type<over_both>);
    CHECK(wanted[1]->type == &runtime::detail::pass_type<over_modules>);
    CHECK((runtime::detail::is_of_whole<module, loop>(*wanted[1])));
    CHECK(!(runtime::detail::is_of_whole<module, loop>(*wanted[0])));
}
