#include <tutti/pass/run.hpp>

#include <tutti/base/error.hpp>
#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/resolve.hpp>

#include "archetypes/tree.hpp"
#include "support/catch.hpp"
#include "support/two_layers.hpp"

namespace {
constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
constexpr auto next_by_value = tutti::make_pass<"Next">([](int n) { return n + 1; });
constexpr auto fail = tutti::make_pass<"Fail">([](int& n) {
    n = 0;
    throw std::runtime_error{"it fails"};
});

// Runs a pass with three recorders, the second of which throws in the hook `bad`. Returns their output and the error.
template <class Layer, class Pass>
std::string written(hook bad, const Pass& pass, setup s = {}) {
    std::string text;
    full_recorder a{"A", text};
    throwing_recorder b{"B", text, bad};
    full_recorder c{"C", text};
    auto ctx = Layer::template context<int>(s, a, b, c);
    try {
        Layer::with(ctx, [&](auto& scope) {
            text.clear();
            int n = 1;
            scope.run(pass, n);
            text += "= " + std::to_string(n) + "\n";
        });
    } catch (const std::runtime_error& e) {
        text += e.what();
    }
    return text.substr(0, text.find("A exit_pass_ctx"));
}
struct looks {
    std::string text{};
    void pass_failed(const auto* unit, const tutti::pass_info& info, const std::exception_ptr&) {
        text.append(info.name).append(unit ? " has it\n" : " has lost it\n");
    }
};
struct counts {
    static constexpr tutti::pass_info info{.name = "Counts"};
    std::unique_ptr<int> runs = std::make_unique<int>(0);
    int also = 0;
    void operator()(int& n) {
        ++*runs;
        n += ++also;
    }
};
} // namespace

TEMPLATE_TEST_CASE("run: asks all, tells all before, runs the pass, tells all after, each in order", "[pass][run]",
                   static_layer, erased_layer) {
    const std::string expected = "A should_run\nB should_run\nC should_run\n"
                                 "A run_before_pass\nB run_before_pass\nC run_before_pass\n"
                                 "A run_after_pass\nB run_after_pass\nC run_after_pass\n"
                                 "= 2\n";
    CHECK(written<TestType>(hook::none, next) == expected);
    CHECK(written<TestType>(hook::none, next_by_value) == expected);
}

TEMPLATE_TEST_CASE("run: a pass that throws ends in pass_failed for all", "[pass][run]", static_layer, erased_layer) {
    CHECK(written<TestType>(hook::none, fail) == "A should_run\nB should_run\nC should_run\n"
                                                 "A run_before_pass\nB run_before_pass\nC run_before_pass\n"
                                                 "A pass_failed\nB pass_failed\nC pass_failed\n");
}

TEMPLATE_TEST_CASE("run: a before that throws ends in pass_failed for those before it", "[pass][run]", static_layer,
                   erased_layer) {
    CHECK(written<TestType>(hook::before, next) == "A should_run\nB should_run\nC should_run\n"
                                                   "A run_before_pass\nB bad run_before_pass!!!\n"
                                                   "A pass_failed\n");
}

TEMPLATE_TEST_CASE("run: an after that throws ends in pass_failed for those behind it", "[pass][run]", static_layer,
                   erased_layer) {
    CHECK(written<TestType>(hook::after, next) == "A should_run\nB should_run\nC should_run\n"
                                                  "A run_before_pass\nB run_before_pass\nC run_before_pass\n"
                                                  "A run_after_pass\nB bad run_after_pass!!!\n"
                                                  "C pass_failed\n");
}

TEMPLATE_TEST_CASE("run: a should_run that throws is before anything began", "[pass][run]", static_layer,
                   erased_layer) {
    CHECK(written<TestType>(hook::should_run, next) == "A should_run\nB bad should_run!!!\n");
}

