#include <tutti/relay/onnx/ops/control.hpp>

#include <tutti/relay/eval/evaluate.hpp>
#include <tutti/relay/op/verify.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::dtype;
using kernel::tensor;

namespace {

std::vector<tensor> run(const made_model& m, std::vector<tensor> inputs) {
    relay::ir_module made = import_model(model_of(m));
    relay::verify(made);
    return relay::evaluate(std::move(made), std::span<const tensor>(inputs));
}
std::vector<float> floats(const tensor& t) { return {t.data<float>(), t.data<float>() + t.size()}; }
std::vector<std::int64_t> shape(const tensor& t) { return {t.shape().begin(), t.shape().end()}; }

tensor vector_of(std::initializer_list<float> values) {
    return tensor({static_cast<std::int64_t>(values.size())}, values);
}

// Returns a model with an If. Each branch applies one operator to x.
made_model choice(std::string_view then, std::string_view otherwise) {
    made_model t, e;
    t.node(then, {"x"}, {"t"}).output("t");
    e.node(otherwise, {"x"}, {"e"}).output("e");
    made_model m;
    m.input("x", {3});
    m.node("If", {"c"}, {"y"}, {graph_attribute("then_branch", t.graph), graph_attribute("else_branch", e.graph)})
        .output("y");
    return m;
}

// Returns a model with a loop that doubles x in each step. The loop returns the last x, and x before each step.
made_model doubling(std::string_view condition) {
    made_model body;
    body.input("i", {}, 7).input("goes_on", {}, 9).input("v", {2});
    body.node("Add", {"v", "v"}, {"w"}).node(condition, {"goes_on"}, {"still"}).output("still").output("w").output("v");
    made_model m;
    m.input("x", {2});
    m.node("Loop", {"n", "c", "x"}, {"last", "all"}, {graph_attribute("body", body.graph)});
    return m.output("last").output("all");
}

} // namespace

TEST_CASE("control: a condition that is known chooses while the model is imported", "[relay][onnx][control]") {
    made_model m = choice("Exp", "Abs");
    m.initializer(int64_tensor("n", {}, {1})).node("Cast", {"n"}, {"c"}, {integer_attribute("to", 9)});
    CHECK(imported_body(m) == "exp(%x)");
    made_model no = choice("Exp", "Abs");
    no.initializer(int64_tensor("n", {}, {0})).node("Cast", {"n"}, {"c"}, {integer_attribute("to", 9)});
    CHECK(imported_body(no) == "abs(%x)");
}

TEST_CASE("control: another one chooses while it runs", "[relay][onnx][control]") {
    made_model m = choice("Neg", "Abs");
    m.input("c", {1}, 9);
    const tensor x = vector_of({-1, 2, -3});
    CHECK(floats(run(m, {x, tensor({1}, {true})})[0]) == std::vector<float>{1, -2, 3});
    CHECK(floats(run(m, {x, tensor({1}, {false})})[0]) == std::vector<float>{1, 2, 3});
    CHECK(imported(m).find("if (") != std::string::npos);
}

TEST_CASE("control: branches of two ranks have the lower one, where an axis is without account",
          "[relay][onnx][control]") {
    made_model squeeze, same, m;
    squeeze.node("Squeeze", {"x", "last"}, {"t"}).output("t");
    same.node("Identity", {"x"}, {"e"}).output("e");
    m.input("x", {2, -1}).initializer(int64_tensor("last", {1}, {1}));
    m.input("c", {}, 9);
    m.node("If", {"c"}, {"y"},
           {graph_attribute("then_branch", squeeze.graph), graph_attribute("else_branch", same.graph)})
        .output("y");
    CHECK(shape(run(m, {tensor({2, 1}, {1.F, 2.F}), tensor::scalar(true)})[0]) == std::vector<std::int64_t>{2});
    CHECK(shape(run(m, {tensor({2, 1}, {1.F, 2.F}), tensor::scalar(false)})[0]) == std::vector<std::int64_t>{2});
    // A result of another rank is an error, not a wrong value.
    CHECK_THROWS_AS(run(m, {tensor({2, 2}, {1.F, 2.F, 3.F, 4.F}), tensor::scalar(false)}), error);

    made_model cast = choice("Neg", "Shape");
    cast.input("c", {}, 9);
    CHECK(import_refused(cast).find(
              "branches whose outputs 0 are Tensor[(3), float32] and Tensor[(1), int64]; expected one type, "
              "or a condition that is known") != std::string::npos);
}

