#include <tutti/pipeline/option_writing.hpp>

#include "catch.hpp"
#include "described_passes.hpp"

namespace runtime = tutti::runtime;

namespace {
std::string options_of(const auto& pass) {
    std::string text;
    runtime::write_options(pass, text);
    return text;
}
} // namespace

TEST_CASE("describe_options: names, types and defaults follow from the description", "[runtime][options]") {
    std::string text;
    for (const auto& option : runtime::describe_options(add_amount{.times = 3}))
        text += option.name + ": " + option.type + ", " + option.standard + "\n";
    CHECK(text == "amount: an integer from -2147483648 to 2147483647, 1\n"
                  "times: an integer from 0 to 255, 3\n"
                  "scale: a decimal, 1\n"
                  "off: True or False, False\n"
                  "round: up or down, up\n");
    CHECK(runtime::describe_options(double_it{}).empty());
    const auto open = runtime::describe_options(convert_layout{});
    REQUIRE(open.size() == 3);
    CHECK((!open[0].any_name && open[2].any_name));
    CHECK(open[2].type == "a list [a,b] of each a word");
}

TEST_CASE("write_options: only those that are not as in a default pass", "[runtime][options]") {
    CHECK(options_of(add_amount{}) == "");
    CHECK(options_of(double_it{}) == "");
    CHECK(options_of(add_amount{.amount = -2, .scale = 0.1, .round = rounding::down}) ==
          "{amount=-2,scale=0.1,round=down}");
    CHECK(options_of(convert_layout{.target = "a b", .desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}}) ==
          R"({target="a b",nn.conv2d=[NHWC,default]})");
    CHECK(options_of(convert_layout{.target = "", .sizes = {1, -2}}) == R"({target="",sizes=[1,-2]})");
}

TEST_CASE("write_options: only those that are not as in a given pass", "[runtime][options]") {
    const auto options = [](const auto& pass, const auto& standard) {
        std::string text;
        runtime::write_options(pass, standard, text);
        return text;
    };
    CHECK(options(add_amount{.amount = 3, .times = 1}, add_amount{.amount = 3, .times = 2}) == "{times=1}");
    const convert_layout standard{.desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}};
    convert_layout more = standard;
    CHECK(options(more, standard) == "");
    more.desired_layouts["nn.dense"] = {"NC"};
    CHECK(options(more, standard) == "{nn.dense=[NC]}");
}
