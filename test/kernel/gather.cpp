#include <tutti/kernel/gather.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::index_mode;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_of;
using test::shape_t;

namespace {

constexpr bool gathers_in_constant_evaluation() {
    const tensor t({2, 2}, {1, 2, 3, 4});
    const tensor indices({2, 1}, {1, 0});
    tensor out;
    kernel::gather(t, 1, indices, out);
    if (out.elements<int>()[0] != 2 || out.elements<int>()[1] != 3) return false;
    kernel::take(t, tensor({1}, {-1}), 0, index_mode::wrap, out);
    return out.size() == 2 && out.elements<int>()[0] == 3;
}

tensor taken(const tensor& t, const tensor& indices, std::optional<std::int64_t> axis, index_mode mode) {
    return made(kernel::take, t, indices, axis, mode);
}

tensor any_indices(test::random_source& random, const shape_t& shape, std::int64_t low, std::int64_t high) {
    tensor t(dtype::int16, shape);
    for (auto& x : t.mutable_elements<std::int16_t>()) x = static_cast<std::int16_t>(random.integer(low, high));
    return t;
}

} // namespace

TEST_CASE("gather: takes elements in constant evaluation", "[kernel][gather]") {
    static_assert(gathers_in_constant_evaluation());
    CHECK(gathers_in_constant_evaluation());
}

TEST_CASE("gather: take puts the slices at the indices in place of an axis", "[kernel][gather]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        shape_t own = test::any_shape(random, 3, 1);
        const std::int64_t axis = test::any_axis(random, own.size());
        const std::size_t at = test::place(axis, own.size());
        own[at] = std::max<std::int64_t>(own[at], 1);
        const bool flat = random.integer(0, 4) == 0 && std::ranges::count(own, 0) == 0;
        const tensor t = test::any_data(random, own);
        const test::elements_of x(t);
        const std::vector<double> all = test::values(t);
        const std::int64_t length = flat ? t.size() : own[at];
        const tensor indices = any_indices(random, test::any_shape(random, 2), -2 * length, 2 * length);
        const test::elements_of places(indices);
        const auto mode = random.integer(0, 1) == 0 ? index_mode::clip : index_mode::wrap;
        const auto place_of = [&](const shape_t& index) {
            const auto i = static_cast<std::int64_t>(places(index));
            if (mode == index_mode::clip) return i < 0 ? 0 : i >= length ? length - 1 : i;
            return ((i % length) + length) % length;
        };
        INFO(kernel::text(t) << " at " << kernel::text(indices) << ", axis " << axis << (flat ? ", flat" : ""));
        if (flat) {
            CHECK(test::difference_from(
                      taken(t, indices, std::nullopt, mode), t.type(), shape_of(indices),
                      [&](const shape_t& index) { return all[static_cast<std::size_t>(place_of(index))]; }) == "");
            continue;
        }
        shape_t shape(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(at));
        shape.insert(shape.end(), indices.shape().begin(), indices.shape().end());
        shape.insert(shape.end(), own.begin() + static_cast<std::ptrdiff_t>(at) + 1, own.end());
        CHECK(test::difference_from(taken(t, indices, axis, mode), t.type(), shape, [&](const shape_t& index) {
                  const auto first = index.begin() + static_cast<std::ptrdiff_t>(at);
                  const auto last = first + static_cast<std::ptrdiff_t>(indices.rank());
                  shape_t from(index.begin(), first);
                  from.push_back(place_of(shape_t(first, last)));
                  from.insert(from.end(), last, index.end());
                  return x(from);
              }) == "");
    }
}