TEMPLATE_TEST_CASE("run: required passes run without calling should_run", "[pass][run]", static_layer, erased_layer) {
    CHECK(written<TestType>(hook::none, next, {.required = {"Next"}}) ==
          "A run_before_pass\nB run_before_pass\nC run_before_pass\n"
          "A run_after_pass\nB run_after_pass\nC run_after_pass\n"
          "= 2\n");
}

TEMPLATE_TEST_CASE("run: one refusal skips the pass, and all instruments are called and notified", "[pass][run]",
                   static_layer, erased_layer) {
    std::string text;
    refusing_recorder a{"A", text, "Next", recording::hooks_and_passes};
    full_recorder b{"B", text, recording::hooks_and_passes};
    auto ctx = TestType::template context<int>({}, a, b);
    TestType::with(ctx, [&](auto& scope) {
        text.clear();
        int n = 1;
        scope.run(next, n);
        CHECK(n == 1);
        CHECK(scope.run(next_by_value, 1) == 1);
    });
    const std::string once = "A should_run Next\nB should_run Next\n"
                             "A pass_skipped Next instrument\nB pass_skipped Next instrument\n";
    CHECK(text == once + once + "A exit_pass_ctx\nB exit_pass_ctx\n");
}

TEMPLATE_TEST_CASE("run: hooks see the unit as it is before and after, also one that owns", "[pass][run]", static_layer,
                   erased_layer) {
    struct sums {
        int before = 0, after = 0;
        void run_before_pass(const tree& t, const tutti::pass_info&) { before = sum(t); }
        void run_after_pass(const tree& t, const tutti::pass_info&) { after = sum(t); }
    } seen;
    const auto grow = tutti::make_pass<"Grow">([](tree t) { return node(1, std::move(t), leaf(2)); });
    auto ctx = TestType::template context<tree>({}, seen);
    const tree t = TestType::with(ctx, [&](auto& scope) { return scope.run(grow, leaf(3)); });
    CHECK(sum(t) == 6);
    CHECK(seen.before == 3);
    CHECK(seen.after == 6);
}

TEMPLATE_TEST_CASE("run: pass_failed is given the exception", "[pass][run]", static_layer, erased_layer) {
    struct keeps {
        std::string text;
        void pass_failed(const int*, const tutti::pass_info& info, std::exception_ptr reason) {
            try {
                std::rethrow_exception(reason);
            } catch (const std::exception& e) {
                text += std::string{info.name} + ": " + e.what();
            }
        }
    } kept;
    auto ctx = TestType::template context<int>({}, kept);
    int n = 1;
    CHECK_THROWS_AS(TestType::with(ctx, [&](auto& scope) { scope.run(fail, n); }), std::runtime_error);
    CHECK(kept.text == "Fail: it fails");
}

TEMPLATE_TEST_CASE("run: stops and starts clocks in pairs, also when a hook throws", "[pass][run]", static_layer,
                   erased_layer) {
    struct clock {
        std::string text;
        void run_before_pass(const int&, const tutti::pass_info&) { text += "before "; }
        void stop_clock() { text += "["; }
        void start_clock() { text += "]"; }
    } measuring;
    std::string ignored;
    throwing_recorder bad{"B", ignored, hook::before};
    full_recorder good{"G", ignored};
    int n = 1;
    {
        auto ctx = TestType::template context<int>({}, measuring, good);
        TestType::with(ctx, [&](auto& scope) { scope.run(next, n); });
        CHECK(measuring.text == "[before ][]");
        CHECK_THROWS(TestType::with(ctx, [&](auto& scope) { scope.run(fail, n); }));
        CHECK(measuring.text == "[before ][][before ][]");
    }
    measuring.text.clear();
    auto ctx = TestType::template context<int>({}, measuring, bad);
    CHECK_THROWS(TestType::with(ctx, [&](auto& scope) { scope.run(next, n); }));
    CHECK(measuring.text == "[before ]");
    measuring.text.clear();
    auto alone = TestType::template context<int>({}, measuring);
    TestType::with(alone, [&](auto& scope) { scope.run(next, n); });
    CHECK(measuring.text == "before ");
}

