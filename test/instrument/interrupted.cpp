// Every instrument of the library must work with passes that enter a context with the same instrument, and with passes
// that install, remove or replace the instrument.

#include <tutti/instrument.hpp>
#include <tutti/instrument/blame.hpp>
#include <tutti/pass.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"

#include <functional>
#include <memory>

using namespace tutti::instrument;

namespace {

using context = tutti::runtime::pass_context<plan>;

// A pass that calls a function halfway through.
template <class F>
struct interrupted {
    static constexpr tutti::pass_info info{.name = "Interrupted"};
    F interrupt;

    explicit interrupted(F f) : interrupt(std::move(f)) {}
    void operator()(plan& p, auto& ctx) const {
        ctx.run(add_sort, p);
        interrupt(p);
        ctx.run(add_sort, p);
    }
};

struct stands_still {
    static std::int64_t now() { return 0; }
};

// Instruments with `said()`, which returns their complete output.
struct timed : basic_timing<stands_still> {
    std::string said() const { return last().render(); }
};
struct differs : op_diff {
    std::string said() const { return render(); }
};
struct blamed : blame {
    std::string said() const { return render(history()); }
};
struct verified : verify {
    std::string said() const { return {}; }
};
struct counted : statistics {
    void run_after_pass(const auto&, const tutti::pass_info& info) { pass_counted(info, "runs", 1); }
    std::string said() {
        const std::string all = render();
        clear();
        return all;
    }
};
struct printed : print_ir<std::function<void(std::string_view)>> {
    std::shared_ptr<std::string> text;
    explicit printed(std::shared_ptr<std::string> to = std::make_shared<std::string>())
        : print_ir({.before = {"DropFrist"}, .after = {"DropFirst"}}, [to](std::string_view part) { *to += part; })
        , text(std::move(to)) {}
    std::string said() const { return std::exchange(*text, {}); }
};

struct printed_changes : print_changed<std::function<void(std::string_view)>> {
    std::shared_ptr<std::string> text;
    explicit printed_changes(std::shared_ptr<std::string> to = std::make_shared<std::string>())
        : print_changed({.form = changed_form::quiet}, [to](std::string_view part) { *to += part; })
        , text(std::move(to)) {}
    std::string said() const { return std::exchange(*text, {}); }
};
struct printed_failures : print_on_failure<std::function<void(std::string_view)>> {
    std::shared_ptr<std::string> text;
    explicit printed_failures(std::shared_ptr<std::string> to = std::make_shared<std::string>())
        : print_on_failure([to](std::string_view part) { *to += part; }), text(std::move(to)) {}
    std::string said() const { return std::exchange(*text, {}); }
};

// Returns the output of an instrument for a plain run in a new context.
template <class I>
std::string of_a_plain_run(I& instrument) {
    context ctx{tutti::runtime::context_options<plan>{.instruments = {instrument}}};
    plan p{{"scan", "filter"}};
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(add_sort, drop_first), p); });
    return instrument.said();
}
template <class I>
std::string of_a_plain_run() {
    I fresh;
    return of_a_plain_run(fresh);
}

} // namespace

TEMPLATE_TEST_CASE("instruments: are right in and after a pass that enters a context with the same instrument",
                   "[instrument]", timed, differs, blamed, verified, counted, printed, printed_changes,
                   printed_failures) {
    TestType instrument;
    context outer{tutti::runtime::context_options<plan>{.instruments = {instrument}}};
    context erased{tutti::runtime::context_options<plan>{.instruments = {instrument}}};
    tutti::pass_context fixed{tutti::instruments(instrument)};
    const auto enters = [&](plan& p) {
        tutti::with(fixed, [&](auto& scope) { scope.run(drop_first, p); });
        tutti::with(erased, [&](auto& scope) { scope.run(tutti::sequential(add_sort), p); });
        tutti::with(outer, [&](auto& scope) { scope.run(add_sort, p); });
    };
    plan p{{"scan"}};
    tutti::with(outer, [&](auto& scope) { scope.run(interrupted{enters}, p); });
    CHECK(p.steps == std::vector<std::string>(4, "sort"));
    const std::string said = instrument.said();
    if constexpr (std::is_same_v<TestType, timed>)
        CHECK(said == "Interrupted: 0us [0us] (0.00%; 0.00%)\n\tAddSort: 0us [0us] (0.00%; 0.00%)\n"
                      "\tDropFirst: 0us [0us] (0.00%; 0.00%)\n\tsequential: 0us [0us] (0.00%; 0.00%)\n"
                      "\t\tAddSort: 0us [0us] (0.00%; 0.00%)\n\tAddSort: 0us [0us] (0.00%; 0.00%)\n"
                      "\tAddSort: 0us [0us] (0.00%; 0.00%)\n");
    else if constexpr (std::is_same_v<TestType, differs>)
        CHECK(said == "Interrupted: -1 scan, +4 sort\n\tAddSort: +1 sort\n\tDropFirst: -1 scan\n"
                      "\tsequential: +1 sort\n\t\tAddSort: +1 sort\n\tAddSort: +1 sort\n\tAddSort: +1 sort\n");
    else if constexpr (std::is_same_v<TestType, counted>)
        CHECK(said == "4  AddSort      runs\n1  DropFirst    runs\n1  sequential   runs\n1  Interrupted  runs\n");
    else if constexpr (std::is_same_v<TestType, printed>)
        CHECK(said ==
              "// after DropFirst\nsort\n// before DropFrist: no pass of that name ran; did you mean DropFirst?\n");
    else if constexpr (std::is_same_v<TestType, printed_changes>)
        CHECK(said == "// after AddSort\n// after DropFirst\n// after AddSort\n// after AddSort\n// after AddSort\n"
                      "// after Interrupted\n");
    CHECK(of_a_plain_run(instrument) == of_a_plain_run<TestType>());
}

