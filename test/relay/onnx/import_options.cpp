#include <tutti/relay/onnx/import_options.hpp>

#include "made_model.hpp"
#include "relay/programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("import_options: dimensions with names are bound, or unknown", "[relay][onnx][import_options]") {
    made_model m;
    m.input("x", {-1, 3, -2}).node("Relu", {"x"}, {"y"}).output("y");
    CHECK(imported(m).find("%x: Tensor[(?, 3, ?), float32]") != std::string::npos);
    CHECK(imported(m, {.dims = {{"a", 4}}}).find("%x: Tensor[(4, 3, ?), float32]") != std::string::npos);
    CHECK(import_refused(m, {.dims = {{"n", 4}}}) == "m.onnx, dimension `n`: no input has it; expected `a`, `b`");
    CHECK(import_refused(m, {.dims = {{"a", -4}}}) == "m.onnx, dimension `a`: a size of -4; expected 0 to 2^60");
}

TEST_CASE("import_options: initialisers are constants, or parameters", "[relay][onnx][import_options]") {
    made_model m;
    m.input("x", {2}).initializer(float_tensor("w", {2}, {1, 2})).node("Add", {"x", "w"}, {"y"}).output("y");
    CHECK(imported_body(m) == "add(%x, meta[relay.Constant][0])");
    CHECK(imported_body(m, {.initializers = initializers::parameters}) == "add(%x, %w)");
}

