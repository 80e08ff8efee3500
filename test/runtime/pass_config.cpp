#include <tutti/runtime/pass_config.hpp>

#include <tutti/pass/with.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "support/catch.hpp"

namespace runtime = tutti::runtime;

namespace {

struct deep {
    static constexpr tutti::pass_info info{.name = "Deep"};
    static constexpr tutti::config_key<std::int64_t> depth{"test.Deep.depth", 256};
    static constexpr tutti::config_key<bool> wide{"test.Deep.wide"};
    static constexpr tutti::config_key<double> scale{"test.Deep.scale", 0.5};
    static constexpr tutti::config_key<std::string_view> target{"test.Deep.target", "cpu"};
    using config = tutti::config_list<depth, wide, scale, target>;

    void operator()(std::string& seen, auto& ctx) const {
        seen += std::to_string(tutti::config(ctx, depth)) + (tutti::config(ctx, wide) ? " wide " : " narrow ");
        seen += tutti::config(ctx, target);
        if (tutti::config(ctx, scale) != scale.standard) seen += " scaled";
        seen += "; ";
    }
};

runtime::config_keys known() {
    runtime::config_keys keys;
    keys.add(deep::config{});
    return keys;
}

std::string message(auto&& f) {
    try {
        f();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

} // namespace

TEST_CASE("pass_config: a pass gets the context's value, otherwise the key's default", "[runtime][pass_config]") {
    using context = runtime::pass_context<std::string>;
    std::string seen;
    context plain;
    plain.run(deep{}, seen);
    context set{
        {.config = {known(), {{"test.Deep.depth", 10}, {"test.Deep.wide", true}, {"test.Deep.target", "gpu"}}}}};
    tutti::with(set, [&](auto& scope) {
        scope.run(deep{}, seen);
        context::current().run(deep{}, seen);
    });
    context scaled{{.config = {known(), {{"test.Deep.scale", 2}, {"test.Deep.scale", 1}}}}};
    scaled.run(deep{}, seen);
    CHECK(seen == "256 narrow cpu; 10 wide gpu; 10 wide gpu; 256 narrow cpu scaled; ");
    CHECK(scaled.config().entries().size() == 2);
    CHECK(scaled.config(deep::scale) == 1.0);
}

TEST_CASE("pass_config: refuses keys that no pass uses, and lists the used ones", "[runtime][pass_config]") {
    const auto keys = known();
    CHECK(message([&] { runtime::pass_config{keys, {{"test.Deep.dept", 1}}}; }) ==
          "test.Deep.dept: no such config key; did you mean test.Deep.depth?");
    CHECK(message([&] { runtime::pass_config{keys, {{"x", 1}}}; }) ==
          "x: no such config key; expected one of test.Deep.depth, test.Deep.scale, test.Deep.target, test.Deep.wide");
    CHECK(message([] { runtime::pass_config{{}, {{"x", 1}}}; }) ==
          "x: no such config key; expected a registered config key, but there is none");
}

TEST_CASE("pass_config: refuses values of the wrong type, and names both", "[runtime][pass_config]") {
    const auto keys = known();
    CHECK(message([&] { runtime::pass_config{keys, {{"test.Deep.depth", "deep"}}}; }) ==
          "config key test.Deep.depth: is given a word, deep; expected an integer");
    CHECK(message([&] { runtime::pass_config{keys, {{"test.Deep.depth", 1.5}}}; }) ==
          "config key test.Deep.depth: is given a decimal, 1.5; expected an integer");
    CHECK(message([&] { runtime::pass_config{keys, {{"test.Deep.wide", 1}}}; }) ==
          "config key test.Deep.wide: is given an integer, 1; expected True or False");
}

TEST_CASE("config_keys: reads KEY=VALUE by the key's type", "[runtime][pass_config]") {
    const auto keys = known();
    CHECK(keys.read("test.Deep.depth=-3").value.get<std::int64_t>() == -3);
    CHECK(keys.read("test.Deep.wide=True").value.get<bool>());
    CHECK(keys.read("test.Deep.scale=2").value.get<double>() == 2.0);
    CHECK(keys.read("test.Deep.target=a=b").value.get<std::string_view>() == "a=b");
    CHECK(message([&] { keys.read("test.Deep.depth=x"); }) ==
          "config key test.Deep.depth: `x` is not of its type; expected an integer");
    CHECK(message([&] { keys.read("test.Deep.depth"); }) == "config test.Deep.depth: has no value; expected KEY=VALUE");
    CHECK(message([&] { keys.read("=1"); }).starts_with(": no such config key"));
}

TEST_CASE("config_keys: two passes may ask for one key if they agree about it", "[runtime][pass_config]") {
    auto keys = known();
    keys.add(deep::config{});
    CHECK(keys.list().size() == 4);
    CHECK(message([&] { keys.add(tutti::config_key<bool>{"test.Deep.wide", true}); }) ==
          "config key test.Deep.wide: two passes declare different defaults for it, False and True; "
          "expected one key that both share");
    CHECK(keys.list().size() == 4);
}

TEST_CASE("pass_config: an unsigned integer that the key's type does not hold is refused", "[runtime][pass_config]") {
    const auto set = [](runtime::config_value value) {
        return runtime::pass_config{known(), {{"test.Deep.depth", std::move(value)}}}(deep::depth);
    };
    CHECK(set(std::uint64_t{9223372036854775807U}) == 9223372036854775807);
    CHECK(
        message([&] { set(~std::uint64_t{0}); }) ==
        "config key test.Deep.depth: is given an integer above 9223372036854775807, 18446744073709551615; expected an "
        "integer");
}
