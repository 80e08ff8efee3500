#include <tutti/runtime/parse_pipeline.hpp>

#include <tutti/pass/make_pass.hpp>
#include <tutti/pipeline/literal.hpp>

#include "runtime/program_unit.hpp"
#include "support/catch.hpp"
#include "support/described_passes.hpp"

namespace runtime = tutti::runtime;
using runtime::parse_pipeline;
using tutti::write_pipeline;

namespace {

runtime::registry<int> known() {
    runtime::registry<int> all{constant_passes};
    all.add<convert_layout>().add(tutti::make_pass<"my pass">([](int n) { return n + 100; }));
    return all.add<decltype(tutti::sequential<"Both", 1>(double_it{}, add_amount{}))>();
}

int run(const auto& pipeline, int n) {
    runtime::pass_context<int> ctx{{.opt_level = 3}};
    ctx.run(pipeline, n);
    return n;
}

std::string refused(std::string_view text) {
    const auto all = known();
    try {
        return "no error: " + write_pipeline(parse_pipeline(text, all));
    } catch (const runtime::pipeline_error& e) {
        return std::to_string(e.position()) + ": " + e.problem() + (e.expected().empty() ? "" : " / " + e.expected());
    }
}

} // namespace

TEST_CASE("parse_pipeline: printing a pipeline gives text that parses to the same pipeline",
          "[runtime][parse_pipeline]") {
    const auto all = known();
    const auto [text, canonical, result] = GENERATE(table<std::string, std::string, int>({
        {"", "", 5},
        {"Double", "Double", 10},
        {" Double , Double ", "Double,Double", 20},
        {"AddAmount{amount=2, times=10, off=False}", "AddAmount{amount=2,times=10}", 25},
        {"AddAmount{amount=1}", "AddAmount", 6},
        {"seq(Double,seq[x](AddAmount)),seq()", "seq(Double,seq[x](AddAmount)),seq()", 11},
        {"seq[\"x y\",3](Double)", "seq[\"x y\",3](Double)", 10},
        {"seq[high,4](Double)", "seq[high,4](Double)", 5},
        {"seq[sequential,0](Double)", "seq(Double)", 10},
        {"Both,\"my pass\"", "Both,\"my pass\"", 111},
        {"\"Double\"", "Double", 10},
        {"ConvertLayout{nn.conv2d=[NHWC, default],target=\"a b\"}",
         "ConvertLayout{target=\"a b\",nn.conv2d=[NHWC,default]}", 11},
        {"AddAmount{\"amount\"=3,round=\"down\"}", "AddAmount{amount=3,round=down}", 8},
    }));
    const auto pipeline = parse_pipeline(text, all);
    CHECK(write_pipeline(pipeline) == canonical);
    CHECK(write_pipeline(parse_pipeline(canonical, all)) == canonical);
    CHECK(run(pipeline, 5) == result);
    CHECK(run(parse_pipeline(canonical, all), 5) == result);
}

TEST_CASE("parse_pipeline: a text means the same at run time and at compile time", "[runtime][parse_pipeline]") {
    constexpr auto fixed =
        tutti::pipeline<"Double,AddAmount{amount=2,scale=0.25},seq[x,1](Double,AddAmount{off=True})">(constant_passes);
    const auto erased = parse_pipeline(write_pipeline(fixed), known());
    CHECK(write_pipeline(erased) == "Double,AddAmount{amount=2,scale=0.25},seq[x,1](Double,AddAmount{off=True})");
    CHECK(run(erased, 3) == run(fixed, 3));
}

