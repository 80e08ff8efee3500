#include <tutti/cache/cached.hpp>

#include <tutti/cache/memory_cache.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/pass/within.hpp>

#include "support/catch.hpp"
#include "support/pages.hpp"
#include "support/stoppable.hpp"

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

std::atomic<int> runs = 0;

const auto count = [] { ++runs; };
const auto next = tutti::make_pass<"Next">([](page& p) {
    count();
    for (int& v : p.values) ++v;
});
// Changes only negative values.
const auto positive = tutti::make_pass<"Positive">([](page& p) {
    count();
    tutti::change made = tutti::unchanged;
    for (int& v : p.values)
        if (v < 0) v = -v, made = tutti::changed;
    return made;
});
struct add {
    static constexpr tutti::pass_info info{.name = "Add", .opt_level = 1};
    int n = 1;
    static constexpr tutti::option_list<&add::n> options{"n"};
    void operator()(page& p) const {
        count();
        for (int& v : p.values) v += n;
    }
};
struct add_key {
    static constexpr tutti::pass_info info{.name = "AddKey"};
    static constexpr tutti::config_key<std::int64_t> key{"test.add", 1};
    using config = tutti::config_list<key>;
    void operator()(page& p, auto& ctx) const {
        count();
        for (int& v : p.values) v += static_cast<int>(tutti::config(ctx, key));
    }
};
const auto refuses = tutti::make_pass<"Refuses">([](page&) { throw std::runtime_error("no"); });
const auto stops = tutti::make_pass<"Stops">([](page& p, auto& ctx) {
    count();
    p.values.push_back(ctx.stop_requested() ? 1 : 0);
});

// Runs a pass in a context of a layer, and returns how many passes ran.
template <class Layer>
int run(const auto& pass, auto& unit, const setup& s = {}) {
    const int before = runs;
    auto ctx = Layer::template context<std::remove_reference_t<decltype(unit)>>(s);
    Layer::with(ctx, [&](auto& scope) { scope.run(pass, unit); });
    return runs - before;
}

struct skips_next {
    bool should_run(const page&, const tutti::pass_info& info) { return info.name != "Next"; }
};
struct heard {
    std::vector<std::string> text{};
    void pass_counted(const tutti::pass_info&, std::string_view name, std::int64_t n) {
        text.push_back(std::string(name) + " " + std::to_string(n));
    }
    void pass_remarked(const tutti::pass_info& info, const tutti::remark& said) {
        text.push_back(std::string(info.name) + ": " + std::string(said.text));
    }
};

book two_pages() {
    book b;
    b.pages.emplace_back(std::vector{1, 2});
    b.pages.emplace_back(std::vector{-3});
    return b;
}

} // namespace

TEMPLATE_TEST_CASE("cached: a second run takes the result from the cache", "[cache][cached]", static_layer,
                   erased_layer) {
    tutti::memory_cache kept;
    const auto pipeline = tutti::cached(kept, tutti::sequential(next, add{.n = 10}));
    for (const int expected : {2, 0, 0}) {
        page p({1, 2, 3});
        CHECK(run<TestType>(pipeline, p) == expected);
        CHECK(p.values == std::vector{12, 13, 14});
    }
    page other({1, 2, 4});
    CHECK(run<TestType>(pipeline, other) == 2);
    CHECK(other.values == std::vector{12, 13, 15});
    CHECK(kept.counts() == tutti::cache_counts{.found = 2, .missing = 2, .stored = 2});
}

TEMPLATE_TEST_CASE("cached: options, level, names and config are part of the key", "[cache][cached]", static_layer,
                   erased_layer) {
    tutti::memory_cache kept;
    const auto value_after = [&](const auto& pass, const setup& s = {}) {
        page p({1});
        run<TestType>(tutti::cached(kept, pass), p, s);
        return p.values[0];
    };
    for (int round = 0; round < 2; ++round) {
        CHECK(value_after(add{.n = 1}) == 2);
        CHECK(value_after(add{.n = 2}) == 3);
        CHECK(value_after(add{.n = 2}, {.opt_level = 0}) == 1);
        CHECK(value_after(add{.n = 2}, {.opt_level = 0, .required = {"Add"}}) == 3);
        CHECK(value_after(add{.n = 2}, {.disabled = {"Add"}}) == 1);
        CHECK(value_after(tutti::sequential(next, add{.n = 2}), {.disabled = {"Next"}}) == 3);
        CHECK(value_after(tutti::sequential(next, add{.n = 2})) == 4);
    }
    CHECK(kept.counts().stored == 7);
}

TEST_CASE("cached: a config key is part of the key, in both layers", "[cache][cached]") {
    tutti::memory_cache kept;
    const auto pass = tutti::cached(kept, add_key{});
    for (int round = 0; round < 2; ++round)
        for (const std::int64_t n : {1, 5}) {
            page p({1}), q({1});
            tutti::with(tutti::pass_context{tutti::set_config(add_key::key, n)},
                        [&](auto& scope) { scope.run(pass, p); });
            CHECK(p.values[0] == 1 + n);
            tutti::runtime::registry<page> known;
            known.add<add_key>();
            tutti::runtime::pass_context<page> ctx{{.config = {known.config(), {{"test.add", n}}}}};
            tutti::with(ctx, [&](auto& scope) { scope.run(pass, q); });
            CHECK(q.values[0] == 1 + n);
        }
    CHECK(kept.counts() == tutti::cache_counts{.found = 6, .missing = 2, .stored = 2}); // the layers share results
}