TEST_CASE("gather: each element is taken at its own index", "[kernel][gather]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        shape_t own = test::any_shape(random, 4, 1);
        const std::int64_t axis = test::any_axis(random, own.size());
        const std::size_t at = test::place(axis, own.size());
        own[at] = std::max<std::int64_t>(own[at], 1);
        shape_t shape = own;
        shape[at] = random.integer(0, 6);
        const tensor t = test::any_data(random, own);
        const test::elements_of x(t);
        const tensor indices = any_indices(random, shape, -own[at], own[at] - 1);
        const test::elements_of places(indices);
        INFO(kernel::text(t) << " at " << kernel::text(indices) << ", axis " << axis);
        CHECK(test::difference_from(made(kernel::gather, t, axis, indices), t.type(), shape, [&](shape_t index) {
                  const auto i = static_cast<std::int64_t>(places(index));
                  index[at] = i < 0 ? i + own[at] : i;
                  return x(index);
              }) == "");
    }
}

TEST_CASE("gather: indices that do not fit are errors", "[kernel][gather]") {
    const tensor t(dtype::int8, {2, 3});
    const tensor indices({2, 1}, {0, 3});
    CHECK(error_of([&] { made(kernel::gather, t, 1, indices); }) ==
          "kernel::gather: index 3 along axis 1 of data (2, 3) int8; expected an index within the axis");
    CHECK(error_of([&] { made(kernel::gather, t, 0, indices); }) ==
          "kernel::gather: data is (2, 3) int8 and a tensor of indices is (2, 1) int32; expected the same shape, "
          "except along axis 0");
    CHECK(error_of([&] {
              made(kernel::gather, t, 1, tensor(dtype::int8, {2}));
          }).ends_with("expected the same shape, except along axis 1"));
    CHECK(error_of([&] { made(kernel::gather, t, 1, t); }) == "nothing thrown");
    CHECK(error_of([&] { made(kernel::gather, t, 1, tensor(dtype::float32, {2, 1})); }) ==
          "kernel::gather: indices are (2, 1) float32; expected integers");
    CHECK(error_of([&] { taken(t, tensor(dtype::float32, {1}), 0, index_mode::clip); }) ==
          "kernel::take: indices are (1,) float32; expected integers");
    CHECK(error_of([&] { taken(t, indices, 2, index_mode::clip); }) ==
          "kernel::take: axis 2 of a tensor of rank 2; expected an axis from -2 to 1");
    const std::string expected = "; expected an axis with elements, and a result of rank at most 32";
    CHECK(error_of([&] { taken(tensor(dtype::int8, {0}), indices, 0, index_mode::wrap); }) ==
          "kernel::take: data is (0,) int8 and a tensor of indices is (2, 1) int32" + expected);
    CHECK(error_of([&] { taken(t, tensor(dtype::int8, shape_t(32, 1)), 0, index_mode::clip); }).ends_with(expected));
    CHECK(shape_of(taken(tensor(dtype::int8, {0, 3}), tensor(dtype::int8, {0}), 0, index_mode::wrap)) == shape_t{0, 3});
    CHECK(test::values(taken(tensor::scalar(5.F), tensor::scalar(9), std::nullopt, index_mode::clip)) ==
          std::vector<double>{5});
}

TEST_CASE("gather: gather_nd takes slices at the columns of the indices", "[kernel][gather]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        const shape_t own = test::any_shape(random, 4, 1);
        const auto rank = static_cast<std::int64_t>(own.size());
        const std::int64_t batch = random.integer(0, rank - 1);
        const std::int64_t axes = random.integer(0, rank - batch);
        shape_t shape{axes};
        for (std::int64_t d = 0; d < batch; ++d) shape.push_back(own[static_cast<std::size_t>(d)]);
        for (std::int64_t d = random.integer(0, 2); d > 0; --d) shape.push_back(random.integer(0, 20));
        const tensor t = test::any_data(random, own);
        const test::elements_of x(t);
        tensor indices(dtype::int32, shape);
        const std::int64_t count = axes == 0 ? 0 : indices.size() / axes;
        bool possible = true;
        for (std::int64_t i = 0; i < indices.size(); ++i) {
            const std::int64_t length = own[static_cast<std::size_t>(batch + i / count)];
            possible = possible && length != 0;
            indices.mutable_elements<std::int32_t>()[static_cast<std::size_t>(i)] =
                static_cast<std::int32_t>(length == 0 ? 0 : random.integer(0, length - 1));
        }
        if (!possible) continue;
        const test::elements_of places(indices);
        shape_t expected(shape.begin() + 1, shape.end());
        expected.insert(expected.end(), own.begin() + static_cast<std::ptrdiff_t>(batch + axes), own.end());
        INFO(kernel::text(t) << " at " << kernel::text(indices) << ", batch " << batch);
        CHECK(test::difference_from(made(kernel::gather_nd, t, indices, batch), t.type(), expected,
                                    [&](const shape_t& index) {
                                        const auto behind = static_cast<std::ptrdiff_t>(shape.size()) - 1;
                                        shape_t from(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(batch));
                                        for (std::int64_t m = 0; m < axes; ++m) {
                                            shape_t at{m};
                                            at.insert(at.end(), index.begin(), index.begin() + behind);
                                            from.push_back(static_cast<std::int64_t>(places(at)));
                                        }
                                        from.insert(from.end(), index.begin() + behind, index.end());
                                        return x(from);
                                    }) == "");
    }
}

