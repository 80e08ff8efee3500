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

/// Prepares the call that `main` returns, for lists of kernels and of operands.
struct prepared {
    explicit prepared(std::string_view text) : module(tutti::test::program(text)) {
        relay::infer_types(module);
        const relay::graph& g = module.find("main")->graph;
        called = {g.called_op(g.body(module.find("main")->root)), 0, &g, g.body(module.find("main")->root)};
    }

    eval::prepared_call by(std::vector<relay::prepare_function> all, std::vector<eval::operand_id> operands) {
        std::vector<relay::kernel_row> rows;
        for (const relay::prepare_function each : all) rows.push_back({.op = called.op, .prepare = each});
        constant.value = tensor({2, 2}, {1.F, 2.F, 3.F, 4.F});
        eval::cell* const constants[]{&constant};
        return eval::prepare_call(called, rows, operands, constants, nullptr, {});
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
    const eval::prepared_call made = p.by({[](const relay::invocation& c) -> std::shared_ptr<void> {
                                              if (c.is_constant(0) || !c.is_constant(1) || c.input(0).shape()[0] != 3)
                                                  return {};
                                              return std::make_shared<float>(c.input(1).elements<float>()[3]);
                                          }},
                                          {0, first_constant});
    REQUIRE(made.state != nullptr);
    CHECK(*static_cast<float*>(made.state.get()) == 4);
}

TEST_CASE("prepare_call: operands of unknown shape are empty", "[relay][eval]") {
    prepared p("def @main(%x: Tensor[(?, 2), float32], %w: Tensor[(2, 2), float32]) { nn.dense(%x, %w, units=None) }");
    const eval::prepared_call made = p.by({[](const relay::invocation& c) -> std::shared_ptr<void> {
                                              if (!c.input(0).empty()) return {};
                                              return std::make_shared<int>(1);
                                          }},
                                          {0, first_constant});
    CHECK(made.state != nullptr);
}

TEST_CASE("prepare_call: a preparation that fails is none", "[relay][eval]") {
    prepared p(product);
    const auto throws = [](const relay::invocation&) -> std::shared_ptr<void> { throw tutti::error("x", "refused"); };
    CHECK(p.by({throws}, {0, first_constant}).state == nullptr);
    CHECK(p.by({nullptr}, {0, first_constant}).state == nullptr);
    CHECK(p.by({throws}, {0}).state == nullptr); // too few operands for the call
}

TEST_CASE("prepare_call: the first kernel that prepares a call computes it", "[relay][eval]") {
    prepared p(product);
    const auto nothing = [](const relay::invocation&) -> std::shared_ptr<void> { return nullptr; };
    const auto something = [](const relay::invocation&) -> std::shared_ptr<void> { return std::make_shared<int>(1); };
    CHECK(p.by({something, something}, {0, first_constant}).row == 0);
    CHECK(p.by({nothing, something}, {0, first_constant}).row == 1);
    CHECK(p.by({nothing, nothing}, {0, first_constant}).state == nullptr);
    CHECK(p.by({nullptr, something}, {0, first_constant}).state == nullptr); // the first kernel needs no preparation
}
