#include <tutti/relay/eval/kernels/index.hpp>

#include <tutti/relay/eval/kernel_set.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
std::vector<tensor> results(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::index_kernels<>, inputs, build);
}

const tensor x({2, 3}, {1.F, 3.F, 2.F, 6.F, 5.F, 4.F});

std::vector<tensor> tops(const relay::topk_attributes& a) {
    return results({x}, [&](builder&, arguments e) { return relay::topk(e[0], a); });
}

} // namespace

TEST_CASE("kernels/index: one_hot and sparse_to_dense take their attributes", "[relay][eval]") {
    CHECK(difference(results({tensor({2}, {1, 0}), tensor::scalar(5), tensor::scalar(-1)},
                             [](builder&, arguments e) {
                                 return relay::one_hot(e[0], e[1], e[2],
                                                       {.depth = 3, .axis = 0, .dtype = dtype::float32});
                             })[0],
                     {3, 2}, {-1, 5, 5, -1, -1, -1}, 0) == "");
    CHECK(difference(results({tensor({2, 2}, {1, 0, 0, 1}), tensor({2}, {7.F, 8.F}), tensor::scalar(0.5F)},
                             [](builder&, arguments e) {
                                 return relay::sparse_to_dense(e[0], e[1], e[2], {.output_shape = dims{2, 2}});
                             })[0],
                     {2, 2}, {0.5, 8, 7, 0.5}, 0) == "");
}

TEST_CASE("kernels/index: argsort gives all places in order", "[relay][eval]") {
    const auto sorted = [](const relay::argsort_attributes& a) {
        return results({x}, [&](builder&, arguments e) { return relay::argsort(e[0], a); })[0];
    };
    CHECK(difference(sorted({.dtype = dtype::int32}), {2, 3}, {0, 2, 1, 2, 1, 0}, 0) == "");
    CHECK(difference(sorted({.axis = 0, .is_ascend = false, .dtype = dtype::int64}), {2, 3}, {1, 1, 1, 0, 0, 0}, 0) ==
          "");
}

TEST_CASE("kernels/index: take along an axis, or of all elements", "[relay][eval]") {
    const auto taken = [](const relay::take_attributes& a) {
        return results({x, tensor({2}, {-1, 4})}, [&](builder&, arguments e) { return relay::take(e[0], e[1], a); })[0];
    };
    CHECK(difference(taken({}), {2}, {1, 5}, 0) == "");
    CHECK(difference(taken({.axis = dim(1)}), {2, 2}, {1, 2, 6, 4}, 0) == "");
    CHECK(test::error_of([&] { taken({.axis = dim(1), .mode = "fast"}); }).find("take: index -1 along axis 1") !=
          std::string::npos);
    CHECK(difference(taken({.axis = dim(1), .mode = "wrap"}), {2, 2}, {2, 3, 4, 5}, 0) == "");
    CHECK_THROWS(taken({.mode = "other"}));
    CHECK_THROWS(taken({.batch_dims = 1, .axis = dim(1)}));
}

TEST_CASE("kernels/index: topk gives values, indices or both", "[relay][eval]") {
    const auto both = tops({.k = std::optional<dim>(2), .dtype = dtype::int64});
    REQUIRE(both.size() == 2);
    CHECK(difference(both[0], {2, 2}, {3, 2, 6, 5}, 0) == "");
    CHECK(difference(both[1], {2, 2}, {1, 2, 0, 1}, 0) == "");
    CHECK(difference(tops({.k = std::optional<dim>(1), .axis = 0, .ret_type = "values", .is_ascend = true})[0], {1, 3},
                     {1, 3, 2}, 0) == "");
    CHECK(difference(
              tops({.k = std::optional<dim>(0), .ret_type = "indices", .is_ascend = true, .dtype = dtype::int32})[0],
              {2, 3}, {0, 2, 1, 2, 1, 0}, 0) == "");
    CHECK_THROWS_WITH(tops({.k = std::optional<dim>(), .ret_type = "values"}),
                      "topk: the kernel does not know this case");
}

TEST_CASE("kernels/index: topk keeps the memory that it sorts in", "[relay][eval]") {
    builder b;
    const expr call = relay::topk(b.constant(x), {.k = std::optional<dim>(1), .ret_type = "values"});
    const std::array<const tensor*, 1> inputs{&x};
    std::array<tensor, 1> out;
    std::shared_ptr<void> kept;
    const relay::invocation invocation{.program = &b.graph(),
                                       .attributes = b.graph().call_attributes(call.id),
                                       .inputs = inputs,
                                       .results = out,
                                       .kept = &kept};
    const relay::kernel_table table{relay::kernels::index_kernels<>};
    const relay::kernel_function run = relay::kernel_set(table).rows_of(relay::definition<relay::op::topk>)[0].run;
    REQUIRE(run(invocation));
    const auto* first = kept.get();
    REQUIRE(first != nullptr);
    REQUIRE(run(invocation));
    CHECK(kept.get() == first);
    CHECK(difference(out[0], {2, 1}, {3, 6}, 0) == "");
}

TEST_CASE("kernels/index: sort and argwhere", "[relay][eval]") {
    const auto sorted = [](const relay::sort_attributes& a) {
        return results({x}, [&](builder&, arguments e) { return relay::sort(e[0], a); })[0];
    };
    CHECK(difference(sorted({}), {2, 3}, {1, 2, 3, 4, 5, 6}, 0) == "");
    CHECK(difference(sorted({.axis = 0, .is_ascend = false}), {2, 3}, {6, 5, 4, 1, 3, 2}, 0) == "");
    CHECK(difference(
              results({tensor({2, 2}, {0, 3, 4, 0})}, [](builder&, arguments e) { return relay::argwhere(e[0]); })[0],
              {2, 2}, {0, 1, 1, 0}, 0) == "");
}
