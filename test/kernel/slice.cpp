#include <tutti/kernel/slice.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::slice_end;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_of;
using test::shape_t;

namespace {

/// The parameters of a slice, in lists that own their elements.
struct lists {
    shape_t begin;
    shape_t end;
    shape_t strides;
    std::optional<shape_t> axes;
    slice_end mode = slice_end::place;

    operator kernel::strided_slice_options() const { // NOLINT: implicit on purpose
        kernel::strided_slice_options o{begin, end, strides, {}, mode};
        if (axes) o.axes = *axes;
        return o;
    }
};

constexpr bool slices_in_constant_evaluation() {
    const tensor t({5}, {0, 1, 2, 3, 4});
    const std::int64_t begin[]{-2};
    const std::int64_t end[]{0};
    const std::int64_t step[]{-2};
    tensor out;
    tensor set;
    kernel::strided_slice(t, {.begin = begin, .end = end, .strides = step, .axes = {}}, out);
    kernel::strided_set(t, tensor({2}, {7, 8}), {.begin = begin, .end = end, .strides = step, .axes = {}}, set);
    const auto x = set.elements<int>();
    return out.size() == 2 && out.elements<int>()[0] == 3 && out.elements<int>()[1] == 1 && x[0] == 0 && x[1] == 8 &&
           x[3] == 7;
}

tensor sliced(const tensor& t, const lists& l) { return made(kernel::strided_slice, t, l); }

/// Returns the indices that a slice selects along an axis, found step by step.
std::vector<std::int64_t> walk(std::int64_t size, std::int64_t begin, std::int64_t end, std::int64_t step) {
    if (begin < 0) begin += size;
    if (end < 0) end += size;
    std::vector<std::int64_t> indices;
    if (step > 0)
        for (std::int64_t i = std::max<std::int64_t>(begin, 0); i < end && i < size; i += step) indices.push_back(i);
    else
        for (std::int64_t i = std::min(begin, size - 1); i > end && i >= 0; i += step) indices.push_back(i);
    return indices;
}

} // namespace

TEST_CASE("slice: cuts out and puts in in constant evaluation", "[kernel][slice]") {
    static_assert(slices_in_constant_evaluation());
    CHECK(slices_in_constant_evaluation());
}

TEST_CASE("slice: takes the elements that one meets on the way", "[kernel][slice]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    int taken = 0;
    for (int round = 0; round < 500; ++round) {
        const shape_t shape = test::any_shape(random, 4);
        const tensor t = test::any_data(random, shape);
        lists l;
        std::vector<std::vector<std::int64_t>> kept;
        for (const std::int64_t size : shape) {
            l.begin.push_back(random.integer(-size - 2, size + 2));
            l.end.push_back(random.integer(-size - 2, size + 2));
            l.strides.push_back(random.integer(0, 1) == 0 ? random.integer(1, 3) : random.integer(-3, -1));
            kept.push_back(walk(size, l.begin.back(), l.end.back(), l.strides.back()));
        }
        shape_t expected;
        for (const auto& k : kept) expected.push_back(static_cast<std::int64_t>(k.size()));
        INFO(kernel::text(t) << " from " << kernel::text(l.begin) << " to " << kernel::text(l.end) << " by "
                             << kernel::text(l.strides));
        std::string refused;
        tensor out;
        try {
            out = sliced(t, l);
        } catch (const tutti::error& e) {
            refused = e.what();
        }
        if (!refused.empty()) { // strided_slice rejects a slice that ends before it begins
            CHECK(refused.find("a slice from ") != std::string::npos);
            CHECK(std::ranges::any_of(kept, [](const auto& k) { return k.empty(); }));
            continue;
        }
        ++taken;
        const test::elements_of x(t);
        CHECK(test::difference_from(out, t.type(), expected, [&](shape_t index) {
                  for (std::size_t d = 0; d < index.size(); ++d) index[d] = kept[d][static_cast<std::size_t>(index[d])];
                  return x(index);
              }) == "");

        // Writes to the same slice.
        const tensor values = test::any_data(random, t.type(), expected);
        const test::elements_of v(values);
        CHECK(
            test::difference_from(made(kernel::strided_set, t, values, l), t.type(), shape, [&](const shape_t& index) {
                shape_t at(index.size());
                for (std::size_t d = 0; d < index.size(); ++d) {
                    const auto found = std::ranges::find(kept[d], index[d]);
                    if (found == kept[d].end()) return x(index);
                    at[d] = found - kept[d].begin();
                }
                return v(at);
            }) == "");
    }
    CHECK(taken > 50);
}

