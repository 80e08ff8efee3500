#include <tutti/instrument/support/allocations.hpp>

#include "support/catch.hpp"

#include <thread>

TEST_CASE("allocations: each thread has its own counts", "[instrument][allocations]") {
    tutti::instrument::allocation_counts& here = tutti::instrument::allocations();
    CHECK(&here == &tutti::instrument::allocations());
    std::thread{[&] { CHECK(&here != &tutti::instrument::allocations()); }}.join();
}
