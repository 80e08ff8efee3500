#include <tutti/pass/property_claims.hpp>

#include "support/catch.hpp"

#include <string_view>

namespace {

struct typed {
    static constexpr std::string_view name = "typed";
};
struct sorted {
    static constexpr std::string_view name = "sorted";
};
// Another type with the same name.
struct also_typed {
    static constexpr std::string_view name = "typed";
};

struct silent {};
struct opens {
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<sorted>;
    using breaks = tutti::properties<typed>;
};
struct closes {
    using gives = tutti::properties<sorted>;
    using keeps = tutti::properties<>;
};
struct clears {
    using breaks = tutti::all_properties;
    using gives = tutti::properties<sorted>;
};
struct wrong {
    using gives = tutti::properties<sorted, typed>;
    using breaks = tutti::properties<also_typed>;
};
struct wraps {
    using properties_from = opens;
};
struct wraps_silent {
    using properties_from = silent;
};

constexpr tutti::internal::property_name is_typed{"typed"}, is_sorted{"sorted"};

} // namespace

TEST_CASE("property_claims: without lists, a pass keeps all properties", "[pass][property_claims]") {
    constexpr auto none = tutti::internal::claims_of<silent>;
    STATIC_REQUIRE_FALSE(tutti::internal::states_properties<silent>);
    STATIC_REQUIRE(tutti::internal::stated_by<silent> == nullptr);
    STATIC_REQUIRE_FALSE(none.loses(is_typed));
}

TEST_CASE("property_claims: breaks lists what is lost, keeps lists what is not", "[pass][property_claims]") {
    constexpr auto open = tutti::internal::claims_of<opens>, closed = tutti::internal::claims_of<closes>,
                   cleared = tutti::internal::claims_of<clears>;
    STATIC_REQUIRE(open.needs.contains(is_typed));
    STATIC_REQUIRE(open.loses(is_typed));
    STATIC_REQUIRE_FALSE(open.loses(tutti::internal::property_name{"other"}));
    STATIC_REQUIRE(closed.loses(is_typed));
    STATIC_REQUIRE_FALSE(closed.loses(is_sorted));
    STATIC_REQUIRE(cleared.loses(is_typed));
    STATIC_REQUIRE_FALSE(cleared.loses(is_sorted));
}

TEST_CASE("property_claims: properties with one name are one property", "[pass][property_claims]") {
    STATIC_REQUIRE(tutti::internal::claims_of<wrong>.contradict(is_typed));
    STATIC_REQUIRE_FALSE(tutti::internal::claims_of<wrong>.contradict(is_sorted));
    STATIC_REQUIRE_FALSE(tutti::internal::claims_of<clears>.contradict(is_sorted));
}

TEST_CASE("property_claims: a pass may state the effect of another class", "[pass][property_claims]") {
    STATIC_REQUIRE(tutti::internal::claims_of<wraps>.loses(is_typed));
    STATIC_REQUIRE_FALSE(tutti::internal::states_properties<wraps_silent>);
}
