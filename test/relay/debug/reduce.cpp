#include <tutti/relay/debug/reduce.hpp>

#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "catch.hpp"

#include <cstdio>
#include <string>
#include <string_view>

using namespace tutti;

namespace {

std::size_t calls_of(const relay::ir_module& m, std::string_view op) {
    std::size_t count = 0;
    for (const auto& [name, f] : m)
        for (const relay::expr_id e : relay::post_order(f.graph, f.root))
            if (const relay::op_def* called = f.graph.called_op(e)) count += called->name == op ? 1 : 0;
    return count;
}
std::string text(const relay::ir_module& m) { return relay::to_text(m, {.type_comments = false}); }

} // namespace

TEST_CASE("reduce: a network, to the operator that it is about", "[relay][debug][reduce]") {
    const relay::ir_module network = relay::model::resnet({.layers = 18});
    for (const std::string op : {"nn.max_pool2d", "nn.softmax", "nn.conv2d", "add", "nn.batch_flatten", "nn.dense"}) {
        const auto found =
            relay::reduce(network, "A,seq(B,fixpoint(C{x=1},D)),E", [&](const auto& m, const auto& passes) {
                return calls_of(m, op) >= 1 && passes.find('D') != std::string::npos;
            });
        INFO(text(found.program));
        CHECK(found.failed);
        CHECK(found.is_finished);
        CHECK(found.passes == "D");
        CHECK(found.size.calls == 1);
        CHECK(found.before.calls > 60);
        CHECK(found.tries < 120);
        CHECK(calls_of(found.program, op) == 1);
    }
}
