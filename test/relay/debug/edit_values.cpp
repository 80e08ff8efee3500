#include <tutti/relay/debug/edit_values.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/tensor_value.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "edited.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace tutti::relay;

TEST_CASE("drop_attributes: those that need not be there", "[relay][debug]") {
    const std::string text = R"(def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 3, 3), float32]) {
  %0 = nn.conv2d(%x, %w, strides=[2, 2], padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  mean(%0, axis=[2, 3], keepdims=True)
})";
    const std::size_t count = places(text, drop_attributes);
    CHECK(count == 6);
    CHECK(edited(text, drop_attributes, {0}).find("strides") == std::string::npos);
    CHECK(edited(text, drop_attributes, {count - 1}).find("keepdims") == std::string::npos);
}

TEST_CASE("shrink_to: one size everywhere", "[relay][debug]") {
    const std::string text = R"(def @main(%x: Tensor[(1, 64, 8, 8), float32], %w: Tensor[(32, 64, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=32, kernel_size=[1, 1]);
  reshape(%0, newshape=[1, 2048])
})";
    CHECK(places(text, shrink_to<2>) == 3); // the sizes 64, 32 and 8
    const std::string shown = edited(text, shrink_to<2>, {0, 1});
    CHECK(shown.find("Tensor[(1, 2, 8, 8), float32], %w: Tensor[(2, 2, 1, 1), float32]") != std::string::npos);
    CHECK(shown.find("channels=2") != std::string::npos);
    CHECK(shown.find("newshape=[1, -1]") != std::string::npos); // -1 is inferred, since no listed size fits
    CHECK(places(text, shrink_to<64>) == 0);
}

TEST_CASE("shrink_to: the corner of a constant stays", "[relay][debug]") {
    std::vector<float> values;
    for (int i = 0; i < 12; ++i) values.push_back(static_cast<float>(i));
    tensor t(dtype::float32, {3, 4});
    for (std::size_t i = 0; i < values.size(); ++i) t.mutable_elements<float>()[i] = values[i];
    builder b;
    const expr x = b.variable("x", {3, 4});
    graph& g = b.graph();
    const expr c = b.constant(t);
    const expr_id sum = add_call<op::add>(g, {x.id, c.id});
    ir_module m{b.function({x}, {&g, sum})};
    infer_types(m);
    const tutti::instrument::edit_set all{1, 1};
    tutti::instrument::edit_choice choice{all};
    ir_module made = shrink_to<2>(m, choice);
    CHECK(choice.met() == 2);
    const graph& out = made.find("main")->graph;
    for (const expr_id e : post_order(out, made.find("main")->root))
        if (out.kind(e) == expr_kind::constant)
            CHECK(same_value(out.constant_value(e), tensor({2, 2}, {0.0F, 1.0F, 4.0F, 5.0F})));
    made.find("main")->graph.set_result_annotation(made.find("main")->root, type_id::none);
    infer_types(made);
    verify(made);
}

TEST_CASE("drop_dimensions, simplify_constants", "[relay][debug]") {
    builder b;
    const expr x = b.variable("x", {2});
    graph& g = b.graph();
    const expr c = b.constant(tensor({2}, {3.0F, 4.0F}));
    const expr_id sum = add_call<op::add>(g, {x.id, c.id});
    ir_module m{b.function({x}, {&g, sum})};
    infer_types(m);
    const tutti::instrument::edit_set all{1};
    tutti::instrument::edit_choice first{all}, second{all};
    CHECK(to_text(drop_dimensions(m, first), {.type_comments = false}).find("add(%x, 3f)") != std::string::npos);
    ir_module ones = drop_dimensions(simplify_constants(m, second), first = tutti::instrument::edit_choice{all});
    CHECK(to_text(ones, {.type_comments = false}).find("add(%x, 1f)") != std::string::npos);
    CHECK(places("def @main(%x: float32) { add(add(%x, 1f), 0f) }", simplify_constants) == 0);
}
