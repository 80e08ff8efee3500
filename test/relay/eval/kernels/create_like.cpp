#include <tutti/relay/eval/kernels/create_like.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::dtype;
using test::tensor;

TEST_CASE("kernels/create_like: the shape and type of one argument, one value everywhere", "[relay][eval]") {
    using arguments = std::span<const expr>;
    const auto& table = relay::kernels::create_like_kernels;
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
