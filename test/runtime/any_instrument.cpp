#include <tutti/runtime/any_instrument.hpp>

#include "archetypes/instrument.hpp"
#include "archetypes/tree.hpp"
#include "support/catch.hpp"

#include <vector>

using tutti::runtime::any_instrument;

namespace {
struct counter {
    int enters = 0;
    void enter_pass_ctx() { ++enters; }
};
} // namespace

TEST_CASE("any_instrument: refers to an lvalue, keeps a temporary, and copies share", "[runtime][any_instrument]") {
    counter kept;
    any_instrument<int> refers{kept};
    refers.enter_pass_ctx();
    CHECK(kept.enters == 1);
    int* enters = nullptr;
    struct shows : counter {
        explicit shows(int*& where) : out(&where) {}
        int** out;
        void exit_pass_ctx() { *out = &enters; }
    };
    const any_instrument<int> owns{shows{enters}};
    const any_instrument<int> copy = owns;
    copy.enter_pass_ctx();
    owns.enter_pass_ctx();
    copy.exit_pass_ctx();
    REQUIRE(enters != nullptr);
    CHECK(*enters == 2);
}

TEST_CASE("any_instrument: absent hooks do nothing, and it lists the present ones", "[runtime][any_instrument]") {
    const any_instrument<tree> entering{only_enters{}};
    const tutti::pass_run run{{.name = "A"}};
    CHECK_FALSE(entering.has_should_run());
    CHECK_FALSE(entering.around_passes());
    CHECK_FALSE(entering.has_clock());
    CHECK(entering.should_run(leaf(1), run));
    entering.run_before_pass(leaf(1), run);
    entering.run_after_pass(leaf(1), run, tutti::change::unknown);
    entering.pass_skipped({.name = "A"}, tutti::skip_reason::disabled);
    const tree unit = leaf(1);
    entering.pass_failed(&unit, run, nullptr);
    entering.exit_pass_ctx();
    entering.stop_clock();
    entering.start_clock();
    CHECK(any_instrument<tree>{only_decides{}}.has_should_run());
    CHECK(any_instrument<tree>{measuring{}}.has_clock());
    for (const any_instrument<tree>& each :
         std::vector<any_instrument<tree>>{only_decides{}, only_before{}, only_after{}, only_skipped{}, only_failed{}})
        CHECK(each.around_passes());
}
