#include <tutti/relay/transform/rewrite/shared_limit.hpp>

#include "support/catch.hpp"

namespace limits = tutti::relay::internal;

TEST_CASE("shared_limit: counts shares, rounded up, and refusals as the whole", "[relay][transform][shared_limit]") {
    const auto share = [](std::uint64_t used, std::uint64_t most) {
        const std::uint64_t before = limits::shared_limits_used();
        limits::note_limit_used(used, most);
        return limits::shared_limits_used() - before;
    };
    CHECK(share(0, 0) == 0);
    CHECK(share(0, 100) == 0);
    CHECK(share(1, 0) == limits::whole_limit);
    CHECK(share(200, 100) == limits::whole_limit);
    CHECK(share(50, 100) == limits::whole_limit / 2 + 1);
    CHECK(share(1, ~std::uint64_t{0}) == 1);
}
