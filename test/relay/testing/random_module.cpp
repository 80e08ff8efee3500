#include <tutti/relay/testing/random_module.hpp>

#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>

namespace relay = tutti::relay;
using relay::testing::make_random_module;

TEST_CASE("random_module: follows from its seed, and is well-formed", "[relay][testing][random_module]") {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        auto made = make_random_module(seed);
        INFO(seed);
        CHECK(relay::structural_equal(made.program, make_random_module(seed).program, {.names = true}));
        relay::infer_types(made.program);
        CHECK_NOTHROW(relay::verify(made.program));
        CHECK(made.inputs.size() == made.program.find("main")->graph.params(made.program.find("main")->root).size());
    }
}

TEST_CASE("random_module: respects the size limit, and takes custom steps", "[relay][testing][random_module]") {
    static constexpr relay::testing::step own[]{
        [](relay::testing::program_maker& m) { m.give(m.scalar(tutti::kernel::dtype::int64, 123456)); }};
    std::string small, large;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        small += relay::to_text(make_random_module(seed, {.most_steps = 1}).program);
        large += relay::to_text(make_random_module(seed, {.most_steps = 40, .steps = own}).program);
    }
    CHECK(small.size() < large.size());
    CHECK(large.find("123456i64") != std::string::npos);
}
