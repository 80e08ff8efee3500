#include <tutti/pass/requiring.hpp>

#include <tutti/pass.hpp>
#include <tutti/pipeline/identity.hpp>
#include <tutti/runtime.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/two_layers.hpp"

#include <string>

using tutti::requiring;
using tutti::sequential;
namespace runtime = tutti::runtime;

namespace {
// A pass that appends its digit to the unit.
template <int Digit, int Level, class... Required>
struct digit {
    static constexpr char name[2] = {static_cast<char>('0' + Digit), 0};
    static constexpr tutti::pass_info info{.name = name, .opt_level = Level};
    using required = tutti::passes<Required...>;
    constexpr void operator()(int& n) const { n = n * 10 + Digit; }
};
struct reset {
    static constexpr tutti::pass_info info{.name = "Reset"};
    void operator()(module& all) const { all.functions.front().cost = 1; }
};
using one = digit<1, 0>;
using two = digit<2, 1, one>;
using three = digit<3, 2>;

constexpr auto four = tutti::make_pass<"4", 1>([](int& n) { n = n * 10 + 4; });
constexpr auto group = requiring<two, one>(sequential<"Group", 1>(three{}, four));
constexpr auto made = requiring<two>(four);

constexpr int run(const auto& ctx, const auto& pipeline) {
    return tutti::with(ctx, [&](auto& scope) { return scope.run(pipeline, 0); });
}
static_assert(run(tutti::pass_context{}, sequential(group, made)) == 213424);
static_assert(run(tutti::pass_context{tutti::disable<"2">}, sequential(group)) == 2134);
static_assert(tutti::names_of(tutti::resolve(sequential(group))).size() == 5);
static_assert(made.info == four.info && group.info.kind == tutti::pass_kind::sequential);
static_assert(
    std::is_same_v<tutti::internal::required_of<decltype(requiring<three>(two{}))>, tutti::passes<one, three>>);

template <class Layer>
int result(const setup& s, const auto& pipeline) {
    auto ctx = Layer::template context<int>(s);
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, n); });
    return n;
}
// The same pipeline, whose passes are known only at run time.
const runtime::sequential<int> erased{{group, made}};
const runtime::sequential<int> all_erased{
    {requiring<two, one>(runtime::sequential<int>{{three{}, four}, "Group", 1}), made}};
} // namespace

TEMPLATE_TEST_CASE("requiring: a sequential runs what a member requires before it, as for any pass",
                   "[pass][requiring]", static_layer, erased_layer) {
    const auto check = [](const setup& s, int expected) {
        CHECK(result<TestType>(s, sequential(group, made)) == expected);
        if constexpr (std::is_same_v<TestType, erased_layer>) {
            CHECK(result<TestType>(s, erased) == expected);
            CHECK(result<TestType>(s, all_erased) == expected);
        }
    };
    check({}, 213424);
    check({.opt_level = 1}, 21424); // pass 3 is above the level
    check({.opt_level = 0}, 0);
    check({.disabled = {"Group"}}, 24);
    check({.disabled = {"2"}}, 213424); // pass 2 is required, so it runs
    check({.opt_level = 0, .required = {"Group"}}, 21);
}

TEMPLATE_TEST_CASE("requiring: run directly, a pass runs nothing before it", "[pass][requiring]", static_layer,
                   erased_layer) {
    CHECK(result<TestType>({}, group) == 34);
    CHECK(result<TestType>({}, made) == 4);
}

TEMPLATE_TEST_CASE("requiring: an adaptor may require too, and a pass over parts the whole", "[pass][requiring]",
                   static_layer, erased_layer) {
    CHECK(result<TestType>({}, sequential(requiring<one>(tutti::repeat(three{}, 2)))) == 133);
    const auto mark = tutti::make_pass<"Mark">([](module& m) { m.functions.front().cost += 5; });
    const auto count = tutti::make_pass<"Count">([](function& f) { f.cost *= 10; });
    module m{.functions = {{}}};
    auto ctx = TestType::template context<module>({});
    const auto pipeline = sequential(mark, tutti::each<function>(requiring<reset>(count)));
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
    CHECK(m.functions.front().cost == 10);
}

TEST_CASE("requiring: resolve puts what is required in front, once, in both layers", "[pass][requiring]") {
    CHECK(run(tutti::pass_context{}, tutti::resolve(sequential(group, made))) == 12344);
    runtime::pass_context<int> ctx;
    CHECK(ctx.run(runtime::resolve(erased), 0) == 12344);
    CHECK(ctx.run(runtime::resolve(all_erased), 0) == 12344);
}

TEST_CASE("requiring: a text says it by a registry's name, and is refused without", "[pass][requiring]") {
    const auto refused = [](const auto& pipeline) -> std::string {
        try {
            return tutti::write_pipeline(pipeline);
        } catch (const tutti::error& e) {
            return e.what();
        }
    };
    constexpr const char* why =
        "pipeline: its text cannot express the requirements of Group; expected a registry that contains it";
    CHECK(refused(sequential(group)) == why);
    CHECK(refused(erased) == why);
    CHECK(refused(all_erased) == why);
    CHECK(refused(made) == "4");

    runtime::registry<int> known;
    known.add(group).add(made);
    const auto read = runtime::parse_pipeline("Group,4", known);
    CHECK(tutti::write_pipeline(read) == "Group,4");
    CHECK(runtime::pass_context<int>::current().run(read, 0) == 213424);
}
