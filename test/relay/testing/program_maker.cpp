#include <tutti/relay/testing/program_maker.hpp>

#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace relay = tutti::relay;
using namespace relay::testing;
using tutti::kernel::dtype;

TEST_CASE("program_maker: makes a function from the added steps, typed as it grows",
          "[relay][testing][program_maker]") {
    choices c({}); // without bytes, each choice is the simplest
    program_maker m(c, {});
    const value x = m.param(dtype::float32, {2, 3}, elements::small);
    m.values.push_back(x);
    const value sum = m.of(relay::add(x.e, m.scalar(dtype::float32, 1).e));
    CHECK(sum.type == dtype::float32);
    CHECK(sum.shape == std::vector<std::int64_t>{2, 3});
    const value bound = m.bind(sum);
    m.give(m.cast(bound, dtype::int8));
    CHECK(m.inputs().size() == 1);
    CHECK(relay::to_text(relay::ir_module(m.finish(m.values.back().e, "Inline")), {.type_comments = false}) ==
          "#[version = \"0.0.5\"]\n"
          "def @main(%p0: Tensor[(2, 3), float32], Inline=1) {\n"
          "  let %p1: Tensor[(2, 3), float32] = add(%p0, 1f);\n"
          "  cast(%p1, dtype=\"int8\")\n"
          "}\n");
}

TEST_CASE("program_maker: finds a value that fits, or makes one", "[relay][testing][program_maker]") {
    choices c({});
    program_maker m(c, {});
    m.values.push_back(m.param(dtype::int8, {4}));
    CHECK(m.of_type(dtype::int8).e.id == m.values[0].e.id);
    CHECK(m.floating().type == dtype::float32);
    CHECK(m.of_rank(2, 3).rank() == 2);
    CHECK(m.fitting(dtype::int32, {4}).shape == std::vector<std::int64_t>{4});
    CHECK(m.broadcastable({2, 3}).size() == 2);
    CHECK(m.any().e.id == m.values[0].e.id);
}

TEST_CASE("program_maker: operands are parameters, constants and tensors of equal elements that the program makes",
          "[relay][testing][program_maker]") {
    const std::vector<std::uint8_t> bytes = bytes_of_seed(1);
    choices c(bytes);
    program_maker m(c, {});
    m.values.push_back(m.param(dtype::float32, {2, 3}));
    std::map<std::string, int> counts;
    for (int i = 0; i < 100 && !c.used_up(); ++i) {
        const value v = m.operand(dtype::float32, {2, 3});
        CHECK(v.type == dtype::float32);
        CHECK(v.shape == std::vector<std::int64_t>{2, 3});
        const relay::graph& g = *v.e.graph;
        const relay::op_def* op = g.called_op(v.e.id);
        ++counts[op != nullptr                                  ? std::string(op->name)
                 : g.kind(v.e.id) == relay::expr_kind::constant ? "constant"
                                                                : "parameter"];
    }
    CHECK(counts["constant"] > 10);
    CHECK(counts["parameter"] > 10);
    int filled = 0;
    for (const char* name : {"ones", "zeros", "full", "ones_like", "zeros_like", "full_like"}) filled += counts[name];
    CHECK(filled > 3);
    for (int i = 0; i < 20; ++i) { // values that must be positive are never filled with zeros
        const value v = m.filled(dtype::float32, {2}, elements::positive);
        CHECK(v.e.graph->called_op(v.e.id)->name == "ones");
    }
}
