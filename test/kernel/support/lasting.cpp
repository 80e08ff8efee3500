#include <tutti/kernel/support/lasting.hpp>

#include <tutti/parallel/large_pages.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace kernel = tutti::kernel;

TEST_CASE("lasting: a tensor of any size keeps the written elements", "[kernel]") {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{64}, 2 * tutti::large_pages_from + 12}) {
        kernel::tensor t;
        kernel::reset_lasting(t, kernel::dtype::int32, std::array{static_cast<std::int64_t>(bytes / 4)});
        std::int32_t n = 0;
        for (std::int32_t& x : t.mutable_elements<std::int32_t>()) x = n++;
        bool same = t.size() == static_cast<std::int64_t>(bytes / 4);
        n = 0;
        for (const std::int32_t x : t.elements<std::int32_t>()) same &= x == n++;
        CHECK(same);
    }
}

TEST_CASE("lasting: memory that is large enough is used again", "[kernel]") {
    kernel::tensor t;
    kernel::reset_lasting(t, kernel::dtype::int32, std::array{std::int64_t{100}});
    const void* const first = t.memory();
    kernel::reset_lasting(t, kernel::dtype::int32, std::array{std::int64_t{50}});
    CHECK(t.memory() == first);
    CHECK(t.size() == 50);
}
