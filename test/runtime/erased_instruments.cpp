#include <tutti/runtime/erased_instruments.hpp>

#include <tutti/instrument/callbacks.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/sequential.hpp>

#include "archetypes/instrument.hpp"
#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/two_layers.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using tutti::instrument::callbacks;
using tutti::runtime::detail::erased_instruments;

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
                      "expected a call outside of hooks");
    CHECK(n == 1);
    CHECK(ctx.instruments().size() == 1);
    ctx.override_instruments({});
    CHECK(ctx.instruments_cleared());
}

TEST_CASE("erased_instruments: ask only if one has should_run, and then all", "[runtime][erased_instruments]") {
    int asked = 0;
    callbacks no{.should_run = [&](const int&, const tutti::pass_info&) { return ++asked, false; }};
    tutti::internal::instrument_set<erased_instruments<int>> set{erased_instruments<int>{{only_before{}}}};
    CHECK_FALSE(set.storage().any_decides());
    CHECK(set.should_run(1, run));
    set.assign(erased_instruments<int>{{no, only_before{}, no}});
    CHECK_FALSE(set.should_run(1, run));
    CHECK(asked == 2);
}

TEST_CASE("erased_instruments: know the hooks that any of them has", "[runtime][erased_instruments]") {
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

TEST_CASE("erased_instruments: replaced ones hear how passes end that they saw begin, new ones do not",
          "[runtime][erased_instruments]") {
    using context = tutti::runtime::pass_context<int>;
    const auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
    for (const bool fails : {false, true}) {
        std::string text;
        full_recorder old{"Old", text, recording::hooks_and_passes}, fresh{"New", text, recording::hooks_and_passes};
        context ctx{{.instruments = {old}}};
        const auto overrides = tutti::make_pass<"Overrides">([&](int& n, auto& scope) {
            text.clear();
            ctx.override_instruments({fresh});
            scope.count("nobody hears this", 1);
            scope.run(next, n);
            if (fails) throw tutti::error{"Overrides", "fails"};
        });
        int n = 1;
        const auto run_it = [&] {
            tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential<"All">(overrides, next), n); });
        };
        const std::string inside = "Old exit_pass_ctx\nNew enter_pass_ctx\n"
                                   "New should_run Next\nNew run_before_pass Next\nNew run_after_pass Next\n";
        if (fails) {
            CHECK_THROWS_AS(run_it(), tutti::error);
            CHECK(text == inside + "Old pass_failed Overrides\nOld pass_failed All\nNew exit_pass_ctx\n");
        } else {
            run_it();
            CHECK(text == inside + "Old run_after_pass Overrides\n"
                                   "New should_run Next\nNew run_before_pass Next\nNew run_after_pass Next\n"
                                   "Old run_after_pass All\nNew exit_pass_ctx\n");
        }
    }
}

TEST_CASE("erased_instruments: outlive a pass that throws them out, as often as it likes",
          "[runtime][erased_instruments]") {
    using context = tutti::runtime::pass_context<int>;
    std::string text;
    context ctx{{.instruments = {full_recorder{"A", text}}}}; // owned only by the context
    const auto overrides = tutti::make_pass<"Overrides">([&](int&) {
        for (int i = 0; i < 3; ++i) ctx.override_instruments({full_recorder{"B", text}});
        ctx.override_instruments({});
        text.clear();
    });
    int n = 1;
    tutti::with(ctx, [&](auto& scope) { scope.run(overrides, n); });
    CHECK(text == "A run_after_pass\n");
}

TEMPLATE_TEST_CASE("instruments: a hook may enter its own context, whose exit throws", "[runtime][erased_instruments]",
                   static_layer, erased_layer) {
    // Calls `again` in the first hook.
    struct enters_again {
        std::function<void()> again{};
        int left = 1;
        void go() {
            if (left-- > 0) again();
        }
        void run_before_pass(const int&, const tutti::pass_info&) { go(); }
    };
    for (const bool catches : {true, false}) {
        std::string text;
        full_recorder first{"A", text}, last{"Z", text};
        throwing_recorder bad{"B", text, hook::exit};
        enters_again enters;
        auto ctx = TestType::template context<int>({}, first, enters, bad, last);
        enters.again = [&] {
            try {
                TestType::with(ctx, [](auto&) {});
            } catch (const std::runtime_error&) {
                text += "caught\n";
                if (!catches) throw;
            }
        };
        int n = 1;
        const auto run_it = [&] {
            TestType::with(ctx, [&](auto& scope) {
                text.clear();
                scope.run(tutti::make_pass<"Next">([](int& m) { ++m; }), n);
                scope.run(tutti::make_pass<"Next">([](int& m) { ++m; }), n); // the instruments are cleared
            });
        };
        const std::string begin = "A should_run\nB should_run\nZ should_run\nA run_before_pass\n"
                                  "A enter_pass_ctx\nB enter_pass_ctx\nZ enter_pass_ctx\n"
                                  "A exit_pass_ctx\nB bad exit_pass_ctx!!!\ncaught\n";
        if (catches) {
            run_it();
            CHECK(text == begin + "B run_before_pass\nZ run_before_pass\n"
                                  "A run_after_pass\nB run_after_pass\nZ run_after_pass\n");
            CHECK(n == 3);
        } else {
            CHECK_THROWS_WITH(run_it(), "B bad exit_pass_ctx");
            CHECK(text == begin + "A pass_failed\n");
        }
        CHECK(ctx.instruments_cleared());
    }
}

TEST_CASE("erased_instruments: do not change while parts are transformed at the same time",
          "[runtime][erased_instruments]") {
    using context = tutti::runtime::pass_context<module>;
    struct forking {
        int joined = 0, begun = 0;
        void run_before_pass(const function&, const tutti::pass_info&) { ++begun; }
        forking fork() const { return {}; }
        void join(forking&& part) {
            ++joined;
            begun += part.begun;
        }
    } it;
    tutti::thread_pool pool{3};
    context ctx{tutti::runtime::context_options<module>{.instruments = {it}, .executor = tutti::on(pool)}};
    const auto of_part = tutti::make_pass<"OfPart">([&](function&) { context::current().override_instruments({}); });
    const auto of_whole = tutti::make_pass<"OfWhole">([&](function&) { ctx.override_instruments({}); });
    module m{.functions = std::vector<function>(8)};
    const char* const said = "tutti::runtime::pass_context::override_instruments: passes over parts are running at the "
                             "same time; expected a call outside of them, or a context without an executor";
    const auto run_it = [&](const auto& pass) {
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::each<function>(pass), m); });
    };
    CHECK_THROWS_WITH(run_it(of_part), said);
    CHECK_THROWS_WITH(run_it(of_whole), said);
    CHECK(it.joined >= 2);
    CHECK(it.joined == it.begun);
    CHECK(ctx.instruments().size() == 1);
    context serial{tutti::runtime::context_options<module>{.instruments = {it}}};
    tutti::with(serial, [&](auto& scope) { scope.run(tutti::each<function>(of_part), m); });
    CHECK(serial.instruments().size() == 0);
}
