#include <tutti/relay/eval/arena.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/testing/random_module.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace relay = tutti::relay;
using relay::tensor;

namespace {

struct watcher {
    int calls = 0;
    void after_call(const relay::op_def&, const relay::invocation&) { ++calls; }
};

using bytes = std::vector<std::vector<unsigned char>>;

bytes bytes_of(std::span<const tensor> results) {
    bytes all;
    for (const tensor& t : results) {
        const auto* first = static_cast<const unsigned char*>(t.memory());
        all.emplace_back(first, first + static_cast<std::size_t>(t.size()) * tutti::kernel::bytes(t.type()));
    }
    return all;
}

} // namespace

TEST_CASE("arena: random programs give the same results as elsewhere", "[relay][random]") {
    std::uint64_t planned = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        relay::testing::random_module made = relay::testing::make_random_module(seed, {.most_steps = 30});
        const std::string text = relay::to_text(made.program, {.type_comments = false, .metadata_note = false});
        INFO(text);
        relay::evaluator e(std::move(made.program));
        watcher seen;
        const std::span<const tensor> inputs(made.inputs);
        const bytes apart = bytes_of(e.run(inputs, seen));
        std::vector<tensor> kept;
        for (int run = 0; run < 3; ++run) {
            const std::span<const tensor> results = e.run(inputs);
            CHECK(bytes_of(results) == apart);
            if (run == 0) kept.assign(results.begin(), results.end());
        }
        CHECK(bytes_of(kept) == apart);
        planned += e.memory().planned;
    }
    CHECK(planned > 0);
}
