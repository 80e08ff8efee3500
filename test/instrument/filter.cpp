#include <tutti/instrument/filter.hpp>

#include <tutti/instrument/op_diff.hpp>
#include <tutti/instrument/verify.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

namespace instrument = tutti::instrument;

namespace {

struct refuses_all {
    bool should_run(const plan&, const tutti::pass_info&) { return false; }
};
using add_type = std::remove_const_t<decltype(add_sort)>;
using drop_type = std::remove_const_t<decltype(drop_first)>;
constexpr auto both = tutti::sequential(add_sort, tutti::sequential<"Inner">(drop_first, add_sort));

template <class Layer>
plan after(const auto& passes, auto& around) {
    auto ctx = Layer::template context<plan>({}, around);
    plan p{{"scan"}};
    Layer::with(ctx, [&](auto& scope) { scope.run(passes, p); });
    return p;
}

} // namespace

TEMPLATE_TEST_CASE("filter: an instrument hears of these passes only", "[instrument][filter]", static_layer,
                   erased_layer) {
    instrument::op_diff diff;
    auto by_type = instrument::filter<add_type>(diff); // holds a reference
    after<TestType>(both, by_type);
    CHECK(diff.render() == "AddSort: +1 sort\nAddSort: +1 sort\n");
    auto by_name = instrument::filter({"DropFirst", "Inner"}, diff);
    after<TestType>(both, by_name);
    CHECK(diff.render() == "Inner: -1 scan, +1 sort\n\tDropFirst: -1 scan\n");
    auto none = instrument::filter({}, diff);
    after<TestType>(both, none);
    CHECK(diff.render() == "");
}

TEMPLATE_TEST_CASE("filter: decides of these passes only, and may keep the instrument", "[instrument][filter]",
                   static_layer, erased_layer) {
    auto no_drop = instrument::filter<drop_type>(refuses_all{});
    CHECK(after<TestType>(both, no_drop).steps == std::vector<std::string>{"scan", "sort", "sort"});
    auto nothing = instrument::filter({"sequential"}, refuses_all{});
    CHECK(after<TestType>(both, nothing).steps == std::vector<std::string>{"scan"});
}

TEMPLATE_TEST_CASE("filter: errors are blamed on the pass", "[instrument][filter]", static_layer, erased_layer) {
    constexpr auto breaks = tutti::sequential(break_it, add_sort);
    auto verify = instrument::filter({"AddSort"}, instrument::verify{});
    try {
        after<TestType>(breaks, verify);
        FAIL("nothing was thrown");
    } catch (const tutti::error& e) {
        CHECK(std::string{e.what()} == "before AddSort: step 1: is broken; expected a whole one");
    }
    auto elsewhere = instrument::filter({"DropFirst"}, instrument::verify{});
    after<TestType>(breaks, elsewhere);
}