TEMPLATE_TEST_CASE("run: pass_failed is given the unit, but not one that a pass by value has lost", "[pass][run]",
                   static_layer, erased_layer) {
    looks seen;
    const auto fail_by_value = tutti::make_pass<"FailByValue">([](tree) -> tree { throw 3; });
    const auto fail_in_place = tutti::make_pass<"FailInPlace">([](tree&) { throw 3; });
    auto ctx = TestType::template context<tree>({}, seen);
    tree t = leaf(1);
    CHECK_THROWS(TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(fail_in_place), t); }));
    CHECK_THROWS(TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential<"S">(fail_by_value), t); }));
    CHECK_THROWS(TestType::with(ctx, [&](auto& scope) { static_cast<void>(scope.run(fail_in_place, leaf(1))); }));
    CHECK(seen.text ==
          "FailInPlace has it\nsequential has it\nFailByValue has lost it\nS has lost it\nFailInPlace has lost it\n");
}

TEMPLATE_TEST_CASE(
    "run: passes that keep something of their own, and cannot be copied, run where the pipeline is an lvalue",
    "[pass][run]", static_layer, erased_layer) {
    auto ctx = TestType::template context<int>({});
    auto pipeline = tutti::sequential(counts{}, tutti::repeat(counts{}, 2));
    int n = 0;
    TestType::with(ctx, [&](auto& scope) {
        scope.run(pipeline, n);
        scope.run(pipeline, n);
    });
    CHECK(n == (1 + 1 + 2) + (2 + 3 + 4));
    CHECK(*tutti::detail::at<0>(pipeline.stages).runs == 2);
    CHECK(*tutti::detail::at<1>(pipeline.stages).inner.runs == 4);
}

namespace {
// A unit that must not be read while `n` is negative.
struct fragile {
    int n = 0;
};
} // namespace
template <>
struct tutti::unit_traits<fragile> {
    static void check_structure(const fragile& u, std::string_view pass) {
        tutti::checked_after(pass, [&] {
            if (u.n < 0) throw tutti::error{"n", "is negative"};
        });
    }
    static std::uint64_t fingerprint(const fragile& u) {
        if (u.n < 0) std::abort();
        return static_cast<std::uint64_t>(u.n);
    }
};

TEMPLATE_TEST_CASE("run: a pass that leaves a malformed unit fails, and no hook sees the unit", "[pass][run]",
                   static_layer, erased_layer) {
    struct sees {
        std::string text{};
        void run_before_pass(const fragile& u, const tutti::pass_info&) { text += "before " + std::to_string(u.n); }
        void run_after_pass(const fragile& u, const tutti::pass_info&, tutti::change) {
            text += ", after " + std::to_string(u.n);
        }
        void pass_failed(const fragile* u, const tutti::pass_info&, const std::exception_ptr&) {
            text += u ? ", failed with it" : ", failed without it";
        }
    };
    const auto written = [](const auto& pass) {
        sees seen;
        auto ctx = TestType::template context<fragile>({}, seen);
        fragile u{1};
        try {
            TestType::with(ctx, [&](auto& scope) { scope.run(pass, u); });
        } catch (const std::runtime_error& e) {
            seen.text.append(": ").append(e.what());
        }
        return seen.text;
    };
    const auto good = tutti::make_pass<"Good">([](fragile& u) { ++u.n; });
    const auto bad = tutti::make_pass<"Bad">([](fragile& u) { u.n = -1; });
    const auto halfway = tutti::make_pass<"Halfway">([](fragile& u) {
        u.n = -1;
        throw std::runtime_error{"it fails"};
    });
    const auto fails = tutti::make_pass<"Fails">([](fragile&) { throw std::runtime_error{"it fails"}; });
    CHECK(written(good) == "before 1, after 2");
    CHECK(written(bad) == "before 1, failed without it: after Bad: n: is negative");
    CHECK(written(halfway) == "before 1, failed without it: it fails");
    CHECK(written(fails) == "before 1, failed with it: it fails");
}