TEST_CASE("slice: axes, sizes and lists that say less", "[kernel][slice]") {
    const tensor t({6}, {0, 1, 2, 3, 4, 5});
    const auto values = [&](const lists& l) { return test::values(sliced(t, l)); };
    CHECK(values({.begin = {2}, .end = {3}, .strides = {}, .axes = {}, .mode = slice_end::size}) ==
          std::vector<double>{2, 3, 4});
    CHECK(values({.begin = {4}, .end = {-1}, .strides = {2}, .axes = {}, .mode = slice_end::size}) ==
          std::vector<double>{4, 5});
    CHECK(values({.begin = {4}, .end = {9}, .strides = {}, .axes = {}, .mode = slice_end::size}) ==
          std::vector<double>{4, 5});
    CHECK(values({.begin = {3}, .end = {}, .strides = {}, .axes = {}}) == std::vector<double>{3, 4, 5});
    CHECK(values({.begin = {}, .end = {2}, .strides = {}, .axes = {}}) == std::vector<double>{0, 1});
    CHECK(values({.begin = {}, .end = {}, .strides = {-2}, .axes = {}}) == std::vector<double>{5, 3, 1});
    CHECK(values({.begin = {3}, .end = {-7}, .strides = {-1}, .axes = {}}) == std::vector<double>{3, 2, 1, 0});
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
    CHECK(values({.begin = {greatest}, .end = {least}, .strides = {least}, .axes = {}}) == std::vector<double>{5});
    CHECK(values({.begin = {least}, .end = {greatest}, .strides = {greatest}, .axes = {}}) == std::vector<double>{0});
    CHECK(values({.begin = {1}, .end = {greatest}, .strides = {}, .axes = {}, .mode = slice_end::size}).size() == 5);
    const tensor box(dtype::int8, {2, 3, 4});
    CHECK(shape_of(sliced(box, {.begin = {1, 0}, .end = {3, 1}, .strides = {1, 1}, .axes = shape_t{-1, 0}})) ==
          shape_t{1, 3, 2});
    CHECK(shape_of(sliced(box, {.begin = {0, 1}, .end = {3, 3}, .strides = {1, 1}, .axes = shape_t{2, 2}})) ==
          shape_t{2, 3, 2});
    CHECK(shape_of(sliced(tensor::scalar(1), {})) == shape_t{});
    const tensor none(dtype::int8, {0, std::int64_t{1} << 40, std::int64_t{1} << 40});
    CHECK(shape_of(sliced(none, {.begin = {0, 5, 5}, .end = {0, 9, 9}, .strides = {}, .axes = {}})) ==
          shape_t{0, 4, 4});
}

