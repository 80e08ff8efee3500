#include <tutti/relay/eval/kernels/annotation.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dtype;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::annotation_kernels<>, inputs, build)[0];
}

} // namespace

TEST_CASE("kernels/annotation: stop_fusion is its argument", "[relay][eval]") {
    const tensor x({2}, {1.F, 2.F});
    const auto out = test::computed(relay::kernels::annotation_kernels<>, {x}, [](builder&, std::span<const expr> e) {
        return relay::annotation::stop_fusion(e[0]);
    });
    CHECK(out.at(0).same_elements(x));
}

TEST_CASE("kernels/annotation: dropout keeps every element", "[relay][eval]") {
    const tensor x({3}, {1.F, -2.F, 0.F});
    const auto out = test::computed(relay::kernels::annotation_kernels<>, {x}, [](builder&, std::span<const expr> e) {
        return relay::nn::dropout(e[0], {.rate = 0.9});
    });
    REQUIRE(out.size() == 2);
    CHECK(out[0].same_elements(x));
    CHECK(test::difference(out[1], {3}, {1, 1, 1}, 0) == "");
}

TEST_CASE("kernels/annotation: ndarray_size counts the elements", "[relay][eval]") {
    const auto size = [](const test::shape_t& shape) {
        return result({tensor(dtype::int8, shape)},
                      [](builder&, arguments e) { return relay::ndarray_size(e[0], {.dtype = dtype::int64}); });
    };
    CHECK(test::difference(size({2, 3}), {}, {6}, 0) == "");
    CHECK(test::difference(size({}), {}, {1}, 0) == "");
    CHECK(test::difference(size({4, 0}), {}, {0}, 0) == "");
}

TEST_CASE("kernels/annotation: shape_of returns the sizes in the requested type", "[relay][eval]") {
    const tensor x(dtype::int8, {2, 5});
    const auto sizes = [&](const tensor& t) {
        return result({t}, [](builder&, arguments e) { return relay::shape_of(e[0], {.dtype = dtype::int64}); });
    };
    CHECK(difference(sizes(x), {2}, {2, 5}, 0) == "");
    CHECK(difference(sizes(tensor::scalar(1)), {}, {0}, 0) == "");
}

TEST_CASE("kernels/annotation: a hint is its argument, and simulated quantisation rounds", "[relay][eval]") {
    const tensor x({3}, {1.3F, -9.F, 100.F});
    const auto hinted =
        test::computed(relay::kernels::annotation_kernels<>, {x}, [](builder&, std::span<const expr> e) {
            return relay::annotation::cast_hint(e[0], {.dtype = test::dtype::int8});
        });
    CHECK(test::difference(hinted[0], {3}, test::values(x), 0) == "");
    const auto quantized = [&](std::int64_t kind, bool sign) {
        return test::computed(
            relay::kernels::annotation_kernels<>, {x, tensor::scalar(0.5F), tensor::scalar(-4.F), tensor::scalar(4.F)},
            [&](builder&, std::span<const expr> e) {
                return relay::annotation::simulated_quantize(e[0], e[1], e[2], e[3], {.kind = kind, .sign = sign});
            })[0];
    };
    CHECK(test::difference(quantized(1, true), {3}, {1.5, -2, 2}, 0) == "");
    CHECK(test::difference(quantized(0, true), {3}, test::values(x), 0) == "");
    CHECK_THROWS(quantized(1, false));
}
