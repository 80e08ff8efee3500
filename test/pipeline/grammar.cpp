#include <tutti/pipeline/grammar.hpp>

#include "support/catch.hpp"

#include <string>
#include <utility>

using tutti::read_pipeline;

namespace {

// Lists the elements of a pipeline in order.
struct writer {
    std::string text;

    constexpr void stage(const tutti::stage_head& head) {
        text.append("P ").append(head.name);
        if (!head.label.empty()) text.append("[").append(head.label).append("]");
        text.append(head.level).append("; ");
    }
    constexpr void option(std::string_view key, std::string_view value) {
        text.append("O ").append(key).append(": ").append(value).append("; ");
    }
    constexpr void open() { text.append("< "); }
    constexpr void close() { text.append("> "); }
};

std::string parts_of(std::string_view text) {
    writer w;
    const auto mistake = read_pipeline(text, w);
    return mistake.expected ? "expected " + std::string{mistake.expected} + " at " + std::to_string(mistake.position) +
                                  "+" + std::to_string(mistake.length)
                            : w.text;
}

// Counts the elements of a pipeline.
struct counter {
    int passes = 0, options = 0, opened = 0, closed = 0;

    constexpr void stage(const tutti::stage_head&) { ++passes; }
    constexpr void option(std::string_view, std::string_view) { ++options; }
    constexpr void open() { ++opened; }
    constexpr void close() { ++closed; }
};

constexpr counter count(std::string_view text) {
    counter c;
    read_pipeline(text, c);
    return c;
}

} // namespace

static_assert(count("A,B{x=1,y=[a,b]},seq(C,seq())").passes == 5);
static_assert(count("A,B{x=1,y=[a,b]},seq(C,seq())").options == 2);
static_assert(count("A,B{x=1,y=[a,b]},seq(C,seq())").closed == 2);

TEST_CASE("read_pipeline: reads passes, options, sequentials, in order", "[pass][pipeline_text]") {
    const auto [text, parts] = GENERATE(table<std::string, std::string>({
        {"", ""},
        {" \t\n ", ""},
        {"InferType", "P InferType; "},
        {"A, B", "P A; P B; "},
        {"A{}", "P A; "},
        {"A{k=1}", "P A; O k: 1; "},
        {" A { k = 1 , nn.conv2d=[NHWC, default] , c=[] } , B ",
         "P A; O k: 1; O nn.conv2d: [NHWC, default]; O c: []; P B; "},
        {"A{x=-1.5e-3,y=True}", "P A; O x: -1.5e-3; O y: True; "},
        {"seq()", "P seq; < > "},
        {"seq(A,B),C", "P seq; < P A; P B; > P C; "},
        {"seq[name](A)", "P seq[name]; < P A; > "},
        {"seq [ name , 3 ] ( A )", "P seq[name]3; < P A; > "},
        {"seq(seq(seq(A),B))", "P seq; < P seq; < P seq; < P A; > P B; > > "},
        {"seq", "P seq; "},
        {"fixpoint{limit=3}(A{k=1},function(B))", "P fixpoint; O limit: 3; < P A; O k: 1; P function; < P B; > > "},
        {"only_if [\"a b\"] { x = 1 } ()", "P only_if[\"a b\"]; O x: 1; < > "},
        {R"("a b"{"k \" ,"="\\"})", R"(P "a b"; O "k \" ,": "\\"; )"},
    }));
    CHECK(parts_of(text) == parts);
}

TEST_CASE("read_pipeline: reports the expected token for a malformed text", "[pass][pipeline_text]") {
    const auto [text, what] = GENERATE(table<std::string, std::string>({
        {"A,", "a pass or seq(...) at 2+0"},
        {",A", "a pass or seq(...) at 0+1"},
        {"A,,B", "a pass or seq(...) at 2+1"},
        {"A Bee", "',' or the end at 2+3"},
        {"A)", "',' or the end at 1+1"},
        {"seq(A", "',' or ')' at 5+0"},
        {"seq(A]", "',' or ')' at 5+1"},
        {"seq(", "a pass, seq(...) or ')' at 4+0"},
        {"seq(A,)", "a pass or seq(...) at 6+1"},
        {"seq[](A)", "a label at 4+1"},
        {"seq[a,](A)", "a level at 6+1"},
        {"seq[a(A)", "',' or ']' at 5+1"},
        {"seq[a,1(A)", "']' at 7+1"},
        {"seq[a]", "'(' at 6+0"},
        {"A[a]{k=1},B", "'(' at 9+1"},
        {"seq(A)(B)", "',' or the end at 6+1"},
        {"seq(A){k=1}", "',' or the end at 6+1"},
        {"A{", "an option's name at 2+0"},
        {"A{k", "'=' at 3+0"},
        {"A{k=", "a value: a number, True, False, a word or a list at 4+0"},
        {"A{k=}", "a value: a number, True, False, a word or a list at 4+1"},
        {"A{k=[1,]}", "a value: a number, True, False or a word at 7+1"},
        {"A{k=[[1]]}", "a value: a number, True, False or a word at 5+1"},
        {"A{k=[1}", "',' or ']' at 6+1"},
        {"A{k=1", "',' or '}' at 5+0"},
        {"A{k=1,}", "an option's name at 6+1"},
        {"A,\"b", "a closing '\"' at 2+2"},
        {"A,\"b\\", "a closing '\"' at 2+3"},
        {"A,\"b\\\"", "a closing '\"' at 2+4"},
    }));
    CHECK(parts_of(text) == "expected " + what);
}

TEST_CASE("read_pipeline: refuses more than 64 passes inside each other, at any depth", "[pass][pipeline_text]") {
    const auto nested = [](std::size_t depth) {
        std::string text;
        for (std::size_t i = 0; i < depth; ++i) text += "seq(";
        return text + "A" + std::string(depth, ')');
    };
    CHECK(parts_of(nested(64)).ends_with("> > "));
    CHECK(parts_of(nested(65)) == "expected at most 64 nested passes at 259+1");
    CHECK(parts_of(nested(1'000'000)) == "expected at most 64 nested passes at 259+1");
}
