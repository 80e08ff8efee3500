#include <tutti/relay/eval/kernels/annotation.hpp>

#include "support.hpp"

#include <string_view>
#include <vector>

using test::dtype;
using test::first_of;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::annotation_kernels<>;

} // namespace

TEST_CASE("kernels/annotation: stop_fusion is its argument", "[relay][eval]") {
    const tensor x({2}, {1.F, 2.F});
    CHECK(first_of(kernels, "annotation.stop_fusion(%a)", {x}).same_elements(x));
}

TEST_CASE("kernels/annotation: dropout keeps every element", "[relay][eval]") {
    const tensor x({3}, {1.F, -2.F, 0.F});
    const std::vector<tensor> out = test::computed(kernels, "nn.dropout(%a, rate=0.9)", {x});
    REQUIRE(out.size() == 2);
    CHECK(out[0].same_elements(x));
    CHECK(test::difference(out[1], {3}, {1, 1, 1}, 0) == "");
}

TEST_CASE("kernels/annotation: ndarray_size counts the elements", "[relay][eval]") {
    const std::string_view size = R"(ndarray_size(%a, dtype="int64"))";
    const test::call_row rows[]{
        {size, {tensor(dtype::int8, {2, 3})}, {}, {6}},
        {size, {tensor(dtype::int8, {})}, {}, {1}},
        {size, {tensor(dtype::int8, {4, 0})}, {}, {0}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/annotation: shape_of returns the sizes in the requested type", "[relay][eval]") {
    const test::call_row rows[]{
        {R"(shape_of(%a, dtype="int64"))", {tensor(dtype::int8, {2, 5})}, {2}, {2, 5}},
        {R"(shape_of(%a, dtype="int64"))", {tensor::scalar(1)}, {}, {0}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/annotation: a hint is its argument, and simulated quantisation rounds", "[relay][eval]") {
    const tensor x({3}, {1.3F, -9.F, 100.F});
    const test::call_row rows[]{
        {R"(annotation.cast_hint(%a, dtype="int8"))", {x}, {3}, test::values(x)},
        {"relay.op.annotation.simulated_quantize(%a, 0.5f, -4f, 4f, kind=1, sign=True)", {x}, {3}, {1.5, -2, 2}},
        {"relay.op.annotation.simulated_quantize(%a, 0.5f, -4f, 4f, kind=0, sign=True)", {x}, {3}, test::values(x)},
    };
    test::check(kernels, rows);
    CHECK_THROWS_WITH(
        first_of(kernels, "relay.op.annotation.simulated_quantize(%a, 0.5f, -4f, 4f, kind=1, sign=False)", {x}),
        "relay.op.annotation.simulated_quantize: the kernel does not know this case");
}
