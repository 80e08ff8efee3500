#include <tutti/base/fixed_string.hpp>

#include "support/catch.hpp"

namespace {
template <tutti::fixed_string Name>
struct named {
    static constexpr std::string_view name = Name.view();
};
static_assert(named<"FoldConstant">::name == "FoldConstant");
static_assert(named<"">::name.empty());
static_assert(tutti::fixed_string{"a"} == tutti::fixed_string{"a"});
static_assert(!(tutti::fixed_string{"a"} == tutti::fixed_string{"b"}));
} // namespace

TEST_CASE("fixed_string: is a literal as a template argument", "[fixed_string]") {
    CHECK(named<"FoldConstant">::name == "FoldConstant");
    CHECK(named<"">::name.empty());
}
