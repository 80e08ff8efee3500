#include "random_calls.hpp"

#include <tutti/relay/eval/blocked.hpp>

#include "support/catch.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

// With the environment variable TUTTI_ROUNDS=100, this test runs 10,000 calls of each of four kinds.
TEST_CASE("blocked: random calls of its own kernels agree with the reference", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    CHECK(test::difference_of_random_calls(tutti::relay::kernels::blocked(), random, test::rounds(400)) == "");
}

#ifdef TUTTI_COMPILED

namespace {

// True if a call adds no floating-point products, whose sums depend on fused multiplication and addition.
bool is_exact(const test::random_call& c) { return c.type == test::dtype::int8 || c.what.starts_with("function"); }

// Returns the first of `calls` random calls whose result differs between two kernel sets; empty if there is none.
std::string first_difference(const tutti::relay::kernel_set& a, const tutti::relay::kernel_set& b,
                             test::random_source& random, int calls) {
    for (int n = 0; n < calls; ++n) {
        const test::random_call c = test::any_call(random);
        if (!is_exact(c)) continue;
        const std::vector<test::tensor> operands = c.operands(random);
        test::repeated call(operands, c.build);
        std::vector<std::shared_ptr<void>> kept_by_a, kept_by_b; // each kernel set has a state of its own
        test::tensor from_a, from_b;
        const std::string refused_by_a = test::error_of([&] { from_a = call.by(a, operands, &kept_by_a); });
        const std::string refused_by_b = test::error_of([&] { from_b = call.by(b, operands, &kept_by_b); });
        if (refused_by_a != refused_by_b) return c.what + ": " + refused_by_a + " but " + refused_by_b;
        if (!test::identical(from_a, from_b)) return c.what + ": other bits";
    }
    return {};
}

} // namespace

TEST_CASE("blocked: the kernels for each width of vectors agree", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    namespace kernels = tutti::relay::kernels;
    const std::vector<kernels::blocked_choice> choices = kernels::blocked_choices();
    REQUIRE(choices.front().processors == "build");
    CHECK(&kernels::blocked() == choices.back().kernels);
    CHECK(first_difference(kernels::reference(), kernels::blocked(), random, 400) != ""); // the check can fail
    for (const kernels::blocked_choice& each : choices) {
        INFO(each.processors);
        CHECK(test::difference_of_random_calls(*each.kernels, random, test::rounds(200)) == "");
        CHECK(first_difference(*choices.front().kernels, *each.kernels, random, test::rounds(400)) == "");
    }
    if (choices.size() == 1) WARN("only the build's width was tested: this processor, or the build, has no other");
}

TEST_CASE("blocked: the sets for each width have the same operators, with this program's descriptions",
          "[relay][eval]") {
    namespace kernels = tutti::relay::kernels;
    const std::vector<kernels::blocked_choice> choices = kernels::blocked_choices();
    for (const kernels::blocked_choice& each : choices) {
        INFO(each.processors);
        const tutti::relay::kernel_set* own = choices.front().kernels;
        const tutti::relay::kernel_set* set = each.kernels;
        for (; own != nullptr && set != nullptr; own = own->next(), set = set->next()) {
            REQUIRE(set->rows().size() == own->rows().size());
            for (std::size_t i = 0; i < own->rows().size(); ++i) {
                CHECK(set->rows()[i].op == own->rows()[i].op);
                const tutti::relay::block_step_entry* const on_blocks = set->rows()[i].on_blocks;
                if (on_blocks != nullptr) CHECK(on_blocks->op == own->rows()[i].op);
            }
        }
        CHECK(own == set);
    }
}

#endif
