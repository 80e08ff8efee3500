#include <tutti/relay/eval/signature.hpp>

#include <tutti/relay/op/infer.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

namespace relay = tutti::relay;
using relay::named_input;
using relay::tensor;
using tutti::test::program;

namespace {

struct described {
    explicit described(std::string_view definition) : module(program(definition)) { relay::infer_types(module); }

    const relay::function& main() const { return *module.find("main"); }
    const relay::type_table& types() const { return main().graph.types(); }

    relay::ir_module module;
};

template <class F>
std::string refused(F&& f) {
    try {
        f();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "(not refused)";
}

} // namespace

TEST_CASE("signature: tuples are several parameters and several results", "[relay][eval]") {
    const described d("def @main(%x: float32, %t: (int32, (bool, float32))) { (%x, %t) }");
    const relay::detail::signature s("main", d.main());
    std::string names;
    for (const relay::parameter& p : s.parameters()) names += p.name + ' ' + to_text(d.types(), p.type) + "; ";
    CHECK(names == "x float32; t.0 int32; t.1.0 bool; t.1.1 float32; ");
    CHECK(s.results() == 4);
}

TEST_CASE("signature: an argument that is not a tensor is refused by name", "[relay][eval]") {
    const described in("def @main(%f: (fn (float32) -> float32, float32)) { %f.1 }");
    CHECK(refused([&] { relay::detail::signature("main", in.main()); }) ==
          "@main: parameter %f.0: is of type fn (float32) -> float32; expected a tensor");
    const described out("def @main(%x: float32) { (%x, fn (%y: float32) { %y }) }");
    CHECK(refused([&] { relay::detail::signature("main", out.main()); }) ==
          "@main: result.1: is of type fn (float32) -> float32; expected tensors");
}

TEST_CASE("signature: inputs are checked, and sorted by name", "[relay][eval]") {
    const described d("def @main(%b: float32, %c: Tensor[(?), int32], %a: float32) { (%a, %b, %c) }");
    const relay::detail::signature s("main", d.main());
    const tensor one = tensor::scalar(1.F);
    const tensor two = tensor::scalar(2.F);
    const tensor list(relay::dtype::int32, {5});
    relay::plain_vector<const tensor*> sorted;
    const auto sort = [&](std::initializer_list<named_input> inputs) {
        s.sort(std::vector(inputs), d.types(), sorted);
    };

    sort({{"a", &one}, {"b", &two}, {"c", &list}});
    CHECK(sorted == relay::plain_vector<const tensor*>{&two, &list, &one});
    CHECK_NOTHROW(s.check(sorted, d.types()));
    std::swap(sorted[0], sorted[1]);
    CHECK(refused([&] { s.check(sorted, d.types()); }) ==
          "@main: parameter %b: is given Tensor[(5), int32]; expected float32");
    sorted.pop_back();
    CHECK(refused([&] { s.check(sorted, d.types()); }) == "@main: is given 2 inputs; expected 3");

    CHECK(refused([&] { sort({{"a", &one}, {"b", &two}}); }) ==
          "parameter %c: has no input; expected Tensor[(?), int32]");
    CHECK(refused([&] { sort({{"a", &one}, {"a", &two}}); }) == "input %a: is given twice");
    CHECK(refused([&] { sort({{"bb", &one}}); }) == "input %bb: there is no such parameter; expected %b");
    CHECK(refused([&] { sort({{"zebra", &one}}); }) == "input %zebra: there is no such parameter");
}

TEST_CASE("signature: an ambiguous parameter name selects none", "[relay][eval]") {
    relay::builder b;
    const auto first = b.variable("x", {});
    const auto second = b.variable("x", {});
    relay::ir_module m{b.function({first, second}, b.tuple({first, second}))};
    relay::infer_types(m);
    const relay::detail::signature s("main", *m.find("main"));
    const tensor one = tensor::scalar(1.F);
    const named_input x[]{{"x", &one}};
    relay::plain_vector<const tensor*> sorted;
    CHECK(refused([&] { s.sort(x, m.find("main")->graph.types(), sorted); }) ==
          "input %x: is the name of several parameters; expected inputs by position");
}
