#include <tutti/relay/transform/passes/simplify_expr_cast.hpp>

#include "relay/transform/rule_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;

namespace {

template <class... Rules>
std::string after(std::string_view type, std::string_view lines) {
    return test::rewritten<Rules...>(test::with_parameters("%x: Tensor[(2, 3), " + std::string(type) + "]", lines));
}

} // namespace

static_assert(relay::detail::is_range_of(dtype::int8, -128, 127) && relay::detail::is_range_of(dtype::boolean, 0, 1));
static_assert(!relay::detail::is_range_of(dtype::uint8, 0, 256) && !relay::detail::is_range_of(dtype::uint8, -1, 255));
static_assert(!relay::detail::is_range_of(dtype::float16, -65504, 65504));

TEST_CASE("cast_as_another: states the type", "[relay][transform][simplify_expr]") {
    CHECK(test::rewritten<relay::detail::cast_as_another>(
              test::with_parameters("%x: Tensor[(2), float32], %y: Tensor[(5), int8]", "  cast_like(%x, %y)")) ==
          "  cast(%x, dtype=\"int8\")\n}\n");
}

TEST_CASE("cast_to_the_same: removes the cast", "[relay][transform][simplify_expr]") {
    CHECK(after<relay::detail::cast_to_the_same>("int8", "  cast(%x, dtype=\"int8\")") == "  %x\n}\n");
    CHECK(after<relay::detail::cast_to_the_same>("int8", "  cast(%x, dtype=\"int16\")") ==
          "  cast(%x, dtype=\"int16\")\n}\n");
}

TEST_CASE("cast_of_a_wider: removes the first of two casts if it is lossless", "[relay][transform][simplify_expr]") {
    const auto both = [](std::string_view from, std::string first, std::string second) {
        return after<relay::detail::cast_of_a_wider>(from, "  %0 = cast(%x, dtype=\"" + first +
                                                               "\");\n  cast(%0, dtype=\"" + second + "\")");
    };
    CHECK(both("int8", "int32", "int64") == "  cast(%x, dtype=\"int64\")\n}\n");
    CHECK(both("int8", "float32", "int16") == "  cast(%x, dtype=\"int16\")\n}\n");
    CHECK(both("float16", "float32", "int8") == "  cast(%x, dtype=\"int8\")\n}\n");
    CHECK(both("bool", "uint8", "float32") == "  cast(%x, dtype=\"float32\")\n}\n");
    CHECK(both("float32", "int32", "float32").find("%0") != std::string::npos);
    CHECK(both("int32", "int8", "int32").find("%0") != std::string::npos);
    CHECK(both("int8", "uint16", "int32").find("%0") != std::string::npos);   // -1 becomes 65535 on the way
    CHECK(both("int32", "float32", "int64").find("%0") != std::string::npos); // 2^24 + 1 becomes 2^24 on the way
    CHECK(both("int32", "float64", "int64").find("%0") == std::string::npos);
    CHECK(both("uint8", "float32", "int8").find("%0") !=
          std::string::npos); // 200 becomes 127 through float32, and -56 directly
    CHECK(both("int8", "float16", "uint8").find("%0") != std::string::npos); // -1 becomes 0 on the way
    CHECK(both("int32", "float64", "bool").find("%0") == std::string::npos);
    CHECK(test::rewritten<relay::detail::cast_of_a_wider>(
              test::with_parameters("%x: Tensor[(2), uint8]",
                                    "  %0 = cast(%x, dtype=\"float32\");\n  cast(%0, dtype=\"int8\")"),
              test::by_reference) == "  cast(%x, dtype=\"int8\")\n}\n");
}

