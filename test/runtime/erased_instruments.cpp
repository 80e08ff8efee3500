#include <tutti/runtime/erased_instruments.hpp>

#include <tutti/instrument/callbacks.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "archetypes/instrument.hpp"
#include "catch.hpp"
#include "levels.hpp"

using tutti::instrument::callbacks;
using tutti::runtime::erased_instruments;

namespace {
constexpr tutti::pass_run run{{.name = "A"}};
}

TEST_CASE("erased_instruments: refuse to be changed while hooks are called", "[runtime][erased_instruments]") {
    using context = tutti::runtime::pass_context<int>;
    callbacks changes{
        .run_before_pass = [&](const int&, const tutti::pass_info&) { context::current().override_instruments({}); }};
    context ctx{{.instruments = {changes}}};
    const auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
    int n = 1;
    CHECK_THROWS_WITH(tutti::with(ctx, [&](auto& scope) { scope.run(next, n); }),
                      "tutti::runtime::pass_context::override_instruments: an instrument's hook is being called; "
                      "expected to be called outside of hooks");
    CHECK(n == 1);
    CHECK(ctx.instruments().size() == 1);
    ctx.override_instruments({});
    CHECK(ctx.instruments_cleared());
}

TEST_CASE("erased_instruments: ask only if one has should_run, and then all", "[runtime][erased_instruments]") {
    int asked = 0;
    callbacks no{.should_run = [&](const int&, const tutti::pass_info&) { return ++asked, false; }};
    tutti::instrument_set<erased_instruments<int>> set{erased_instruments<int>{{only_before{}}}};
    CHECK_FALSE(set.storage().any_decides());
    CHECK(set.should_run(1, run));
    set.assign(erased_instruments<int>{{no, only_before{}, no}});
    CHECK_FALSE(set.should_run(1, run));
    CHECK(asked == 2);
}

TEST_CASE("erased_instruments: know what any wants to be told", "[runtime][erased_instruments]") {
    struct of_loops {
        void run_after_pass(const loop&, const tutti::pass_info&, tutti::change) {}
        void analysis_kept(const tutti::pass_info&, const tutti::kept_analysis&) {}
    };
    const erased_instruments<module> all{{of_loops{}}};
    CHECK(all.any_sees_change<loop>());
    CHECK_FALSE(all.any_sees_change<module>());
    CHECK(all.any_hears_analyses());
    CHECK_FALSE(all.any_hears_counts());
    CHECK_FALSE(all.any_hears_remarks());
    struct of_talk {
        void pass_counted(const tutti::pass_info&, std::string_view, std::int64_t) {}
        void pass_remarked(const tutti::pass_info&, const tutti::remark&) {}
    };
    CHECK(erased_instruments<int>{{of_talk{}, only_after{}}}.any_hears_counts());
    CHECK(erased_instruments<int>{{only_after{}, of_talk{}}}.any_hears_remarks());
    CHECK_FALSE(all.any_stops_clock());
    CHECK(erased_instruments<int>{{measuring{}, only_after{}}}.any_stops_clock());
}
