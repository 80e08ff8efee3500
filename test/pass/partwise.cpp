#include <tutti/pass/partwise.hpp>

#include "support/catch.hpp"

namespace {

using tutti::internal::reach;

struct silent {
    static constexpr tutti::pass_info info{.name = "Silent"};
};
struct part {
    static constexpr tutti::pass_info info{.name = "Part"};
    static constexpr bool is_partwise() { return true; }
};
struct by_option {
    static constexpr tutti::pass_info info{.name = "ByOption"};
    bool alone = true;
    constexpr bool is_partwise() const { return alone; }
};
template <class Required>
struct requires_one : part {
    using required = tutti::passes<Required>;
};
struct more {
    static constexpr tutti::pass_info info{.name = "More"};
    static constexpr bool is_partwise() { return false; }
};

} // namespace

TEST_CASE("partwise: a pass has the widest reach of itself and the passes that it requires", "[pass][partwise]") {
    static_assert(tutti::internal::reach_of(silent{}) == reach::unstated);
    static_assert(tutti::internal::reach_of(part{}) == reach::part);
    static_assert(tutti::internal::reach_of(by_option{}) == reach::part);
    static_assert(tutti::internal::reach_of(by_option{.alone = false}) == reach::more);
    static_assert(tutti::internal::reach_of(requires_one<part>{}) == reach::part);
    static_assert(tutti::internal::reach_of(requires_one<silent>{}) == reach::unstated);
    CHECK(tutti::internal::reach_of(requires_one<more>{}) == reach::more);
    CHECK(tutti::internal::reach_of(requires_one<requires_one<more>>{}) == reach::more);
}
