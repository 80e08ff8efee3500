#include <tutti/instrument/check_properties.hpp>

#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>
#include <tutti/runtime/property.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct sorted {
    static constexpr std::string_view name = "sorted";
};
struct positive {
    static constexpr std::string_view name = "positive";
};
struct unknown { // cannot be checked
    static constexpr std::string_view name = "unknown";
};
// A unit that cannot be copied, with parts.
struct row {
    std::vector<int> cells{};
    row(std::vector<int> from) : cells(std::move(from)) {}
    row(row&&) = default;
    row& operator=(row&&) = default;
};
struct table {
    std::vector<row> rows{};
    bool is_sorted() const {
        for (const row& each : rows)
            for (std::size_t i = 1; i < each.cells.size(); ++i)
                if (each.cells[i - 1] > each.cells[i]) return false;
        return true;
    }
    table() = default;
    table(table&&) = default;
    table& operator=(table&&) = default;
};

} // namespace

template <>
struct tutti::unit_traits<row> {
    static constexpr std::string_view name = "row";
    static bool holds(const row& r, const positive&) {
        for (const int n : r.cells)
            if (n <= 0) return false;
        return true;
    }
};
template <>
struct tutti::unit_traits<table> {
    static std::vector<row>& parts(table& t) { return t.rows; }
    static bool holds(const table& t, const sorted&) { return t.is_sorted(); }
};

namespace {

struct sort {
    static constexpr tutti::pass_info info{.name = "Sort"};
    using gives = tutti::properties<sorted, unknown>;
    bool works = true;
    void operator()(table& t) const {
        if (!works) return;
        for (row& each : t.rows) each.cells = {1, 2, 3};
    }
};
struct search {
    static constexpr tutti::pass_info info{.name = "Search"};
    using needs = tutti::properties<sorted>;
    void operator()(table&) const {}
};
struct shuffle {
    static constexpr tutti::pass_info info{.name = "Shuffle"};
    void operator()(table& t) const { t.rows.front().cells = {3, 2, 1}; }
};
struct honest_shuffle : shuffle {
    static constexpr tutti::pass_info info{.name = "HonestShuffle"};
    using breaks = tutti::properties<sorted>;
};
struct negate {
    static constexpr tutti::pass_info info{.name = "Negate"};
    using keeps = tutti::properties<positive>;
    void operator()(row& r) const {
        for (int& n : r.cells) n = -n;
    }
};
struct asks {
    static constexpr tutti::pass_info info{.name = "Asks"};
    using required = tutti::passes<sort>;
    using needs = tutti::properties<sorted>;
    void operator()(table&) const {}
};

template <class Layer, class P>
std::string said(const P& pipeline) {
    tutti::instrument::check_properties checks{tutti::instrument::claimed_passes<table>(pipeline)};
    auto ctx = Layer::template context<table>({}, checks);
    table t;
    t.rows.emplace_back(std::vector<int>{2, 1});
    try {
        Layer::with(ctx, [&](auto& scope) { scope.run(pipeline, t); });
    } catch (const tutti::error& e) {
        return e.what();
    }
    return {};
}
// Also tries the same pipeline at run time.
template <class Layer, class P>
std::string both(const P& pipeline) {
    const std::string text = said<Layer>(pipeline);
    if constexpr (std::is_same_v<Layer, erased_layer>) {
        std::vector<tutti::runtime::any_pass<table>> members;
        pipeline.each_member([&](const auto& member) { members.emplace_back(member); });
        CHECK(said<Layer>(tutti::runtime::sequential<table>{members}) == text);
    }
    return text;
}

} // namespace

TEMPLATE_TEST_CASE("check_properties: accepts passes that do what they state", "[instrument][check_properties]",
                   static_layer, erased_layer) {
    using tutti::sequential;
    CHECK(both<TestType>(sequential(sort{}, search{}, honest_shuffle{}, sort{}, search{})).empty());
    CHECK(both<TestType>(sequential(tutti::fixpoint(sequential(asks{}, honest_shuffle{}), 2), asks{})).empty());
}

TEMPLATE_TEST_CASE("check_properties: finds a property that a pass does not give", "[instrument][check_properties]",
                   static_layer, erased_layer) {
    CHECK(both<TestType>(tutti::sequential(sort{.works = false}, search{})) ==
          "after Sort: sorted does not hold, although the pass gives it; expected a pass to give what it states in its "
          "gives");
}

TEMPLATE_TEST_CASE("check_properties: finds a pass that breaks what it does not list", "[instrument][check_properties]",
                   static_layer, erased_layer) {
    CHECK(both<TestType>(tutti::sequential(sort{}, tutti::sequential(shuffle{}))) ==
          "after Shuffle: sorted no longer holds, although the pass does not break it; expected a pass to list in its "
          "breaks what it may break");
}

TEMPLATE_TEST_CASE("check_properties: finds a property that did not hold at the start",
                   "[instrument][check_properties]", static_layer, erased_layer) {
    CHECK(both<TestType>(tutti::sequential(search{})) ==
          "before Search: sorted does not hold; expected a pass that gives it before one that needs it");
}

TEMPLATE_TEST_CASE("check_properties: checks properties of parts", "[instrument][check_properties]", static_layer,
                   erased_layer) {
    CHECK(both<TestType>(tutti::sequential(sort{}, tutti::each<row>(negate{}))) ==
          "after Negate: positive no longer holds, although the pass does not break it; expected a pass to list in its "
          "breaks what it may break");
}

TEMPLATE_TEST_CASE("check_properties: passes of one name share what all state", "[instrument][check_properties]",
                   static_layer, erased_layer) {
    const auto other = tutti::make_pass<"Sort">([](table& t) { t.rows.front().cells = {1, 3}; });
    CHECK(both<TestType>(tutti::sequential(sort{.works = false}, other)).empty());
}

TEST_CASE("check_properties: ignores passes that the pipeline does not have", "[instrument][check_properties]") {
    const auto nested = tutti::make_pass<"Nested">([](table& t, auto& ctx) {
        ctx.run(honest_shuffle{}, t);
        ctx.run(sort{}, t);
    });
    CHECK(both<static_layer>(tutti::sequential(sort{}, nested, search{})).empty());
}