TEST_CASE("import_options: a short model makes no more than its limits", "[relay][onnx][import_options]") {
    // The initial state is a constant of zeros with the size of an input axis.
    made_model zeros;
    zeros.input("x", {1, std::int64_t{1} << 40, 1}).initializer(float_tensor("w", {1, 1, 1}, {1}));
    zeros.node("RNN", {"x", "w", "w"}, {"y"}, {integer_attribute("hidden_size", 1)}, "rnn").output("y");
    const std::string said = import_refused(zeros);
    CHECK(said.starts_with("m.onnx, node `rnn` (RNN): more than "));
    CHECK(said.ends_with(" bytes of constants; expected no more, or a larger max_bytes"));
    // Nested loops are unrolled.
    wire body;
    for (int depth = 0; depth < 6; ++depth) {
        wire graph;
        const std::string n = std::to_string(depth);
        if (depth == 0)
            graph.message(1, wire().text(1, "s0").text(2, "r0").text(4, "Relu"));
        else
            graph.message(1, wire()
                                 .text(1, "n")
                                 .text(1, "t")
                                 .text(1, "s" + n)
                                 .text(2, "r" + n)
                                 .text(4, "Loop")
                                 .message(5, graph_attribute("body", body)));
        graph.message(11, value_info("i" + n, {}, 7)).message(11, value_info("c" + n, {}, 9));
        graph.message(11, value_info("s" + n, {2})).message(12, value_info("c" + n, {}, 9));
        body = graph.message(12, value_info("r" + n, {2}));
    }
    made_model loops;
    loops.input("x", {2}).initializer(int64_tensor("n", {}, {60}));
    loops.initializer(wire().number(2, 9).text(8, "t").number(5, 1));
    loops.node("Loop", {"n", "t", "x"}, {"y"}, {graph_attribute("body", body)}, "outer").output("y");
    const std::string refusal = import_refused(loops, {.max_work = 100'000});
    CHECK(refusal.find("more than 100,000 steps of import; expected no more, or a larger max_work") !=
          std::string::npos);
    // A node may have many partially known inputs.
    made_model lists;
    lists.input("x", {-1}).node("Shape", {"x"}, {"s"});
    wire concat;
    for (int i = 0; i < 5000; ++i) concat.text(1, "s");
    lists.graph.message(1, concat.text(2, "y").text(4, "Concat").message(5, integer_attribute("axis", 0)));
    CHECK(imported(lists.output("y")).find("Tensor[(5000), int64]") != std::string::npos);
}

TEST_CASE("import_options: axes that are computed make no tensor of any rank", "[relay][onnx][import_options]") {
    made_model deep; // the result would have a huge rank
    deep.input("x", {2}).input("axes", {65}, 7).node("Unsqueeze", {"x", "axes"}, {"y"}, {}, "deep").output("y");
    CHECK(import_refused(deep) ==
          "m.onnx, node `deep` (Unsqueeze): a result of rank 66; expected 64 at most, where the axes are not known");
}

TEST_CASE("import_options: a function gives the external data of a model in memory", "[relay][onnx][import_options]") {
    const wire place = wire().text(1, "location").text(2, "weights");
    const wire w = wire().number(1, 2).number(2, 1).text(8, "w").number(14, 1).message(13, place);
    made_model made;
    made.input("x", {2}).node("Add", {"x", "w"}, {"y"}).output("y").initializer(w);
    const std::string bytes = made.bytes(), weights("\0\0\x80\x3F\0\0\0\x40", 8);
    const onnx::model m = model_in_memory(bytes, "net");
    const ir_module imported =
        import_model(m, {.external = [&](std::string_view) {
                         return std::make_shared<const file::mapped_file>(file::mapped_file::borrowed_bytes{weights});
                     }});
    CHECK(to_text(imported).find("meta[relay.Constant][0]") != std::string::npos);
    CHECK(
        refused([&] { import_model(m, {.external = [](std::string_view) { return shared_file(); }}); }) ==
        "net, node `y` (Add), tensor `w`: external data at `weights` is not found; expected bytes from import_options::external");
}

TEST_CASE("import_options: a part of a model, from values to values", "[relay][onnx][import_options]") {
    made_model made;
    made.input("x", {2, 3}).input("other", {3}).initializer(float_tensor("w", {3}, {1, 2, 3}));
    made.node("Relu", {"x"}, {"a/b:0"})
        .node("Add", {"a/b:0", "w"}, {"c"})
        .node("Add", {"c", "other"}, {"d"})
        .output("d");
    const auto part = [&](const import_options& options) {
        const std::string text = bare_text(import_model(model_of(made), options));
        return text.substr(text.find("def"), text.rfind('}') + 1 - text.find("def"));
    };
    CHECK(part({.to = {"c"}}).find("%other") != std::string::npos); // without `from`, all inputs are kept
    CHECK(part({.from = {"a/b:0"}, .to = {"c"}}).starts_with("def @main(%a_b_0: Tensor[(2, 3), float32])"));
    CHECK(part({.from = {"c"}}).starts_with("def @main(%other: Tensor[(3), float32], %c: Tensor[(2, 3), float32])"));
    CHECK(part({.from = {"w"}, .to = {"c"}})
              .starts_with("def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(3), float32])"));
    CHECK(part({.from = {"x"}, .to = {"a/b:0", "c"}}).find("(%0, ") != std::string::npos);
    CHECK(part({.to = {"w"}}).find("meta[relay.Constant]") != std::string::npos);
    const auto said = [&](const import_options& options) { return refused([&] { part(options); }); };
    CHECK(said({.to = {"cc"}}) == "m.onnx, value `cc`: the model has no such value; did you mean `c`?");
    CHECK(said({.from = {"none of them"}}).find("value `none of them`: the model has no such value") !=
          std::string::npos);
}

TEST_CASE("import_options: a part begins with tensors only", "[relay][onnx][import_options]") {
    made_model made;
    made.input("x", {2})
        .node("SequenceConstruct", {"x"}, {"s"})
        .node("ConcatFromSequence", {"s"}, {"y"}, {integer_attribute("axis", 0)})
        .output("y");
    CHECK(refused([&] { import_model(model_of(made), {.from = {"s"}}); }).find("value `s`: is not a tensor") !=
          std::string::npos);
    CHECK(to_text(import_model(model_of(made), {.from = {"y"}})).find("%y: Tensor[(2), float32]") != std::string::npos);
}
