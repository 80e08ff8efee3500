#include <tutti/relay/eval/kernels/reduce.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dims;
using relay::expr;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

const tensor x({2, 3}, {1.F, 5.F, 3.F, 4.F, 2.F, 4.F});

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::reduce_kernels<>, inputs, build).front();
}

template <class Attributes>
tensor reduced(expr (*call)(expr, const Attributes&), const Attributes& attributes) {
    return result({x}, [&](builder&, arguments e) { return call(e[0], attributes); });
}

} // namespace

TEST_CASE("kernels/reduce: axis, keepdims and exclude select the reduced axes", "[relay][eval]") {
    CHECK(test::difference(reduced(relay::sum, {}), {}, {19}, 0) == "");
    CHECK(test::difference(reduced(relay::sum, {.axis = dims{0}}), {3}, {5, 7, 7}, 0) == "");
    CHECK(test::difference(reduced(relay::sum, {.axis = dims{-1}, .keepdims = true}), {2, 1}, {9, 10}, 0) == "");
    CHECK(test::difference(reduced(relay::sum, {.axis = dims{0}, .exclude = true}), {2}, {9, 10}, 0) == "");
    CHECK(test::difference(reduced(relay::sum, {.axis = dims{}}), {}, {19}, 0) == "");
    CHECK(test::difference(reduced(relay::sum, {.axis = dims{}, .exclude = true}), {}, {19}, 0) == "");
    CHECK(test::difference(reduced(relay::mean, {.axis = dims{0, 1}}), {}, {19 / 6.0}, 1e-6) == "");
    CHECK(test::difference(reduced(relay::max, {.axis = dims{1}}), {2}, {5, 4}, 0) == "");
    CHECK(test::difference(reduced(relay::min, {.axis = dims{1}}), {2}, {1, 2}, 0) == "");
    CHECK(test::difference(reduced(relay::prod, {.axis = dims{1}}), {2}, {15, 32}, 0) == "");
    const tensor truths({2, 2}, {true, false, true, true});
    CHECK(test::difference(result({truths}, [](builder&, arguments e) { return relay::all(e[0], {.axis = dims{1}}); }),
                           {2}, {0, 1}, 0) == "");
    CHECK(test::difference(result({truths}, [](builder&, arguments e) { return relay::any(e[0]); }), {}, {1}, 0) == "");
}

TEST_CASE("kernels/reduce: argmax counts over the axes that are reduced", "[relay][eval]") {
    CHECK(test::difference(reduced(relay::argmax, {}), {}, {1}, 0) == "");
    CHECK(test::difference(reduced(relay::argmax, {.axis = dims{1}}), {2}, {1, 0}, 0) == "");
    CHECK(test::difference(reduced(relay::argmax, {.axis = dims{1}, .select_last_index = true}), {2}, {1, 2}, 0) == "");
    CHECK(test::difference(reduced(relay::argmax, {.axis = dims{1}, .keepdims = true, .exclude = true}), {1, 3},
                           {1, 0, 1}, 0) == "");
}

TEST_CASE("kernels/reduce: argmin is argmax the other way round", "[relay][eval]") {
    CHECK(test::difference(reduced(relay::argmin, {.axis = dims{1}}), {2}, {0, 1}, 0) == "");
    CHECK(test::difference(reduced(relay::argmin, {.axis = dims{0}, .select_last_index = true}), {3}, {0, 1, 0}, 0) ==
          "");
}

TEST_CASE("kernels/reduce: collapse_sum takes the shape of the other argument, or the attribute's", "[relay][eval]") {
    const tensor other(tutti::kernel::dtype::float32, {3});
    CHECK(
        test::difference(result({x, other}, [](builder&, arguments e) { return relay::collapse_sum_like(e[0], e[1]); }),
                         {3}, {5, 7, 7}, 0) == "");
    CHECK(test::difference(
              result({x, tensor({2}, {2, 1})},
                     [](builder&, arguments e) { return relay::collapse_sum_to(e[0], e[1], {.shape = dims{2, 1}}); }),
              {2, 1}, {9, 10}, 0) == "");
}

TEST_CASE("kernels/reduce: variance is about the mean that it is given", "[relay][eval]") {
    const tensor mean({2, 1}, {3.F, 4.F});
    for (const bool unbiased : {false, true}) {
        const tensor out = result({x, mean}, [&](builder&, arguments e) {
            return relay::variance(e[0], e[1], {.axis = dims{1}, .keepdims = true, .unbiased = unbiased});
        });
        CHECK(test::difference(out, {2, 1}, {8 / (unbiased ? 2.0 : 3.0), 4 / (unbiased ? 2.0 : 3.0)}, 1e-6) == "");
    }
}
