#include <tutti/instrument/measured.hpp>

#include <tutti/instrument/callbacks.hpp>
#include <tutti/instrument/check_analyses.hpp>
#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/statistics.hpp>
#include <tutti/instrument/timing.hpp>
#include <tutti/instrument/verify.hpp>

#include "archetypes/instrument.hpp"
#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <functional>

using tutti::instrument::measured;

namespace {

struct ticking {
    static inline std::int64_t time = 0;
    static std::int64_t now() { return time += 10; }
};

// A trace that writes its events as text.
struct written_trace {
    std::string text{};
    void add_instrument(std::string_view instrument, std::string_view hook, std::int64_t start, std::int64_t end) {
        text.append(instrument).append(" ").append(hook).append(end >= start ? "\n" : " backwards\n");
    }
};

struct named_recorder : full_recorder {
    using full_recorder::full_recorder;
    void pass_counted(const tutti::pass_info& info, std::string_view what, std::int64_t) { write(what, info.name); }
    void pass_remarked(const tutti::pass_info& info, const tutti::remark& said) { write(said.text, info.name); }
};

constexpr auto counts = tutti::make_pass<"Counts">([](plan&, auto& ctx) {
    ctx.count("things");
    ctx.remark(tutti::remark_kind::note, "", "noted");
});
constexpr auto all = tutti::sequential(add_sort, counts, tutti::make_pass<"High", 9>([](plan&) {}));

template <class Layer>
std::string seen(auto& recorder, std::string& text, const auto& passes) {
    text.clear();
    auto ctx = Layer::template context<plan>({}, recorder);
    plan p{{"scan"}};
    try {
        Layer::with(ctx, [&](auto& scope) { scope.run(passes, p); });
    } catch (const tutti::error& e) {
        text += e.what();
    }
    return text;
}

} // namespace

TEMPLATE_TEST_CASE("measured: behaves as the instrument that it measures", "[instrument][measured]", static_layer,
                   erased_layer) {
    std::string text;
    named_recorder plain{"R", text, recording::hooks_and_passes};
    measured by_reference{plain};
    measured by_value{named_recorder{"R", text, recording::hooks_and_passes}};
    CHECK(by_reference.name() == "R");
    CHECK(seen<TestType>(by_reference, text, all) == seen<TestType>(plain, text, all));
    CHECK(seen<TestType>(by_value, text, all) == seen<TestType>(plain, text, all));
    CHECK(text.find("R noted Counts") != std::string::npos);
    CHECK(text.find("R pass_skipped High opt_level") != std::string::npos);
    const auto failing = tutti::sequential(add_sort, throw_it);
    CHECK(seen<TestType>(by_value, text, failing) == seen<TestType>(plain, text, failing));
    CHECK(text.find("R pass_failed ThrowIt") != std::string::npos);

    refusing_recorder refuses{"R", text, "AddSort"};
    measured measured_refusal{refuses};
    CHECK(seen<TestType>(measured_refusal, text, all) == seen<TestType>(refuses, text, all));
}

TEMPLATE_TEST_CASE("measured: counts calls and adds up their time", "[instrument][measured]", static_layer,
                   erased_layer) {
    std::string text;
    measured<named_recorder, tutti::none, ticking> m{named_recorder{"R", text}};
    seen<TestType>(m, text, all);
    CHECK(m.render() == "R: 14 calls, 0.140us\n\tenter_pass_ctx: 1 calls, 0.010us\n\texit_pass_ctx: 1 calls, 0.010us\n"
                        "\tshould_run: 3 calls, 0.030us\n\trun_before_pass: 3 calls, 0.030us\n"
                        "\trun_after_pass: 3 calls, 0.030us\n\tpass_skipped: 1 calls, 0.010us\n"
                        "\tpass_counted: 1 calls, 0.010us\n\tpass_remarked: 1 calls, 0.010us\n");
}

TEMPLATE_TEST_CASE("measured: tells a trace of each call", "[instrument][measured]", static_layer, erased_layer) {
    written_trace trace;
    tutti::instrument::verify check;
    measured m{check, trace};
    auto ctx = TestType::template context<plan>({}, m);
    plan p;
    TestType::with(ctx, [&](auto& scope) {
        scope.run(add_sort, p);
        CHECK_THROWS_AS(scope.run(break_it, p), tutti::error);
    });
    CHECK(trace.text == "verify enter_pass_ctx\nverify run_before_pass\nverify run_after_pass\nverify run_before_pass\n"
                        "verify run_after_pass\nverify exit_pass_ctx\n");
}

TEMPLATE_TEST_CASE("measured: measures instruments of every make", "[instrument][measured]", static_layer,
                   erased_layer) {
    std::string text;
    measured print{tutti::instrument::print_changed{{}, [&](std::string_view part) { text += part; }}};
    measured time{tutti::instrument::timing{}};
    measured enters{only_enters{}};
    measured later{
        tutti::instrument::callbacks{.run_before_pass = std::function<void(const plan&, const tutti::pass_info&)>{}}};
    measured counted{tutti::instrument::statistics{}};
    measured analyses{tutti::instrument::check_analyses{}};
    auto ctx = TestType::template context<plan>({}, print, time, enters, later, counted, analyses);
    plan p;
    TestType::with(ctx, [&](auto& scope) { scope.run(all, p); });
    CHECK(text == "// after AddSort:\n@@ -0,0 +1 @@\n+sort\n// after Counts: no change in its text\n");
    CHECK(time.get().last().size() == 3);
    CHECK(enters.cost().all().calls == 1);
    CHECK(counted.get().counts().size() == 1);
}
