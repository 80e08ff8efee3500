#include <tutti/runtime/instrument_registry.hpp>

#include "support/catch.hpp"

namespace runtime = tutti::runtime;

namespace {

struct counter {
    void run_before_pass(const int&, const tutti::pass_info&) {}
};

struct count {
    static constexpr std::string_view name = "count", help = "Count the passes";
    int from = 0;
    runtime::pass_names passes{};
    static constexpr tutti::option_list<&count::from, &count::passes> options{"from", "passes"};
    auto make(const runtime::instrument_request&) const { return counter{}; }
};
struct watch {
    static constexpr std::string_view name = "watch", help = "Watch";
    auto make(const runtime::instrument_request&) const { return counter{}; }
};
struct twice {
    static constexpr std::string_view name = "twice", help = "Watch twice";
    auto make(const runtime::instrument_request&, const runtime::any_instrument<int>& inner) const { return inner; }
};

std::string message(auto&& f) {
    try {
        f();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

runtime::instrument_registry<int> known() {
    runtime::instrument_registry<int> all;
    all.add<watch>().add(count{.from = 3}).add<twice>();
    return all;
}

} // namespace

TEST_CASE("instrument_registry: lists instruments by name, with their options", "[runtime][instrument_registry]") {
    const auto all = known();
    REQUIRE(all.list().size() == 3);
    CHECK(all.list()[0].name == "count");
    CHECK(all.find("count")->help == "Count the passes");
    CHECK(!all.find("count")->around_another);
    CHECK(all.find("twice")->around_another);
    CHECK(all.find("Watch") == nullptr);
    CHECK(all.find("watch")->options().empty());
    const auto options = all.get("count").options();
    REQUIRE(options.size() == 2);
    CHECK(options[0].name == "from");
    CHECK(options[0].type == "an integer from -2147483648 to 2147483647");
    CHECK(options[0].standard == "3"); // its value at registration
    CHECK(options[1].type == "a list [A,B] of passes, or [all]");
    CHECK(options[1].standard == "[]");
}

TEST_CASE("instrument_registry: says which name was probably meant; takes a name once",
          "[runtime][instrument_registry]") {
    auto all = known();
    CHECK(message([&] { static_cast<void>(all.get("cuont")); }) == "cuont: no such instrument; did you mean count?");
    CHECK(message([&] { static_cast<void>(all.get("timing")); }) ==
          "timing: no such instrument; expected one of count, twice, watch");
    CHECK(message([&] { all.add<watch>(); }) == "instrument watch: the name is already taken; expected another name");
}

TEST_CASE("instrument_registry: `all` means all passes", "[runtime][instrument_registry]") {
    CHECK(runtime::pass_names{{"A", "B"}}.or_all() == std::vector<std::string>{"A", "B"});
    CHECK(runtime::pass_names{{"A", "all"}}.or_all().empty());
    CHECK(message([] { runtime::detail::check_given("dump", "folder", ""); }) ==
          "dump: option folder: is missing; expected dump{folder=...}");
    CHECK(message([] { runtime::detail::check_given("dump", "folder", "x"); }) == "nothing was thrown");
}
