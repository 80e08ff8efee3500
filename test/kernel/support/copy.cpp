#include <tutti/kernel/support/copy.hpp>

#include <tutti/parallel/thread_pool.hpp>

#include "kernel/moving.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::extents;
using kernel::tensor;
using test::error_of;
using test::shape_t;

namespace {

constexpr bool copies_in_constant_evaluation() {
    const tensor data({2, 3}, {1, 2, 3, 4, 5, 6});
    tensor out(dtype::int32, {4});
    const std::int64_t shape[]{2};
    kernel::copy_elements(shape, data, {2, extents(1, 3)}, out, {3, extents(1, -2)});
    const std::int64_t sources[]{0, 4};
    const std::int64_t targets[]{2, 0};
    kernel::copy_runs(1, data, sources, out, targets);
    const auto x = out.elements<int>();
    return x[0] == 5 && x[1] == 6 && x[2] == 1 && x[3] == 3;
}

// Copies every second element, in reverse, to every second position. Then copies one element to all positions,
// including its own. Then copies rows to rows.
constexpr bool copies_from_place_to_place() {
    const tensor data({6}, {1, 2, 3, 4, 5, 6});
    tensor out(dtype::int32, {6});
    const std::int64_t three[]{3};
    kernel::copy_elements(three, data, {5, extents(1, -2)}, out, {1, extents(1, 2)});
    const auto x = out.elements<int>();
    const bool backward = x[0] == 0 && x[1] == 6 && x[2] == 0 && x[3] == 4 && x[4] == 0 && x[5] == 2;
    const std::int64_t all[]{6};
    kernel::copy_elements(all, out, {1, extents(1, 0)}, out, {0, extents(1, 1)});
    const bool everywhere = x[0] == 6 && x[1] == 6 && x[2] == 6 && x[3] == 6 && x[4] == 6 && x[5] == 6;
    const std::int64_t rows[]{2, 2};
    extents strides(2, 1);
    strides[0] = 3;
    kernel::copy_elements(rows, data, {1, strides}, out, {0, strides});
    return backward && everywhere && x[0] == 2 && x[1] == 3 && x[2] == 6 && x[3] == 5 && x[4] == 6 && x[5] == 6;
}

// True if elements of this size are copied in square tiles.
bool crossing(const shape_t& shape, const kernel::placement& from, const kernel::placement& to, std::size_t size) {
    const kernel::detail::strided_copy copied(shape, from, to);
    const auto axes = kernel::detail::crossing_of(copied);
    return axes && kernel::detail::pays_in_squares(copied, *axes, size);
}

} // namespace

TEST_CASE("copy: moves elements in constant evaluation", "[kernel][copy]") {
    static_assert(copies_in_constant_evaluation());
    CHECK(copies_in_constant_evaluation());
    static_assert(copies_from_place_to_place());
    CHECK(copies_from_place_to_place());
}

TEST_CASE("copy: elements of every type go from placement to placement", "[kernel][copy]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 300; ++round) {
        // Copies part of one tensor to part of another, each with a start and a step along each axis.
        const shape_t shape = test::any_shape(random, 4);
        shape_t in;
        shape_t out;
        shape_t from;
        shape_t to;
        shape_t steps;
        shape_t strides;
        for (const std::int64_t d : shape) {
            steps.push_back(random.integer(1, 2));
            strides.push_back(random.integer(1, 2));
            from.push_back(random.integer(0, 2));
            to.push_back(random.integer(0, 2));
            in.push_back(from.back() + d * steps.back());
            out.push_back(to.back() + d * strides.back());
        }
        const dtype type = test::any_dtype(random);
        const tensor data = test::any_data(random, type, in);
        tensor result = test::any_data(random, type, out);
        const std::vector<double> before = test::values(result);
        kernel::placement source{0, kernel::row_major_strides(in)};
        kernel::placement target{0, kernel::row_major_strides(out)};
        for (std::size_t d = 0; d < shape.size(); ++d) {
            source.first += from[d] * source.strides[d];
            target.first += to[d] * target.strides[d];
            source.strides[d] *= steps[d];
            target.strides[d] *= strides[d];
        }
        kernel::copy_elements(shape, data, source, result, target);
        const test::elements_of x(data);
        INFO("shape " << kernel::text(shape) << ", from " << kernel::text(data) << ", to " << kernel::text(result));
        CHECK(test::difference_from(result, type, out, [&](const shape_t& index) {
                  shape_t at(shape.size());
                  for (std::size_t d = 0; d < shape.size(); ++d) {
                      const std::int64_t i = index[d] - to[d];
                      if (i < 0 || i % strides[d] != 0 || i / strides[d] >= shape[d])
                          return before[test::offset(out, index)];
                      at[d] = from[d] + i / strides[d] * steps[d];
                  }
                  return x(at);
              }) == "");
    }
}

