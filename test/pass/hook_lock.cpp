#include <tutti/pass/hook_lock.hpp>

#include "support/catch.hpp"

TEST_CASE("hook_lock: holds the mutex that it refers to as long as the holder lives", "[pass][hook_lock]") {
    struct counting {
        int held = 0, taken = 0;
        void lock() { ++held, ++taken; }
        void unlock() { --held; }
    } mutex;
    const tutti::internal::hook_lock lock(mutex);
    for (int i = 1; i < 3; ++i) {
        const tutti::internal::hook_lock::holder now(lock);
        CHECK(mutex.held == 1);
        CHECK(mutex.taken == i);
    }
    CHECK(mutex.held == 0);
}
