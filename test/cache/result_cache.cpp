#include <tutti/cache/result_cache.hpp>

#include "support/catch.hpp"

#include <string>

namespace {

// The smallest cache.
struct one_result final : tutti::result_cache {
    tutti::result_key key{};
    std::shared_ptr<const std::string> bytes{};

    tutti::cached_bytes find(const tutti::result_key& wanted) override {
        return bytes != nullptr && wanted == key ? tutti::cached_bytes{bytes, *bytes} : tutti::cached_bytes{};
    }
    void store(const tutti::digest& run, std::span<tutti::fresh_result> results) override {
        for (tutti::fresh_result& each : results) {
            key = {run, each.unit};
            bytes = std::make_shared<const std::string>(std::move(each.bytes));
        }
    }
    void note_damaged(const tutti::result_key&) override {}
    tutti::cache_counts counts() const override { return {}; }
};

} // namespace

TEST_CASE("result_cache: a cache of one's own needs four functions", "[cache][result_cache]") {
    one_result kept;
    tutti::result_cache& cache = kept;
    tutti::fresh_result fresh{{1, 2}, "text"};
    cache.begin({3, 4});
    cache.store({3, 4}, {&fresh, 1});
    cache.flush();
    CHECK(cache.find({{3, 4}, {1, 2}}).bytes == "text");
    CHECK_FALSE(cache.find({{3, 4}, {1, 3}}));
    CHECK(cache.problem().empty());
}
