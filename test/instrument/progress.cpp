#include <tutti/instrument/progress.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/pass/stop.hpp>
#include <tutti/pipeline/writing.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <algorithm>
#include <string>
#include <vector>

using tutti::instrument::progress;
using tutti::instrument::progress_step;

namespace {

// Returns what `progress` tells while `pipeline` runs `rounds` times, one line for each call.
template <class Layer>
std::string told(const auto& pipeline, const setup& s = {}, int rounds = 1) {
    std::string text;
    progress shown{{.pipeline = tutti::write_pipeline(pipeline)},
                   [&](const progress_step& at) { text += to_text(at) + '\n'; }};
    auto ctx = Layer::template context<plan>(s, shown);
    plan p{{"scan", "filter", "sort"}};
    Layer::with(ctx, [&](auto& scope) {
        for (int i = 0; i < rounds; ++i) try {
                scope.run(pipeline, p);
            } catch (const tutti::error&) {
                text += "failed\n";
            }
    });
    return text;
}

} // namespace

TEMPLATE_TEST_CASE("progress: counts passes and adaptors at any depth of sequentials", "[instrument][progress]",
                   static_layer, erased_layer) {
    const auto pipeline = tutti::sequential(
        add_sort, tutti::sequential<"Inner">(drop_first, tutti::repeat(tutti::sequential(add_sort, drop_first), 2)),
        drop_first);
    const std::string once = "1 of 4: AddSort\n2 of 4: DropFirst\n"
                             "3 of 4: repeat: AddSort\n3 of 4: repeat: DropFirst\n"
                             "3 of 4: repeat: AddSort\n3 of 4: repeat: DropFirst\n"
                             "4 of 4: DropFirst\n4 of 4: done\n";
    CHECK(told<TestType>(pipeline) == once);
    CHECK(told<TestType>(pipeline, {}, 2) == once + once);
    CHECK(told<TestType>(pipeline, {.disabled = {"Inner"}}) == "1 of 4: AddSort\n4 of 4: DropFirst\n4 of 4: done\n");
    CHECK(told<TestType>(pipeline, {.disabled = {"DropFirst"}}) ==
          "1 of 4: AddSort\n3 of 4: repeat: AddSort\n3 of 4: repeat: AddSort\n4 of 4: done\n");
}

TEMPLATE_TEST_CASE("progress: of a single pass, an adaptor, and a pipeline that fails or is empty",
                   "[instrument][progress]", static_layer, erased_layer) {
    CHECK(told<TestType>(add_sort) == "1 of 1: AddSort\n1 of 1: done\n");
    CHECK(told<TestType>(tutti::repeat(add_sort, 1)) == "1 of 1: repeat: AddSort\n1 of 1: done\n");
    CHECK(told<TestType>(tutti::sequential()) == "");
    CHECK(told<TestType>(tutti::sequential(add_sort, throw_it, add_sort)) ==
          "1 of 3: AddSort\n2 of 3: ThrowIt\nfailed\n");
    CHECK(told<TestType>(tutti::sequential(add_sort, tutti::repeat(throw_it, 1), add_sort)) ==
          "1 of 3: AddSort\n2 of 3: repeat: ThrowIt\nfailed\n");
}

TEST_CASE("progress: without the pipeline, there is no total", "[instrument][progress]") {
    std::string text;
    progress shown{{}, [&](const progress_step& at) { text += to_text(at) + '\n'; }};
    tutti::pass_context ctx{tutti::instruments(shown)};
    plan p{{"scan"}};
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(add_sort, tutti::repeat(add_sort, 1)), p); });
    CHECK(text == "AddSort\nrepeat: AddSort\n");
}

TEST_CASE("progress: a stopped run is not complete", "[instrument][progress]") {
    std::string text;
    tutti::stop_token token;
    const auto stop = tutti::make_pass<"Stop">([&](plan&) { token.request(); });
    const auto pipeline = tutti::sequential(add_sort, stop, add_sort, add_sort);
    progress shown{{.pipeline = tutti::write_pipeline(pipeline)},
                   [&](const progress_step& at) { text += to_text(at) + '\n'; }};
    tutti::pass_context ctx{tutti::stoppable{token}, tutti::instruments(shown)};
    plan p{{"scan"}};
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, p); });
    CHECK(text == "1 of 4: AddSort\n2 of 4: Stop\n");
}

TEST_CASE("progress: of parts transformed in parallel", "[instrument][progress]") {
    std::vector<std::string> steps;
    const auto unroll = tutti::make_pass<"Unroll">([](loop& l) { l.trips /= 2; });
    const auto peel = tutti::make_pass<"Peel">([](loop& l) { --l.trips; });
    const auto pipeline =
        tutti::sequential(tutti::each<loop>(tutti::sequential(unroll, peel)), tutti::each<loop>(unroll));
    progress shown{{.pipeline = tutti::write_pipeline(pipeline)},
                   [&](const progress_step& at) { steps.push_back(to_text(at)); }};
    tutti::thread_pool pool{4};
    tutti::pass_context ctx{tutti::on(pool), tutti::instruments(shown)};
    function f{.loops = std::vector<loop>(50, {.trips = 8})};
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, f); });
    CHECK(std::ranges::count(steps, "1 of 2: loop: Unroll") == 50);
    CHECK(std::ranges::count(steps, "1 of 2: loop: Peel") == 50);
    CHECK(std::ranges::count(steps, "2 of 2: loop: Unroll") == 50);
    REQUIRE(steps.size() == 151);
    CHECK(steps.back() == "2 of 2: done");
}
