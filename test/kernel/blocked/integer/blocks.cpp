#include <tutti/kernel/blocked/integer/blocks.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::dtype;
using kernel::tensor;

TEST_CASE("blocked/int_blocks: products of lower halves are whole", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(50); round > 0; --round) {
        blocked::double_words a{}, b{};
        constexpr auto count = static_cast<int>(sizeof a / sizeof a[0]);
        for (int i = 0; i < count; ++i) {
            a[i] = random.bits();
            b[i] = round % 5 == 0 ? ~std::uint64_t{0} : random.bits();
        }
        const blocked::double_words product = blocked::lower_products(a, b);
        for (int i = 0; i < count; ++i)
            CHECK(product[i] == std::uint64_t{static_cast<std::uint32_t>(a[i])} * static_cast<std::uint32_t>(b[i]));
    }
}

TEST_CASE("blocked/int_blocks: loads and stores any type and number of elements, and touches no others",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    std::vector<std::int32_t> room(blocked::detail::block_room);
    for (const dtype type : {dtype::int8, dtype::uint8, dtype::int16, dtype::uint16, dtype::int32})
        for (const std::int64_t n : {0, 1, 7, 63, 64, 65, 200, 512}) {
            const auto range = kernel::values_of(type);
            const tensor wide = random.filled<std::int32_t>({n + 9}, static_cast<double>(range.least),
                                                            static_cast<double>(range.greatest));
            const tensor t = test::converted(wide, type);
            const std::int32_t* const x = blocked::detail::read_ints(t, 5, n, room.data());
            CHECK((x == room.data()) == (type != dtype::int32));
            CHECK(std::equal(x, x + n, wide.data<std::int32_t>() + 5));
            tensor back = test::converted(tensor(dtype::int32, {n + 9}), type);
            std::copy_n(x, n, room.data());
            blocked::detail::write_ints(room.data(), n, back, 5);
            const std::vector<double> got = test::values(back);
            const std::vector<double> expected = test::values(t);
            for (std::int64_t i = 0; i < n + 9; ++i) {
                const auto at = static_cast<std::size_t>(i);
                CHECK(got[at] == (i >= 5 && i < n + 5 ? expected[at] : 0));
            }
        }
}