TEMPLATE_TEST_CASE("cached: an unchanged unit is known as such, and reported", "[cache][cached]", static_layer,
                   erased_layer) {
    tutti::memory_cache kept;
    const auto pass = tutti::cached(kept, positive);
    const auto change_of = [&](int value) {
        page p({value});
        tutti::change made = tutti::change::unknown;
        auto ctx = TestType::template context<page>({});
        TestType::with(ctx, [&](auto& scope) { made = scope.run(pass, p); });
        CHECK(p.values[0] == (value < 0 ? -value : value));
        return made;
    };
    for (int round = 0; round < 2; ++round) {
        CHECK(change_of(3) == tutti::unchanged);
        CHECK(change_of(-3) == tutti::changed);
    }
    CHECK(kept.counts().found == 2);
}

TEMPLATE_TEST_CASE("cached: works over parts, in sequence and inside other adaptors", "[cache][cached]", static_layer,
                   erased_layer) {
    tutti::memory_cache kept;
    const auto pipeline =
        tutti::sequential(tutti::each<page>(tutti::cached(kept, tutti::fixpoint(positive, 3)), tutti::repeat(next, 2)));
    book b = two_pages(), same = two_pages();
    CHECK(run<TestType>(pipeline, b) == 7); // one round, and two, and four times Next
    CHECK(run<TestType>(pipeline, same) == 4);
    for (const book* each : {&b, &same}) {
        CHECK(each->pages[0].values == std::vector{3, 4});
        CHECK(each->pages[1].values == std::vector{5});
    }
}

TEST_CASE("cached: parts may be transformed in parallel", "[cache][cached]") {
    tutti::memory_cache kept;
    tutti::thread_pool pool{3};
    const auto pipeline = tutti::each<page>(tutti::cached(kept, next));
    for (const int expected : {100, 0}) {
        book b;
        for (int i = 0; i < 100; ++i) b.pages.emplace_back(std::vector{i});
        const int before = runs;
        tutti::with(tutti::pass_context{tutti::on(pool)}, [&](auto& scope) { scope.run(pipeline, b); });
        CHECK(runs - before == expected);
        for (int i = 0; i < 100; ++i) CHECK(b.pages[static_cast<std::size_t>(i)].values == std::vector{i + 1});
    }
}

TEMPLATE_TEST_CASE("cached: a run that fails or is stopped stores nothing", "[cache][cached]", stoppable_static,
                   stoppable_erased) {
    tutti::memory_cache kept;
    for (int round = 0; round < 2; ++round) {
        tutti::stop_token token;
        auto ctx = TestType::template context<page>(token);
        page p({1});
        CHECK_THROWS_AS(tutti::with(ctx, [&](auto& scope) { scope.run(tutti::cached(kept, refuses), p); }),
                        std::runtime_error);
        const auto stopping = tutti::make_pass<"Stopping">([&](page& each) { token.request(), each.values[0] = 7; });
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::cached(kept, tutti::sequential(stopping, stops)), p); });
        CHECK(p.values == std::vector{7});
    }
    CHECK(kept.counts().stored == 0);
}

TEMPLATE_TEST_CASE("cached: is not used if an instrument may skip passes, and says so", "[cache][cached]", static_layer,
                   erased_layer) {
    tutti::memory_cache kept;
    const auto pass = tutti::cached(kept, tutti::sequential(next, add{}));
    page p({1}), q({1});
    run<TestType>(pass, p);
    skips_next skips;
    heard said;
    auto ctx = TestType::template context<page>({}, skips, said);
    TestType::with(ctx, [&](auto& scope) { scope.run(pass, q); });
    CHECK(q.values == std::vector{2});
    CHECK(said.text == noted{"cached: not used, because an instrument may skip passes or rewrites"});
}

TEMPLATE_TEST_CASE("cached: counts results", "[cache][cached]", static_layer, erased_layer) {
    tutti::memory_cache kept;
    heard said;
    auto ctx = TestType::template context<page>({}, said);
    for (int round = 0; round < 2; ++round) {
        page p({1});
        TestType::with(ctx, [&](auto& scope) { scope.run(tutti::cached(kept, next), p); });
    }
    CHECK(said.text == noted{"results computed 1", "results from the cache 1"});
}

TEMPLATE_TEST_CASE("cached: a pass whose time counts is refused, at any depth", "[cache][cached]", static_layer,
                   erased_layer) {
    tutti::memory_cache kept;
    page p({1});
    CHECK_THROWS_WITH(run<TestType>(tutti::cached(kept, tutti::sequential(next, tutti::within(next, 5))), p),
                      "cached, pass within: its result for a part may depend on more than the part, so it cannot be "
                      "cached; expected the pass outside of `cached`, or a pass with is_partwise()");
    CHECK(p.values == std::vector{1});
}

TEMPLATE_TEST_CASE("cached: without a cache, as made from a text, only runs its passes", "[cache][cached]",
                   static_layer, erased_layer) {
    const auto pass = tutti::cached_adaptor::make(next);
    for (int round = 0; round < 2; ++round) {
        page p({1});
        CHECK(run<TestType>(pass, p) == 1);
    }
    tutti::memory_cache kept;
    CHECK(tutti::write_pipeline(tutti::cached(kept, add{.n = 3})) == "cached(Add{n=3})");
}

TEST_CASE("cached: runs erased pipelines, which have the same key", "[cache][cached]") {
    using any = tutti::runtime::any_pass<page>;
    tutti::memory_cache kept;
    page p({1}), q({1}), r({1});
    CHECK(run<static_layer>(tutti::cached(kept, tutti::sequential(next, add{})), p) == 2);
    const tutti::runtime::sequential<page> erased{{any{next}, any{add{}}}};
    CHECK(run<erased_layer>(tutti::cached(kept, erased), q) == 0);
    CHECK(q.values == p.values);
    CHECK_THROWS_WITH(run<erased_layer>(tutti::cached(kept, any{tutti::within(any{next}, 5)}), r),
                      Catch::Matchers::StartsWith("cached, pass within: "));
}
