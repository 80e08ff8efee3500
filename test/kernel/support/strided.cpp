#include <tutti/kernel/support/strided.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::extents;
using kernel::strided_rows;

namespace {

constexpr extents list(std::initializer_list<std::int64_t> values) {
    extents e;
    for (const std::int64_t v : values) e.push_back(v);
    return e;
}

constexpr int count(auto rows) {
    int n = 0;
    for (; !rows.done(); rows.next()) ++n;
    return n;
}

// Operands of the same shape collapse into one row. A bias that is not on the last axis needs two nested loops. A
// transposed operand cannot be collapsed.
constexpr strided_rows<2> same(list({2, 3, 4}), {list({12, 4, 1}), list({12, 4, 1})});
static_assert(count(same) == 1 && same.length() == 24);
constexpr strided_rows<2> bias(list({2, 3, 4, 5}), {list({60, 20, 5, 1}), list({0, 1, 0, 0})});
static_assert(count(bias) == 6 && bias.length() == 20 && bias.step(0) == 1 && bias.step(1) == 0);
constexpr strided_rows<1> transposed(list({2, 3}), {list({1, 2})});
static_assert(count(transposed) == 2 && transposed.length() == 3 && transposed.step(0) == 2);
constexpr strided_rows<1> scalar(extents{}, {extents{}});
static_assert(count(scalar) == 1 && scalar.length() == 1);
constexpr strided_rows<1> nothing(list({2, 0, 3}), {list({0, 3, 1})});
static_assert(count(nothing) == 0);
constexpr strided_rows<1> no_overflow(list({std::int64_t{1} << 40, std::int64_t{1} << 40, 0}), {list({0, 0, 1})});
static_assert(count(no_overflow) == 0);

} // namespace

TEST_CASE("strided: visits each element once, at the offset that its strides say", "[kernel][strided]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 500; ++round) {
        test::shape_t shape;
        std::array<extents, 2> strides;
        for (std::int64_t d = random.integer(0, 5); d > 0; --d) {
            shape.push_back(random.integer(random.integer(0, 9) == 0 ? 0 : 1, 4));
            for (extents& s : strides) s.push_back(random.integer(0, 3) == 0 ? 0 : random.integer(-7, 7));
        }
        if (round % 2 == 0) strides[0] = kernel::row_major_strides(shape);
        std::vector<std::array<std::int64_t, 2>> expected;
        test::for_each_index(shape, [&](const test::shape_t& index) {
            std::array<std::int64_t, 2> at{};
            for (std::size_t i = 0; i < 2; ++i)
                for (std::size_t d = 0; d < shape.size(); ++d) at[i] += index[d] * strides[i][d];
            expected.push_back(at);
        });
        std::vector<std::array<std::int64_t, 2>> got;
        bool in_order = true;
        for (strided_rows<2> rows(shape, strides); !rows.done(); rows.next()) {
            in_order = in_order && rows.result() == static_cast<std::int64_t>(got.size());
            for (std::int64_t i = 0; i < rows.length(); ++i)
                got.push_back({rows.operand(0) + i * rows.step(0), rows.operand(1) + i * rows.step(1)});
        }
        INFO("shape " << kernel::text(shape));
        CHECK(in_order);
        CHECK(got == expected);
    }
}
