#include <tutti/relay/transform/simplify_expr_cast.hpp>

#include "catch.hpp"

#include "rule_programs.hpp"

using namespace tutti;
using namespace tutti::relay;

namespace {

template <class... Rules>
std::string after(std::string_view type, std::string_view lines) {
    return test::rewritten<Rules...>(
        test::with_parameters("%x: Tensor[(2, 3), " + std::string(type) + "]", lines));
}

} // namespace

static_assert(detail::range_of(dtype::int8).greatest == 127 && detail::range_of(dtype::uint8).least == 0);
static_assert(detail::range_of(dtype::float32).contains(detail::range_of(dtype::int32)));
static_assert(!detail::range_of(dtype::float16).contains(detail::range_of(dtype::uint16)));

TEST_CASE("cast_as_another: says the type", "[relay][transform][simplify_expr]") {
    CHECK(test::rewritten<detail::cast_as_another>(test::with_parameters(
              "%x: Tensor[(2), float32], %y: Tensor[(5), int8]", "  cast_like(%x, %y)")) ==
          "  cast(%x, dtype=\"int8\")\n}\n");
}

TEST_CASE("cast_to_the_same: goes", "[relay][transform][simplify_expr]") {
    CHECK(after<detail::cast_to_the_same>("int8", "  cast(%x, dtype=\"int8\")") == "  %x\n}\n");
    CHECK(after<detail::cast_to_the_same>("int8", "  cast(%x, dtype=\"int16\")") ==
          "  cast(%x, dtype=\"int16\")\n}\n");
}

TEST_CASE("cast_of_a_wider: the first of two casts goes if it loses nothing",
          "[relay][transform][simplify_expr]") {
    const auto both = [](std::string_view from, std::string first, std::string second) {
        return after<detail::cast_of_a_wider>(from, "  %0 = cast(%x, dtype=\"" + first +
                                                        "\");\n  cast(%0, dtype=\"" + second + "\")");
    };
    CHECK(both("int8", "int32", "int64") == "  cast(%x, dtype=\"int64\")\n}\n");
    CHECK(both("uint8", "float32", "int8") == "  cast(%x, dtype=\"int8\")\n}\n");
    CHECK(both("bool", "uint8", "float32") == "  cast(%x, dtype=\"float32\")\n}\n");
    CHECK(both("float32", "int32", "float32").find("%0") != std::string::npos);
    CHECK(both("int32", "int8", "int32").find("%0") != std::string::npos);
    CHECK(both("int8", "uint16", "int32").find("%0") != std::string::npos); // -1 becomes 65535 on the way
}

TEST_CASE("casts_of_a_clip: those to types that hold all that is left go",
          "[relay][transform][simplify_expr]") {
    using rule = detail::casts_of_a_clip;
    CHECK(after<rule>("int32", "  %0 = clip(%x, a_min=0f, a_max=255f);\n  %1 = cast(%0, dtype=\"uint8\");\n  "
                               "cast(%1, dtype=\"int32\")") == "  clip(%x, a_min=0f, a_max=255f)\n}\n");
    CHECK(after<rule>("int32", "  %0 = clip(%x, a_min=0f, a_max=255f);\n  %1 = cast(%0, dtype=\"uint8\");\n  "
                               "cast(%1, dtype=\"float32\")") ==
          "  %0 = clip(%x, a_min=0f, a_max=255f);\n  cast(%0, dtype=\"float32\")\n}\n");
    const std::string narrow = "  %0 = clip(%x, a_min=0f, a_max=255f);\n  %1 = cast(%0, dtype=\"int8\");\n  "
                               "cast(%1, dtype=\"int32\")";
    CHECK(after<rule>("int32", narrow) ==
          "  %0 = clip(%x, a_min=0f, a_max=255f);\n  %1 = cast(%0, dtype=\"int8\");\n"
          "  cast(%1, dtype=\"int32\")\n}\n");
    CHECK(after<rule>("int32", "  %0 = clip(%x, a_min=0f, a_max=9f);\n  cast(%0, dtype=\"int8\")") ==
          "  %0 = clip(%x, a_min=0f, a_max=9f);\n  cast(%0, dtype=\"int8\")\n}\n");
}

TEST_CASE("clip_to_all: goes if the type holds no more", "[relay][transform][simplify_expr]") {
    CHECK(after<detail::clip_to_all>("uint8", "  clip(%x, a_min=0f, a_max=255f)") == "  %x\n}\n");
    CHECK(after<detail::clip_to_all>("uint8", "  clip(%x, a_min=1f, a_max=255f)") ==
          "  clip(%x, a_min=1f, a_max=255f)\n}\n");
    CHECK(after<detail::clip_to_all>("float32", "  clip(%x, a_min=0f, a_max=255f)").find("clip") !=
          std::string::npos);
}

TEST_CASE("greatest_of_dequantized: needs no dequantising, if there is one scale",
          "[relay][transform][simplify_expr]") {
    CHECK(after<detail::greatest_of_dequantized>(
              "int8", "  %0 = qnn.dequantize(%x, 0.5f, 3);\n  argmax(%0, axis=[1])") ==
          "  argmax(%x, axis=[1])\n}\n");
    const std::string many =
        test::with_parameters("%x: Tensor[(2, 3), int8], %s: Tensor[(3), float32]",
                              "  %0 = qnn.dequantize(%x, %s, 3);\n  argmax(%0, axis=[1])");
    CHECK(test::rewritten<detail::greatest_of_dequantized>(many).find("dequantize") != std::string::npos);
}