TEST_CASE("parse_pipeline: reports the position of an error, the expectation, and a suggestion",
          "[runtime][parse_pipeline]") {
    const auto [text, what] = GENERATE(table<std::string, std::string>({
        {"Double,Duble", "7: Duble: no such pass; did you mean Double?"},
        {"Xyz,Duble", "0: Xyz: no such pass / one of AddAmount, Both, ConvertLayout, Double, my pass"},
        {"Duble Duble", "0: Duble: no such pass; did you mean Double?"},
        {"AddAmount{amuont=1}", "10: AddAmount: option amuont: no such option; did you mean amount?"},
        {"AddAmount{amount=x}",
         "17: AddAmount: option amount: `x` is not of its type / an integer from -2147483648 to 2147483647"},
        {"AddAmount{amount=99999999999}", "17: AddAmount: option amount: `99999999999` is not of its type / "
                                          "an integer from -2147483648 to 2147483647"},
        {"AddAmount{off=True,amount=1,off=True}", "28: AddAmount: option off: is given twice / it once"},
        {"AddAmount{off=True,\"off\"=True}", "19: AddAmount: option \"off\": is given twice / it once"},
        {"Double{x=1}", "7: Double: option x: it has no options"},
        {"seq[x,-1](Double)", "6: `-1` is not a level / an integer, 0 or more"},
        {"seq[x,y](Double)", "6: `y` is not a level / an integer, 0 or more"},
        {"Double Double", "7: found `Double` / ',' or the end"},
        {"seq(Double", "10: found the end / ',' or ')'"},
        {"AddAmount{amount=1}}", "19: found `}` / ',' or the end"},
        {"Double,\"", "7: found `\"` / a closing '\"'"},
    }));
    CHECK(refused(text) == what);
}

