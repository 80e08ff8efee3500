#include <tutti/instrument/count_allocations.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

using tutti::instrument::allocation_counts;
using tutti::instrument::allocations;

namespace {
// Returns the allocations during a call of a function.
allocation_counts counted(const auto& f) {
    const allocation_counts before = allocations();
    allocations().peak = before.live;
    f();
    const allocation_counts after = allocations();
    if (before.peak > after.peak) allocations().peak = before.peak;
    return {after.allocated - before.allocated, after.allocations - before.allocations, after.live - before.live,
            after.peak - before.live};
}
bool same(const allocation_counts& a, const allocation_counts& b) {
    return a.allocated == b.allocated && a.allocations == b.allocations && a.live == b.live && a.peak == b.peak;
}
struct alignas(256) wide {
    char bytes[256];
};
void* volatile kept = nullptr; // prevents elision
} // namespace

TEST_CASE("count_allocations: counts the requested bytes", "[instrument][count_allocations]") {
    CHECK(same(counted([] { kept = ::operator new(100); }), {100, 1, 100, 100}));
    CHECK(same(counted([] { ::operator delete(kept); }), {0, 0, -100, 0}));
    CHECK(same(counted([] {
                   kept = ::operator new(1000);
                   ::operator delete(kept);
                   kept = new char[10];
                   delete[] static_cast<char*>(kept);
               }),
               {1010, 2, 0, 1000}));
    CHECK(same(counted([] {}), {}));
    ::operator delete(nullptr);
}

TEST_CASE("count_allocations: blocks are aligned, and of every form", "[instrument][count_allocations]") {
    bool aligned = true;
    const allocation_counts wides = counted([&] {
        for (int i = 0; i < 10; ++i) {
            wide* const one = new wide;
            kept = one;
            wide* const several = new wide[3];
            kept = several;
            aligned = aligned && reinterpret_cast<std::uintptr_t>(one) % alignof(wide) == 0 &&
                      reinterpret_cast<std::uintptr_t>(several) % alignof(wide) == 0;
            delete one;
            delete[] several;
        }
    });
    CHECK(aligned);
    CHECK(same(wides, {10240, 20, 0, 1024}));
    const allocation_counts quiet = counted([] {
        kept = new (std::nothrow) char[7];
        delete[] static_cast<char*>(kept);
    });
    CHECK(same(quiet, {7, 1, 0, 7}));
    const auto shared = counted([] { std::make_shared<std::vector<int>>(100); });
    CHECK(shared.allocations == 2);
    CHECK(shared.live == 0);
}

TEST_CASE("count_allocations: allocations fail as usual", "[instrument][count_allocations]") {
    volatile std::size_t most = SIZE_MAX;
    CHECK_THROWS_AS(kept = ::operator new(most - 8), std::bad_alloc);
    CHECK_THROWS_AS(kept = ::operator new(most - 8, std::align_val_t{256}), std::bad_alloc);
    CHECK(::operator new(most - 8, std::nothrow) == nullptr);
}
