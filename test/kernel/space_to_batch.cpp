#include <tutti/kernel/space_to_batch.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using test::error_of;
using test::shape_t;

namespace {

constexpr bool moves_blocks_in_constant_evaluation() {
    const tensor t({1, 4}, {1, 2, 3, 4});
    const std::int64_t block[]{2};
    const std::int64_t none[]{0};
    tensor batch;
    tensor space;
    kernel::space_to_batch_nd(t, block, {none, none}, 0.0, batch);
    kernel::batch_to_space_nd(batch, block, {none, none}, space);
    return batch.shape()[0] == 2 && batch.elements<int>()[1] == 3 && space.elements<int>()[1] == 2;
}

tensor to_batch(const tensor& t, const shape_t& block, const shape_t& before, const shape_t& after, double value = 0) {
    return test::made(kernel::space_to_batch_nd, t, block, kernel::pad_width{before, after}, kernel::number(value));
}
tensor to_space(const tensor& t, const shape_t& block, const shape_t& before, const shape_t& after) {
    return test::made(kernel::batch_to_space_nd, t, block, kernel::pad_width{before, after});
}

} // namespace

TEST_CASE("space_to_batch: moves blocks in constant evaluation", "[kernel][space_to_batch]") {
    static_assert(moves_blocks_in_constant_evaluation());
    CHECK(moves_blocks_in_constant_evaluation());
}

TEST_CASE("space_to_batch: each element of a block goes to its part of the batch, and back",
          "[kernel][space_to_batch]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 300; ++round) {
        // Both shapes have a batch axis, a spatial axis for each axis of the block, and a last axis of size 2. `space`
        // has `n` images, and `batch` has `n` images for each element of the block.
        const std::int64_t n = random.integer(0, 2);
        shape_t block;
        shape_t before;
        shape_t after;
        shape_t space{n};
        shape_t batch{n};
        for (std::int64_t d = random.integer(0, 3); d > 0; --d) {
            block.push_back(random.integer(1, 3));
            const std::int64_t blocks = random.integer(1, 4);
            before.push_back(random.integer(0, 3));
            after.push_back(random.integer(0, 3));
            while (blocks * block.back() < before.back() + after.back()) --(before.back() > 0 ? before : after).back();
            space.push_back(blocks * block.back() - before.back() - after.back());
            batch.push_back(blocks);
            batch[0] *= block.back();
        }
        space.push_back(2);
        batch.push_back(2);
        INFO("block " << kernel::text(block) << ", " << kernel::text(before) << " before, " << kernel::text(after)
                      << " after, space " << kernel::text(space));
        // Maps an index of the batched tensor to the index in `space`, which is out of range for padding.
        const auto in_space = [&](const shape_t& index) {
            shape_t at = index;
            std::int64_t part = n == 0 ? 0 : index[0] / n;
            at[0] = n == 0 ? 0 : index[0] % n;
            for (std::size_t i = block.size(); i-- > 0;) {
                at[i + 1] = index[i + 1] * block[i] + part % block[i] - before[i];
                part /= block[i];
            }
            return at;
        };
        const tensor t = test::any_data(random, space);
        const test::elements_of x(t);
        const auto inside = [&](const shape_t& at) {
            for (std::size_t d = 0; d < at.size(); ++d)
                if (at[d] < 0 || at[d] >= space[d]) return false;
            return true;
        };
        const tensor there = to_batch(t, block, before, after, 1);
        CHECK(test::difference_from(there, t.type(), batch, [&](const shape_t& index) {
                  const shape_t at = in_space(index);
                  return inside(at) ? x(at) : 1.0;
              }) == "");
        CHECK(test::difference_from(to_space(there, block, before, after), t.type(), space, x) == "");
    }
}

TEST_CASE("space_to_batch: negative paddings cut off", "[kernel][space_to_batch]") {
    const tensor t({1, 6}, {1, 2, 3, 4, 5, 6});
    CHECK(test::values(to_batch(t, {2}, {-1}, {-1})) == std::vector<double>{2, 4, 3, 5});
    CHECK(test::values(to_batch(t, {2}, {-4}, {2}, 9)) == std::vector<double>{5, 9, 6, 9});
}

TEST_CASE("space_to_batch: a batch that parts do not divide is rounded down", "[kernel][space_to_batch]") {
    const tensor t({5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    CHECK(test::difference(to_space(t, {2}, {0}, {0}), {2, 4}, {1, 5, 2, 6, 3, 7, 4, 8}, 0) == "");
    CHECK(test::shape_of(to_space(t, {6}, {0}, {0})) == shape_t{0, 12});
}

TEST_CASE("space_to_batch: sizes that do not fit are errors", "[kernel][space_to_batch]") {
    const tensor t(dtype::int8, {4, 3});
    CHECK(error_of([&] { to_batch(t, {2}, {0}, {0}); }) ==
          "kernel::space_to_batch_nd: axis 1 of size 3 after padding; expected a multiple of 2");
    CHECK(error_of([&] {
              to_batch(t, {1}, {-4}, {0});
          }).starts_with("kernel::space_to_batch_nd: axis 1 of size -1 after padding"));
    CHECK(error_of([&] { to_batch(t, {0}, {0}, {0}); }) ==
          "kernel::space_to_batch_nd: a block of (0,); expected positive sizes");
    CHECK(error_of([&] {
              to_batch(t, {1, 1}, {0, 0}, {0, 0});
          }).ends_with("expected more axes than the block has, and two numbers for each axis of the block"));
    CHECK(error_of([&] {
              to_batch(t, {1}, {}, {0});
          }).ends_with("expected more axes than the block has, and two numbers for each axis of the block"));
    constexpr std::int64_t large = std::int64_t{1} << 48;
    CHECK(error_of([&] { to_batch(t, {1}, {large}, {0}); }) ==
          "kernel::space_to_batch_nd: a size of 281474976710656; expected sizes below 2^48");
    CHECK(error_of([&] { to_batch(t, {large / 2}, {0}, {large / 2 - 3}); }) ==
          "kernel::space_to_batch_nd: a size of 4 times 140737488355328; expected sizes below 2^48");
    CHECK(error_of([&] { to_space(t, {2}, {4}, {3}); }) ==
          "kernel::batch_to_space_nd: 4 and 3 elements cropped along axis 1; expected non-negative numbers, and at "
          "most as many elements as the axis has");
    CHECK(error_of([&] {
              to_space(t, {2}, {-1}, {0});
          }).ends_with("expected non-negative numbers, and at most as many elements as the axis has"));
}