// In both layers, `pass_failed` gets the unit as long as it is intact, and otherwise null.
namespace {

struct crate {
    std::vector<int> items{};
    bool whole() const { return !items.empty(); }
};
struct rack {
    std::vector<crate> crates{};
    bool whole() const {
        for (const crate& each : crates)
            if (!each.whole()) return false;
        return true;
    }
};
// A unit that runs passes on copies of its parts.
struct shelf {
    std::vector<crate> crates{};
    bool whole() const { return rack{crates}.whole(); }
};

} // namespace

template <>
struct tutti::unit_traits<rack> {
    static std::vector<crate>& parts(rack& r) { return r.crates; }
};
template <>
struct tutti::unit_traits<shelf> {
    static std::vector<crate>& parts(shelf& s) { return s.crates; }
    template <class Context, class Run>
    static tutti::change transform_parts(shelf& s, Context&, Run&& run) {
        for (crate& each : s.crates) {
            crate copy = each;
            run(copy);
            each = copy;
        }
        return tutti::changed;
    }
};

namespace {

// Records each failing pass, whether pass_failed got its unit, and whether these units were intact.
struct sees_what_is_left {
    std::string text{};
    bool right = true;

    template <class Unit>
    void pass_failed(const Unit* unit, const tutti::pass_info& info, const std::exception_ptr&) {
        text.append(info.name).append(unit ? "+ " : "- ");
        right = right && (!unit || unit->whole());
    }
};

constexpr auto fails_in_place = tutti::make_pass<"InPlace">([](crate&) { throw 3; });
constexpr auto fails_by_value = tutti::make_pass<"ByValue">([](crate c) -> crate {
    const crate lost = std::move(c);
    throw 3;
});
constexpr auto takes = tutti::make_pass<"Takes">([](crate c) { return c; });
constexpr auto idle = tutti::make_pass<"Idle">([](crate&) {});

// Passes that run another pass, on their unit or on a copy.
template <class Inner>
constexpr auto runs(Inner inner) {
    return tutti::make_pass<"Runs">([inner](crate& c, auto& ctx) { ctx.run(inner, c); });
}
template <class Inner>
constexpr auto runs_over_copy(Inner inner) {
    return tutti::make_pass<"Copies">([inner](crate& c, auto& ctx) {
        crate copy = c;
        ctx.run(inner, copy);
    });
}

template <class Layer, class Unit>
std::string left_of(const auto& pass, Unit unit) {
    sees_what_is_left sees;
    const auto run = [&](auto&& ctx, const auto& p) {
        try {
            tutti::with(ctx, [&](auto& scope) { scope.run(p, unit); });
        } catch (int) {}
    };
    if constexpr (std::is_same_v<Layer, static_layer>) {
        run(static_layer::context<Unit>({}, sees), pass);
    } else {
        run(erased_layer::context<Unit>({}, sees), tutti::runtime::any_pass<Unit>{pass});
    }
    CHECK(sees.right);
    CHECK(sees.text.ends_with(unit.whole() ? "+ " : "- "));
    return sees.text;
}

} // namespace

