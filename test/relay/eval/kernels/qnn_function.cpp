#include <tutti/relay/eval/kernels/qnn_function.hpp>

#include "support.hpp"

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::qnn_function_kernels<>;

} // namespace

TEST_CASE("kernels/qnn_function: each computes the function of the real numbers", "[relay][eval]") {
    const tensor x = test::converted(tensor({4}, {-8, -1, 1, 16}), test::dtype::int8); // represents -4, -1/2, 1/2 and 8
    const test::call_row rows[]{
        {"qnn.abs(%a, 0.5f, 0, 0.25f, 1)", {x}, {4}, {17, 3, 3, 33}},
        {"qnn.tanh(%a, 0.5f, 0, 0.25f, 1)", {x}, {4}, {-3, -1, 3, 5}},
        {"qnn.sigmoid(%a, 0.5f, 0, 0.25f, 1)", {x}, {4}, {1, 3, 3, 5}},
        {"qnn.erf(%a, 0.5f, 0, 0.25f, 1)", {x}, {4}, {-3, -1, 3, 5}},
        {"qnn.exp(%a, 0.5f, 0, 0.25f, 1)", {x}, {4}, {1, 3, 8, 127}},
        {"qnn.sqrt(%a, 0.5f, 0, 0.25f, 1)", {x}, {4}, {127, 127, 4, 12}},
        {"qnn.rsqrt(%a, 0.5f, 0, 0.25f, 1)", {x}, {4}, {127, 127, 7, 2}},
        {"qnn.log(%a, 0.5f, 0, 0.25f, 1)", {x}, {4}, {127, 127, -2, 9}},
        {"qnn.hardswish(%a, 0.5f, 0, 0.25f, 1)", {x}, {4}, {1, 0, 2, 33}},
        {"qnn.leaky_relu(%a, 0.5f, 0, 0.25f, 1, alpha=0.5f64)", {x}, {4}, {-6, 1, 3, 33}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/qnn_function: simulated by the number of a type", "[relay][eval]") {
    const tensor x({3}, {1.F, -80.F, 300.F});
    const test::call_row rows[]{
        {"qnn.simulated_quantize(%a, 0, 0.5f, 1)", {x}, {3}, {1, -80, 300}},
        {"qnn.simulated_quantize(%a, 1, 0.5f, 1)", {x}, {3}, {3, -128, 127}},
        {"qnn.simulated_quantize(%a, 2, 0.5f, 1)", {x}, {3}, {3, 0, 255}},
        {"qnn.simulated_quantize(%a, 3, 0.5f, 1)", {x}, {3}, {3, -159, 601}},
        {"qnn.simulated_dequantize(%a, 0, 0.5f, 1)", {x}, {3}, {1, -80, 300}},
        {"qnn.simulated_dequantize(%a, 2, 0.5f, 1)", {x}, {3}, {0, -40.5, 149.5}},
    };
    test::check(kernels, rows);
    CHECK_THROWS_WITH(test::first_of(kernels, "qnn.simulated_quantize(%a, 4, 0.5f, 1)", {x}),
                      "qnn.simulated_quantize: the kernel does not know this case");
    CHECK_THROWS_WITH(test::first_of(kernels, "qnn.simulated_dequantize(%a, -1, 0.5f, 1)", {x}),
                      "qnn.simulated_dequantize: the kernel does not know this case");
}
