#include <tutti/pass/check.hpp>

#include <tutti/pass/sequential.hpp>

#include "archetypes/pass.hpp"
#include "archetypes/tree.hpp"
#include "support/catch.hpp"

// The tests in compile_fail/ check the errors for unsuitable passes.
namespace {
struct context {};
struct needs_by_value {
    static constexpr tutti::pass_info info{.name = "Needs"};
    using required = tutti::passes<pass_by_value>;
    void operator()(auto&, auto&) const {}
};
constexpr auto pipeline = tutti::sequential(pass_in_place{}, tutti::sequential<"Inner">(needs_by_value{}));
using pipeline_type = std::remove_const_t<decltype(pipeline)>;
using late_type = decltype(tutti::sequential(pass_described_late{}));

static_assert(tutti::check_pass<pass_by_value, tree, context>());
static_assert(tutti::check_pass<pipeline_type, tree, context>());
} // namespace

TEST_CASE("check_pass: finds the members of sequentials, nested ones, and required passes", "[pass][check]") {
    STATIC_REQUIRE(tutti::check_pass<const pipeline_type, tree, context>());
    STATIC_REQUIRE(tutti::check_pass<late_type, tree, context>());
}
