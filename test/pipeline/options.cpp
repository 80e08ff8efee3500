#include <tutti/pipeline/options.hpp>

#include "support/catch.hpp"
#include "support/described_passes.hpp"

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

using tutti::internal::option_outcome;
using tutti::internal::set_option;

static_assert(tutti::internal::describes_options<add_amount>);
static_assert(!tutti::internal::describes_options<double_it>);

namespace {
constexpr add_amount changed() {
    add_amount pass;
    tutti::internal::set_option(pass, "amount", "-3");
    tutti::internal::set_option(pass, "round", "down");
    tutti::internal::set_option(pass, "\"off\"", "True");
    return pass;
}
} // namespace

static_assert(changed() == add_amount{.amount = -3, .off = true, .round = rounding::down});

TEST_CASE("set_option: sets the member of that name", "[pass][options]") {
    CHECK(changed() == add_amount{.amount = -3, .off = true, .round = rounding::down});
    add_amount pass;
    CHECK(tutti::internal::set_option(pass, "times", "3") == tutti::internal::option_outcome::set);
    CHECK(tutti::internal::set_option(pass, "scale", "0.25") == tutti::internal::option_outcome::set);
    CHECK(pass == add_amount{.times = 3, .scale = 0.25});
}

TEST_CASE("set_option: tells a name that is none from a value that does not fit", "[pass][options]") {
    add_amount pass;
    CHECK(tutti::internal::set_option(pass, "amounts", "3") == tutti::internal::option_outcome::no_such_option);
    CHECK(tutti::internal::set_option(pass, "times", "300") == tutti::internal::option_outcome::no_such_value);
    CHECK(tutti::internal::set_option(pass, "round", "[up]") == tutti::internal::option_outcome::no_such_value);
    double_it none;
    CHECK(tutti::internal::set_option(none, "amount", "3") == tutti::internal::option_outcome::no_such_option);
}

TEST_CASE("set_option: gives names that it does not know to the member that holds values by name", "[pass][options]") {
    convert_layout pass;
    CHECK(tutti::internal::set_option(pass, "nn.conv2d", "[NHWC, default]") == tutti::internal::option_outcome::set);
    CHECK(tutti::internal::set_option(pass, "target", "gpu") == tutti::internal::option_outcome::set);
    CHECK(tutti::internal::set_option(pass, "nn.dense", "NHWC") == tutti::internal::option_outcome::no_such_value);
    CHECK(pass == convert_layout{.target = "gpu", .desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}});
}

namespace {
struct two_maps {
    int plain = 0;
    std::map<std::string, int> first{{"a", 1}, {"b", 2}};
    std::map<std::string, std::vector<int>> second{{"c", {3}}};
    static constexpr tutti::option_list<&two_maps::plain, &two_maps::first, &two_maps::second> options{"plain", "first",
                                                                                                       "second"};
    void operator()(int&) const {}
    friend bool operator==(const two_maps&, const two_maps&) = default;
};
// Returns a pass whose options are set from these keys and values.
two_maps given(std::initializer_list<std::pair<const char*, const char*>> options) {
    two_maps pass;
    for (const auto& [key, value] : options) tutti::internal::empty_option(pass, key);
    for (const auto& [key, value] : options)
        REQUIRE(tutti::internal::set_option(pass, key, value) == tutti::internal::option_outcome::set);
    return pass;
}
} // namespace

TEST_CASE("set_option: values by name replace those that were there", "[pass][options]") {
    CHECK(given({{"a", "9"}}) == two_maps{.first = {{"a", 9}}});
    CHECK(given({{"first", "[]"}}) == two_maps{.first = {}});
    CHECK(given({{"first", "5"}}) == two_maps{.first = {{"first", 5}}});
    CHECK(given({{"plain", "4"}}) == two_maps{.plain = 4});
}

TEST_CASE("set_option: the name of a map before a dot says which is meant", "[pass][options]") {
    CHECK(given({{"second.x", "[1]"}, {"\"first.plain\"", "2"}}) ==
          two_maps{.first = {{"plain", 2}}, .second = {{"x", {1}}}});
    CHECK(given({{"second.second", "[]"}}) == two_maps{.second = {{"second", {}}}});
    CHECK(given({{"third.x", "1"}}) == two_maps{.first = {{"third.x", 1}}});
    two_maps pass;
    CHECK(tutti::internal::set_option(pass, "second.x", "1") == tutti::internal::option_outcome::no_such_value);
    CHECK(tutti::detail::check_option<two_maps>("first", "[]") == tutti::internal::option_outcome::set);
    CHECK(tutti::detail::check_option<two_maps>("second.x", "1") == tutti::internal::option_outcome::no_such_value);
}
