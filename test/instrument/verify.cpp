#include <tutti/instrument/verify.hpp>

#include <tutti/pass.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"

using tutti::instrument::verify;

namespace {
std::string refused(const auto& pass, plan p) {
    verify check;
    tutti::pass_context ctx{tutti::instruments(check)};
    std::string message = "nothing was thrown";
    tutti::with(ctx, [&](auto& scope) {
        try {
            scope.run(pass, p);
        } catch (const tutti::error& e) {
            message = e.what();
        }
        plan whole{{"scan"}};
        scope.run(add_sort, whole); // the instrument still works
    });
    return message;
}
} // namespace

TEST_CASE("verify: blames the pass that broke the unit", "[instrument][verify]") {
    CHECK(refused(tutti::sequential(add_sort, drop_first), {{"scan"}}) == "nothing was thrown");
    CHECK(refused(tutti::sequential(add_sort, break_it, add_sort), {{"scan"}}) ==
          "after BreakIt: step 2: is broken; expected a whole one");
}

TEST_CASE("verify: blames no pass for a unit that came broken", "[instrument][verify]") {
    CHECK(refused(tutti::sequential(add_sort), {{"broken"}}) ==
          "before sequential: step 0: is broken; expected a whole one");
}

TEST_CASE("verify: leaves the errors of passes alone", "[instrument][verify]") {
    CHECK(refused(tutti::sequential(throw_it), {{"scan"}}) == "ThrowIt: cannot");
}
