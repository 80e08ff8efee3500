#include <tutti/runtime/edit.hpp>

#include <tutti/base/error.hpp>
#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/requiring.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "support/catch.hpp"
#include "support/described_passes.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace edit = tutti::edit;
namespace runtime = tutti::runtime;

// A unit with parts, which cannot be copied.
struct leaf_part {
    std::unique_ptr<std::string> text = std::make_unique<std::string>();
};
struct whole_unit {
    std::unique_ptr<std::string> text = std::make_unique<std::string>();
    std::vector<leaf_part> parts{2};
};

template <tutti::fixed_string Name, class Unit, class... Required>
struct noted {
    static constexpr tutti::pass_info info{.name = Name.view()};
    using required = tutti::passes<Required...>;
    void operator()(Unit& unit) const { unit.text->append(Name.view()); }
};
using a = noted<"A", whole_unit>;
using b = noted<"B", whole_unit>;
using c = noted<"C", whole_unit, b>;
using p = noted<"P", leaf_part>;
using q = noted<"Q", leaf_part>;
struct d {
    static constexpr tutti::pass_info info{.name = "D"};
    int n = 1;
    static constexpr tutti::option_list<&d::n> options{"n"};
    void operator()(auto& unit) const { unit.text->append("D" + std::to_string(n)); }
};

} // namespace

template <>
struct tutti::unit_traits<leaf_part> {
    static constexpr std::string_view name = "leaf";
};
template <>
struct tutti::unit_traits<whole_unit> {
    static constexpr std::string_view name = "whole";
    static std::vector<leaf_part>& parts(whole_unit& unit) { return unit.parts; }
};

namespace {

runtime::registry<whole_unit> make_known() {
    runtime::registry<whole_unit> known{tutti::passes<a, b, c, p, q, d>{}};
    known.add(tutti::sequential<"Tidy", 1>(a{}, b{}));
    return known;
}
const runtime::registry<whole_unit>& known() {
    static const runtime::registry<whole_unit> all = make_known();
    return all;
}
runtime::sequential<whole_unit> read(std::string_view text) { return runtime::parse_pipeline(text, known()); }
edit::from_text<whole_unit> of(std::string_view text) { return {text, known()}; }

std::string ran(const runtime::sequential<whole_unit>& pipeline) {
    whole_unit unit;
    runtime::pass_context<whole_unit> ctx;
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, unit); });
    return *unit.text + "/" + *unit.parts[0].text + "/" + *unit.parts[1].text;
}

std::string said(auto&& f) {
    try {
        f();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "";
}

constexpr std::string_view text = "A,fixpoint{limit=3}(B,A),seq[N,2](repeat(A),B),leaf(P,Q),resolved(D,A)";

} // namespace

TEST_CASE("runtime edit: changes pipelines as their text", "[runtime][edit]") {
    const auto pipeline = read(text);
    const auto is = [](const runtime::sequential<whole_unit>& edited, std::string_view expected) {
        CHECK(tutti::write_pipeline(edited) == expected);
        CHECK(ran(edited) == ran(read(expected)));
    };
    is(edit::insert_after(pipeline, "A", b{}),
       "A,B,fixpoint{limit=3}(B,A,B),seq[N,2](repeat(A,B),B),leaf(P,Q),resolved(D,A,B)");
    is(edit::insert_before(pipeline, "A#2", b{}, d{.n = 2}),
       "A,fixpoint{limit=3}(B,B,D{n=2},A),seq[N,2](repeat(A),B),leaf(P,Q),resolved(D,A)");
    is(edit::insert_after(pipeline, "A#4", c{}),
       "A,fixpoint{limit=3}(B,A),seq[N,2](repeat(A),B),leaf(P,Q),resolved(D,A,B,C)");
    is(edit::remove(pipeline, "A"), "fixpoint{limit=3}(B),seq[N,2](repeat(),B),leaf(P,Q),resolved(D)");
    is(edit::remove(pipeline, "N"), "A,fixpoint{limit=3}(B,A),leaf(P,Q),resolved(D,A)");
    is(edit::replace(pipeline, "fixpoint", of("D{n=4},repeat{times=3}(B)")),
       "A,D{n=4},repeat{times=3}(B),seq[N,2](repeat(A),B),leaf(P,Q),resolved(D,A)");
    is(edit::start_from(pipeline, "A#3"), "seq[N,2](repeat(A),B),leaf(P,Q),resolved(D,A)");
    is(edit::stop_after(pipeline, "B#2"), "A,fixpoint{limit=3}(B,A),seq[N,2](repeat(A),B)");
    is(edit::start_from(edit::stop_after(pipeline, "leaf"), "leaf"), "leaf(P,Q)");
    is(pipeline, text); // unchanged
}

