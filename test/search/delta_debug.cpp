#include <tutti/search/delta_debug.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <initializer_list>

using tutti::instrument::delta_debug;
using tutti::instrument::edit_choice;
using tutti::instrument::edit_set;

namespace {
// The edits that are left if as many as possible are dropped, and the number of tries.
struct outcome {
    edit_set kept;
    std::size_t tries = 0;
};
outcome drop_all_but(std::initializer_list<std::size_t> needed, std::size_t count) {
    outcome found;
    const edit_set dropped = delta_debug(count, [&](const edit_set& edits) {
        ++found.tries;
        for (const std::size_t each : needed)
            if (edits[each] != 0) return false;
        return true;
    });
    for (const char each : dropped) found.kept.push_back(each == 0 ? 1 : 0);
    return found;
}
} // namespace

TEST_CASE("delta_debug: keeps only the needed edits", "[instrument][delta_debug]") {
    for (std::size_t count : {1U, 2U, 3U, 7U, 64U, 100U}) {
        CHECK(drop_all_but({}, count).kept == edit_set(count, 0));
        CHECK(drop_all_but({}, count).tries == 1);
        edit_set last(count, 0);
        last.back() = 1;
        CHECK(drop_all_but({count - 1}, count).kept == last);
        last.front() = 1;
        CHECK(drop_all_but({count - 1, 0}, count).kept == last);
    }
    CHECK(drop_all_but({}, 0).kept.empty());
    CHECK(drop_all_but({}, 0).tries == 0);
}

TEST_CASE("delta_debug: big steps first", "[instrument][delta_debug]") {
    CHECK(drop_all_but({700}, 1000).tries < 40);
    CHECK(drop_all_but({3, 500, 501, 999}, 1000).tries < 120);
    std::size_t tries = 0;
    delta_debug(1000, [&](const edit_set&) { return ++tries, false; });
    CHECK(tries < 2100);
}

TEST_CASE("edit_choice: counts the possible edits, and selects", "[instrument][delta_debug]") {
    edit_choice all;
    CHECK_FALSE(all());
    CHECK_FALSE(all());
    CHECK(all.met() == 2);
    const edit_set second{0, 1};
    edit_choice some{second};
    CHECK_FALSE(some());
    CHECK(some());
    CHECK_FALSE(some()); // an edit that was not counted
    CHECK(some.met() == 3);
}
