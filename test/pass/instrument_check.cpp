#include <tutti/pass/instrument_check.hpp>

#include "archetypes/instrument.hpp"
#include "archetypes/tree.hpp"
#include "support/catch.hpp"

// The tests in compile_fail/ check the errors for unsuitable instruments.
namespace {
struct final_one final {
    void enter_pass_ctx() {}
};
struct part {};
struct whole {
    part parts[2];
};
struct of_parts {
    void run_before_pass(const part&, const tutti::pass_info&) {}
};
} // namespace

template <>
struct tutti::unit_traits<whole> {
    static auto& parts(whole& w) { return w.parts; }
};

TEST_CASE("check_instrument: takes an instrument of each hook, and of units or of their parts",
          "[pass][instrument_check]") {
    STATIC_REQUIRE(tutti::check_instrument<all_hooks>());
    STATIC_REQUIRE(tutti::check_instrument<final_one>());
    STATIC_REQUIRE(tutti::internal::check_instrument_of<all_hooks, tree>());
    STATIC_REQUIRE(tutti::internal::check_instrument_of<final_one, tree>());
    STATIC_REQUIRE(tutti::internal::check_instrument_of<of_parts, part>());
    STATIC_REQUIRE(tutti::internal::check_instrument_of<of_parts, whole>());
}
