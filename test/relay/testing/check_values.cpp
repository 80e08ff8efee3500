#include <tutti/relay/testing/check_values.hpp>

#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>

#include "support/catch.hpp"
#include "swapping_pass.hpp"

#include <string>

namespace relay = tutti::relay;
using relay::testing::check_values;

TEST_CASE("check_values: accepts a pass that keeps the results of random programs", "[relay][testing][check_values]") {
    CHECK(check_values(relay::eliminate_common_subexpr{}, {.programs = 30}));
}

TEST_CASE("check_values: one that does not is found, with a small program and its seed",
          "[relay][testing][check_values]") {
    const auto found = check_values(tutti::test::swapping_pass{}, {.programs = 300});
    INFO(found.message);
    CHECK_FALSE(found);
    CHECK(found.message.starts_with("seed "));
    CHECK(found.message.find(": the pass changes what is computed: result ") != std::string::npos);
    CHECK(found.message.find("subtract(") != std::string::npos);
    CHECK(found.message.size() < 1500);
}

TEST_CASE("check_values: checks one program, within a tolerance", "[relay][testing][check_values]") {
    const auto close = [](relay::ir_module& m) {
        m = relay::parse("def @main(%x: Tensor[(2), float32]) { multiply(%x, 2.001f) }");
    };
    const relay::ir_module m = relay::parse("def @main(%x: Tensor[(2), float32]) { multiply(%x, 2f) }");
    const tutti::kernel::tensor x({2}, {1.F, 3.F});
    CHECK_FALSE(check_values(close, m, {x}));
    CHECK(check_values(close, m, {x}, {.tolerance = 0.01}));
    CHECK_FALSE(check_values(close, m, {x}, {.tolerance = 0.0001}));
    CHECK(check_values(close, m, {}).message.find("of:\ndef @main") != std::string::npos);
}