TEST_CASE("runtime edit: the passes are those of the place's units", "[runtime][edit]") {
    const auto pipeline = read("A,leaf(P,repeat(Q))");
    CHECK(tutti::write_pipeline(edit::insert_after(pipeline, "Q", p{})) == "A,leaf(P,repeat(Q,P))");
    CHECK(tutti::write_pipeline(edit::replace(pipeline, "Q", of("fixpoint(D,P)"))) ==
          "A,leaf(P,repeat(fixpoint(D,P)))");
    // one pass over both
    CHECK(ran(edit::insert_before(edit::insert_before(pipeline, "A", d{}), "P", d{.n = 2})) ==
          ran(read("D,A,leaf(D{n=2},P,repeat(Q))")));
    CHECK(said([&] { edit::insert_after(pipeline, "P", a{}); }) == "pipeline: A: this is not a pass over a leaf");
    CHECK(said([&] { edit::replace(pipeline, "A", q{}); }) == "pipeline: Q: this is not a pass over a whole");
    CHECK_THAT(said([&] { edit::replace(pipeline, "Q", of("D{n=2},B")); }),
               Catch::Matchers::StartsWith(
                   "pipeline:1:8: error: B: this is not a pass over a leaf; expected it among passes over a whole\n"));
}

TEST_CASE("runtime edit: by type, and by name in the type", "[runtime][edit]") {
    const auto pipeline = read(text);
    CHECK(tutti::write_pipeline(edit::remove<a>(pipeline)) == tutti::write_pipeline(edit::remove(pipeline, "A")));
    CHECK(tutti::write_pipeline(edit::insert_after<a, 3>(pipeline, b{})) ==
          tutti::write_pipeline(edit::insert_after<"A#3">(pipeline, b{})));
    CHECK(tutti::write_pipeline(edit::stop_after<q>(pipeline)) ==
          "A,fixpoint{limit=3}(B,A),seq[N,2](repeat(A),B),leaf(P,Q)");
    CHECK_THAT(said([&] { edit::remove<c>(pipeline); }), Catch::Matchers::StartsWith("pipeline: C: no such pass"));
    CHECK(said([&] { edit::start_from<a>(pipeline); }) ==
          "pipeline: A: the pipeline has 4 such passes; expected A#1 to A#4");
}

TEST_CASE("runtime edit: a missing pass is an error with the nearest name, or all", "[runtime][edit]") {
    const auto pipeline = read("A,fixpoint(B),seq(A)");
    CHECK(said([&] { edit::remove(pipeline, "fixpont"); }) ==
          "pipeline: fixpont: no such pass in the pipeline; did you mean fixpoint?");
    CHECK(said([&] { edit::remove(pipeline, "FuseOps"); }) ==
          "pipeline: FuseOps: no such pass in the pipeline; expected one of A, fixpoint, B");
    CHECK(said([&] { edit::remove(pipeline, "A#3"); }) ==
          "pipeline: A#3: the pipeline has 2 such passes; expected A#1 to A#2");
    CHECK(said([&] { edit::remove(pipeline, "B#2"); }) == "pipeline: B#2: the pipeline has one such pass; expected B");
    CHECK(said([&] { edit::stop_after(pipeline, "A"); }) ==
          "pipeline: A: the pipeline has 2 such passes; expected A#1 to A#2");
    CHECK(said([&] { edit::remove(read(""), "A"); }) == "pipeline: A: the pipeline has no passes");
    CHECK(said([&] { edit::remove(pipeline, "sequential"); }) != ""); // it has no name
    try {
        edit::remove(pipeline, "fixpont");
        FAIL();
    } catch (const tutti::input_error& e) {
        CHECK(e.said().meant == "fixpoint");
        CHECK(e.said().known == std::vector<std::string>{"A", "fixpoint", "B"});
    }
}

