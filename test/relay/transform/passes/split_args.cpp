#include <tutti/relay/transform/passes/split_args.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;

namespace {

std::string concatenating(std::string_view body) {
    return "def @main(%a: Tensor[(1, 2), float32], %b: Tensor[(1, 3), float32], %c: Tensor[(1, 2), float32]) {\n" +
           std::string(body) + "\n}";
}

relay::ir_module split(std::string_view body, std::int64_t most) {
    return test::after(test::typed(concatenating(body)), relay::split_args{.max_function_args = most});
}

// Runs the pass over a program with this body. Returns the printed body.
std::string after(std::string_view body, std::int64_t most) {
    const std::string text = test::bare_text(split(body, most));
    const std::size_t begin = text.find("{\n") + 2;
    return text.substr(begin, text.rfind("\n}") - begin);
}

constexpr std::string_view three = "  %0 = (%a, %b, %c);\n  concatenate(%0, axis=-1)";

} // namespace

TEST_CASE("split_args: a concatenation of too many tensors becomes a concatenation of concatenations",
          "[relay][transform]") {
    CHECK(after(three, 3) == "  %0 = (%a, %b);\n"
                             "  %1 = concatenate(%0, axis=-1);\n"
                             "  %2 = (%c,);\n"
                             "  %3 = concatenate(%2, axis=-1);\n"
                             "  %4 = annotation.stop_fusion(%1);\n"
                             "  %5 = annotation.stop_fusion(%3);\n"
                             "  %6 = (%4, %5);\n"
                             "  concatenate(%6, axis=-1)");
}

TEST_CASE("split_args: keeps a concatenation with as many tensors as allowed", "[relay][transform]") {
    CHECK(after(three, 4) == "  %0 = (%a, %b, %c);\n"
                             "  %1 = concatenate(%0, axis=-1);\n"
                             "  %2 = annotation.stop_fusion(%1);\n"
                             "  %3 = (%2,);\n"
                             "  concatenate(%3, axis=-1)");
}

TEST_CASE("split_args: keeps shorter concatenations, and all without a limit", "[relay][transform]") {
    for (const std::int64_t most : {std::int64_t{-1}, std::int64_t{-100}, std::int64_t{5}, INT64_MAX})
        CHECK(after(three, most) == three);
    constexpr std::string_view others = "  %0 = (%a, %c, %a);\n  stack(%0, axis=1)";
    CHECK(after(others, 2) == others);
}

TEST_CASE("split_args: keeps a tuple that is not written out", "[relay][transform]") {
    constexpr std::string_view body = "  %0 = split(%a, indices_or_sections=2, axis=1);\n  concatenate(%0, axis=1)";
    CHECK(after(body, 2) == body);
}

TEST_CASE("split_args: splits nested concatenations", "[relay][transform]") {
    CHECK(after("  %0 = (%a, %b);\n  %1 = concatenate(%0, axis=1);\n  %2 = (%c, %1);\n  concatenate(%2, axis=1)", 3) ==
          "  %0 = (%a, %b);\n"
          "  %1 = concatenate(%0, axis=1);\n"
          "  %2 = annotation.stop_fusion(%1);\n"
          "  %3 = (%2,);\n"
          "  %4 = concatenate(%3, axis=1);\n"
          "  %5 = (%c, %4);\n"
          "  %6 = concatenate(%5, axis=1);\n"
          "  %7 = annotation.stop_fusion(%6);\n"
          "  %8 = (%7,);\n"
          "  concatenate(%8, axis=1)");
}

TEST_CASE("split_args: keeps results", "[relay][transform]") {
    const relay::ir_module before = test::typed(concatenating(three));
    for (const std::int64_t most : {2, 3, 4, 5})
        CHECK(test::relative_difference(test::evaluate(before, 9), test::evaluate(split(three, most), 9)) == 0);
}

TEST_CASE("split_args: refuses a limit that leaves no argument, and a module without types", "[relay][transform]") {
    for (const std::int64_t most : {0, 1}) CHECK_THROWS_AS(split(three, most), error);
    relay::ir_module untyped = relay::parse(concatenating(three));
    pass_context ctx{};
    CHECK_THROWS_AS(with(ctx, [&](auto& scope) { scope.run(relay::split_args{}, untyped); }), error);
}

TEST_CASE("split_args: a second run splits nothing", "[relay][transform]") {
    for (const std::int64_t most : {2, 3, 4}) {
        relay::ir_module m = split(three, most);
        const std::string once = test::bare_text(m);
        m = test::after(std::move(m), relay::split_args{.max_function_args = most});
        CHECK(test::bare_text(m) == once);
    }
}
