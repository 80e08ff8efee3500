#include <tutti/relay/onnx/write/model_draft.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/result_names.hpp>

#include "../round_trip.hpp"
#include "support/catch.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::dtype;
using kernel::tensor;

namespace {

std::string refusal(std::string_view text, std::int64_t opset = 0) {
    return refused([&] { model_bytes(program_of(text), {.opset = opset}); });
}

// Returns the inputs or outputs of a model: "x[2, batch] float, y[] int64".
std::string values_of(wire_fields fields) {
    std::string text;
    for (const wire_field& f : fields) {
        const value_view v(f.payload);
        text.append(text.empty() ? "" : ", ").append(v.name()).append("[");
        const char* comma = "";
        for (const wire_field& each : v.dimensions()) {
            const message d(each.payload);
            text += comma;
            if (d.has(field::dimension::dim_param))
                text += d.text(field::dimension::dim_param);
            else
                text +=
                    d.has(field::dimension::dim_value) ? std::to_string(d.integer(field::dimension::dim_value)) : "?";
            comma = ", ";
        }
        text.append("] ").append(name_of_element(v.element()));
    }
    return text;
}

// Returns the names of a model's nodes.
std::string names_of(const model& m) {
    std::string text;
    for (const wire_field& f : m.graph().nodes())
        text.append(text.empty() ? "" : " ").append(node_view(f.payload).name());
    return text;
}

struct received {
    std::string bytes;
    void write(std::string_view more) { bytes += more; }
};

} // namespace

TEST_CASE("model_draft: a model of a version and a producer", "[relay][onnx][model_draft]") {
    const auto m = program_of("def @main(%x: Tensor[(2, ?), float32], %y: int64) { (exp(%x), %y) }");
    const model written = model_of(model_bytes(m));
    CHECK(written.opset() == 17);
    CHECK(written.ir_version() == 8);
    CHECK(written.producer() == "tutti");
    CHECK(written.graph().name() == "main");
    CHECK(values_of(written.graph().inputs()) == "x[2, ?] float, y[] int64");
    CHECK(values_of(written.graph().outputs()) == "out_0[2, ?] float, out_1[] int64");
    for (const auto& [opset, ir] :
         std::vector<std::array<std::int64_t, 2>>{{18, 8}, {19, 9}, {21, 10}, {23, 11}, {24, 12}, {26, 13}, {28, 13}}) {
        CAPTURE(opset);
        const model newer = model_of(model_bytes(m, {.opset = opset}));
        CHECK(newer.opset() == opset);
        CHECK(newer.ir_version() == ir);
    }
}

TEST_CASE("model_draft: the version is the least that all operators have", "[relay][onnx][model_draft]") {
    const auto version = [](std::string_view body) {
        const std::string text = "def @main(%x: Tensor[(2, 3), int32]) { " + std::string(body) + " }";
        return model_of(model_bytes(program_of(text))).opset();
    };
    CHECK(version("add(%x, %x)") == 17);
    CHECK(version("add(%x, bitwise_and(%x, %x))") == 18);
    CHECK(version("reinterpret(bitwise_not(%x), dtype=\"float32\")") == 26);
    // One operator requires a newer version. Operators before it are written in the form of that version, too.
    const auto m = program_of("def @main(%x: Tensor[(2, 3), float32]) "
                              "{ cast(bitwise_not(cast(max(%x, axis=[1]), dtype=\"int32\")), dtype=\"float32\") }");
    CHECK(nodes_of(m).starts_with("ReduceMax(x, constant) -> ReduceMax\n"));
    CHECK(change_of(m) == "");
}

