#include <tutti/relay/eval/prepare_call.hpp>

#include <tutti/relay/op/infer.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;
using relay::tensor;

namespace {

/// The first call of a program, and its preparation with a constant as the second operand.
struct prepared {
    explicit prepared(std::string_view text) : module(tutti::test::program(text)) {
        relay::infer_types(module);
        const relay::graph& g = module.find("main")->graph;
        called = {g.called_op(g.body(module.find("main")->root)), nullptr, &g, g.body(module.find("main")->root)};
    }

    relay::prepared_call by(relay::prepare_function how, std::vector<eval::operand_id> operands) {
        static relay::prepare_function chosen;
        chosen = how;
        constant.value = tensor({2, 2}, {1.F, 2.F, 3.F, 4.F});
        eval::cell* const constants[]{&constant};
        return eval::prepare_call(called, operands, constants, [](const relay::op_def&) { return chosen; }, {});
    }

    relay::ir_module module;
    eval::op_call called;
    eval::cell constant;
};

constexpr eval::operand_id first_constant = 0 | eval::constant_bit;
constexpr const char* product =
    "def @main(%x: Tensor[(3, 2), float32], %w: Tensor[(2, 2), float32]) { nn.dense(%x, %w, units=None) }";

} // namespace

TEST_CASE("prepare_call: constants have elements, other operands only a shape", "[relay][eval]") {
    prepared p(product);
    const relay::prepared_call made = p.by(
        [](const relay::invocation& c) -> relay::prepared_call {
            if (c.is_constant(0) || !c.is_constant(1) || c.input(0).shape()[0] != 3) return {};
            return {.state = std::make_shared<float>(c.input(1).elements<float>()[3])};
        },
        {0, first_constant});
    REQUIRE(made.state != nullptr);
    CHECK(*static_cast<float*>(made.state.get()) == 4);
}

TEST_CASE("prepare_call: operands of unknown shape are empty", "[relay][eval]") {
    prepared p("def @main(%x: Tensor[(?, 2), float32], %w: Tensor[(2, 2), float32]) { nn.dense(%x, %w, units=None) }");
    const relay::prepared_call made = p.by(
        [](const relay::invocation& c) -> relay::prepared_call {
            if (!c.input(0).empty()) return {};
            return {.state = std::make_shared<int>(1)};
        },
        {0, first_constant});
    CHECK(made.state != nullptr);
}

TEST_CASE("prepare_call: a preparation that fails is none", "[relay][eval]") {
    prepared p(product);
    const auto throws = [](const relay::invocation&) -> relay::prepared_call { throw tutti::error("x", "refused"); };
    CHECK(p.by(throws, {0, first_constant}).state == nullptr);
    CHECK(p.by(nullptr, {0, first_constant}).state == nullptr);
    CHECK(p.by(throws, {0}).state == nullptr); // not the operands of the call
}
