#include <tutti/kernel/topk.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::sort_order;
using kernel::tensor;
using test::error_of;
using test::shape_t;

namespace {

constexpr bool sorts_in_constant_evaluation() {
    const tensor t({5}, {3, -1, 4, 1, 4});
    tensor values;
    tensor indices;
    std::vector<kernel::sort_key> room;
    kernel::topk(t, 3, 0, sort_order::descending, dtype::int32, &values, &indices, room);
    const auto x = values.elements<int>();
    const auto at = indices.elements<int>();
    return x.size() == 3 && x[0] == 4 && x[2] == 3 && at[0] == 2 && at[1] == 4 && at[2] == 0;
}

struct top {
    tensor values = test::made([](tensor& t) { t.reset(dtype::int8, shape_t{1 << 14}); });
    tensor indices = values;
};
top found(const tensor& t, std::int64_t k, std::int64_t axis, sort_order order, dtype type = dtype::int32) {
    top result;
    std::vector<kernel::sort_key> room(100, kernel::sort_key{7, 7}); // dirty memory
    kernel::topk(t, k, axis, order, type, &result.values, &result.indices, room);
    return result;
}

} // namespace

TEST_CASE("topk: sorts in constant evaluation", "[kernel][topk]") {
    static_assert(sorts_in_constant_evaluation());
    CHECK(sorts_in_constant_evaluation());
}

TEST_CASE("topk: the first elements along an axis, equal ones in their order", "[kernel][topk]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 300; ++round) {
        const shape_t own = test::any_shape(random, 3, 1);
        tensor t = test::any_data(random, own);
        if (t.type() == dtype::float32)
            for (float& x : t.mutable_elements<float>()) x = static_cast<float>(random.integer(-3, 3)) / 2;
        if (t.type() == dtype::int8)
            for (std::int8_t& x : t.mutable_elements<std::int8_t>())
                x = static_cast<std::int8_t>(random.integer(-3, 3));
        const test::elements_of x(t);
        const std::int64_t axis = test::any_axis(random, own.size());
        const std::size_t at = test::place(axis, own.size());
        const std::int64_t k = random.integer(-1, own[at]);
        const auto order = random.integer(0, 1) == 0 ? sort_order::ascending : sort_order::descending;
        shape_t shape = own;
        if (k > 0) shape[at] = k;
        const auto index_type = random.integer(0, 1) == 0 ? dtype::int64 : dtype::float32;
        const top result = found(t, k, axis, order, index_type);
        const auto place_of = [&](const shape_t& index) {
            std::vector<std::int64_t> places(static_cast<std::size_t>(own[at]));
            std::iota(places.begin(), places.end(), std::int64_t{0});
            const auto value = [&](std::int64_t i) {
                shape_t there = index;
                there[at] = i;
                return x(there);
            };
            std::ranges::sort(places, [&](std::int64_t a, std::int64_t b) {
                if (value(a) == value(b)) return a < b;
                return (order == sort_order::ascending) == (value(a) < value(b));
            });
            return places[static_cast<std::size_t>(index[at])];
        };
        INFO(kernel::text(t) << ", k " << k << ", axis " << axis);
        CHECK(test::difference_from(result.indices, index_type, shape,
                                    [&](const shape_t& index) { return static_cast<double>(place_of(index)); }) == "");
        CHECK(test::difference_from(result.values, t.type(), shape, [&](shape_t index) {
                  index[at] = place_of(index);
                  return x(index);
              }) == "");
    }
}

TEST_CASE("topk: the ends of each type, zeros and NaN have their order", "[kernel][topk]") {
    const auto order_of = [](const tensor& t) { return test::values(found(t, 0, 0, sort_order::ascending).indices); };
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(order_of(tensor({7}, {nan, inf, 0.0, -0.0, -inf, -nan, -5e-324})) ==
          std::vector<double>{4, 6, 2, 3, 1, 0, 5});
    using i64 = std::numeric_limits<std::int64_t>;
    CHECK(order_of(tensor({4}, {i64::max(), std::int64_t{0}, i64::min(), std::int64_t{-1}})) ==
          std::vector<double>{2, 3, 1, 0});
    using u64 = std::numeric_limits<std::uint64_t>;
    CHECK(order_of(tensor({3}, {u64::max(), std::uint64_t{0}, u64::max() - 1})) == std::vector<double>{1, 2, 0});
    CHECK(order_of(tensor({3}, {true, false, true})) == std::vector<double>{1, 0, 2});
    const tensor t({3}, {1.F, NAN, 2.F});
    CHECK(test::values(found(t, 2, 0, sort_order::descending).indices) == std::vector<double>{1, 2});
}

TEST_CASE("topk: values only, indices only, or neither", "[kernel][topk]") {
    const tensor t({3}, {1, 3, 2});
    std::vector<kernel::sort_key> room;
    tensor out;
    kernel::topk(t, 1, 0, sort_order::descending, dtype::none, &out, nullptr, room);
    CHECK(test::values(out) == std::vector<double>{3});
    kernel::topk(t, 1, 0, sort_order::descending, dtype::int8, nullptr, &out, room);
    CHECK(test::values(out) == std::vector<double>{1});
    CHECK(test::shape_of(found(tensor(dtype::int8, {2, 0}), 0, 1, sort_order::ascending).values) == shape_t{2, 0});
    CHECK(test::shape_of(found(tensor(dtype::int8, {0, 4}), 3, 1, sort_order::ascending).values) == shape_t{0, 3});
    CHECK(error_of([&] { found(t, 4, 0, sort_order::ascending); }) ==
          "kernel::topk: 4 elements along axis 0 of data (3,) int32; expected at most as many as the axis has");
    CHECK(error_of([&] { found(t, 1, 1, sort_order::ascending); }) ==
          "kernel::topk: axis 1 of a tensor of rank 1; expected an axis from -1 to 0");
    CHECK(error_of([&] { found(t, 1, 0, sort_order::ascending, dtype::none); }) ==
          "kernel::topk: indices of type void; expected an element type");
    CHECK(error_of([&] {
              found(tensor::scalar(1), 1, 0, sort_order::ascending);
          }).ends_with("expected a rank of at least 1"));
}