TEST_CASE("model_draft: modules and versions that are refused", "[relay][onnx][model_draft]") {
    CHECK(refusal("def @other(%x: float32) { %x }") ==
          "the module has no function @main; expected one, which becomes the graph");
    CHECK(refusal("def @main(%x: float32) { %x }", 16) == "version 16 of ONNX's operators; expected 17 to 28");
    CHECK(refusal("def @main(%x: float32) { %x }", 29) == "version 29 of ONNX's operators; expected 17 to 28");
    CHECK(refusal("def @main(%x: float32) { %x }", 28) == "");
    CHECK(refusal("def @main(%x: int32) { bitwise_not(%x) }", 17) ==
          "needs version 18 of ONNX's operators, not 17; expected 18 or later");
    CHECK(refusal("def @main(%x: (float32, float32), %y: int64, %z: (int64,)) { (%x.0, %y, %z.0) }") ==
          "cannot be written as ONNX: parameter %x: is not a tensor; parameter %z: is not a tensor");
    CHECK(refusal("def @main(%x: float32) { (exp(%x), fn (%y: float32) { %y }) }").find("fn (float32)") !=
          std::string::npos);
}

TEST_CASE("model_draft: all operators that ONNX does not have are in one error", "[relay][onnx][model_draft]") {
    CHECK(
        refusal(
            "def @main(%x: Tensor[(3), int32]) { %0 = invert_permutation(%x); "
            "(invert_permutation(%0), fixed_point_multiply(%0, multiplier=3, shift=1), exp(cast(%x, dtype=\"float32\"))) "
            "}") == "cannot be written as ONNX: invert_permutation (2 times): ONNX has no such operator; "
                    "fixed_point_multiply: ONNX has no such operator");
    const auto m = program_of("def @main(%x: Tensor[(2, 3), float32]) { nn.mirror_pad(nn.mirror_pad(%x, "
                              "mode=\"SYMMETRIC\", pad_width=[[1, 1], [0, 0]]), mode=\"SYMMETRIC\", "
                              "pad_width=[[1, 1], [0, 0]]) }");
    CHECK(refused([&] { model_bytes(m); }) == "cannot be written as ONNX: nn.mirror_pad (2 times): mode SYMMETRIC; "
                                              "expected constant, edge or reflect");
}

TEST_CASE("model_draft: names, dimensions and metadata of the original model are kept", "[relay][onnx][model_draft]") {
    made_model made;
    made.opset = 21;
    made.graph.text(2, "the graph");
    made.input("the input", {-1, 3, -2}).input("w", {1}).initializer(float_tensor("w", {1}, {2}));
    made.node("Mul", {"the input", "w"}, {"t"}).node("Add", {"t", "w"}, {"the output"}, {}, "the sum");
    made.graph.message(12, value_info("the output", {-1, 3, -2}));
    const wire entry = wire().text(1, "key").text(2, "value");
    const model original =
        model_of(made.bytes() + wire().text(4, "domain").number(5, 7).text(6, "notes").message(14, entry).bytes);
    const relay::ir_module m = import_model(original);
    const model written = model_of(model_bytes(m, {.like = &original}));
    CHECK(written.graph().name() == "the graph");
    CHECK(values_of(written.graph().inputs()) == "the input[a, 3, b] float");
    CHECK(values_of(written.graph().outputs()) == "the output[a, 3, b] float");
    CHECK(names_of(written).ends_with("the sum"));
    CHECK(written.root().text(field::model::domain) == "domain");
    CHECK(written.root().integer(field::model::model_version) == 7);
    CHECK(written.root().text(field::model::doc_string) == "notes");
    std::string kept;
    for (const wire_field& f : written.root().fields(field::model::metadata_props)) kept += f.payload.text();
    CHECK(kept == entry.bytes);
    CHECK(change_of(m, elements::small, 0, {.like = &original}) == "");

    // A module that does not match the original gets its own names.
    const auto other = program_of("def @main(%x: float32, %y: float32) { (%x, add(%x, %y)) }");
    const model unlike = model_of(model_bytes(other, {.like = &original}));
    CHECK(values_of(unlike.graph().inputs()) == "x[] float, y[] float");
    CHECK(values_of(unlike.graph().outputs()) == "out_0[] float, out_1[] float");
}

