#include <tutti/relay/eval/kernels/create.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dims;
using relay::dtype;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::create_kernels, inputs, build)[0];
}

} // namespace

TEST_CASE("kernels/create: tensors of one value have the shape and type that the attributes say", "[relay][eval]") {
    const auto three = tensor::scalar(3.5F);
    CHECK(difference(result({three}, [](builder&, arguments e) { return relay::full(e[0], {.shape = dims{2}}); }), {2},
                     {3.5, 3.5}, 0) == "");
    CHECK(difference(
              result({three},
                     [](builder&, arguments e) { return relay::full(e[0], {.shape = dims{}, .dtype = dtype::int8}); }),
              {}, {3}, 0) == "");
    CHECK(
        difference(result({}, [](builder& b,
                                 arguments) { return relay::ones(b, {.shape = dims{1, 2}, .dtype = dtype::boolean}); }),
                   {1, 2}, {1, 1}, 0) == "");
    CHECK(
        difference(result({}, [](builder& b,
                                 arguments) { return relay::zeros(b, {.shape = dims{2, 0}, .dtype = dtype::int64}); }),
                   {2, 0}, {}, 0) == "");
    CHECK(difference(result({}, [](builder& b,
                                   arguments) { return relay::zeros(b, {.shape = dims{2}, .dtype = dtype::float16}); }),
                     {2}, {0, 0}, 0) == "");
}

TEST_CASE("kernels/create: ndarray_size counts the elements", "[relay][eval]") {
    const auto size = [](const test::shape_t& shape) {
        return result({tensor(dtype::int8, shape)},
                      [](builder&, arguments e) { return relay::ndarray_size(e[0], {.dtype = dtype::int64}); });
    };
    CHECK(test::difference(size({2, 3}), {}, {6}, 0) == "");
    CHECK(test::difference(size({}), {}, {1}, 0) == "");
    CHECK(test::difference(size({4, 0}), {}, {0}, 0) == "");
}

TEST_CASE("kernels/create: shape_of gives the sizes in the type that is asked for", "[relay][eval]") {
    const tensor x(dtype::int8, {2, 5});
    const auto sizes = [&](const tensor& t) {
        return result({t}, [](builder&, arguments e) { return relay::shape_of(e[0], {.dtype = dtype::int64}); });
    };
    CHECK(difference(sizes(x), {2}, {2, 5}, 0) == "");
    CHECK(difference(sizes(tensor::scalar(1)), {}, {0}, 0) == "");
}
