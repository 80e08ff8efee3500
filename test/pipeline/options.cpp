#include <tutti/pipeline/options.hpp>

#include "catch.hpp"
#include "described_passes.hpp"

using tutti::option_outcome;
using tutti::set_option;

static_assert(tutti::describes_options<add_amount>);
static_assert(!tutti::describes_options<double_it>);

namespace {
constexpr add_amount changed() {
    add_amount pass;
    set_option(pass, "amount", "-3");
    set_option(pass, "round", "down");
    set_option(pass, "\"off\"", "True");
    return pass;
}
} // namespace

static_assert(changed() == add_amount{.amount = -3, .off = true, .round = rounding::down});

TEST_CASE("set_option: sets the member of that name", "[pass][options]") {
    CHECK(changed() == add_amount{.amount = -3, .off = true, .round = rounding::down});
    add_amount pass;
    CHECK(set_option(pass, "times", "3") == option_outcome::set);
    CHECK(set_option(pass, "scale", "0.25") == option_outcome::set);
    CHECK(pass == add_amount{.times = 3, .scale = 0.25});
}

TEST_CASE("set_option: tells a name that is none from a value that does not fit", "[pass][options]") {
    add_amount pass;
    CHECK(set_option(pass, "amounts", "3") == option_outcome::no_such_option);
    CHECK(set_option(pass, "times", "300") == option_outcome::no_such_value);
    CHECK(set_option(pass, "round", "[up]") == option_outcome::no_such_value);
    double_it none;
    CHECK(set_option(none, "amount", "3") == option_outcome::no_such_option);
}

TEST_CASE("set_option: gives names that it does not know to the member that holds values by name", "[pass][options]") {
    convert_layout pass;
    CHECK(set_option(pass, "nn.conv2d", "[NHWC, default]") == option_outcome::set);
    CHECK(set_option(pass, "target", "gpu") == option_outcome::set);
    CHECK(set_option(pass, "nn.dense", "NHWC") == option_outcome::no_such_value);
    CHECK(pass == convert_layout{.target = "gpu", .desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}});
}
