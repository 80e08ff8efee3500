#include <tutti/relay/debug/find_mixed_precision.hpp>

#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "relay/programs.hpp"
#include "support/catch.hpp"

namespace relay = tutti::relay;
namespace test = tutti::test;
using relay::tensor;

namespace {

// float16 has too few digits for the sum %1. The difference %2 stays in float32 because its argument %1 does.
constexpr const char* cancelling = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 8), float32], %w: Tensor[(8, 8), float32]) {
  %0 = nn.dense(%x, %w, units=8);
  %1 = add(%0, 20000f);
  %2 = subtract(%1, 20000f);
  %3 = nn.dense(%2, %w, units=8);
  nn.relu(%3)
}
)";

std::vector<std::vector<tensor>> samples_of(const relay::ir_module& m, int count) {
    const relay::evaluator e(m, relay::kernels::blocked());
    std::vector<std::vector<tensor>> all(static_cast<std::size_t>(count));
    std::uint64_t seed = 0;
    for (auto& inputs : all) {
        for (const relay::parameter& p : e.parameters())
            inputs.push_back(relay::synthetic_input(p.name, e.types(), p.type, seed));
        ++seed;
    }
    return all;
}

relay::mixed_precision found(const relay::ir_module& m, const relay::mixed_precision_options& options,
                             int samples = 2) {
    return relay::find_mixed_precision(m, relay::kernels::blocked(), samples_of(m, samples), options);
}

std::string ops(const relay::mixed_precision& found) {
    std::string text;
    for (const relay::float32_call& each : found.kept) text += each.function + ":" + each.op + " ";
    return text;
}

} // namespace

TEST_CASE("find_mixed_precision: keeps the calls in float32 that the tolerance needs", "[relay][debug]") {
    const relay::ir_module m = relay::parse(cancelling);
    const auto it = found(m, {.tolerance = 0.01});
    CHECK(it.is_within);
    CHECK(it.calls == 5);
    CHECK(ops(it) == "main:add ");
    CHECK(test::bare_text(it.program) ==
          R"(def @main(%x: Tensor[(1, 8), float32], %w: Tensor[(8, 8), float32]) -> Tensor[(1, 8), float32] {
  %0 = cast(%x, dtype="float16");
  %1 = cast(%w, dtype="float16");
  %2 = nn.dense(%0, %1, units=8, out_dtype="float16");
  %3 = cast(%2, dtype="float32");
  %4 = add(%3, 20000f);
  %5 = subtract(%4, 20000f);
  %6 = cast(%5, dtype="float16");
  %7 = nn.dense(%6, %1, units=8, out_dtype="float16");
  %8 = nn.relu(%7);
  cast(%8, dtype="float32")
}
)");
    CHECK(it.results.size() == 1);
    CHECK(it.results[0].largest > 0);
    // A tolerance below the precision of float16 allows no call in float16.
    const auto strict = found(m, {.tolerance = 1e-7});
    CHECK(strict.is_within);
    CHECK(ops(strict) == "main:nn.dense main:nn.dense ");
    CHECK(strict.results[0].largest == 0);
}

TEST_CASE("find_mixed_precision: one evaluation suffices if everything may be in float16", "[relay][debug]") {
    const relay::ir_module m = relay::parse(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 8), float32], %w: Tensor[(8, 8), float32]) {
  nn.relu(nn.dense(%x, %w, units=8))
}
)");
    std::size_t told = 0;
    const auto it = relay::find_mixed_precision(m, relay::kernels::blocked(), samples_of(m, 1), {.tolerance = 0.05},
                                                [&](std::size_t tries, std::size_t calls) {
                                                    CHECK(tries == told++);
                                                    CHECK(calls == 2);
                                                });
    CHECK(it.is_within);
    CHECK(it.kept.empty());
    CHECK(told == 1);
    CHECK(it.tries == 1);
}

TEST_CASE("find_mixed_precision: calls to keep are no candidates", "[relay][debug]") {
    const relay::ir_module m = relay::parse(cancelling);
    relay::mixed_precision_options options{.tolerance = 0.01};
    options.pass.keep = {"nn.dense"};
    options.pass.mixed_precision_type = tutti::kernel::dtype::bfloat16;
    const auto it = found(m, options);
    CHECK(it.is_within);
    CHECK(it.calls == 3);
    CHECK(relay::to_text(it.program).find("out_dtype=\"bfloat16\"") == std::string::npos);
}

TEST_CASE("find_mixed_precision: several functions, and a result that no call makes", "[relay][debug]") {
    const relay::ir_module m = relay::parse(R"(#[version = "0.0.5"]
def @twice(%a: Tensor[(1, 8), float32]) -> Tensor[(1, 8), float32] { subtract(add(%a, 20000f), 20000f) }
def @main(%x: Tensor[(1, 8), float32], %w: Tensor[(8, 8), float32]) {
  let %y = nn.dense(%x, %w, units=8);
  let %z = @twice(%y);
  %z
}
)");
    const auto it = found(m, {.tolerance = 0.01});
    CHECK(it.is_within);
    CHECK(ops(it) == "twice:add ");
}