TEST_CASE("copy: axes that cross are copied in squares, with the same result", "[kernel][copy]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const shape_t& shape : {shape_t{300, 37}, shape_t{17, 257}, shape_t{2, 16, 3, 300}, shape_t{1, 33, 1, 256},
                                 shape_t{4, 4}, shape_t{5, 6}, shape_t{7, 3, 9}, shape_t{3, 2, 40}, shape_t{19, 3}}) {
        // The source has its axes in reverse order. Both tensors have extra elements before and after the copied ones.
        const std::size_t rank = shape.size();
        shape_t turned(shape.rbegin(), shape.rend());
        const shape_t in{kernel::element_count(shape) + 5};
        const shape_t out{kernel::element_count(shape) + 3};
        const kernel::extents own = kernel::row_major_strides(turned);
        kernel::placement source{4, {}};
        for (std::size_t d = 0; d < rank; ++d) source.strides.push_back(own[rank - 1 - d]);
        const kernel::placement target{2, kernel::row_major_strides(shape)};
        const dtype type = random.integer(0, 1) == 0 ? dtype::float32 : test::any_dtype(random);
        CHECK(crossing(shape, source, target, bytes(type)) ==
              (target.strides[0] >= 256 || (bytes(type) == 4 && shape[0] >= 4 && shape.back() >= 4)));
        const tensor data = test::any_data(random, type, in);
        const std::vector<double> x = test::values(data);
        tensor result = test::any_data(random, type, out);
        std::vector<double> expected = test::values(result);
        std::size_t i = 2;
        test::for_each_index(shape, [&](const shape_t& index) {
            expected[i++] = x[4 + test::offset(turned, shape_t(index.rbegin(), index.rend()))];
        });
        kernel::copy_elements(shape, data, source, result, target);
        INFO(kernel::text(shape) << " " << kernel::name(type));
        CHECK(test::difference(result, out, expected, 0) == "");
    }
    // Broadcasts and copies between equal layouts do not use square tiles.
    const shape_t square{300, 300};
    const kernel::placement dense{0, kernel::row_major_strides(square)};
    CHECK_FALSE(crossing(square, {0, extents(2, 0)}, dense, 4));
    CHECK_FALSE(crossing(square, dense, dense, 4));
    // Three columns do not fill a vector register.
    extents turned(2, 1);
    turned[1] = 100;
    CHECK_FALSE(crossing({100, 3}, {0, turned}, {0, kernel::row_major_strides(shape_t{100, 3})}, 4));
}

TEST_CASE("copy: threads copy the same as one", "[kernel][copy]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const unsigned threads : {2U, 3U}) {
        tutti::thread_pool pool(threads);
        for (const shape_t& shape : {shape_t{100'000}, shape_t{7, 30, 501}, shape_t{3, 40'000}, shape_t{200, 2, 201}})
            for (const bool turned : {false, true}) {
                const dtype type = random.integer(0, 1) == 0 ? dtype::float32 : test::any_dtype(random);
                const tensor data = test::any_data(random, type, {kernel::element_count(shape)});
                const kernel::placement target{0, kernel::row_major_strides(shape)};
                kernel::placement source = target;
                if (turned) {
                    source.strides = {};
                    const kernel::extents own = kernel::row_major_strides(shape_t(shape.rbegin(), shape.rend()));
                    for (std::size_t d = shape.size(); d-- > 0;) source.strides.push_back(own[d]);
                }
                tensor alone(type, {kernel::element_count(shape)});
                tensor together(type, {kernel::element_count(shape)});
                kernel::copy_elements(shape, data, source, alone, target);
                kernel::copy_elements(shape, data, source, together, target, pool);
                INFO(kernel::text(shape) << " " << kernel::name(type) << " " << turned);
                CHECK(test::values(together) == test::values(alone));
                if (!turned) CHECK(test::values(alone) == test::values(data));
            }
    }
}

TEST_CASE("copy: runs of elements go where they belong, in their order", "[kernel][copy]") {
    for (const dtype type : test::all_dtypes) {
        test::random_source random;
        const tensor data = test::any_data(random, type, {8});
        const std::vector<double> x = test::values(data);
        tensor out = test::any_data(random, type, {6});
        const std::vector<double> before = test::values(out);
        kernel::copy_runs(2, data, std::array<std::int64_t, 3>{6, 0, 3}, out, std::array<std::int64_t, 3>{0, 3, 0});
        INFO(kernel::name(type));
        CHECK(test::difference(out, {6}, {x[3], x[4], before[2], x[0], x[1], before[5]}, 0) == "");
        kernel::copy_runs(0, data, std::array<std::int64_t, 1>{100}, out, std::array<std::int64_t, 1>{100});
        kernel::copy_runs(2, data, {}, out, {});
        CHECK(test::values(out)[0] == x[3]);
    }
}

TEST_CASE("copy: sizes that come from data are checked before they are multiplied", "[kernel][copy]") {
    namespace detail = kernel::detail;
    constexpr std::int64_t large = std::int64_t{1} << 47;
    CHECK(detail::checked_product("k", large, 1) == large);
    CHECK(detail::checked_product("k", large, 0) == 0);
    CHECK(error_of([] { detail::checked_product("k", large, 2); }) ==
          "kernel::k: a size of 140737488355328 times 2; expected sizes below 2^48");
    CHECK(detail::checked_sum("k", 5, -9) == -4);
    CHECK(detail::checked_sum("k", large, large - 1) == 2 * large - 1);
    CHECK(error_of([] { detail::checked_sum("k", large, large); }) ==
          "kernel::k: a size of 140737488355328 and 140737488355328 more; expected sizes below 2^48");
    CHECK(error_of([] { detail::check_sizes("k", shape_t{2, -1}); }) ==
          "kernel::k: a shape of (2, -1); expected at most 32 non-negative sizes");
    CHECK(error_of([] { detail::check_sizes("k", shape_t(32, 1)); }) == "nothing thrown");
    CHECK(error_of([] { detail::check_sizes("k", shape_t(33, 1)); }) != "nothing thrown");
    CHECK(error_of([] { detail::check_data("k", tensor()); }) ==
          "kernel::k: an empty tensor; expected a tensor with an element type");
    CHECK(error_of([] { detail::check_data("k", tensor(dtype::int8, shape_t(33, 1))); }) ==
          "kernel::k: a tensor of rank 33; expected a rank of at most 32");
}
