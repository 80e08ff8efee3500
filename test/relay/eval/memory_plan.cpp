#include <tutti/relay/eval/memory_plan.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace eval = tutti::relay::detail;
using eval::storage;

namespace {

eval::memory_plan placed(std::initializer_list<storage> storages) {
    eval::memory_plan plan;
    for (const storage& s : storages) plan.storages.push_back(s);
    eval::storage_placer{plan};
    return plan;
}

/// True if storages with overlapping live ranges do not overlap in memory, and each lies within its piece.
bool in_order(const eval::memory_plan& plan) {
    for (std::size_t i = 0; i < plan.storages.size(); ++i) {
        const storage& a = plan.storages[i];
        if (a.offset % 64 != 0 || a.offset + a.bytes > plan.pieces[a.piece]) return false;
        for (std::size_t j = 0; j < i; ++j) {
            const storage& b = plan.storages[j];
            if (a.piece == b.piece && meet(a, b) && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes)
                return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("memory_plan: values with disjoint live ranges share memory", "[relay][eval]") {
    const eval::memory_plan plan = placed({{.bytes = 100, .first = 1, .last = 2},
                                           {.bytes = 640, .first = 2, .last = 3},
                                           {.bytes = 64, .first = 3, .last = 4},
                                           {.bytes = 640, .first = 4, .last = 5}});
    CHECK(plan.bytes() == 768);
    CHECK(plan.storages[1].offset == 0);
    CHECK(plan.storages[3].offset == 0);
    CHECK(plan.storages[0].offset == 640);
    CHECK(plan.storages[2].offset == 640);
    CHECK(in_order(plan));
}

TEST_CASE("memory_plan: parts of a group of branches are live at the same time", "[relay][eval]") {
    constexpr eval::branch_place one{1, 0}, two{1, 1}, both{1, eval::branch_place::several}, next{2, 2}, none{};
    const auto meets = [](eval::branch_place ends, eval::branch_place begins) {
        const storage earlier{.bytes = 1, .first = 0, .last = 3, .begins = {}, .ends = ends};
        const storage later{.bytes = 1, .first = 4, .last = 5, .begins = begins, .ends = {}};
        CHECK(meet(earlier, later) == meet(later, earlier));
        return meet(earlier, later);
    };
    CHECK(meets(one, two));
    CHECK(meets(both, two));
    CHECK_FALSE(meets(one, one));
    CHECK_FALSE(meets(one, next));
    CHECK_FALSE(meets(one, none));
    CHECK_FALSE(meets(none, two));
    CHECK_FALSE(meets(none, none));
}

TEST_CASE("memory_plan: the smallest gap is taken", "[relay][eval]") {
    // At step 5, gaps of 256 and 128 bytes remain between live storages.
    const eval::memory_plan plan = placed({{.bytes = 1024, .first = 1, .last = 9},
                                           {.bytes = 256, .first = 1, .last = 4},
                                           {.bytes = 192, .first = 1, .last = 9},
                                           {.bytes = 128, .first = 1, .last = 4},
                                           {.bytes = 64, .first = 1, .last = 9},
                                           {.bytes = 32, .first = 5, .last = 6}});
    CHECK(plan.storages[5].offset == plan.storages[3].offset);
    CHECK(in_order(plan));
}

TEST_CASE("memory_plan: a result's memory serves others before it is made, and is apart", "[relay][eval]") {
    const eval::memory_plan plan = placed({{.bytes = 64, .first = 1, .last = 2},
                                           {.bytes = 200, .first = 2, .last = 3},
                                           {.bytes = 128, .first = 3, .last = 5, .leaves = true}});
    CHECK(plan.storages[0].piece == 1);
    CHECK(plan.storages[1].piece == 0); // read while the result is computed
    CHECK(plan.storages[2].piece == 1);
    CHECK(plan.bytes() == 256 + 128);
    CHECK(in_order(plan));
}

TEST_CASE("memory_plan: takes little more than the peak of live bytes", "[relay][eval]") {
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
            storage s{.bytes = 64 * std::uint64_t{between(1, 1000)},
                      .first = first,
                      .last = first + between(1, between(0, 9) == 0 ? 50 : 3)};
            for (std::uint32_t at = s.first; at <= s.last; ++at) alive[at] += s.bytes;
            plan.storages.push_back(s);
        }
        eval::storage_placer{plan};
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
