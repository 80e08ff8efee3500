#include <tutti/relay/eval/kernels/cast.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::dtype;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::cast_kernels<>, inputs, build).front();
}

} // namespace

TEST_CASE("kernels/cast: to the type that is named, or to another tensor's", "[relay][eval]") {
    const tensor x({3}, {1.5F, -2.5F, 300.F});
    CHECK(test::difference(result({x}, [](builder&, arguments e) { return relay::cast(e[0], {.dtype = dtype::int8}); }),
                           {3}, {1, -2, 127}, 0) == "");
    CHECK(test::difference(
              result({x, tensor::scalar(true)}, [](builder&, arguments e) { return relay::cast_like(e[0], e[1]); }),
              {3}, {1, 1, 1}, 0) == "");
}

TEST_CASE("kernels/cast: reinterpret keeps the bits", "[relay][eval]") {
    const tensor y = result({tensor({2}, {1.F, -2.F})},
                            [](builder&, arguments e) { return relay::reinterpret(e[0], {.dtype = dtype::int32}); });
    CHECK(y.elements<std::int32_t>()[0] == 0x3F800000);
    CHECK(y.elements<std::int32_t>()[1] == -0x40000000);
}
