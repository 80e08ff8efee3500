#include <tutti/relay/transform/passes/simplify_expr_shape.hpp>

#include "relay/transform/rule_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;

namespace {

template <class... Rules>
std::string after(std::string_view shape, std::string_view lines) {
    return test::rewritten<Rules...>(test::with_parameters("%x: Tensor[" + std::string(shape) + ", float32]", lines));
}

} // namespace

TEST_CASE("filled_like, full_like_another: states a known shape", "[relay][transform][simplify_expr]") {
    CHECK(after<relay::detail::filled_like<op::zeros_like, op::zeros>>("(2, 3)", "  zeros_like(%x)") ==
          "  zeros(shape=[2, 3], dtype=\"float32\")\n}\n");
    CHECK(after<relay::detail::filled_like<op::ones_like, op::ones>>("(2, 3)", "  ones_like(%x)") ==
          "  ones(shape=[2, 3], dtype=\"float32\")\n}\n");
    CHECK(after<relay::detail::full_like_another>("(2, 3)", "  full_like(%x, 7f)") ==
          "  full(7f, shape=[2, 3], dtype=\"float32\")\n}\n");
    CHECK(after<relay::detail::full_like_another>("(?, 3)", "  full_like(%x, 7f)") == "  full_like(%x, 7f)\n}\n");
}

TEST_CASE("to_reshape: keeps the last of consecutive reshapes", "[relay][transform][simplify_expr]") {
    using rule = relay::detail::to_reshape<op::reshape>;
    CHECK(after<rule>("(2, 3, 4)",
                      "  %0 = reshape(%x, newshape=[-1]);\n  %1 = contrib_reverse_reshape(%0, newshape=[4, -1]);\n"
                      "  reshape(%1, newshape=[3, -1])") == "  reshape(%x, newshape=[3, 8])\n}\n");
    const std::string shared =
        "  %0 = reshape(%x, newshape=[24]);\n  %1 = reshape(%0, newshape=[1, 24]);\n  add(%0, %1)";
    CHECK(after<rule>("(2, 3, 4)", shared) == shared + "\n}\n");
    const std::string empty = "  %0 = reshape(%x, newshape=[3, 0], allowzero=True);\n  reshape(%0, "
                              "newshape=[0, 5], allowzero=True)";
    CHECK(after<rule>("(0, 3)", empty) == empty + "\n}\n");
}

TEST_CASE("to_reshape: reshape_like of a known shape becomes a reshape", "[relay][transform][simplify_expr]") {
    const std::string text =
        test::with_parameters("%x: Tensor[(2, 3), float32], %y: Tensor[(6), float32]", "  reshape_like(%x, %y)");
    CHECK(test::rewritten<relay::detail::to_reshape<op::reshape_like>>(text) == "  reshape(%x, newshape=[6])\n}\n");
}

TEST_CASE("sum_to_another, broadcast_to_another: states a known shape", "[relay][transform][simplify_expr]") {
    const auto like = [](const std::string& call, const std::string& shapes) {
        return test::with_parameters(shapes, "  " + call + "(%x, %y)");
    };
    const std::string narrow = "%x: Tensor[(3, 3, 3), float32], %y: Tensor[(3), float32]";
    CHECK(test::rewritten<relay::detail::sum_to_another>(like("collapse_sum_like", narrow)) ==
          "  collapse_sum_to(%x, meta[relay.Constant][0], shape=[3])\n}\n");
    const std::string wide = "%x: Tensor[(3), float32], %y: Tensor[(3, 3, 3), float32]";
    CHECK(test::rewritten<relay::detail::broadcast_to_another>(like("broadcast_to_like", wide)) ==
          "  broadcast_to(%x, shape=[3, 3, 3])\n}\n");
    const std::string unknown = "%x: Tensor[(3), float32], %y: Tensor[(?, 3), float32]";
    CHECK(test::rewritten<relay::detail::broadcast_to_another>(like("broadcast_to_like", unknown)) ==
          "  broadcast_to_like(%x, %y)\n}\n");
}

TEST_CASE("two_transposes: consecutive transposes become one", "[relay][transform][simplify_expr]") {
    using rule = relay::detail::two_transposes;
    CHECK(after<rule>("(1, 2, 3)", "  %0 = transpose(%x, axes=[1, 2, 0]);\n  transpose(%0, axes=[2, 1, 0])") ==
          "  transpose(%x, axes=[0, 2, 1])\n}\n");
    CHECK(after<rule>("(1, 2, 3, 4)", "  %0 = layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NHWC\");\n"
                                      "  transpose(%0, axes=[0, 3, 1, 2])") == "  %x\n}\n");
    CHECK(after<rule>("(1, 2, 3)", "  %0 = transpose(%x, axes=None);\n  transpose(%0, axes=[-1, 0, 1])") ==
          "  transpose(%x, axes=[0, 2, 1])\n}\n");
}

TEST_CASE("two_transposes: keeps a single transpose that changes nothing", "[relay][transform][simplify_expr]") {
    using rule = relay::detail::two_transposes;
    for (const std::string same :
         {"  transpose(%x, axes=[0, 1, 2, 3])", "  layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NCHW\")"})
        CHECK(after<rule>("(1, 2, 3, 4)", same) == same + "\n}\n");
}

TEST_CASE("two_transposes: merges a transpose into a layout_transform before or after it",
          "[relay][transform][simplify_expr]") {
    using rule = relay::detail::two_transposes;
    CHECK(after<rule>("(1, 5, 6, 8)", "  %0 = transpose(%x, axes=[0, 3, 1, 2]);\n"
                                      "  layout_transform(%0, src_layout=\"NCHW\", dst_layout=\"NCHW4c\")") ==
          "  layout_transform(%x, src_layout=\"NHWC\", dst_layout=\"NCHW4c\")\n}\n");
    CHECK(after<rule>("(1, 2, 5, 6, 4)", "  %0 = layout_transform(%x, src_layout=\"NCHW4c\", dst_layout=\"NCHW\");\n"
                                         "  transpose(%0, axes=[0, 2, 3, 1])") ==
          "  layout_transform(%x, src_layout=\"NCHW4c\", dst_layout=\"NHWC\")\n}\n");
    CHECK(after<rule>("(1, 8, 5, 6)", "  %0 = layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NCHW4c\");\n"
                                      "  layout_transform(%0, src_layout=\"NCHW4c\", dst_layout=\"NCHW8c\")") ==
          "  layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NCHW8c\")\n}\n");
    CHECK(after<rule>("(1, 8, 5, 6)",
                      "  %0 = layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NCHW4c\");\n"
                      "  layout_transform(%0, src_layout=\"NCHW4c\", dst_layout=\"NCHW\")") == "  %x\n}\n");
}

TEST_CASE("two_transposes: keeps operators on blocks", "[relay][transform][simplify_expr]") {
    const std::string blocks = "  %0 = layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NCHW4c\");\n"
                               "  transpose(%0, axes=[0, 4, 2, 3, 1])";
    CHECK(after<relay::detail::two_transposes>("(1, 8, 5, 6)", blocks) == blocks + "\n}\n");
}
