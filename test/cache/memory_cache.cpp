#include <tutti/cache/memory_cache.hpp>

#include "support/catch.hpp"

#include <string>
#include <vector>

namespace {

constexpr tutti::digest run_a{1, 1}, run_b{2, 2};

void put(tutti::result_cache& to, const tutti::digest& run, std::uint64_t unit, std::string bytes) {
    tutti::fresh_result one{{unit, unit}, std::move(bytes)};
    to.store(run, {&one, 1});
}
std::string get(tutti::result_cache& from, const tutti::digest& run, std::uint64_t unit) {
    const tutti::cached_bytes found = from.find({run, {unit, unit}});
    return found ? std::string(found.bytes) : "none";
}

} // namespace

TEST_CASE("memory_cache: finds results by run and unit", "[cache][memory_cache]") {
    tutti::memory_cache kept;
    put(kept, run_a, 1, "one");
    put(kept, run_b, 1, "");
    CHECK(get(kept, run_a, 1) == "one");
    CHECK(get(kept, run_b, 1).empty());
    CHECK(get(kept, run_a, 2) == "none");
    put(kept, run_a, 1, "other");
    CHECK(get(kept, run_a, 1) == "other");
    CHECK(kept.counts() == tutti::cache_counts{.found = 3, .missing = 1, .stored = 3});
}

TEST_CASE("memory_cache: evicts the least recently used results", "[cache][memory_cache]") {
    tutti::memory_cache kept{3 * 1200};
    const std::string large(1000, 'x');
    for (const std::uint64_t unit : {1, 2, 3}) put(kept, run_a, unit, large);
    CHECK(get(kept, run_a, 1) == large);
    put(kept, run_a, 4, large);
    CHECK(get(kept, run_a, 1) == large);
    CHECK(get(kept, run_a, 2) == "none");
    CHECK(kept.counts().evicted == 1);
    CHECK(kept.bytes() <= 3 * 1200);
    put(kept, run_a, 5, std::string(5000, 'y')); // larger than the cache
    CHECK(get(kept, run_a, 5) == "none");
    CHECK(get(kept, run_a, 1) == large);
}

TEST_CASE("memory_cache: bytes stay valid after their result was evicted", "[cache][memory_cache]") {
    tutti::memory_cache kept{1000};
    put(kept, run_a, 1, std::string(500, 'a'));
    const tutti::cached_bytes found = kept.find({run_a, {1, 1}});
    put(kept, run_a, 2, std::string(500, 'b'));
    CHECK(get(kept, run_a, 1) == "none");
    CHECK(found.bytes == std::string(500, 'a'));
}

TEST_CASE("memory_cache: drops a result that could not be restored", "[cache][memory_cache]") {
    tutti::memory_cache kept;
    put(kept, run_a, 1, "bad");
    kept.note_damaged({run_a, {1, 1}});
    CHECK(get(kept, run_a, 1) == "none");
    CHECK(kept.counts().damaged == 1);
}
