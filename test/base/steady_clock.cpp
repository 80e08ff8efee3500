#include <tutti/base/steady_clock.hpp>

#include "support/catch.hpp"

#include <chrono>

using tutti::internal::steady_clock;

TEST_CASE("steady_clock: tells the nanoseconds that std::chrono::steady_clock tells", "[base][steady_clock]") {
    const auto theirs = [] {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    };
    const std::int64_t before = steady_clock::now(), between = theirs(), after = steady_clock::now();
    CHECK(before <= between);
    CHECK(between <= after);
}
