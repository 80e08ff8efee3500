#include "archetypes/instrument.hpp"

#include <tutti/instrument.hpp>
#include <tutti/instrument/filter.hpp>
#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/only_changed.hpp>
#include <tutti/instrument/sample.hpp>
#include <tutti/instrument/time_trace.hpp>
#include <tutti/report/report.hpp>
#include <tutti/search/bisect_limit.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

namespace {
constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
constexpr auto high = tutti::make_pass<"High", 9>([](int& n) { n = -1; });
constexpr auto fail = tutti::make_pass<"Fail">([](int&) { throw std::runtime_error{"it fails"}; });
constexpr auto pipeline = tutti::sequential(next, high, tutti::sequential<"Inner">(next, next));
constexpr auto failing = tutti::sequential(next, fail, next);

// Runs passes with a recorder and with other instruments, listed before or after the recorder. Returns the recorder's
// output and the result.
template <class Layer>
std::string seen(const auto& passes, auto&... around) {
    std::string text;
    full_recorder r{"R", text, recording::hooks_and_passes};
    const auto run = [&](auto&& context) {
        int n = 1;
        try {
            Layer::with(context, [&](auto& scope) { scope.run(passes, n); });
        } catch (const std::exception& e) {
            text += e.what();
        }
        text += " " + std::to_string(n) + "\n";
    };
    run(Layer::template context<int>({}, r));
    const std::string alone = std::exchange(text, {});
    run(Layer::template context<int>({}, around..., r));
    const std::string behind = std::exchange(text, {});
    run(Layer::template context<int>({}, r, around...));
    CHECK(behind == alone);
    CHECK(text == alone);
    return alone;
}

template <class Layer>
void instrument_laws(auto instrument) {
    // Empty hooks change neither the result nor the output of other instruments.
    const std::string text = seen<Layer>(pipeline, instrument);
    CHECK(text.find(" 4\n") != std::string::npos);
    CHECK(seen<Layer>(failing, instrument).find("it fails 2\n") != std::string::npos);
}
} // namespace

TEMPLATE_TEST_CASE("laws: an instrument whose hooks do nothing changes nothing", "[laws][instrument]", static_layer,
                   erased_layer) {
    instrument_laws<TestType>(only_enters{});
    instrument_laws<TestType>(only_exits{});
    instrument_laws<TestType>(only_decides{});
    instrument_laws<TestType>(only_before{});
    instrument_laws<TestType>(only_after{});
    instrument_laws<TestType>(only_skipped{});
    instrument_laws<TestType>(only_failed{});
    instrument_laws<TestType>(all_hooks{});
    instrument_laws<TestType>(measuring{});
    instrument_laws<TestType>(tutti::instrument::timing{});
    instrument_laws<TestType>(
        tutti::instrument::callbacks{.run_after_pass = [](const auto&, const tutti::pass_info&) {}});
}

TEMPLATE_TEST_CASE("laws: the same instrument twice changes nothing either", "[laws][instrument]", static_layer,
                   erased_layer) {
    all_hooks all, again;
    only_before before, once_more;
    const std::string text = seen<TestType>(pipeline, all);
    CHECK(seen<TestType>(pipeline, all, again) == text);
    CHECK(seen<TestType>(pipeline, before, once_more) == text);
}

// Debugging instruments in one context change nothing, and see the end of every pass.
TEMPLATE_TEST_CASE("laws: instruments for finding mistakes change nothing", "[laws][instrument]", static_layer,
                   erased_layer) {
    tutti::instrument::bisect_limit<> limit;
    tutti::instrument::time_trace trace;
    only_before inner;
    tutti::instrument::measured measures{inner, trace};
    tutti::instrument::report page;
    const std::string text = seen<TestType>(pipeline, limit, trace, measures, page);
    CHECK(text == seen<TestType>(pipeline));
    CHECK(seen<TestType>(failing, limit, trace, measures, page) == seen<TestType>(failing));
}

// Tests instruments that wrap another instrument.
TEMPLATE_TEST_CASE("laws: an instrument around one that changes nothing changes nothing", "[laws][instrument]",
                   static_layer, erased_layer) {
    using namespace tutti::instrument;
    auto filtered = filter({"Next", "Inner", "Fail"}, all_hooks{});
    auto by_type = filter<std::remove_const_t<decltype(next)>>(all_hooks{});
    only_changed changed{all_hooks{}};
    sample sampled{2, all_hooks{}};
    sample both{3, filter({"Next"}, only_changed{all_hooks{}})};
    CHECK(seen<TestType>(pipeline, filtered, by_type, changed, sampled, both) == seen<TestType>(pipeline));
    CHECK(seen<TestType>(failing, filtered, by_type, changed, sampled, both) == seen<TestType>(failing));
}

TEST_CASE("laws: static and erased contexts show the same", "[laws][instrument]") {
    only_before i;
    CHECK(seen<static_layer>(pipeline, i) == seen<erased_layer>(pipeline, i));
    CHECK(seen<static_layer>(failing, i) == seen<erased_layer>(failing, i));
}

// Each beginning has exactly one end, whichever hook throws. This also holds for instruments listed before and after
// the one that throws.
TEMPLATE_TEST_CASE("laws: every before has exactly one end", "[laws][instrument]", static_layer, erased_layer) {
    struct books {
        int open = 0;
        bool below_zero = false;
        void run_before_pass(const int&, const tutti::pass_info&) { ++open; }
        void run_after_pass(const int&, const tutti::pass_info&) { below_zero |= --open < 0; }
        void pass_failed(const int*, const tutti::pass_info&, const std::exception_ptr&) { below_zero |= --open < 0; }
    };
    for (const hook bad : {hook::none, hook::should_run, hook::before, hook::after}) {
        for (const bool fails : {false, true}) {
            books first, last, some, named;
            std::string ignored;
            throwing_recorder throws{"T", ignored, bad};
            tutti::instrument::sample sampled{2, some};
            auto filtered = tutti::instrument::filter({"Next", "Inner"}, named);
            auto ctx = TestType::template context<int>({}, first, sampled, throws, filtered, last);
            int n = 1;
            try {
                TestType::with(ctx, [&](auto& scope) { fails ? scope.run(failing, n) : scope.run(pipeline, n); });
            } catch (const std::exception&) {}
            CHECK(first.open == 0);
            CHECK(last.open == 0);
            CHECK(some.open == 0);
            CHECK(named.open == 0);
            for (const books& each : {first, last, some, named}) CHECK_FALSE(each.below_zero);
        }
    }
}
