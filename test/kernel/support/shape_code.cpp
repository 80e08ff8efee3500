#include <tutti/kernel/support/shape_code.hpp>

#include <tutti/kernel/support/view.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>

// The meaning of each code is tested with new_shape and the reshape operators, which read codes through this header.

using namespace tutti::kernel;

namespace {

using numbers = std::initializer_list<std::int64_t>;

struct refused {
    code_fault fault;
    std::int64_t number;
};

constexpr extents list(numbers values) { return {std::span<const std::int64_t>(values.begin(), values.size())}; }

constexpr extents read(numbers data, numbers code, shape_code direction = shape_code::from_left,
                       std::size_t most = max_rank) {
    const extents shape = list(data);
    const extents codes = list(code);
    return read_shape_code<extents>(shape, codes, direction, zero_code::keeps, most,
                                    [](code_fault fault, std::int64_t number) { throw refused{fault, number}; });
}

code_fault fault_of(numbers data, numbers code, std::size_t most = max_rank) {
    try {
        read(data, code, shape_code::from_left, most);
    } catch (const refused& r) {
        return r.fault;
    }
    FAIL("nothing is refused");
    return {};
}

static_assert(same_shape(read({2, 3, 4}, {-4, 1, -1, -3}), list({1, 2, 12})));
static_assert(same_shape(read({8, 7, 5, 40}, {-1, 5, 0}, shape_code::from_right), list({56, 5, 40})));

} // namespace

TEST_CASE("shape_code: kept dimensions need not be counted", "[kernel][shape_code]") {
    CHECK(same_shape(read({0, 4}, {0, -1}), list({0, 4})));
    CHECK(same_shape(read({0, 4}, {0, 2, -1}), list({0, 2, 2})));
}

TEST_CASE("shape_code: reports each fault", "[kernel][shape_code]") {
    CHECK(fault_of({2, 3}, {-5}) == code_fault::no_code);
    CHECK(fault_of({2, 3}, {-1, -1}) == code_fault::twice);
    CHECK(fault_of({2, 3}, {0, 0, 0}) == code_fault::too_many);
    CHECK(fault_of({2, 3}, {-2}, 1) == code_fault::too_long);
    CHECK(fault_of({2, 3}, {-4, 2}) == code_fault::cut_off);
    CHECK(fault_of({2, 3}, {-4, 3, -1, 3}) == code_fault::no_part);
    CHECK(fault_of({2, 3}, {-4, 3, 2, 3}) == code_fault::no_parts);
    CHECK(fault_of({2, 3}, {4, -1}) == code_fault::indivisible);
}