TEMPLATE_TEST_CASE("instruments: are right after a pass that replaces the instruments of its context", "[instrument]",
                   timed, differs, blamed, verified, counted, printed, printed_changes, printed_failures) {
    TestType instrument;
    const auto with_and_override = [&](bool held, bool put_in, bool fails) {
        context ctx;
        if (held) ctx.override_instruments({instrument});
        const auto overrides = [&](plan& p) {
            if (put_in)
                ctx.override_instruments({instrument});
            else
                ctx.override_instruments({});
            if (fails) throw tutti::error{"Interrupted", "fails"};
            ctx.run(add_sort, p);
        };
        plan p{{"scan"}};
        const auto run = [&] {
            tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(interrupted{overrides}, add_sort), p); });
        };
        if (fails)
            CHECK_THROWS_AS(run(), tutti::error);
        else
            run();
        CHECK(p.steps.size() == (fails ? 2 : 5));
        ctx.override_instruments({});
        instrument.said();
        CHECK(of_a_plain_run(instrument) == of_a_plain_run<TestType>());
    };
    for (const bool fails : {false, true}) {
        with_and_override(true, true, fails);
        with_and_override(true, false, fails);
        with_and_override(false, true, fails);
    }
}

TEST_CASE("op_diff: after its context's instruments were replaced, reports passes that began since",
          "[instrument][op_diff]") {
    op_diff diff;
    context ctx{tutti::runtime::context_options<plan>{.instruments = {diff}}};
    const auto overrides = [&](plan&) { ctx.override_instruments({diff}); };
    plan p{{"scan"}};
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(interrupted{overrides}, drop_first), p); });
    CHECK(diff.render() == "AddSort: +1 sort\nDropFirst: -1 scan\n");
}

TEST_CASE("timing: a pass that replaces its context's instruments ends there", "[instrument][timing]") {
    basic_timing<stands_still> t;
    context ctx{tutti::runtime::context_options<plan>{.instruments = {t}}};
    const auto overrides = [&](plan&) {
        ctx.override_instruments({});
        CHECK(t.last().size() == 2);
        CHECK(t.last()[0].name == "Interrupted");
        CHECK_NOTHROW(t.last().render());
    };
    plan p{{"scan"}};
    tutti::with(ctx, [&](auto& scope) { scope.run(interrupted{overrides}, p); });
    CHECK(t.current().empty());
}

TEST_CASE("verify: verifies before the outermost passes of each context, whatever ran before", "[instrument][verify]") {
    verify check;
    tutti::pass_context outer{tutti::instruments(check)}, inner{tutti::instruments(check)};
    const auto breaks = tutti::make_pass<"Breaks">([&](plan& p) {
        p.steps.push_back("broken");
        tutti::with(inner, [&](auto& scope) {
            CHECK_THROWS_WITH(scope.run(add_sort, p), "before AddSort: step 1: is broken; expected a whole one");
        });
        p.steps.pop_back();
    });
    tutti::with(outer, [&](auto& scope) {
        plan p{{"scan"}}, broken{{"broken"}};
        scope.run(breaks, p);
        CHECK_THROWS_WITH(scope.run(add_sort, broken), "before AddSort: step 0: is broken; expected a whole one");
    });
}
