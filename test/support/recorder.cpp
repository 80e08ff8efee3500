#include "recorder.hpp"

#include <tutti/pass.hpp>

#include "catch.hpp"

namespace {
constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
constexpr auto above = tutti::make_pass<"Above", 3>([](int& n) { ++n; });
} // namespace

TEST_CASE("recorder: writes the reference's five hooks, in its words", "[laws][recorder]") {
    std::string text;
    tutti::pass_context ctx{tutti::instruments(recorder{"PassFine_0", text})};
    tutti::with(ctx, [](auto& scope) { CHECK(scope.run(next, 1) == 2); });
    CHECK(text == "PassFine_0 enter_pass_ctx\nPassFine_0 should_run\nPassFine_0 run_before_pass\n"
                  "PassFine_0 run_after_pass\nPassFine_0 exit_pass_ctx\n");
    STATIC_REQUIRE(!tutti::internal::sees_skipped<recorder> && !tutti::internal::sees_failed<recorder, int>);
}

TEST_CASE("recorder: writes passes' names too, if wanted", "[laws][recorder]") {
    std::string text;
    tutti::pass_context ctx{tutti::instruments(recorder{"R", text, recording::hooks_and_passes})};
    tutti::with(ctx, [](auto& scope) { CHECK(scope.run(next, 1) == 2); });
    CHECK(text == "R enter_pass_ctx\nR should_run Next\nR run_before_pass Next\nR run_after_pass Next\nR "
                  "exit_pass_ctx\n");
}

TEST_CASE("recorder: a full one writes skipped and failed passes", "[laws][recorder]") {
    std::string text;
    full_recorder full{"R", text, recording::hooks_and_passes};
    CHECK(full.name() == "R");
    full.pass_skipped(above.info, tutti::skip_reason::opt_level);
    full.pass_failed(static_cast<const int*>(nullptr), next.info, nullptr);
    CHECK(text == "R pass_skipped Above opt_level\nR pass_failed Next\n");
}
