#include <tutti/search/repeated_check.hpp>

#include <tutti/search/bisect.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <cstddef>
#include <string>

using tutti::instrument::bisect_limit;
using tutti::instrument::failure_rate;
using tutti::instrument::repeated_check;

TEST_CASE("repeated_check: tells the rate of a check that contradicts itself", "[instrument][repeated_check]") {
    repeated_check ten{10};
    CHECK(ten([] { return true; }).failed == 0);
    CHECK(ten([] { return false; }).failed == 10);
    CHECK(ten.contradiction().runs == 0);
    int n = 0;
    const failure_rate rate = ten([&] { return ++n % 3 != 0; });
    CHECK(rate.contradicts_itself());
    CHECK(to_text(rate) == "3 of 10 runs fail (30 %)");
    ten([&] { return ++n != 13; });
    CHECK(to_text(ten.contradiction()) == "3 of 10 runs fail (30 %)");
    ten([&] { return ++n % 2 != 0; });
    CHECK(ten.contradiction().failed == 5);
    repeated_check none{0};
    CHECK(none([] { return false; }).runs == 1);
}

TEMPLATE_TEST_CASE("repeated_check: a pass that is wrong now and then is found", "[instrument][repeated_check]",
                   static_layer, erased_layer) {
    unsigned state = 1;
    const auto at_times = tutti::make_pass<"AtTimes">([&](plan& p) {
        state = state * 1664525U + 1013904223U;
        if (state >> 30 == 0) p.steps.emplace_back("broken"); // in one run of four
    });
    const auto passes = tutti::sequential(add_sort, add_sort, at_times, add_sort, add_sort, add_sort);
    repeated_check often{40};
    const auto found = tutti::instrument::bisect_first([&](std::size_t first) {
        tutti::instrument::bisect_try result;
        const failure_rate rate = often([&] {
            bisect_limit<> limit{first};
            plan p;
            auto ctx = TestType::template context<plan>({}, limit);
            TestType::with(ctx, [&](auto& scope) { scope.run(passes, p); });
            result = {true, limit.count(), limit.last()};
            for (const std::string& each : p.steps)
                if (each == "broken") return false;
            return true;
        });
        result.right = rate.failed == 0;
        return result;
    });
    CHECK(found.pass == "AtTimes");
    CHECK(often.contradiction().contradicts_itself());
}
