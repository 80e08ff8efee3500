#include <tutti/runtime/instruments.hpp>

#include <tutti/instrument/callbacks.hpp>

#include "archetypes/instrument.hpp"
#include "catch.hpp"

#include <functional>

using tutti::instrument::callbacks;

TEST_CASE("runtime::instruments: refuses to be changed while hooks are called", "[runtime][instruments]") {
    tutti::runtime::instruments<int> set;
    callbacks changes{.run_before_pass = [&](const int&, const tutti::pass_info&) { set.assign({}); }};
    set.assign({changes});
    std::size_t begun = 0;
    CHECK_THROWS_WITH(set.before(1, {.name = "A"}, begun),
                      "tutti::runtime::pass_context::override_instruments: an instrument's hook is being called; "
                      "expected to be called outside of hooks");
    CHECK(begun == 0);
    CHECK(set.size() == 1);
    set.assign({});
    CHECK(set.cleared());
}

TEST_CASE("runtime::instruments: asks only if one has should_run, and then all", "[runtime][instruments]") {
    int asked = 0;
    callbacks no{.should_run = [&](const int&, const tutti::pass_info&) { return ++asked, false; }};
    tutti::runtime::instruments<int> set;
    set.assign({only_before{}});
    CHECK(set.should_run(1, {.name = "A"}));
    set.assign({no, only_before{}, no});
    CHECK_FALSE(set.should_run(1, {.name = "A"}));
    CHECK(asked == 2);
}