TEST_CASE("control: among axes of unknown sizes, the squeeze tells which one a branch lacks",
          "[relay][onnx][control]") {
    const auto model = [](std::string_view op) {
        made_model shorter, same, m;
        shorter.node(op, {"x", "first"}, {"t"}, {integer_attribute("keepdims", 0)}).output("t");
        same.node("Identity", {"x"}, {"e"}).output("e");
        m.input("x", {-1, -1, -1}).initializer(int64_tensor("first", {1}, {-3})).input("c", {}, 9);
        m.node("If", {"c"}, {"y"},
               {graph_attribute("then_branch", shorter.graph), graph_attribute("else_branch", same.graph)});
        return m.output("y");
    };
    const auto chosen = [&](std::vector<std::int64_t> sizes, bool c) {
        tensor x(dtype::float32, sizes);
        return shape(run(model("Squeeze"), {x, tensor::scalar(c)})[0]);
    };
    CHECK(chosen({1, 3, 1}, true) == std::vector<std::int64_t>{3, 1});
    CHECK(chosen({1, 3, 1}, false) == std::vector<std::int64_t>{3, 1});
    CHECK_THROWS_AS(chosen({2, 3, 1}, false), error);
    CHECK(import_refused(model("ReduceSum")).find("branches whose outputs 0 are") != std::string::npos);
}