TEST_CASE("model_draft: parameters get back the names of the original's values in any order",
          "[relay][onnx][model_draft]") {
    made_model made;
    made.input("a b", {}).input("a:b", {}).input("w", {}).initializer(float_tensor("w", {}, {2}));
    made.node("Add", {"a b", "a:b"}, {"s:0"})
        .node("Neg", {"s:0"}, {"y!"})
        .node("Mul", {"y!", "w"}, {"y?"})
        .output("y?");
    const model original = model_of(made.bytes());
    const relay::function imported = *import_model(original).find("main");
    std::string names;
    for (const relay::expr_id p : imported.graph.params(imported.root))
        names.append(imported.graph.variable_name(p)) += ' ';
    CHECK(names == "a_b a_b_1 ");
    CHECK(values_of(model_of(model_bytes(import_model(original), {.like = &original})).graph().inputs()) ==
          "a b[] float, a:b[] float");
    // y! and y? have the same name in the printed program, so neither name is restored.
    const auto other = program_of("def @main(%a_b_1: float32, %s_0: float32, %y_: float32, %a_b_2: float32) {"
                                  " (%a_b_1, %s_0, %y_, %a_b_2) }");
    CHECK(values_of(model_of(model_bytes(other, {.like = &original})).graph().inputs()) ==
          "a:b[] float, s:0[] float, y_[] float, a_b_2[] float");
}

TEST_CASE("model_draft: outputs have the names of the module's results", "[relay][onnx][model_draft]") {
    relay::ir_module m = program_of("def @main(%x: float32) { (exp(%x), negative(%x)) }");
    relay::set_result_names(*m.find("main"), std::vector<std::string>{"logits", "probabilities"});
    CHECK(nodes_of(m) == "Exp(x) -> logits\nNeg(x) -> probabilities\n");
    CHECK(change_of(m) == "");
    relay::set_result_names(*m.find("main"), std::vector<std::string>{"one"});
    CHECK(nodes_of(m) == "Exp(x) -> out_0\nNeg(x) -> out_1\n");
    relay::set_result_names(*m.find("main"), std::vector<std::string>{"x", "y"});
    CHECK(nodes_of(m) == "Exp(x) -> x_1\nNeg(x) -> y\n");
}

TEST_CASE("model_draft: constants of every element type survive", "[relay][onnx][model_draft]") {
    for (std::int64_t number = 1; number <= 26; ++number) {
        const dtype type = dtype_of_element(number);
        if (type == dtype::none) continue;
        for (const std::int64_t count : {0, 1, 5, 7}) {
            CAPTURE(number, count);
            const bool sign = type != dtype::float8_e8m0fnu;
            const tensor t =
                relay::testing::made_up_tensor(type, {count}, sign ? elements::any : elements::positive, 7);
            relay::builder b;
            const relay::expr constant = b.constant(t);
            const relay::ir_module m{b.function({}, constant)};
            const auto again = relay::evaluate(import_model(model_of(model_bytes(m))), std::vector<tensor>{});
            CHECK(relay::same_value(again[0], t));
        }
    }
}

TEST_CASE("model_draft: large elements go outside, at aligned places", "[relay][onnx][model_draft]") {
    relay::ir_module m = program_of("def @main(%x: Tensor[(3), float32]) { add(%x, 1f) }");
    relay::infer_types(m);
    const model_draft draft(m, {});
    CHECK(draft.constant_bytes() == 4);
    CHECK(draft.nodes().size() == 1);
    received inside, whole, outside;
    draft.write_to(whole, static_cast<received*>(nullptr), {}, 0);
    draft.write_to(inside, &outside, "here", 5);
    CHECK(outside.bytes.empty());
    CHECK(inside.bytes == whole.bytes);
    received apart;
    draft.write_to(apart, &outside, "here", 4);
    CHECK(outside.bytes.size() == 4);
    const model written = model_of(apart.bytes);
    for (const wire_field& f : written.graph().initializers()) {
        const tensor_view t{message(f.payload)};
        CHECK(t.is_external());
        CHECK(t.external("location") == "here");
        CHECK(t.external("offset") == "0");
        CHECK(t.external("length") == "4");
    }
}

TEST_CASE("model_draft: constants that no node uses are left out", "[relay][onnx][write]") {
    // The zero point is written as uint8; the program's constant, an int32, is left out.
    const relay::ir_module m = program_of(R"(def @main(%x: Tensor[(2), float32]) {
  qnn.quantize(%x, 0.5f, 0, out_dtype="uint8")
})");
    CHECK(constants_of(m) == "[0.5][0]");
}