TEST_CASE("parse_pipeline: refuses texts that are too deep or too long", "[runtime][parse_pipeline]") {
    std::string deep;
    for (int i = 0; i < 200'000; ++i) deep += "seq(";
    CHECK(refused(deep) == "259: found `(` / at most 64 nested passes");
    CHECK(refused(std::string(1'000'000, '(')) == "0: found `(` / a pass or seq(...)");
    CHECK(refused(std::string((std::size_t{1} << 20) + 1, ' ')) ==
          "1048576: the text is too long / at most 1048576 characters");
    const std::string all_names = "one of AddAmount, Both, ConvertLayout, Double, my pass";
    CHECK(refused("Double," + std::string(500'000, 'x')) ==
          "7: " + std::string(60, 'x') + "...: no such pass / " + all_names);
    std::string many = "Double";
    for (int i = 0; i < 100'000; ++i) many += ",Double";
    const auto all = known();
    CHECK(parse_pipeline(many, all).passes().size() == 100'001);
    CHECK(write_pipeline(parse_pipeline(many, all)) == many);
}

TEST_CASE("parse_pipeline: adaptors take their members, one as it is and several as a sequential",
          "[runtime][parse_pipeline]") {
    auto all = known();
    all.add<times_adaptor>().add<once_adaptor>();
    const auto [text, canonical, result] = GENERATE(table<std::string, std::string, int>({
        {"repeat(Double)", "repeat(Double)", 20},
        {"repeat{times=3}(Double,AddAmount)", "repeat{times=3}(Double,AddAmount)", 47},
        {"repeat{times=2}(seq(Double,AddAmount))", "repeat(Double,AddAmount)", 23},
        {"repeat(seq(Double))", "repeat(seq(Double))", 20},
        {"repeat(seq[x](Double,Double))", "repeat(seq[x](Double,Double))", 80},
        {"times(times[once](Double),repeat())", "times(times[once](Double),repeat())", 20},
        {"times[\"once\"]{count=2}(Double)", "times[once]{count=2}(Double)", 20},
        {"fixpoint{limit=3}(Double)", "fixpoint{limit=3}(Double)", 40},
        {"seq[x,4](fixpoint(Double))", "seq[x,4](fixpoint(Double))", 5},
    }));
    const auto pipeline = parse_pipeline(text, all);
    CHECK(write_pipeline(pipeline) == canonical);
    CHECK(run(pipeline, 5) == result);
    CHECK(run(parse_pipeline(canonical, all), 5) == result);
}

TEST_CASE("parse_pipeline: reports errors in adaptors", "[runtime][parse_pipeline]") {
    const auto [text, what] = GENERATE(table<std::string, std::string>({
        {"Double,repaet(Double)", "7: repaet: no such adaptor; did you mean repeat?"},
        {"Double(Double)", "0: Double: no such adaptor / one of fixpoint, repeat, within"},
        {"repeat", "0: repeat: this is an adaptor; write repeat(A,B)"},
        {"repeat[x](Double)", "0: repeat[x]: no such adaptor; did you mean repeat?"},
        {"repeat{times=-1}(Double)",
         "13: repeat: option times: `-1` is not of its type / an integer from 0 to 2147483647"},
        {"fixpoint{limit=-1}(Double)",
         "15: fixpoint: option limit: `-1` is not of its type / an integer from 0 to 2147483647"},
        {"repeat[x,3](Double)", "9: repeat[x]: an adaptor has no level"},
        {"repeat{tmes=3}(Double)", "7: repeat: option tmes: no such option; did you mean times?"},
        {"repeat{times=x}(Double)",
         "13: repeat: option times: `x` is not of its type / an integer from 0 to 2147483647"},
        {"seq{a=1}(Double)", "4: seq: option a: it has no options"},
        {"repeat(Double", "13: found the end / ',' or ')'"},
    }));
    CHECK(refused(text) == what);
}

TEST_CASE("parse_pipeline: a name refers to a pass over the units at its position", "[runtime][parse_pipeline]") {
    runtime::registry<program_unit> all{tutti::passes<unroll, shrink, drop_last, look>{}};
    all.add<tutti::only_if_adaptor<has_loops>>();
    const auto [text, sum] = GENERATE(table<std::string, int>({
        {"", 42},
        {"procedure(Shrink)", 40},
        {"procedure(Shrink,Look,loop(Unroll)),Look,DropLast", 15},
        {"procedure(loop(fixpoint{limit=3}(Unroll)))", 31},
        {"repeat(DropLast),procedure(Shrink)", 0},
        {"procedure(only_if[has_loops](Shrink,Shrink))", 40},
        {"seq[x](procedure(seq[y,4](Shrink),repeat(Shrink)))", 38},
    }));
    const auto pipeline = parse_pipeline(text, all);
    CHECK(write_pipeline(pipeline) == text);
    runtime::pass_context<program_unit> ctx;
    program_unit program = example_program();
    ctx.run(pipeline, program);
    CHECK(program.sum() == sum);
}

TEST_CASE("parse_pipeline: reports the correct position for a pass over parts", "[runtime][parse_pipeline]") {
    const runtime::registry<program_unit> all{tutti::passes<unroll, shrink, drop_last>{}};
    const auto [text, meant, position] = GENERATE(table<std::string, std::string, int>({
        {"DropLast,Shrink", "procedure(Shrink)", 9},
        {"repeat(Unroll)", "procedure(loop(Unroll))", 7},
        {"procedure(Unroll)", "loop(Unroll)", 10},
        {"procedure(Shrnk)", "Shrink", 10},
    }));
    try {
        parse_pipeline(text, all);
        FAIL("nothing was thrown");
    } catch (const runtime::pipeline_error& e) {
        CHECK(e.said().meant == meant);
        CHECK(e.position() == static_cast<std::size_t>(position));
    }
}

namespace {
struct tag_one {
    static constexpr tutti::pass_info info{.name = "One", .opt_level = 1};
    void operator()(int& n) const { n = n * 10 + 1; }
};
struct tag_two {
    static constexpr tutti::pass_info info{.name = "Two", .opt_level = 2};
    using required = tutti::passes<tag_one>;
    void operator()(int& n) const { n = n * 10 + 2; }
};
struct tag_three {
    static constexpr tutti::pass_info info{.name = "Three", .opt_level = 3};
    using required = tutti::passes<tag_two>;
    void operator()(int& n) const { n = n * 10 + 3; }
};
} // namespace

TEST_CASE("parse_pipeline: parses resolved pipelines, which run the same", "[runtime][parse_pipeline]") {
    runtime::registry<int> known{tutti::passes<tag_one, tag_two, tag_three>{}};
    const auto fixed =
        tutti::resolve(tutti::sequential(tag_three{}, tutti::repeat(tutti::sequential<"S">(tag_two{}), 2)));
    const std::string text = tutti::write_pipeline(fixed);
    CHECK(text == "resolved(One,Two,Three,repeat(seq[S](Two)))");
    const auto read = runtime::parse_pipeline(text, known);
    CHECK(tutti::write_pipeline(read) == text);
    for (const int level : {0, 1, 2, 3})
        for (const std::vector<std::string>& disabled : {std::vector<std::string>{}, {"Two"}, {"Three"}}) {
            runtime::pass_context<int> ctx{{.opt_level = level, .disabled = disabled}};
            CHECK(tutti::with(ctx, [&](auto& scope) { return scope.run(read, 0); }) ==
                  tutti::with(ctx, [&](auto& scope) { return scope.run(fixed, 0); }));
        }
}