TEST_CASE("gather: adv_index takes slices at indices that broadcast together", "[kernel][gather]") {
    const tensor t({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const tensor rows({2, 1}, {1, 0});
    const tensor columns({3}, {2, 0, 0});
    const auto indexed = [&](std::vector<const tensor*> inputs) {
        tensor out;
        kernel::adv_index(inputs, out);
        return out;
    };
    CHECK(test::difference(indexed({&t, &rows, &columns}), {2, 3, 2}, {10, 11, 6, 7, 6, 7, 4, 5, 0, 1, 0, 1}, 0) == "");
    CHECK(test::difference(indexed({&t, &rows}), {2, 1, 3, 2}, {6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5}, 0) == "");
    CHECK(shape_of(indexed({&t, &rows, &columns, &rows})) == shape_t{2, 3});
    CHECK(error_of([&] { indexed({&t, &columns}); }) ==
          "kernel::adv_index: index 2 along axis 0 of data (2, 3, 2) int32; expected one from 0 to 1");
    const tensor five(dtype::int8, {5});
    CHECK(error_of([&] { indexed({&t, &columns, &five}); }).ends_with("expected shapes that broadcast together"));
    CHECK(error_of([&] { indexed({&t}); }).ends_with("data, and indices along at least one of its axes"));
    CHECK(error_of([&] {
              indexed({&columns, &five, &five});
          }).ends_with("data, and indices along at least one of its axes"));
}

TEST_CASE("gather: columns of indices that do not fit are errors", "[kernel][gather]") {
    const tensor t(dtype::int8, {2, 3});
    const auto taken_at = [&](const tensor& indices, std::int64_t batch) {
        return error_of([&] { made(kernel::gather_nd, t, indices, batch); });
    };
    CHECK(taken_at(tensor({2, 1}, {0, 3}), 0) ==
          "kernel::gather_nd: index 3 along axis 1 of data (2, 3) int8; expected one from 0 to 2");
    CHECK(taken_at(tensor({2, 1}, {-1, 0}), 0).starts_with("kernel::gather_nd: index -1 along axis 0"));
    const std::string expected = "expected a number for some of the axes after the first ";
    CHECK(taken_at(tensor({3, 1}, {0, 0, 0}), 0).ends_with(expected + "0, which both share"));
    CHECK(taken_at(tensor({1, 3}, {0, 0, 0}), 1).ends_with(expected + "1, which both share"));
    CHECK(taken_at(tensor({1, 3}, {0, 0, 0}), -1).ends_with(expected + "-1, which both share"));
    CHECK(taken_at(tensor::scalar(0), 0).ends_with(expected + "0, which both share"));
    CHECK(taken_at(tensor({1}, {0.F}), 0).ends_with("expected integers"));
    CHECK(taken_at(tensor(dtype::int8, shape_t(33, 1)), 0).find("at most 32") != std::string::npos);
}
