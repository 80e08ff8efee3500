#include <tutti/instrument/totals.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/parallel.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

using tutti::instrument::run_totals;
using tutti::instrument::shared_totals;
using tutti::instrument::totals;

namespace {

const auto counts = tutti::make_pass<"Counts">([](plan&, auto& ctx) {
    ctx.count("steps", 2);
    ctx.remark(tutti::remark_kind::missed, "here", "too long");
});

// Everything but the times.
std::string text_of(const run_totals& all) {
    std::string text = std::to_string(all.runs()) + " runs\n";
    for (const auto& each : all.passes())
        text += each.pass + " " + std::to_string(each.calls) + " calls in " + std::to_string(each.self.count()) + "\n";
    for (const auto& each : all.counts()) text += each.pass + "." + each.name + " " + std::to_string(each.count) + "\n";
    for (const auto& each : all.remarks())
        text += each.pass + ": " + std::string{to_string(each.kind)} + ": " + each.text + " " +
                std::to_string(each.count) + "\n";
    return text;
}

} // namespace

TEMPLATE_TEST_CASE("totals: adds up runs", "[instrument][totals]", static_layer, erased_layer) {
    totals all;
    auto ctx = TestType::template context<plan>({}, all);
    plan p{{"scan"}};
    for (int i = 0; i < 3; ++i)
        TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(counts, tutti::repeat(add_sort, 2)), p); });
    CHECK(text_of(all.all()) == "3 runs\nAddSort 6 calls in 3\nCounts 3 calls in 3\nrepeat 3 calls in 3\n"
                                "sequential 3 calls in 3\nCounts.steps 6\nCounts: missed: too long 3\n");
    for (const auto& each : all.all().passes()) {
        CHECK(each.inclusive >= each.self.sum());
        CHECK(each.self.sum() > 0);
    }
    CHECK_THROWS_AS(TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(add_sort, throw_it), p); }),
                    tutti::error);
    CHECK(all.all().runs() == 4);
}

TEMPLATE_TEST_CASE("totals: threads add to shared totals, which equal those of one thread", "[instrument][totals]",
                   static_layer, erased_layer) {
    const auto run = [](shared_totals& into, int times) {
        totals mine{into};
        auto ctx = TestType::template context<plan>({}, mine);
        plan p{{"scan"}};
        for (int i = 0; i < times; ++i)
            TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(counts, add_sort), p); });
        CHECK(mine.all() == run_totals{});
    };
    shared_totals one, several;
    run(one, 40);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) threads.emplace_back([&] { run(several, 10); });
    }
    CHECK(text_of(several.all()) == text_of(one.all()));
}

TEST_CASE("totals: of parts transformed in parallel", "[instrument][totals]") {
    const auto unroll = tutti::make_pass<"Unroll">([](loop& l, auto& ctx) {
        l.trips /= 2;
        ctx.count("unrolled", 1);
        ctx.remark(tutti::remark_kind::applied, "", "unrolled");
    });
    const auto with_threads = [&](unsigned threads) {
        totals all;
        tutti::thread_pool pool{threads};
        tutti::pass_context ctx{tutti::on(pool), tutti::instruments(all)};
        function f{.loops = std::vector<loop>(50)};
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::each<loop>(unroll), f); });
        return text_of(all.all());
    };
    CHECK(with_threads(1) == "1 runs\nUnroll 50 calls in 1\nloop 1 calls in 1\nUnroll.unrolled 50\n"
                             "Unroll: applied: unrolled 50\n");
    CHECK(with_threads(4) == with_threads(1));
}
