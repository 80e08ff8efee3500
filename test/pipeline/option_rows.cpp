#include <tutti/pipeline/option_rows.hpp>

#include "support/catch.hpp"
#include "support/described_passes.hpp"

namespace {
std::string options_of(const auto& pass) {
    std::string text;
    tutti::internal::write_options(pass, text);
    return text;
}
auto described(const auto& pass) { return tutti::internal::describe_options(tutti::internal::rows_of(pass), &pass); }
} // namespace

TEST_CASE("describe_options: names, types and defaults follow from the description", "[pass][option_rows]") {
    std::string text;
    for (const auto& option : described(add_amount{.times = 3}))
        text += option.name + ": " + option.type + ", " + option.standard + "\n";
    CHECK(text == "amount: an integer from -2147483648 to 2147483647, 1\n"
                  "times: an integer from 0 to 255, 3\n"
                  "scale: a decimal, 1\n"
                  "off: True or False, False\n"
                  "round: up or down, up\n");
    CHECK(described(double_it{}).empty());
    const auto open = described(convert_layout{});
    REQUIRE(open.size() == 3);
    CHECK((!open[0].any_name && open[2].any_name));
    CHECK(open[2].type == "a list [a,b] of each a word");
}

TEST_CASE("write_options: only those that are not as in a default pass", "[pass][option_rows]") {
    CHECK(options_of(add_amount{}) == "");
    CHECK(options_of(double_it{}) == "");
    CHECK(options_of(add_amount{.amount = -2, .scale = 0.1, .round = rounding::down}) ==
          "{amount=-2,scale=0.1,round=down}");
    CHECK(options_of(convert_layout{.target = "a b", .desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}}) ==
          R"({target="a b",nn.conv2d=[NHWC,default]})");
    CHECK(options_of(convert_layout{.target = "", .sizes = {1, -2}}) == R"({target="",sizes=[1,-2]})");
}

TEST_CASE("write_options: only those that are not as in a given pass", "[pass][option_rows]") {
    const auto options = [](const auto& pass, const auto& standard) {
        std::string text;
        tutti::internal::write_options(tutti::internal::rows_of(pass), &pass, &standard, text);
        return text;
    };
    CHECK(options(add_amount{.amount = 3, .times = 1}, add_amount{.amount = 3, .times = 2}) == "{times=1}");
    const convert_layout standard{.desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}};
    convert_layout more = standard;
    CHECK(options(more, standard) == "");
    more.desired_layouts["nn.dense"] = {"NC"};
    CHECK(options(more, standard) == "{nn.conv2d=[NHWC,default],nn.dense=[NC]}");
}

TEST_CASE("set_option: options without the pass's type are set as those with it", "[pass][option_rows]") {
    const auto [key, value] = GENERATE(table<std::string, std::string>({
        {"target", "gpu"},
        {"\"target\"", "[gpu]"},
        {"sizes", "[1,-2]"},
        {"sizes", "[a]"},
        {"nn.conv2d", "[NHWC,default]"},
        {"nn.conv2d", "NHWC"},
    }));
    convert_layout one, other;
    CHECK(tutti::internal::set_option(one, key, value) ==
          tutti::internal::set_option(tutti::internal::rows_of(other), &other, key, value));
    CHECK(one == other);
    add_amount none;
    CHECK(tutti::internal::set_option(tutti::internal::rows_of(none), &none, "x", "1") ==
          tutti::internal::option_outcome::no_such_option);
    CHECK(tutti::internal::set_option({}, &none, "x", "1") == tutti::internal::option_outcome::no_such_option);
}

TEST_CASE("is_of: tells the type of an option", "[pass][option_rows]") {
    const tutti::internal::option_rows rows = tutti::internal::rows_of(add_amount{});
    CHECK(tutti::internal::is_of<int>(rows[0]));
    CHECK(!tutti::internal::is_of<int>(rows[1]));
    CHECK(tutti::internal::is_of<rounding>(rows.back()));
}

namespace {
struct maps {
    int plain = 0;
    std::map<std::string, int> first{{"a", 1}, {"b", 2}};
    std::map<std::string, int> second{};
    static constexpr tutti::option_list<&maps::plain, &maps::first, &maps::second> options{"plain", "first", "second"};
    friend bool operator==(const maps&, const maps&) = default;
};
} // namespace

TEST_CASE("write_options: maps are read back as they are, the empty one and several too", "[pass][option_rows]") {
    const auto written = [](const maps& pass, std::string_view expected) {
        std::string text;
        tutti::internal::write_options(pass, text);
        CHECK(text == expected);
        maps again;
        const tutti::internal::option_rows rows = tutti::internal::rows_of(again);
        std::vector<std::pair<std::string, std::string>> options;
        for (std::string_view rest = text; rest.size() > 1; rest.remove_prefix(rest.find_first_of(",}"))) {
            rest.remove_prefix(1);
            const std::size_t equals = rest.find('=');
            options.emplace_back(rest.substr(0, equals),
                                 rest.substr(equals + 1, rest.find_first_of(",}") - equals - 1));
        }
        for (const auto& [key, value] : options) tutti::internal::empty_option(rows, &again, key);
        for (const auto& [key, value] : options)
            CHECK(tutti::internal::set_option(rows, &again, key, value) == tutti::internal::option_outcome::set);
        CHECK(again == pass);
    };
    written({}, "");
    written({.first = {{"a", 9}}}, "{a=9}");
    written({.first = {{"a", 1}}}, "{a=1}");
    written({.first = {}}, "{first=[]}");
    written({.first = {{"b", 2}}, .second = {{"b", 3}}}, "{b=2,second.b=3}");
    written({.first = {{"plain", 1}, {"second.x", 2}, {"first", 3}}}, "{first.first=3,first.plain=1,first.second.x=2}");
}
