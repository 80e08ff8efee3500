#include <tutti/relay/eval/buffer_placer.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace eval = tutti::relay::detail;
using eval::buffer;

namespace {

eval::memory_plan placed(std::initializer_list<buffer> buffers) {
    eval::memory_plan plan;
    for (const buffer& s : buffers) plan.buffers.push_back(s);
    eval::buffer_placer{plan};
    return plan;
}

/// True if each buffer is aligned and lies within its piece, and buffers that are live at the same time do not overlap.
bool in_order(const eval::memory_plan& plan) {
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const buffer& a = plan.buffers[i];
        if (a.offset % 64 != 0 || a.offset + a.bytes > plan.pieces[a.piece]) return false;
        for (std::size_t j = 0; j < i; ++j) {
            const buffer& b = plan.buffers[j];
            if (a.piece == b.piece && overlap(a, b) && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes)
                return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("buffer_placer: values with disjoint live ranges share memory", "[relay][eval]") {
    const eval::memory_plan plan = placed({{.bytes = 100, .first = 1, .last = 2},
                                           {.bytes = 640, .first = 2, .last = 3},
                                           {.bytes = 64, .first = 3, .last = 4},
                                           {.bytes = 640, .first = 4, .last = 5}});
    CHECK(plan.bytes() == 768);
    CHECK(plan.buffers[1].offset == 0);
    CHECK(plan.buffers[3].offset == 0);
    CHECK(plan.buffers[0].offset == 640);
    CHECK(plan.buffers[2].offset == 640);
    CHECK(in_order(plan));
}

TEST_CASE("buffer_placer: the smallest gap is taken", "[relay][eval]") {
    // At step 5, gaps of 256 and 128 bytes remain between live buffers.
    const eval::memory_plan plan = placed({{.bytes = 1024, .first = 1, .last = 9},
                                           {.bytes = 256, .first = 1, .last = 4},
                                           {.bytes = 192, .first = 1, .last = 9},
                                           {.bytes = 128, .first = 1, .last = 4},
                                           {.bytes = 64, .first = 1, .last = 9},
                                           {.bytes = 32, .first = 5, .last = 6}});
    CHECK(plan.buffers[5].offset == plan.buffers[3].offset);
    CHECK(in_order(plan));
}

TEST_CASE("buffer_placer: a result's memory serves others before it is made, and is apart", "[relay][eval]") {
    const eval::memory_plan plan = placed({{.bytes = 64, .first = 1, .last = 2},
                                           {.bytes = 200, .first = 2, .last = 3},
                                           {.bytes = 128, .first = 3, .last = 5, .leaves = true}});
    CHECK(plan.buffers[0].piece == 1);
    CHECK(plan.buffers[1].piece == 0); // the operand is read while the result is computed
    CHECK(plan.buffers[2].piece == 1);
    CHECK(plan.bytes() == 256 + 128);
    CHECK(in_order(plan));
}

TEST_CASE("buffer_placer: takes little more than the peak of live bytes", "[relay][eval]") {
    std::mt19937 random(1);
    const auto between = [&](std::uint32_t least, std::uint32_t most) {
        return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
    };
    double worst = 0;
    double sum = 0;
    constexpr int times = 200;
    for (int time = 0; time < times; ++time) {
        eval::memory_plan plan;
        const std::uint32_t count = between(1, 200);
        std::vector<std::uint64_t> alive(2 * count + 60, 0);
        for (std::uint32_t n = 0; n < count; ++n) {
            const std::uint32_t first = n;
            buffer s{.bytes = 64 * std::uint64_t{between(1, 1000)},
                     .first = first,
                     .last = first + between(1, between(0, 9) == 0 ? 50 : 3)};
            for (std::uint32_t at = s.first; at <= s.last; ++at) alive[at] += s.bytes;
            plan.buffers.push_back(s);
        }
        eval::buffer_placer{plan};
        REQUIRE(in_order(plan));
        const std::uint64_t largest = *std::ranges::max_element(alive);
        CHECK(plan.bytes() >= largest);
        const double ratio = static_cast<double>(plan.bytes()) / static_cast<double>(largest);
        worst = std::max(worst, ratio);
        sum += ratio;
    }
    CHECK(worst < 1.2);
    CHECK(sum / times < 1.03);
}
