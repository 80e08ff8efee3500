#include <tutti/kernel/support/epilogue.hpp>

#include <tutti/kernel/support/element.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
namespace block = kernel::block;
namespace element = kernel::element;
using kernel::block_source;
using kernel::extents;

namespace {

constexpr extents shape(std::initializer_list<std::int64_t> sizes) {
    extents made;
    for (const std::int64_t size : sizes) made.push_back(size);
    return made;
}

/// Returns the operand elements that are read for the `n` elements of the result from `first` on. The operand holds 0,
/// 1, 2, ….
constexpr std::array<float, 12> met(const extents& result, const extents& strides, std::int64_t first, std::int64_t n) {
    float operand[64]{};
    for (int i = 0; i < 64; ++i) operand[i] = static_cast<float>(i);
    std::array<float, 12> room{};
    const float* read = block_source(result, strides).read(operand, first, n, room.data());
    std::array<float, 12> all{};
    for (std::int64_t i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = read[i];
    return all;
}

constexpr std::array<float, 6> computed() {
    const float bias[]{10, 20, 30};
    const float scale[]{2};
    const block_source by_column(shape({2, 3}), shape({0, 1}));
    const block_source one(shape({2, 3}), shape({0, 0}));
    const kernel::epilogue_step steps[]{
        {.what = block::two<element::add>, .other = bias, .source = &by_column},
        {.what = block::two<element::subtract>, .other = scale, .source = &one, .other_first = true},
        {.what = block::one<element::clip, 2>, .parameters = {-30, -10}},
    };
    std::array<float, 6> values{0, 1, 2, 3, 4, 5};
    const kernel::epilogue all(steps);
    all.apply(values.data(), 0, 2);
    all.apply(values.data() + 2, 2, 4);
    return values;
}

} // namespace

TEST_CASE("epilogue: an operand is read as if it had the result's shape", "[kernel][epilogue]") {
    static_assert(met(shape({2, 3, 2}), shape({6, 2, 1}), 3, 4) == std::array<float, 12>{3, 4, 5, 6});
    CHECK(met(shape({2, 3, 2}), shape({6, 2, 1}), 3, 4) == std::array<float, 12>{3, 4, 5, 6});
    static_assert(met(shape({2, 3, 2}), shape({0, 1, 0}), 1, 9) == std::array<float, 12>{0, 1, 1, 2, 2, 0, 0, 1, 1});
    CHECK(met(shape({2, 3, 2}), shape({0, 1, 0}), 1, 9) == std::array<float, 12>{0, 1, 1, 2, 2, 0, 0, 1, 1});
    static_assert(met(shape({2, 3, 2}), shape({2, 0, 1}), 5, 4) == std::array<float, 12>{1, 2, 3, 2});
    CHECK(met(shape({2, 3, 2}), shape({2, 0, 1}), 5, 4) == std::array<float, 12>{1, 2, 3, 2});
    static_assert(met(shape({2, 3, 2}), shape({0, 0, 0}), 5, 2) == std::array<float, 12>{0, 0});
    CHECK(met(shape({2, 3, 2}), shape({0, 0, 0}), 5, 2) == std::array<float, 12>{0, 0});
    CHECK(met(shape({2, 1, 2}), shape({0, 0, 1}), 1, 3) == std::array<float, 12>{1, 0, 1});
    static_assert(block_source(shape({2, 1, 3}), shape({3, 0, 1})).same());
    CHECK(block_source(shape({2, 1, 3}), shape({3, 0, 1})).same());
    static_assert(block_source(shape({1, 1}), shape({0, 0})).same());
    CHECK(block_source(shape({1, 1}), shape({0, 0})).same());
    CHECK(block_source(shape({2, 3}), shape({0, 1})) == block_source(shape({1, 2, 3}), shape({0, 0, 1})));
    CHECK(block_source(shape({2, 3}), shape({0, 1})) != block_source(shape({2, 3}), shape({1, 0})));
    static_assert(!block_source(shape({2, 2, 2, 2, 2, 2, 2}), shape({1, 0, 1, 0, 1, 0, 1})).fits());
    CHECK(!block_source(shape({2, 2, 2, 2, 2, 2, 2}), shape({1, 0, 1, 0, 1, 0, 1})).fits());
    static_assert(block_source(shape({2, 2, 2, 2, 2, 2, 2}), shape({64, 32, 16, 8, 4, 2, 1})).fits());
    CHECK(block_source(shape({2, 2, 2, 2, 2, 2, 2}), shape({64, 32, 16, 8, 4, 2, 1})).fits());
}

TEST_CASE("epilogue: where a block meets one element of an operand, that is known", "[kernel][epilogue]") {
    constexpr float operand[]{5, 6, 7};
    constexpr block_source by_row(shape({2, 3, 4}), shape({0, 1, 0}));
    static_assert(*by_row.only(operand, 4, 4) == 6 && *by_row.only(operand, 21, 3) == 7);
    CHECK(*by_row.only(operand, 4, 4) == 6);
    CHECK(*by_row.only(operand, 12, 1) == 5);
    CHECK(by_row.only(operand, 3, 2) == nullptr);
    CHECK(block_source(shape({2, 3}), shape({0, 1})).only(operand, 1, 1) == nullptr);
    CHECK(*block_source(shape({2, 3}), shape({0, 0})).only(operand, 1, 5) == 5);
    CHECK(block_source().only(operand, 0, 1) == nullptr);
}

TEST_CASE("epilogue: its steps are done in order, by blocks", "[kernel][epilogue]") {
    static_assert(computed() == std::array<float, 6>{-10, -19, -30, -11, -22, -30});
    CHECK(computed() == std::array<float, 6>{-10, -19, -30, -11, -22, -30});
    std::vector<float> many(2000, -1.F);
    const kernel::epilogue_step steps[]{{.what = block::one<element::abs>}};
    kernel::epilogue all(steps);
    all.apply(many.data(), 0, 2000);
    CHECK(many == std::vector<float>(2000, 1.F));
    CHECK_FALSE(all.taken());
    all.take();
    CHECK(all.taken());
    CHECK(all.rest().steps().empty());
    const kernel::epilogue_step two[]{{.what = block::one<element::abs>}, {.what = block::one<element::negative>}};
    kernel::epilogue some(two);
    some.take(1);
    CHECK_FALSE(some.taken());
    many.assign(3, 1.F);
    some.rest().apply(many.data(), 0, 3);
    CHECK(many == std::vector<float>(3, -1.F));
}
