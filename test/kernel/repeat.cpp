#include <tutti/kernel/repeat.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_of;
using test::shape_t;

namespace {

constexpr bool repeats_in_constant_evaluation() {
    const tensor t({2}, {1, 2});
    tensor out;
    kernel::repeat(t, 2, 0, out);
    if (out.elements<int>()[1] != 1 || out.elements<int>()[2] != 2) return false;
    const std::int64_t reps[]{2, 2};
    kernel::tile(t, reps, out);
    return out.rank() == 2 && out.elements<int>()[1] == 2 && out.elements<int>()[6] == 1;
}

} // namespace

TEST_CASE("repeat: repeats and tiles in constant evaluation", "[kernel][repeat]") {
    static_assert(repeats_in_constant_evaluation());
    CHECK(repeats_in_constant_evaluation());
}

TEST_CASE("repeat: repeats each element in place", "[kernel][repeat]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        shape_t shape = test::any_shape(random, 4, 1);
        const tensor t = test::any_data(random, shape);
        const test::elements_of x(t);
        const std::int64_t n = random.integer(1, 3);
        const std::int64_t axis = test::any_axis(random, shape.size());
        const std::size_t at = test::place(axis, shape.size());
        shape[at] *= n;
        INFO(kernel::text(t) << ", axis " << axis << ", " << n << " times");
        CHECK(test::difference_from(made(kernel::repeat, t, n, axis), t.type(), shape, [&](shape_t index) {
                  index[at] /= n;
                  return x(index);
              }) == "");
        const std::vector<double> flat = test::values(t);
        CHECK(test::difference_from(
                  made(kernel::repeat, t, n, std::nullopt), t.type(), {t.size() * n},
                  [&](const shape_t& index) { return flat[static_cast<std::size_t>(index[0] / n)]; }) == "");
    }
    CHECK(test::values(made(kernel::repeat, tensor::scalar(5.F), 2, std::nullopt)) == std::vector<double>{5, 5});
}

TEST_CASE("repeat: tile repeats the whole tensor", "[kernel][repeat]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 300; ++round) {
        const shape_t own = test::any_shape(random, 4);
        const tensor t = test::any_data(random, own);
        const test::elements_of x(t);
        shape_t reps;
        for (std::int64_t d = random.integer(0, 4); d > 0; --d) reps.push_back(random.integer(1, 3));
        const std::size_t rank = std::max(own.size(), reps.size());
        shape_t size(rank - own.size(), 1);
        size.insert(size.end(), own.begin(), own.end());
        shape_t times(rank - reps.size(), 1);
        times.insert(times.end(), reps.begin(), reps.end());
        shape_t shape;
        for (std::size_t d = 0; d < rank; ++d) shape.push_back(size[d] * times[d]);
        INFO(kernel::text(t) << " tiled " << kernel::text(reps));
        CHECK(test::difference_from(made(kernel::tile, t, reps), t.type(), shape, [&](const shape_t& index) {
                  shape_t at;
                  for (std::size_t d = rank - own.size(); d < rank; ++d) at.push_back(index[d] % size[d]);
                  return x(at);
              }) == "");
    }
    CHECK(shape_of(made(kernel::tile, tensor(dtype::int8, shape_t(32, 1)), shape_t(32, 1))) == shape_t(32, 1));
}

TEST_CASE("repeat: numbers that do not fit are errors", "[kernel][repeat]") {
    const tensor t(dtype::int8, {2, 3});
    CHECK(error_of([&] { made(kernel::repeat, t, 0, 1); }) == "kernel::repeat: 0 repeats; expected 1 or more");
    CHECK(error_of([&] { made(kernel::repeat, t, 2, 2); }) ==
          "kernel::repeat: axis 2 of a tensor of rank 2; expected an axis from -2 to 1");
    constexpr std::int64_t large = std::int64_t{1} << 62;
    CHECK(error_of([&] { made(kernel::repeat, t, large, 0); }) ==
          "kernel::repeat: a size of 2 times 4611686018427387904; expected sizes below 2^48");
    CHECK(error_of([&] { made(kernel::repeat, t, large, std::nullopt); }).ends_with("expected sizes below 2^48"));
    CHECK(error_of([&] { made(kernel::tile, t, shape_t{1, 0}); }) ==
          "kernel::tile: repetitions of (1, 0); expected 1 or more for each axis");
    CHECK(error_of([&] { made(kernel::tile, t, shape_t{large, 1}); }) ==
          "kernel::tile: a size of 2 times 4611686018427387904; expected sizes below 2^48");
    CHECK(error_of([&] {
              made(kernel::tile, t, shape_t{1 << 30, 1 << 30});
          }).ends_with("expected fewer than 2^48 elements"));
    CHECK(error_of([&] { made(kernel::tile, t, shape_t(33, 1)); }) ==
          "kernel::tile: 33 repetitions; expected at most 32");
    CHECK(error_of([&] {
              made(kernel::tile, tensor(dtype::int8, shape_t(17, 2)), shape_t(17, 2));
          }).ends_with("expected fewer axes"));
    CHECK(shape_of(made(kernel::tile, tensor(dtype::int8, shape_t(20, 0)), shape_t(20, 2))) == shape_t(20, 0));
}
