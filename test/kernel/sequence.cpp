#include <tutti/kernel/sequence.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::number;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_of;
using test::shape_t;

namespace {

constexpr bool reverses_in_constant_evaluation() {
    const tensor t({2, 2}, {1, 2, 3, 4});
    tensor out;
    kernel::reverse(t, 1, out);
    if (out.elements<int>()[0] != 2 || out.elements<int>()[3] != 3) return false;
    kernel::sequence_mask(t, tensor({2}, {1, 2}), std::int64_t{7}, 0, out);
    return out.elements<int>()[2] == 7 && out.elements<int>()[3] == 4;
}

tensor any_lengths(test::random_source& random, std::int64_t count, std::int64_t most) {
    tensor t(dtype::int64, {count});
    for (auto& x : t.mutable_elements<std::int64_t>()) x = random.integer(-1, most + 2);
    return t;
}

} // namespace

TEST_CASE("sequence: computes in constant evaluation", "[kernel][sequence]") {
    static_assert(reverses_in_constant_evaluation());
    CHECK(reverses_in_constant_evaluation());
}

TEST_CASE("sequence: reverses each sequence up to its length, and keeps the rest", "[kernel][sequence]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        const shape_t shape = test::any_shape(random, 4, 2);
        const std::int64_t axis = test::any_axis(random, shape.size());
        const std::size_t time = test::place(axis, shape.size());
        const tensor t = test::any_data(random, shape);
        const test::elements_of x(t);
        INFO(kernel::text(t) << ", axis " << axis);
        CHECK(test::difference_from(made(kernel::reverse, t, axis), t.type(), shape, [&](shape_t index) {
                  index[time] = shape[time] - 1 - index[time];
                  return x(index);
              }) == "");
        const std::int64_t other = test::any_axis(random, shape.size());
        const std::size_t batch = test::place(other, shape.size());
        const tensor lengths = any_lengths(random, shape[batch], shape[time]);
        const test::elements_of length(lengths);
        CHECK(test::difference_from(
                  made(kernel::reverse_sequence, t, lengths, axis, other), t.type(), shape, [&](shape_t index) {
                      const auto end = std::min(static_cast<std::int64_t>(length({index[batch]})), shape[time]);
                      if (index[time] < end) index[time] = end - 1 - index[time];
                      return x(index);
                  }) == "");
        const std::size_t along = static_cast<std::size_t>(random.integer(0, 1));
        const tensor valid = any_lengths(random, shape[1 - along], shape[along]);
        const test::elements_of kept(valid);
        CHECK(test::difference_from(
                  made(kernel::sequence_mask, t, valid, number(1.0), static_cast<std::int64_t>(along)), t.type(), shape,
                  [&](const shape_t& index) {
                      return static_cast<double>(index[along]) < kept({index[1 - along]}) ? x(index) : 1;
                  }) == "");
    }
}

TEST_CASE("sequence: axes and lengths that do not fit are errors", "[kernel][sequence]") {
    const tensor t(dtype::int8, {2, 3});
    CHECK(error_of([&] { made(kernel::reverse, t, 2); }) ==
          "kernel::reverse: axis 2 of a tensor of rank 2; expected an axis from -2 to 1");
    CHECK(error_of([&] { made(kernel::reverse_sequence, t, tensor({3}, {1, 1, 1}), 1, 0); }) ==
          "kernel::reverse_sequence: data is (2, 3) int8 and the lengths is (3,) int32; expected one for each place "
          "along axis 0");
    CHECK(error_of([&] {
              made(kernel::reverse_sequence, t, tensor({2}, {1.F, 1.F}), 1, 0);
          }).ends_with("expected integers"));
    CHECK(error_of([&] { made(kernel::sequence_mask, t, tensor({2}, {1, 1}), number(0.0), 2); }) ==
          "kernel::sequence_mask: sequences along axis 2 of data (2, 3) int8; expected axis 0 or 1, and two axes or "
          "more");
    CHECK(error_of([&] {
              made(kernel::sequence_mask, tensor(dtype::int8, {2}), tensor({2}, {1, 1}), number(0.0), 0);
          }).ends_with("two axes or more"));
}
