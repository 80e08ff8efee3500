#include <tutti/pass/rewrite_site.hpp>

#include <tutti/instrument/callbacks.hpp>
#include <tutti/instrument/filter.hpp>
#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/only_changed.hpp>
#include <tutti/instrument/sample.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace instrument = tutti::instrument;

namespace {

// Cannot be copied.
struct digits {
    std::string text{};

    explicit digits(std::string of) : text(std::move(of)) {}
    digits(digits&&) = default;
    digits& operator=(digits&&) = default;
};

// Replaces each digit `from` by `to`, if it may.
struct replaces {
    static constexpr tutti::pass_info info{.name = "Replaces"};
    char from = '1', to = '2';

    void operator()(digits& d, auto& ctx) const {
        for (std::size_t i = 0; i < d.text.size(); ++i)
            if (d.text[i] == from && ctx.may_apply("one", [&] { return "digit " + std::to_string(i); }, "all"))
                d.text[i] = to;
    }
};

// Lets the first rewrites be made, and records all.
struct first_ones {
    int left = 0;
    std::string seen{};

    void run_after_pass(const auto&, const tutti::pass_info&) {}
    bool should_apply(const tutti::pass_run& run, const tutti::rewrite_site& site) {
        seen.append(run.name).append("/").append(site.rule).append("/").append(site.part).append("/");
        seen.append(site.where).append(" ");
        return left-- > 0;
    }
};

template <class Layer>
std::string result(const auto& pass, auto&... instruments) {
    auto ctx = Layer::template context<digits>({}, instruments...);
    digits d{"10121"};
    Layer::with(ctx, [&](auto& scope) { scope.run(pass, d); });
    return d.text;
}

struct halves {
    static constexpr tutti::pass_info info{.name = "Halves"};
    constexpr void operator()(int& n, auto& ctx) const {
        if (ctx.may_apply("half", "here")) n /= 2;
    }
};
struct refuses {
    constexpr bool should_apply(const tutti::pass_info&, const tutti::rewrite_site&) { return false; }
};
constexpr int halved(auto&& ctx) {
    return tutti::with(ctx, [](auto& scope) { return scope.run(halves{}, 8); });
}
static_assert(halved(tutti::pass_context{}) == 4);
static_assert(halved(tutti::pass_context{tutti::instruments(refuses{})}) == 8);

struct only_names {
    void run_before_pass(const auto&, const tutti::pass_info&) {}
};

} // namespace

TEMPLATE_TEST_CASE("rewrite_site: an instrument refuses rewrites, and the pass goes on", "[pass][rewrite_site]",
                   static_layer, erased_layer) {
    first_ones two{2};
    CHECK(result<TestType>(replaces{}, two) == "20221");
    CHECK(two.seen == "Replaces/one/all/digit 0 Replaces/one/all/digit 2 Replaces/one/all/digit 4 ");
    first_ones one{1};
    CHECK(result<TestType>(tutti::sequential(tutti::repeat(replaces{}, 2)), one) == "20121");
}

TEMPLATE_TEST_CASE("rewrite_site: every instrument is asked, and one refusal is enough", "[pass][rewrite_site]",
                   static_layer, erased_layer) {
    first_ones none{0}, all{9};
    only_names beside;
    CHECK(result<TestType>(replaces{}, none, beside, all) == "10121");
    CHECK(all.seen == none.seen);
    CHECK(all.left == 6);
}

TEMPLATE_TEST_CASE("rewrite_site: without a listener the place is not described", "[pass][rewrite_site]", static_layer,
                   erased_layer) {
    bool described = false;
    const auto asks = tutti::make_pass<"Asks">([&](digits& d, auto& ctx) {
        const bool may = ctx.may_apply("one", [&] {
            described = true;
            return std::string{"here"};
        });
        CHECK(may != ctx.asks_for_rewrites());
        if (may) d.text = "made";
    });
    only_names beside;
    CHECK(result<TestType>(asks) == "made");
    CHECK(result<TestType>(asks, beside) == "made");
    CHECK_FALSE(described);
    first_ones none{0};
    CHECK(result<TestType>(asks, none) == "10121");
    CHECK(described);
}

TEMPLATE_TEST_CASE("rewrite_site: outside of passes nothing is asked", "[pass][rewrite_site]", static_layer,
                   erased_layer) {
    first_ones none{0};
    auto ctx = TestType::template context<digits>({}, none);
    TestType::with(ctx, [](auto& scope) { CHECK(scope.may_apply("one", "here")); });
    CHECK(none.seen.empty());
}

TEMPLATE_TEST_CASE("rewrite_site: an instrument that throws fails the pass", "[pass][rewrite_site]", static_layer,
                   erased_layer) {
    bool failed = false;
    instrument::callbacks throws{
        .pass_failed = [&](const digits*, const tutti::pass_info&, const std::exception_ptr&) { failed = true; },
        .should_apply = [](const tutti::pass_info&, const tutti::rewrite_site&) -> bool {
            throw std::runtime_error("no");
        }};
    CHECK_THROWS_WITH(result<TestType>(replaces{}, throws), "no");
    CHECK(failed);
}

TEMPLATE_TEST_CASE("rewrite_site: a hook may be set later", "[pass][rewrite_site]", static_layer, erased_layer) {
    instrument::callbacks later{.should_apply =
                                    std::function<bool(const tutti::pass_info&, const tutti::rewrite_site&)>{}};
    CHECK(result<TestType>(replaces{}, later) == "20222");
    later.should_apply = [](const tutti::pass_info&, const tutti::rewrite_site& site) {
        return site.where == "digit 2";
    };
    CHECK(result<TestType>(replaces{}, later) == "10221");
}

TEMPLATE_TEST_CASE("rewrite_site: wrappers hand the question on", "[pass][rewrite_site]", static_layer, erased_layer) {
    first_ones none{0};
    instrument::measured measures{none};
    CHECK(result<TestType>(replaces{}, measures) == "10121");
    CHECK(measures.render().find("\tshould_apply: 3 calls") != std::string::npos);
    instrument::only_changed changes{none};
    CHECK(result<TestType>(replaces{}, changes) == "10121");
    auto others = instrument::filter({"Others"}, none);
    CHECK(result<TestType>(replaces{}, others) == "20222");
    auto these = instrument::filter<replaces>(none);
    CHECK(result<TestType>(replaces{}, these) == "10121");
    instrument::sample second{2, none};
    CHECK(result<TestType>(tutti::sequential(replaces{}), second) == "20222"); // the first run is the sequential's
}
