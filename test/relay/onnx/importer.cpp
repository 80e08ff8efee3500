#include <tutti/relay/onnx/importer.hpp>

#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("importer: names of inputs become unique names of parameters", "[relay][onnx][importer]") {
    made_model m;
    m.input("a/b:0", {2}).input("a_b_0", {2}).input("0", {2});
    m.node("Add", {"a/b:0", "a_b_0"}, {"s"}).node("Add", {"s", "0"}, {"y"}).output("y").output("s");
    const std::string text = imported(m);
    CHECK(text.find("%a_b_0: ") != std::string::npos);
    CHECK(text.find("%a_b_0_1: ") != std::string::npos);
    CHECK(text.find("%v0: ") != std::string::npos);
    CHECK(text.find("(%1, %0)") != std::string::npos);
}

TEST_CASE("importer: an error in a graph names the file and the node", "[relay][onnx][importer]") {
    const auto model_with = [](auto&&... add) {
        made_model m;
        m.input("x", {2});
        (add(m), ...);
        return m.output("y");
    };
    CHECK(
        import_refused(model_with([](made_model& m) { m.node("Relu", {"z"}, {"y"}, {}, "n"); })) ==
        "m.onnx, node `n` (Relu), input `z`: nothing defines it; expected an input, an initializer, or an output of a node");
    CHECK(import_refused(model_with([](made_model& m) {
              m.node("Relu", {"x"}, {"z"});
          })).find("m.onnx, output `y`: nothing defines it") == 0);
    CHECK(import_refused(model_with([](made_model& m) { m.node("Relu", {"x"}, {"y"}).node("Abs", {"x"}, {"y"}); })) ==
          "m.onnx, node `y` (Abs), output `y`: the name is defined twice; expected a name of its own for each value");
    CHECK(import_refused(model_with([](made_model& m) {
              m.input("x", {3});
          })).find("m.onnx, an input `x`: the name is defined twice") == 0);
    CHECK(import_refused(model_with([](made_model& m) {
              m.input("b", {3}).node("Add", {"x", "b"}, {"y"}, {}, "sum");
          })).find("m.onnx, node `sum` (Add), add") == 0);
    CHECK(import_refused(model_with([](made_model& m) { m.input("s", {3}, 8).node("Relu", {"x"}, {"y"}); })) ==
          "m.onnx, input `s`: elements of type string; expected a type of numbers, or bool");
    CHECK(import_refused(made_model().input("x", {1}).node("Relu", {"x"}, {"y"})).find("has no outputs") !=
          std::string::npos);
}

TEST_CASE("importer: inputs that are initialisers are no parameters", "[relay][onnx][importer]") {
    made_model m;
    m.input("x", {2}).input("w", {2}).initializer(float_tensor("w", {2}, {1, 2}));
    m.node("Mul", {"x", "w"}, {"y"}).output("y");
    CHECK(imported(m).find("%w") == std::string::npos);
}

namespace {

// Returns a model function with the nodes of `body`.
wire function_of(std::string_view name, std::initializer_list<std::string_view> inputs,
                 std::initializer_list<std::string_view> outputs, const made_model& body, std::int64_t opset = 17) {
    wire f = wire().text(1, name).text(10, "own");
    for (const std::string_view i : inputs) f.text(4, i);
    for (const std::string_view o : outputs) f.text(5, o);
    const wire nodes = wire{body.graph};
    for (const wire_field& n :
         wire_fields({reinterpret_cast<const unsigned char*>(nodes.bytes.data()), nodes.bytes.size(), 0}))
        f.text(7, n.payload.text());
    return f.message(9, wire().number(2, opset));
}
// Returns a model with these functions in the domain `own`.
std::string bytes_with(const made_model& m, std::initializer_list<wire> functions) {
    wire all{m.bytes()};
    all.message(8, wire().text(1, "own").number(2, 1));
    for (const wire& f : functions) all.message(25, f);
    return all.bytes;
}
std::string text_of(const std::string& bytes) {
    return relay::to_text(import_model(model_of(bytes)), {.version_line = false, .type_comments = false});
}
wire own_node(std::string_view op_type, std::string_view input, std::string_view output,
              std::initializer_list<wire> attributes = {}) {
    wire n = wire().text(1, input).text(2, output).text(4, op_type).text(7, "own");
    for (const wire& a : attributes) n.message(5, a);
    return n;
}

} // namespace

