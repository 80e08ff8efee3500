#include <tutti/relay/debug/reduce.hpp>

#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "relay/malformed.hpp"
#include "support/catch.hpp"

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

namespace {

// A program with every kind of expression.
constexpr std::string_view mixed = R"(#[version = "0.0.5"]
def @count(%n: int32, %x: Tensor[(4, 6), float32]) -> Tensor[(4, 6), float32] {
  if (less(%n, 1)) {
    %x
  } else {
    @count(subtract(%n, 1), nn.relu(%x))
  }
}
def @other(%x: Tensor[(4, 6), float32]) { exp(%x) }
def @main(%x: Tensor[(4, 6), float32], %t: (Tensor[(4, 6), float32], int32), %c: bool) {
  let %a = @other(%x);
  let %f = fn (%y: Tensor[(4, 6), float32], %z: int32, Primitive=1) { sigmoid(add(%y, 2.5f)) };
  let %b = %f(%a, %t.1);
  let %r = if (%c) { tanh(%b) } else { sqrt(%b) };
  (%r, %t.0, @count(3, %r), split(%b, indices_or_sections=2, axis=1).1, sum(%r, axis=[1], keepdims=True))
}
)";

relay::reduction reduced_to(std::string_view op, const relay::reduce_options& options = {}) {
    return relay::reduce(
        relay::parse(mixed), "A,B", [&](const auto& m, const auto&) { return calls_of(m, op) != 0; }, options);
}

} // namespace

TEST_CASE("reduce: a malformed program is an error", "[relay][debug][reduce]") {
    for (const malformed::malformation& each : malformed::all()) {
        if (each.how != malformed::damage::unreadable) continue;
        INFO(each.name);
        relay::ir_module m = malformed::program();
        each.to(m);
        CHECK_THROWS_AS(relay::reduce(m, "A", [](const auto&, const auto&) { return true; }), tutti::error);
    }
}

TEST_CASE("reduce: whatever a program is made of", "[relay][debug][reduce]") {
    for (const std::string_view op :
         {"exp", "sigmoid", "tanh", "sqrt", "split", "sum", "less", "subtract", "nn.relu"}) {
        const relay::reduction found = reduced_to(op);
        INFO(op << '\n' << text(found.program));
        CHECK(found.is_finished);
        CHECK(found.passes.empty());
        CHECK(found.program.size() == 1);
        CHECK(found.size.calls == 1);
        CHECK(found.size.others == 1);
        CHECK(found.size.attributes <= 1); // the required attribute of split
        CHECK(found.size.elements <= 4);
        relay::ir_module again = relay::parse(relay::to_text(found.program));
        relay::infer_types(again);
        relay::verify(again);
    }
}

TEST_CASE("reduce: a recursive function keeps its declarations", "[relay][debug][reduce]") {
    const auto found = relay::reduce(relay::parse(mixed), "", [](const auto& m, const auto&) {
        const auto* f = m.find("count");
        return f && relay::is_referred_to(m, "count") && calls_of(m, "nn.relu") != 0;
    });
    CHECK(found.is_finished);
    CHECK(found.program.size() == 1);
    CHECK(text(found.program).find("@count(") != std::string::npos);
    CHECK(found.size.calls <= 4);
}

TEST_CASE("reduce: shows types if it was given some, and always finds the same", "[relay][debug][reduce]") {
    CHECK(relay::to_text(reduced_to("tanh").program).find("ty=") == std::string::npos);
    relay::ir_module m = relay::parse(mixed);
    relay::infer_types(m);
    const auto is_there = [](const relay::ir_module& smaller, const std::string&) {
        if (smaller.size() == 0) return false;
        CHECK(smaller.begin()->function.graph.type(smaller.begin()->function.root) != relay::type_id::none);
        return calls_of(smaller, "tanh") != 0;
    };
    const auto found = relay::reduce(m, "", is_there);
    CHECK(relay::to_text(found.program).find("ty=") != std::string::npos);
    const auto again = relay::reduce(m, "", is_there);
    CHECK(relay::to_text(again.program) == relay::to_text(found.program));
    CHECK(again.tries == found.tries);
}

TEST_CASE("reduce: stops when told to, with the smallest program so far", "[relay][debug][reduce]") {
    const auto few = reduced_to("tanh", {.max_tries = 4});
    CHECK(few.failed);
    CHECK_FALSE(few.is_finished);
    CHECK(few.tries == 4);
    CHECK(calls_of(few.program, "tanh") == 1);
    std::size_t seen = 0;
    const auto stopped = relay::reduce(
        relay::parse(mixed), "A", [](const auto&, const auto&) { return true; }, {},
        [&](const relay::reduction& so_far) { return ++seen, so_far.tries < 3; });
    CHECK(seen == 3);
    CHECK(stopped.tries == 3);
    CHECK_FALSE(stopped.is_finished);
}

TEST_CASE("reduce: programs that do not fail, and malformed ones", "[relay][debug][reduce]") {
    const auto right = relay::reduce(relay::parse(mixed), "A", [](const auto&, const auto&) { return false; });
    CHECK_FALSE(right.failed);
    CHECK(right.tries == 1);
    CHECK(right.passes == "A");
    const auto wrong = relay::parse("def @main(%x: Tensor[(2), float32]) { nn.dense(%x, %x, units=None) }");
    CHECK_THROWS_AS(relay::reduce(wrong, "", [](const auto&, const auto&) { return true; }), tutti::error);
}