TEMPLATE_TEST_CASE("run: a pass that fails leaves the unit where it is unless a pass by value took it", "[pass][run]",
                   static_layer, erased_layer) {
    using tutti::sequential;
    const auto of = [](const auto& pass) { return left_of<TestType>(pass, crate{{1}}); };
    CHECK(of(fails_in_place) == "InPlace+ ");
    CHECK(of(fails_by_value) == "ByValue- ");
    CHECK(of(sequential<"S">(idle, fails_in_place)) == "InPlace+ S+ ");
    CHECK(of(sequential<"S">(takes, fails_in_place)) == "InPlace+ S+ ");
    CHECK(of(sequential<"S">(fails_by_value)) == "ByValue- S- ");
    CHECK(of(sequential<"S">(idle, sequential<"T">(fails_by_value))) == "ByValue- T- S- ");
    CHECK(of(sequential<"S">(idle, sequential<"T">(takes, fails_in_place))) == "InPlace+ T+ S+ ");
    CHECK(of(tutti::resolve(sequential<"S">(tutti::resolve(sequential<"T">(fails_by_value))))) == "ByValue- T- S- ");
    CHECK(of(tutti::fixpoint(fails_by_value)) == "ByValue- fixpoint- ");
    CHECK(of(tutti::repeat(sequential<"S">(fails_by_value), 2)) == "ByValue- S- repeat- ");
    CHECK(of(tutti::only_if([](const crate&) { return true; }, fails_in_place)) == "InPlace+ only_if+ ");
    CHECK(of(runs(fails_by_value)) == "ByValue- Runs- ");
    CHECK(of(runs_over_copy(fails_by_value)) == "ByValue- Copies+ ");
    CHECK(of(sequential<"S">(runs_over_copy(fails_by_value))) == "ByValue- Copies+ S+ ");
}

TEMPLATE_TEST_CASE("run: a whole is intact as long as its parts are", "[pass][run]", static_layer, erased_layer) {
    using tutti::each;
    using tutti::sequential;
    const auto of = [](const auto& pass) { return left_of<TestType>(pass, rack{{crate{{1}}, crate{{2}}}}); };
    CHECK(of(each<crate>(fails_in_place)) == "InPlace+ each+ ");
    CHECK(of(each<crate>(idle, sequential<"S">(fails_in_place))) == "InPlace+ S+ sequential+ each+ ");
    CHECK(of(each<crate>(fails_by_value)) == "ByValue- each- ");
    CHECK(of(sequential<"S">(each<crate>(sequential<"T">(fails_by_value)))) == "ByValue- T- each- S- ");
    CHECK(of(each<crate>(runs_over_copy(fails_by_value))) == "ByValue- Copies+ each+ ");
    // The copy is lost, but the part is intact.
    CHECK(left_of<TestType>(each<crate>(fails_by_value), shelf{{crate{{1}}}}) == "ByValue- each+ ");
}

namespace {
struct numbers_runs {
    std::string text{};
    void note(char what, const tutti::pass_run& run) {
        (text += what).append(run.name).append(std::to_string(run.number)).append(" ");
    }
    bool should_run(const int&, const tutti::pass_run& run) {
        note('?', run);
        return run.name != "Refused";
    }
    void run_before_pass(const int&, const tutti::pass_run& run) { note('+', run); }
    void run_after_pass(const int&, const tutti::pass_run& run) { note('-', run); }
};
} // namespace

TEMPLATE_TEST_CASE("run: the runs of a context are numbered as they begin, and end with the number of the last inside",
                   "[pass][run]", static_layer, erased_layer) {
    constexpr auto refused = tutti::make_pass<"Refused">([](int&) {});
    numbers_runs numbers;
    auto ctx = TestType::template context<int>({}, numbers);
    for (int i = 0; i < 2; ++i)
        TestType::with(ctx, [&](auto& scope) {
            int n = 1;
            scope.run(tutti::sequential<"All">(next, refused, tutti::sequential<"Inner">(next)), n);
        });
    CHECK(numbers.text ==
          "?All0 +All1 ?Next0 +Next2 -Next2 ?Refused0 ?Inner0 +Inner3 ?Next0 +Next4 -Next4 -Inner4 -All4 "
          "?All0 +All5 ?Next0 +Next6 -Next6 ?Refused0 ?Inner0 +Inner7 ?Next0 +Next8 -Next8 -Inner8 -All8 ");
}
