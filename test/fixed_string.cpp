#include <tutti/fixed_string.hpp>

#include "catch.hpp"

#include <string_view>
#include <type_traits>

namespace {

template <tutti::fixed_string Name>
struct named {
    static constexpr auto text = Name;
};

constexpr bool keeps_the_text() {
    return named<"FuseOps">::text.view() == std::string_view{"FuseOps"} && tutti::fixed_string{""}.view().empty();
}

} // namespace

static_assert(keeps_the_text());
static_assert(std::is_same_v<named<"a">, named<"a">>);
static_assert(!std::is_same_v<named<"a">, named<"b">>);
static_assert(!std::is_same_v<named<"a">, named<"ab">>);

TEST_CASE("fixed_string: is a template argument that keeps its text", "[fixed_string]") {
    CHECK(keeps_the_text());
    CHECK(named<"FoldConstant">::text.view().size() == 12);
}

TEST_CASE("fixed_string: compares its text", "[fixed_string]") {
    CHECK(tutti::fixed_string{"ab"} == tutti::fixed_string{"ab"});
    CHECK_FALSE(tutti::fixed_string{"ab"} == tutti::fixed_string{"ac"});
}
