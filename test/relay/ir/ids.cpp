#include <tutti/relay/ir/ids.hpp>

#include "support/catch.hpp"

#include <type_traits>

using namespace tutti::relay;

static_assert(!std::is_convertible_v<expr_id, type_id> && !std::is_convertible_v<int, expr_id>);
static_assert(index(type_id{7}) == 7);

TEST_CASE("ids: the index of an id is its position, and none differs from all", "[relay][ids]") {
    CHECK(index(expr_id{0}) == 0);
    CHECK(index(string_id{41}) == 41);
    CHECK(expr_id{0} < expr_id{1});
    CHECK(index(attrs_id::none) == 0xFFFFFFFFU);
}