TEST_CASE("casts_of_a_clip: removes a cast and its inverse if the type between holds exactly the remaining range",
          "[relay][transform][simplify_expr]") {
    const auto there_and_back = [](const std::string& from, const std::string& to, const std::string& back,
                                   const std::string& greatest) {
        const std::string text = "  %0 = clip(%x, a_min=0f, a_max=" + greatest + "f);\n  %1 = cast(%0, dtype=\"" + to +
                                 "\");\n  cast(%1, dtype=\"" + back + "\")";
        const std::string all = after<relay::detail::casts_of_a_clip>(from, text);
        return all == "  clip(%x, a_min=0f, a_max=" + greatest + "f)\n}\n" ? "" : all == text + "\n}\n" ? "stays" : all;
    };
    CHECK(there_and_back("int32", "uint8", "int32", "255") == "");
    CHECK(there_and_back("int64", "bool", "int64", "1") == "");
    CHECK(there_and_back("int32", "uint8", "int64", "255") == "stays");
    CHECK(there_and_back("int32", "uint8", "int32", "254") == "stays");
    CHECK(there_and_back("int32", "int8", "int32", "255") == "stays");
    CHECK(there_and_back("float32", "uint8", "float32", "255") == "stays"); // 0.5 becomes 0 on the way
}

TEST_CASE("clip_of_a_cast: removes a clip if the type holds exactly its range", "[relay][transform][simplify_expr]") {
    using rule = relay::detail::clip_of_a_cast;
    const std::string bytes = "  %0 = cast(%x, dtype=\"uint8\");\n";
    CHECK(after<rule>("int32", bytes + "  clip(%0, a_min=0f, a_max=255f)") == "  cast(%x, dtype=\"uint8\")\n}\n");
    for (const std::string clip : {"  clip(%0, a_min=1f, a_max=255f)", "  clip(%0, a_min=-1f, a_max=255f)"})
        CHECK(after<rule>("int32", bytes + clip) == bytes + clip + "\n}\n");
    CHECK(after<rule>("uint8", "  clip(%x, a_min=0f, a_max=255f)") == "  clip(%x, a_min=0f, a_max=255f)\n}\n");
}

TEST_CASE("order_of_dequantized: orders integers directly if there is one scale", "[relay][transform][simplify_expr]") {
    CHECK(after<relay::detail::order_of_dequantized<op::argmin>>(
              "int8", "  %0 = qnn.dequantize(%x, 0.5f, 3);\n  argmin(%0, axis=[1])") == "  argmin(%x, axis=[1])\n}\n");
    CHECK(after<relay::detail::order_of_dequantized<op::argsort>>(
              "int8", "  %0 = qnn.dequantize(%x, 0.5f, 3);\n  argsort(%0, axis=1, dtype=\"int32\")") ==
          "  argsort(%x, axis=1, dtype=\"int32\")\n}\n");
    CHECK(after<relay::detail::order_of_dequantized<op::argmax>>(
              "int8", "  %0 = qnn.dequantize(%x, 0.5f, 3);\n  argmax(%0, axis=[1])") == "  argmax(%x, axis=[1])\n}\n");
    const std::string many = test::with_parameters("%x: Tensor[(2, 3), int8], %s: Tensor[(3), float32]",
                                                   "  %0 = qnn.dequantize(%x, %s, 3);\n  argmax(%0, axis=[1])");
    CHECK(test::rewritten<relay::detail::order_of_dequantized<op::argmax>>(many).find("dequantize") !=
          std::string::npos);
}

TEST_CASE("order_of_dequantized: skips scales that may map two integers to one number",
          "[relay][transform][simplify_expr]") {
    const auto dequantized = [](std::string_view type, std::string_view how, const relay::rewrite_terms& terms = {}) {
        return test::rewritten<relay::detail::order_of_dequantized<op::argmax>>(
                   test::with_parameters("%x: Tensor[(2, 3), " + std::string(type) + "], %s: float32",
                                         "  %0 = qnn.dequantize(%x, " + std::string(how) +
                                             ");\n  argmax(%0, axis=[1])"),
                   terms)
                   .find("qnn") != std::string::npos;
    };
    for (const auto& [type, how] :
         {std::pair("int8", "0.5f, 1000000000"), std::pair("int32", "0.5f, 0"), std::pair("int8", "1e-40f, 0"),
          std::pair("int8", "1e+38f, 0"), std::pair("int8", "%s, 0")}) {
        INFO(type << ' ' << how);
        CHECK(dequantized(type, how));
        CHECK_FALSE(dequantized(type, how, test::by_reference));
    }
    CHECK_FALSE(dequantized("uint16", "0.1f, 128"));
}