TEST_CASE("importer: calls of a model's function are replaced by its nodes", "[relay][onnx][importer]") {
    made_model body; // `y` in the body is not the `y` of the graph
    body.node("LeakyRelu", {"a"}, {"y"}, {wire().text(1, "alpha").text(21, "slope").number(20, 1)});
    body.node("Add", {"y", "a"}, {"b"});
    made_model m;
    m.input("x", {2}).graph.message(1, own_node("Leak", "x", "y", {real_attribute("slope", 0.5F)}));
    m.graph.message(1, own_node("Leak", "y", "z"));
    const std::string text = text_of(bytes_with(m.output("z"), {function_of("Leak", {"a"}, {"b"}, body)}));
    CHECK(
        text.find("%0 = nn.leaky_relu(%x, alpha=0.5f);\n  %1 = add(%0, %x);\n  %2 = nn.leaky_relu(%1, alpha=0.01f)") !=
        std::string::npos);
}

TEST_CASE("importer: refuses recursive functions, and too many copies", "[relay][onnx][importer]") {
    made_model body, m;
    body.graph.message(1, own_node("F", "a", "b"));
    m.input("x", {2}).graph.message(1, own_node("F", "x", "y"));
    m.output("y");
    CHECK(refused([&] { text_of(bytes_with(m, {function_of("F", {"a"}, {"b"}, body)})); }).find("more than 64 deep") !=
          std::string::npos);
    CHECK(refused([&] {
              text_of(bytes_with(m, {function_of("F", {}, {"b"}, body)}));
          }).find("1 inputs and 1 outputs; expected those of the model's function, 0 and 1 at most") !=
          std::string::npos);
    made_model relu;
    relu.node("Relu", {"a"}, {"b"});
    CHECK(refused([&] {
              text_of(bytes_with(m, {function_of("F", {"a"}, {"b"}, relu, -1)}));
          }).find("a function that imports opset -1; expected 1 or more") != std::string::npos);
    // An unknown operator in a function is reported like one in the graph.
    made_model odd;
    odd.node("Odd", {"a"}, {"b"}, {}, "n");
    CHECK(refused([&] {
              text_of(bytes_with(m, {function_of("F", {"a"}, {"b"}, odd)}));
          }).find("operators that cannot be imported: Odd (1 node: `n`)") != std::string::npos);
}

TEST_CASE("importer: the source name of an expression is the name of its node, and passes keep it",
          "[relay][onnx][importer]") {
    made_model m;
    m.input("x", {2, 3}).node("Relu", {"x"}, {"a"}, {}, "layer1/act").node("Exp", {"a"}, {"y"}).output("y");
    relay::ir_module made = import_model(model_of(m));
    const relay::text_options names{.version_line = false, .type_comments = false, .source_names = true};
    const auto body = [&] {
        const std::string text = relay::to_text(made, names);
        return text.substr(text.find("{\n") + 2);
    };
    CHECK(body() == "  %0 = nn.relu(%x) /* layer1/act */;\n  exp(%0) /* y */\n}\n");
    static const auto known = relay::registered_passes();
    for (const std::string_view passes : {"ToANormalForm", "SimplifyExpr", "ToMixedPrecision", "FuseOps"}) {
        relay::ir_module other = import_model(model_of(m));
        const auto pipeline = runtime::parse_pipeline<relay::ir_module>(passes, known);
        runtime::pass_context<relay::ir_module> context({.opt_level = 3});
        with(context, [&](auto& scope) { scope.run(pipeline, other); });
        const std::string text = relay::to_text(other, names);
        INFO(text);
        CHECK(text.find(" /* layer1/act */") != std::string::npos);
        CHECK(text.find(" /* y */") != std::string::npos);
    }
}