TEST_CASE("control: few steps that are known are written one behind another", "[relay][onnx][control]") {
    made_model m = doubling("Identity");
    m.initializer(int64_tensor("n", {}, {3})).node("Cast", {"n"}, {"c"}, {integer_attribute("to", 9)});
    CHECK(imported(m).find("loop") == std::string::npos);
    const std::vector<tensor> made = run(m, {vector_of({1, 3})});
    CHECK(floats(made[0]) == std::vector<float>{8, 24});
    CHECK(floats(made[1]) == std::vector<float>{1, 3, 2, 6, 4, 12});
    CHECK(shape(made[1]) == std::vector<std::int64_t>{3, 2});

    made_model once = doubling("Not"); // ends after the first step
    once.initializer(int64_tensor("n", {}, {3})).node("Cast", {"n"}, {"c"}, {integer_attribute("to", 9)});
    CHECK(shape(run(once, {vector_of({1, 3})})[1]) == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("control: other loops are functions that call themselves", "[relay][onnx][control]") {
    made_model m = doubling("Identity");
    m.input("n", {1}, 7).input("c", {}, 9);
    CHECK(imported(m).find("let %loop") != std::string::npos);
    const auto all = [&](std::int64_t steps, bool first) {
        return run(m, {vector_of({1, 3}), tensor({1}, {steps}), tensor::scalar(first)});
    };
    CHECK(floats(all(3, true)[0]) == std::vector<float>{8, 24});
    CHECK(floats(all(3, true)[1]) == std::vector<float>{1, 3, 2, 6, 4, 12});
    CHECK(floats(all(0, true)[0]) == std::vector<float>{1, 3});
    CHECK(shape(all(0, true)[1]) == std::vector<std::int64_t>{0, 2});
    CHECK(floats(all(5, false)[0]) == std::vector<float>{1, 3});

    made_model many = doubling("Identity"); // has too many steps to unroll
    many.initializer(int64_tensor("n", {}, {100})).node("Cast", {"n"}, {"c"}, {integer_attribute("to", 9)});
    CHECK(imported(many).find("let %loop") != std::string::npos);
    CHECK(shape(run(many, {vector_of({0, 0})})[1]) == std::vector<std::int64_t>{100, 2});
    CHECK(imported(many).find("Tensor[(100, 2), float32]") != std::string::npos);

    made_model none = doubling("Identity"); // has no steps
    none.initializer(int64_tensor("n", {}, {0})).node("Cast", {"n"}, {"c"}, {integer_attribute("to", 9)});
    CHECK(floats(run(none, {vector_of({1, 3})})[0]) == std::vector<float>{1, 3});
    CHECK(shape(run(none, {vector_of({1, 3})})[1]) == std::vector<std::int64_t>{0, 2});
}

TEST_CASE("control: a state may grow, but not change its rank", "[relay][onnx][control]") {
    made_model body, m;
    body.input("i", {}, 7).input("goes_on", {}, 9).input("v", {-1});
    body.node("Concat", {"v", "x"}, {"w"}, {integer_attribute("axis", 0)}).output("goes_on").output("w");
    m.input("x", {2})
        .input("n", {}, 7)
        .initializer(int64_tensor("t", {}, {1}))
        .node("Cast", {"t"}, {"c"}, {integer_attribute("to", 9)});
    m.node("Loop", {"n", "c", "x"}, {"last"}, {graph_attribute("body", body.graph)}).output("last");
    const std::vector<tensor> made = run(m, {vector_of({1, 2}), tensor::scalar(std::int64_t{2})});
    CHECK(floats(made[0]) == std::vector<float>{1, 2, 1, 2, 1, 2});

    made_model wrong, with;
    wrong.input("i", {}, 7).input("goes_on", {}, 9).input("v", {-1});
    wrong.node("Unsqueeze", {"v", "zero"}, {"w"}).output("goes_on").output("w");
    with.input("x", {2}).input("n", {}, 7).input("c", {}, 9).initializer(int64_tensor("zero", {1}, {0}));
    with.node("Loop", {"n", "c", "x"}, {"last"}, {graph_attribute("body", wrong.graph)}).output("last");
    CHECK(import_refused(with).find(
              "a state of type Tensor[(2), float32] that becomes one of type Tensor[(1, 2), float32]") !=
          std::string::npos);
}

TEST_CASE("control: a Scan goes over axes, from either end", "[relay][onnx][control]") {
    for (const std::int64_t steps : {std::int64_t{3}, std::int64_t{-1}, std::int64_t{70}}) {
        const bool large = steps == 70;
        const std::int64_t n = steps < 0 ? 3 : steps;
        made_model body, m;
        body.input("s", {2})
            .input("v", {2})
            .node("Add", {"s", "v"}, {"t"})
            .node("Identity", {"t"}, {"u"})
            .output("t")
            .output("u")
            .output("v");
        m.input("s", {2}).input("x", {2, steps});
        m.node("Scan", {"s", "x"}, {"last", "sums", "again"},
               {graph_attribute("body", body.graph), integer_attribute("num_scan_inputs", 1),
                integers_attribute("scan_input_axes", {-1}), integers_attribute("scan_input_directions", {1}),
                integers_attribute("scan_output_axes", {1, 0}), integers_attribute("scan_output_directions", {1, 0})});
        m.output("last").output("sums").output("again");
        CHECK((imported(m).find("let %loop") != std::string::npos) == (steps < 0 || large));
        tensor x(dtype::float32, {2, n});
        for (std::int64_t i = 0; i < 2 * n; ++i) x.mutable_data<float>()[i] = static_cast<float>(i);
        const std::vector<tensor> made = run(m, {vector_of({0, 1}), x});
        float row = 0, other = 1;
        REQUIRE(shape(made[1]) == std::vector<std::int64_t>{2, n});
        REQUIRE(shape(made[2]) == std::vector<std::int64_t>{n, 2});
        for (std::int64_t i = n; i-- > 0;) { // the scan runs backwards
            row += static_cast<float>(i);
            other += static_cast<float>(n + i);
            CHECK(made[1].data<float>()[i] == row);
            CHECK(made[1].data<float>()[n + i] == other);
            CHECK(made[2].data<float>()[2 * (n - 1 - i)] == static_cast<float>(i));
        }
        CHECK(floats(made[0]) == std::vector<float>{row, other});
    }
}

TEST_CASE("control: a Scan refuses inputs of different lengths, also where they are unknown",
          "[relay][onnx][control]") {
    const auto scan = [](std::int64_t first, std::int64_t second, std::vector<std::int64_t> a,
                         std::vector<std::int64_t> b) {
        made_model body, m;
        body.input("v", {}).input("w", {2}).node("Add", {"v", "w"}, {"t"}).output("t");
        m.input("x", {first}).input("y", {-1, second});
        m.node("Scan", {"x", "y"}, {"sums"},
               {graph_attribute("body", body.graph), integer_attribute("num_scan_inputs", 2),
                integers_attribute("scan_input_axes", {0, 1})});
        return shape(run(m.output("sums"), {tensor(dtype::float32, a), tensor(dtype::float32, b)})[0]);
    };
    for (const std::int64_t first : {std::int64_t{-1}, std::int64_t{3}})
        for (const std::int64_t second : {std::int64_t{-1}, std::int64_t{3}}) {
            CHECK(scan(first, second, {3}, {2, 3}) == std::vector<std::int64_t>{3, 2});
            CHECK_THROWS_AS(scan(first, second, {3}, {2, 2}), error);
            CHECK_THROWS_AS(scan(first, second, {3}, {2, 4}), error);
        }
    CHECK(scan(-1, -1, {0}, {2, 0})[0] == 0);
}

TEST_CASE("control: reports unsuitable graphs", "[relay][onnx][control]") {
    made_model body, m;
    body.input("i", {}, 7).input("goes_on", {}, 9).output("goes_on");
    m.input("x", {2}).input("n", {}, 7).input("c", {}, 9);
    m.node("Loop", {"n", "c", "x"}, {"last"}, {graph_attribute("body", body.graph)}).output("last");
    CHECK_FALSE(import_refused(m).empty());
    made_model scan;
    scan.input("x", {2})
        .node("Scan", {"x"}, {"y"}, {graph_attribute("body", body.graph), integer_attribute("num_scan_inputs", 2)})
        .output("y");
    CHECK(import_refused(scan).find("num_scan_inputs of 2") != std::string::npos);
    made_model none;
    none.input("c", {}, 9).node("If", {"c"}, {"y"}).output("y");
    CHECK(import_refused(none).find("has no attribute `then_branch`; expected a graph") != std::string::npos);
}