TEST_CASE("runtime edit: a pipeline with a name or a level is a list of one pass", "[runtime][edit]") {
    const runtime::sequential<whole_unit> named{{a{}, b{}}, "Named", 3};
    CHECK(tutti::write_pipeline(edit::remove(named, "A")) == "seq[Named,3](B)");
    CHECK(edit::remove(named, "A").info.name == "Named");
    CHECK(tutti::write_pipeline(edit::insert_before(named, "Named", b{})) == "B,seq[Named,3](A,B)");
    CHECK(tutti::write_pipeline(edit::replace(named, "Named", b{})) == "B");
    CHECK(tutti::write_pipeline(edit::remove(named, "Named")) == "");
    CHECK(tutti::write_pipeline(edit::stop_after(named, "Named")) == "seq[Named,3](A,B)");
    CHECK(tutti::write_pipeline(edit::insert_after(runtime::resolve(runtime::sequential<whole_unit>{{a{}}}), "A",
                                                   c{})) == "resolved(A,B,C)");
}

TEST_CASE("runtime edit: reaches into static passes, and changes only the named ones", "[runtime][edit]") {
    const runtime::sequential<whole_unit> pipeline{
        {tutti::sequential<"Static", 1>(a{}, tutti::fixpoint(d{.n = 5}, 2)), tutti::each<leaf_part>(p{})}};
    CHECK(tutti::write_pipeline(edit::insert_after(pipeline, "D", b{})) ==
          "seq[Static,1](A,fixpoint{limit=2}(D{n=5},B)),leaf(P)");
    CHECK(tutti::write_pipeline(edit::replace(pipeline, "P", q{})) ==
          "seq[Static,1](A,fixpoint{limit=2}(D{n=5})),leaf(Q)");
    // a registered sequential keeps its name unless it changes
    CHECK(tutti::write_pipeline(edit::remove(read("Tidy,A"), "A#2")) == "Tidy");
    CHECK(tutti::write_pipeline(edit::remove(read("Tidy,A"), "A#1")) == "seq[Tidy,1](B),A");
}

TEST_CASE("runtime edit: passes in a pass that requires others are out of reach", "[runtime][edit]") {
    const runtime::sequential<whole_unit> pipeline{{tutti::requiring<b>(tutti::sequential<"Tidy">(a{}, c{})), a{}}};
    CHECK(ran(edit::remove(pipeline, "A")) == ran(runtime::sequential<whole_unit>{{pipeline.passes()[0]}}));
    CHECK(tutti::write_pipeline(edit::remove(pipeline, "Tidy")) == "A");
}

TEST_CASE("runtime edit: pipelines can be inserted", "[runtime][edit]") {
    CHECK(tutti::write_pipeline(edit::replace(read("A,A"), "A#2", read("B,D"), tutti::sequential(b{}))) ==
          "A,seq(B,D),seq(B)");
    CHECK(tutti::write_pipeline(edit::insert_after(read("A"), "A", runtime::any_pass<whole_unit>{b{}})) == "A,B");
}

TEST_CASE("runtime edit: extension points", "[runtime][edit]") {
    const auto pipeline = read("A,point(x),leaf(point(\"y z\"),P),resolved(point(x))");
    CHECK(tutti::write_pipeline(pipeline) == "A,point(x),leaf(point(\"y z\"),P),resolved(point(x))");
    CHECK(tutti::write_pipeline(edit::fill(pipeline, "x", b{}, c{})) ==
          "A,B,C,point(x),leaf(point(\"y z\"),P),resolved(B,C,point(x))");
    CHECK(tutti::write_pipeline(edit::fill<"y z">(pipeline, q{})) ==
          "A,point(x),leaf(Q,point(\"y z\"),P),resolved(point(x))");
    CHECK(said([&] { edit::fill(pipeline, "yz", q{}); }) ==
          "pipeline: yz: no such point in the pipeline; did you mean y z?");
    CHECK(said([&] { edit::fill(read("A"), "x", a{}); }) == "pipeline: x: the pipeline has no points");
    CHECK(said([&] { edit::remove(pipeline, "y z"); }) ==
          "pipeline: y z: no such pass in the pipeline; expected one of A, leaf, P");

    runtime::registry<whole_unit> filling = make_known();
    filling.fill("x", "B").fill("y z", "Q,D{n=3}").fill("x", "").fill("x", "repeat(A)").fill("absent", "Q");
    CHECK(tutti::write_pipeline(edit::fill_points(pipeline, filling)) ==
          "A,B,repeat(A),leaf(Q,D{n=3},P),resolved(B,repeat(A))");
    CHECK(tutti::write_pipeline(edit::fill_points(pipeline, known())) == "A,leaf(P),resolved()");
    filling.fill("x", "Q");
    CHECK_THAT(said([&] { edit::fill_points(pipeline, filling); }),
               Catch::Matchers::StartsWith("point(x):1:13: error: Q: this is a pass over a leaf"));
}
