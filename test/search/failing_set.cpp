#include <tutti/search/failing_set.hpp>

#include <tutti/search/bisect_limit.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

using tutti::instrument::bisect_limit;
using tutti::instrument::edit_set;
using tutti::instrument::failing_set;
using tutti::instrument::named_run;

namespace {
using indices = std::vector<std::size_t>;

// Returns the set found for a failure that needs all of `wanted`. Counts the tries.
indices found(std::size_t count, const indices& wanted, std::size_t& tries) {
    tries = 0;
    return failing_set(count, [&](const edit_set& chosen) {
        ++tries;
        return std::all_of(wanted.begin(), wanted.end(), [&](std::size_t i) { return chosen[i] != 0; });
    });
}
} // namespace

TEST_CASE("failing_set: finds the items that are needed together", "[instrument][failing_set]") {
    std::size_t tries = 0;
    for (std::size_t count = 1; count <= 12; ++count)
        for (std::size_t all = 0; all < std::size_t{1} << count; ++all) {
            indices wanted;
            for (std::size_t i = 0; i < count; ++i)
                if ((all >> i) % 2 != 0) wanted.push_back(i);
            CHECK(found(count, wanted, tries) == wanted);
            CHECK(tries <= 2 * count + 12 + 3 * wanted.size());
        }
    CHECK(found(1000, {}, tries).empty());
    CHECK(tries == 1);
    CHECK(found(1000, {617}, tries) == indices{617});
    CHECK(tries <= 21);
    CHECK(found(1000, {3, 500, 998}, tries) == indices{3, 500, 998});
    CHECK(tries <= 60);
}

TEST_CASE("failing_set: each item that is left is needed, even if a failure has several causes",
          "[instrument][failing_set]") {
    const auto fails = [](const edit_set& chosen) {
        return (chosen[2] != 0 && chosen[7] != 0) || (chosen[5] != 0 && chosen[9] != 0 && chosen[1] == 0);
    };
    const indices both = failing_set(12, fails);
    CHECK(both == indices{2, 7});
    CHECK(failing_set(0, [](const edit_set&) { return true; }).empty());
}

TEMPLATE_TEST_CASE("failing_set: finds passes that are wrong only together", "[instrument][failing_set]", static_layer,
                   erased_layer) {
    const auto merge = tutti::make_pass<"Merge">([](plan& p) {
        for (std::string& each : p.steps) each = each == "sort" ? "merge" : each;
    });
    const auto wrong = tutti::make_pass<"Wrong">([](plan& p) {
        for (std::string& each : p.steps) each = each == "merge" ? "broken" : each;
    });
    const auto passes = tutti::sequential(add_sort, merge, add_sort, wrong, add_sort, wrong);
    const std::vector<named_run> runs{{"AddSort", 1}, {"Merge", 1},   {"AddSort", 2},
                                      {"Wrong", 1},   {"AddSort", 3}, {"Wrong", 2}};
    const indices needed = failing_set(runs.size(), [&](const edit_set& chosen) {
        bisect_limit<> limit;
        std::vector<named_run> out;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (chosen[i] == 0) out.push_back(runs[i]);
        limit.leave_out(out);
        plan p;
        auto ctx = TestType::template context<plan>({}, limit);
        TestType::with(ctx, [&](auto& scope) { scope.run(passes, p); });
        return std::find(p.steps.begin(), p.steps.end(), "broken") != p.steps.end();
    });
    CHECK(needed == indices{0, 1, 3}); // AddSort, Merge, Wrong
}
