#include <tutti/runtime/instrument_registry.hpp>

#include <tutti/pass/with.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "catch.hpp"

namespace runtime = tutti::runtime;

namespace {

struct counter {
    runtime::text_writer write;
    void run_before_pass(const int&, const tutti::pass_info& info) { write(info.name); }
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
    all.add({"watch", "Watch", true,
             [](runtime::instrument_request r) { return runtime::any_instrument<int>{counter{r.write}}; }});
    all.add({"count", "Count", false,
             [](runtime::instrument_request r) { return runtime::any_instrument<int>{counter{r.write}}; }});
    return all;
}

struct nothing {
    static constexpr tutti::pass_info info{.name = "Nothing"};
    void operator()(int&) const {}
};

} // namespace

TEST_CASE("instrument_registry: lists instruments by name, and makes them", "[runtime][instrument_registry]") {
    const auto all = known();
    REQUIRE(all.list().size() == 2);
    CHECK(all.list()[0].name == "count");
    CHECK(all.find("watch")->takes_passes);
    CHECK(all.find("Watch") == nullptr);

    std::string text;
    runtime::pass_context<int> ctx{
        {.instruments = {all.make("count", {.write = [&](std::string_view t) { text += t; }})}}};
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(nothing{}, n); });
    CHECK(text == "Nothing");
}

TEST_CASE("instrument_registry: says which name was probably meant; takes a name once",
          "[runtime][instrument_registry]") {
    auto all = known();
    CHECK(message([&] { all.make("cuont", {}); }) == "cuont: no such instrument; did you mean count?");
    CHECK(message([&] { all.make("timing", {}); }) == "timing: no such instrument; expected one of count, watch");
    CHECK(message([&] { all.add(all.list()[0]); }) ==
          "instrument count: there is one of that name already; expected another name");
}