TEST_CASE("slice: a slice that is none is an error", "[kernel][slice]") {
    const tensor t(dtype::int8, {6});
    const auto error = [&](const lists& l) { return error_of([&] { sliced(t, l); }); };
    CHECK(error({.begin = {4}, .end = {2}, .strides = {1}, .axes = {}}) ==
          "kernel::strided_slice: a slice from 4 to 2 in steps of 1; expected an end not before the begin, in the "
          "direction of the step");
    CHECK(error({.begin = {0}, .end = {2}, .strides = {0}, .axes = {}}) ==
          "kernel::strided_slice: a step of 0; expected a non-zero step");
    CHECK(error({.begin = {0, 0}, .end = {1, 1}, .strides = {}, .axes = {}}) ==
          "kernel::strided_slice: indices for 2 axes of data (6,) int8; expected one for each sliced axis");
    CHECK(error({.begin = {0}, .end = {1}, .strides = {}, .axes = shape_t{}}) ==
          "kernel::strided_slice: indices for 1 axes of data (6,) int8; expected one for each sliced axis");
    CHECK(error({.begin = {0}, .end = {1}, .strides = {}, .axes = shape_t{1}}) ==
          "kernel::strided_slice: axis 1 of a tensor of rank 1; expected an axis from -1 to 0");
    const lists three{.begin = {0}, .end = {3}, .strides = {}, .axes = {}};
    const std::string expected = "; expected values of the slice's shape, (3,)";
    CHECK(error_of([&] { made(kernel::strided_set, t, tensor(dtype::int8, {2}), three); }) ==
          "kernel::strided_set: data is (6,) int8 and values is (2,) int8" + expected);
    CHECK(error_of([&] { made(kernel::strided_set, t, tensor(dtype::uint8, {3}), three); }) ==
          "kernel::strided_set: data is (6,) int8 and values is (3,) uint8" + expected);
}

TEST_CASE("slice: slice_like keeps as much as another tensor has", "[kernel][slice]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor t = test::any_data(random, {3, 4, 5});
    const test::elements_of x(t);
    const auto like = [&](const shape_t& other, std::optional<shape_t> axes) {
        return made(
            [&](const tensor& o, tensor& out) {
                axes ? kernel::slice_like(t, o, *axes, out) : kernel::slice_like(t, o, std::nullopt, out);
            },
            tensor(dtype::boolean, other));
    };
    CHECK(test::difference_from(like({2, 3}, {}), t.type(), {2, 3, 5}, x) == "");
    CHECK(test::difference_from(like({9, 1, 0}, shape_t{1, -1}), t.type(), {3, 1, 0}, x) == "");
    CHECK(test::difference_from(like({1, 1, 1, 7}, {}), t.type(), {1, 1, 1}, x) == "");
    CHECK(test::difference_from(like({9, 9, 9}, shape_t{}), t.type(), {3, 4, 5}, x) == "");
    const std::string expected = "; expected the other no larger along the sliced axes";
    CHECK(error_of([&] { like({4}, {}); }).ends_with(" and the other is (4,) bool" + expected));
    CHECK(error_of([&] { like({1}, shape_t{1}); }).ends_with(" and the other is (1,) bool" + expected));
    CHECK(error_of([&] { like({1}, shape_t{3}); }) ==
          "kernel::slice_like: axis 3 of a tensor of rank 3; expected an axis from -3 to 2");
}

TEST_CASE("slice: slice_axis takes part of one axis", "[kernel][slice]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor t = test::any_data(random, {3, 4, 5});
    const test::elements_of x(t);
    for (std::int64_t begin = 0; begin <= 4; ++begin)
        for (std::int64_t end = begin; end <= 4; ++end)
            CHECK(test::difference_from(made(kernel::slice_axis, t, -2, begin, end), t.type(), {3, end - begin, 5},
                                        [&](shape_t index) {
                                            index[1] += begin;
                                            return x(index);
                                        }) == "");
    CHECK(error_of([&] {
              made(kernel::slice_axis, t, 1, 3, 5);
          }).starts_with("kernel::slice_axis: indices 3 to 5 along axis 1 of data (3, 4, 5) "));
    CHECK(error_of([&] { made(kernel::slice_axis, t, 1, 3, 2); }).ends_with("expected rising indices within the axis"));
    CHECK(
        error_of([&] { made(kernel::slice_axis, t, 1, -1, 2); }).ends_with("expected rising indices within the axis"));
}
