#include <tutti/relay/eval/kernels/create.hpp>

#include "support.hpp"
#include "support/catch.hpp"

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
    return test::computed(relay::kernels::create_kernels<>, inputs, build)[0];
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

TEST_CASE("kernels/create: the shape and type of one argument, one value everywhere", "[relay][eval]") {
    const auto& table = relay::kernels::create_kernels<>;
    for (int i = static_cast<int>(dtype::boolean); i <= static_cast<int>(dtype::float64); ++i) {
        const tensor x(static_cast<dtype>(i), {2, 3});
        const auto zeros = test::computed(table, {x}, [](builder&, arguments e) { return relay::zeros_like(e[0]); });
        CHECK(test::difference(zeros.at(0), {2, 3}, std::vector<double>(6, 0), 0) == "");
        const auto ones = test::computed(table, {x}, [](builder&, arguments e) { return relay::ones_like(e[0]); });
        CHECK(test::difference(ones.at(0), {2, 3}, std::vector<double>(6, 1), 0) == "");
        const auto full = test::computed(table, {x, tensor::scalar(7)},
                                         [](builder&, arguments e) { return relay::full_like(e[0], e[1]); });
        CHECK(test::difference(full.at(0), {2, 3},
                               std::vector<double>(6, i == static_cast<int>(dtype::boolean) ? 1 : 7), 0) == "");
    }
    const tensor none(dtype::float32, {0, 2});
    CHECK(test::computed(table, {none}, [](builder&, arguments e) { return relay::ones_like(e[0]); }).at(0).size() ==
          0);
}

TEST_CASE("kernels/create: arange converts its numbers to the type that the attribute says", "[relay][eval]") {
    const auto numbers =
        test::computed(relay::kernels::create_kernels<>, {tensor::scalar(1), tensor::scalar(8), tensor::scalar(3)},
                       [](builder&, arguments e) { return relay::arange(e[0], e[1], e[2], {.dtype = dtype::int32}); });
    CHECK(difference(numbers.at(0), {3}, {1, 4, 7}, 0) == "");
}
