#include <tutti/parallel/executor.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

// An executor that starts three threads per call of bulk(), in the order of their indices or in reverse.
struct fresh_threads {
    bool reversed = false;
    unsigned calls = 0;

    static unsigned concurrency() { return 3; }
    void bulk(std::size_t count, tutti::bulk_function f) {
        ++calls;
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < count; ++i) threads.emplace_back(f, reversed ? count - 1 - i : i);
        for (std::thread& each : threads) each.join();
    }
};

struct without_bulk {
    static unsigned concurrency() { return 2; }
};

constexpr int sum_of_squares(int count) {
    int sum = 0;
    tutti::for_each_index(tutti::inline_executor{}, static_cast<std::size_t>(count),
                          [&](std::size_t i) { sum += static_cast<int>(i * i); });
    return sum;
}

} // namespace

static_assert(tutti::executor<tutti::inline_executor>);
static_assert(tutti::executor<tutti::executor_ref> && tutti::executor<const tutti::executor_ref>);
static_assert(tutti::executor<fresh_threads>);
static_assert(!tutti::executor<without_bulk> && !tutti::executor<int>);
static_assert(sum_of_squares(4) == 14);
static_assert(tutti::lanes(tutti::inline_executor{}, 100) == 1);
static_assert(tutti::coarse_grain(tutti::inline_executor{}, 100) == 25);

TEST_CASE("for_each_index: calls the function once for each number, several at once", "[executor]") {
    fresh_threads threads;
    for (const std::size_t count : {0U, 1U, 2U, 3U, 100U})
        for (const std::size_t grain :
             {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000}, ~std::size_t{0}}) {
            std::vector<int> called(count);
            tutti::for_each_index(threads, count, [&](std::size_t i) { ++called[i]; }, grain);
            CHECK(std::ranges::count(called, 1) == static_cast<std::ptrdiff_t>(count));
        }
    CHECK(sum_of_squares(5) == 30);
}

TEST_CASE("coarse_grain: a lane takes its share in four turns", "[executor]") {
    CHECK(tutti::coarse_grain(fresh_threads{}, 0) == 1);
    CHECK(tutti::coarse_grain(fresh_threads{}, 11) == 1);
    CHECK(tutti::coarse_grain(fresh_threads{}, 120) == 10);
}

TEST_CASE("for_each_index: calls at the same time have lanes of their own", "[executor]") {
    fresh_threads threads;
    CHECK(tutti::lanes(threads, 0) == 1);
    CHECK(tutti::lanes(threads, 2) == 2);
    CHECK(tutti::lanes(threads, 50) == 3);
    std::array<int, 3> by_lane{}; // lets the thread sanitizer detect a shared lane
    tutti::for_each_index(threads, 50, [&](std::size_t, std::size_t lane) { ++by_lane.at(lane); });
    CHECK(by_lane[0] + by_lane[1] + by_lane[2] == 50);
}

TEST_CASE("for_each_index: throws the error of the call with the smallest number", "[executor]") {
    for (const bool reversed : {false, true})
        for (const std::size_t grain : {1U, 4U}) {
            fresh_threads threads{reversed};
            std::vector<int> called(40);
            std::string said;
            try {
                tutti::for_each_index(
                    threads, called.size(),
                    [&](std::size_t i) {
                        ++called[i];
                        if (i % 3 == 2 && i > 9) throw std::runtime_error(std::to_string(i));
                    },
                    grain);
            } catch (const std::runtime_error& e) {
                said = e.what();
            }
            CHECK(said == "11");
            CHECK(std::all_of(called.begin(), called.begin() + 12, [](int n) { return n == 1; }));
            CHECK(std::ranges::count(called, 1) < 40); // the other calls are cancelled
        }
}

TEST_CASE("for_each_index: an executor with one thread calls in order, on that thread", "[executor]") {
    std::string order;
    const auto note = [&](std::size_t i) {
        if (i == 3) throw 3;
        order += std::to_string(i);
    };
    CHECK_THROWS_AS(tutti::for_each_index(tutti::inline_executor{}, 9, note), int);
    CHECK(order == "012");
    fresh_threads threads;
    tutti::for_each_index(threads, 1, [](std::size_t) {});
    CHECK(threads.calls == 0);
}

TEST_CASE("executor_ref: is the executor that it refers to, the inline one if it was given none", "[executor]") {
    fresh_threads threads;
    const tutti::executor_ref some = threads, none;
    CHECK(some.concurrency() == 3);
    CHECK(none.concurrency() == 1);
    std::vector<int> called(10);
    const auto mark = [&](std::size_t i) { ++called[i]; };
    tutti::for_each_index(some, 10, mark);
    CHECK(threads.calls == 1);
    tutti::for_each_index(none, 10, mark);
    none.bulk(10, tutti::bulk_function(mark));
    CHECK(std::ranges::count(called, 3) == 10);
}
