#include <tutti/relay/eval/evaluate_options.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <array>

using namespace tutti;

namespace {

relay::ir_module program() {
    return relay::parse("def @other(%x: Tensor[(64), float32]) { nn.relu(%x) }\n"
                        "def @main(%x: Tensor[(64), float32]) { add(%x, %x) }");
}

void run(const relay::evaluate_options& options) {
    relay::evaluator e(program(), options);
    const std::array x{relay::tensor(relay::dtype::float32, {64})};
    static_cast<void>(e.run(x));
}

} // namespace

TEST_CASE("evaluate_options: the defaults suffice for a small program", "[relay][eval]") { CHECK_NOTHROW(run({})); }

TEST_CASE("evaluate_options: name the function and limit a run's bytes and steps", "[relay][eval]") {
    CHECK_NOTHROW(run({.entry = "other"}));
    CHECK_THROWS_WITH(run({.entry = "none"}), Catch::Matchers::Contains("@none"));
    CHECK_THROWS_WITH(run({.max_bytes = 64}), Catch::Matchers::Contains("max_bytes"));
    CHECK_THROWS_WITH(run({.max_work = 64}), Catch::Matchers::Contains("max_work"));
}
