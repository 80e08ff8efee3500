#include <tutti/parallel/thread_pool.hpp>

#include <tutti/instrument/count_allocations.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

namespace {

std::vector<std::uint64_t> sums(tutti::executor_ref on, std::size_t outer, std::size_t inner) {
    std::vector<std::uint64_t> made(outer);
    tutti::for_each_index(on, outer, [&](std::size_t i) {
        std::vector<std::uint64_t> parts(inner);
        tutti::for_each_index(on, inner, [&](std::size_t j) { parts[j] = i * j; });
        made[i] = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
    });
    return made;
}

} // namespace

static_assert(tutti::executor<tutti::thread_pool>);

TEST_CASE("thread_pool: its threads and the one that calls share the work", "[thread_pool]") {
    tutti::thread_pool pool{3};
    CHECK(pool.concurrency() == 3);
    std::atomic<int> waiting = 0;
    std::vector<std::thread::id> ids(3);
    // Each call waits for the others, so they run concurrently.
    const auto meet = [&](std::size_t i) {
        ids[i] = std::this_thread::get_id();
        ++waiting;
        while (waiting < 3) std::this_thread::yield();
    };
    pool.bulk(3, tutti::bulk_function(meet));
    CHECK(std::set(ids.begin(), ids.end()).size() == 3);
    CHECK(std::ranges::count(ids, std::this_thread::get_id()) == 1);
}

TEST_CASE("thread_pool: one with one thread, or none, uses the calling thread", "[thread_pool]") {
    for (const unsigned threads : {0U, 1U}) {
        tutti::thread_pool pool{threads};
        CHECK(pool.concurrency() == 1);
        std::vector<std::size_t> order;
        const auto note = [&](std::size_t i) { order.push_back(i); };
        pool.bulk(4, tutti::bulk_function(note));
        CHECK(order == std::vector<std::size_t>{0, 1, 2, 3});
    }
    CHECK(tutti::thread_pool::hardware_threads() >= 1);
}

TEST_CASE("thread_pool: many loops one after another, with threads that sleep at once or look out for long",
          "[thread_pool]") {
    for (const unsigned spins : {0U, 1000U}) {
        tutti::thread_pool pool{4, spins};
        std::vector<std::uint64_t> cells(64);
        for (int round = 0; round < 300; ++round)
            tutti::for_each_index(pool, cells.size(), [&](std::size_t i) { cells[i] += i; });
        for (std::size_t i = 0; i < cells.size(); ++i) CHECK(cells[i] == 300 * i);
    }
}

TEST_CASE("thread_pool: loops in loops do not wait for each other", "[thread_pool]") {
    const auto expected = sums({}, 20, 30);
    for (const unsigned threads : {1U, 2U, 5U}) {
        tutti::thread_pool pool{threads};
        CHECK(sums(pool, 20, 30) == expected);
    }
}

TEST_CASE("thread_pool: who waits for a call helps with the loops within it", "[thread_pool]") {
    for (const unsigned spins : {0U, 1000U}) {
        tutti::thread_pool pool{2, spins};
        for (int round = 0; round < 100; ++round) {
            std::atomic<int> met = 0;
            // The two calls of the inner loop wait for each other, so both threads take part in it, even if one has
            // already finished its share of the outer loop.
            const auto outer = [&](std::size_t i) {
                if (i == 0) return;
                const auto meet = [&](std::size_t) {
                    ++met;
                    while (met < 2) std::this_thread::yield();
                };
                pool.bulk(2, tutti::bulk_function(meet));
            };
            pool.bulk(2, tutti::bulk_function(outer));
            REQUIRE(met == 2);
        }
    }
}

TEST_CASE("thread_pool: several threads may use one", "[thread_pool]") {
    tutti::thread_pool pool{3};
    const auto expected = sums({}, 10, 10);
    std::vector<std::vector<std::uint64_t>> made(4);
    std::vector<std::thread> users;
    for (auto& mine : made)
        users.emplace_back([&] {
            for (int round = 0; round < 20; ++round) mine = sums(pool, 10, 10);
        });
    for (std::thread& each : users) each.join();
    for (const auto& mine : made) CHECK(mine == expected);
}

TEST_CASE("thread_pool: goes on after a loop that threw", "[thread_pool]") {
    tutti::thread_pool pool{2};
    for (int round = 0; round < 50; ++round) {
        const auto fail = [&] {
            tutti::for_each_index(pool, 20, [](std::size_t i) {
                tutti::thread_pool inner{1};
                tutti::for_each_index(inner, 3, [&](std::size_t j) {
                    if (i >= 5 && j == 1) throw static_cast<int>(i);
                });
            });
        };
        int thrown = 0;
        try {
            fail();
        } catch (int i) {
            thrown = i;
        }
        CHECK(thrown == 5);
    }
    CHECK(sums(pool, 5, 5) == sums({}, 5, 5));
}

TEST_CASE("thread_pool: a loop takes no memory", "[thread_pool]") {
    tutti::thread_pool pool{3};
    std::vector<std::int64_t> by_call(100);
    const std::int64_t before = tutti::instrument::allocations().allocations;
    const auto measure = [&](std::size_t i) { by_call[i] = tutti::instrument::allocations().allocations; };
    for (int round = 0; round < 10; ++round) tutti::for_each_index(pool, by_call.size(), measure);
    CHECK(tutti::instrument::allocations().allocations == before);
    // Counts are per thread. The pool's threads allocate only before their first call, so there are at most two counts:
    // theirs and the caller's.
    std::ranges::sort(by_call);
    const auto distinct = std::ranges::unique(by_call).begin() - by_call.begin();
    CHECK(distinct <= 2);
}
