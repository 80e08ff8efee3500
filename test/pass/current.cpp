#include <tutti/pass/current.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <optional>

TEST_CASE("current: a static context can become the current one of its type", "[pass][current]") {
    tutti::pass_context outer{tutti::opt_level(3), tutti::as_current{}};
    auto inner = outer;
    using context = decltype(outer);
    CHECK(context::current() == nullptr);
    tutti::with(outer, [&] {
        CHECK(context::current() == &outer);
        tutti::with(inner, [&](auto&) { CHECK(context::current() == &inner); });
        CHECK(context::current() == &outer);
        CHECK_THROWS_AS(tutti::with(inner, [] { throw 3; }), int);
        CHECK(context::current() == &outer);
    });
    CHECK(context::current() == nullptr);
    {
        tutti::entered in{outer};
        CHECK(context::current() == &outer);
        in.leave();
        CHECK(context::current() == nullptr);
    }
}

TEST_CASE("current: each type has its own current context per thread", "[pass][current]") {
    tutti::runtime::pass_context<int> a;
    tutti::runtime::pass_context<long> b;
    tutti::with(a, [&] {
        tutti::with(b, [&] {
            CHECK(&tutti::runtime::pass_context<int>::current() == &a);
            CHECK(&tutti::runtime::pass_context<long>::current() == &b);
        });
    });
}

namespace {

struct static_current {
    using error = tutti::left_out_of_order;
    static auto context(auto&... instruments) {
        return tutti::pass_context{tutti::as_current{}, tutti::instruments(instruments...)};
    }
    static auto* current(auto& ctx) { return std::remove_reference_t<decltype(ctx)>::current(); }
};
struct erased_current {
    using error = tutti::error;
    static auto context(auto&... instruments) {
        return tutti::runtime::pass_context<int>{tutti::runtime::context_options<int>{.instruments = {instruments...}}};
    }
    static auto* current(auto& ctx) { return &std::remove_reference_t<decltype(ctx)>::current(); }
};

} // namespace

TEMPLATE_TEST_CASE("entered: contexts that are left in another order than the reverse are an error, and none dangles",
                   "[pass][current]", static_current, erased_current) {
    std::string text;
    recorder r{"R", text};
    auto outer = TestType::context(r), inner = TestType::context(r);
    using guard = tutti::entered<decltype(outer)>;
    const auto* const outside = TestType::current(outer);
    // This uses raw pointers, since smart pointers terminate the program if a destructor throws.
    auto* const first = new guard(outer);
    std::optional<guard> second(std::in_place, inner);

    // Leaving the outer context while the inner one is entered throws, and has no other effect.
    text.clear();
    CHECK_THROWS_AS(first->leave(), typename TestType::error);
    CHECK(TestType::current(outer) == &inner);
    CHECK(text.empty());

    // A guard's destructor leaves its own context, although it throws.
    CHECK_THROWS_AS(delete first, typename TestType::error);
    CHECK(text == "R exit_pass_ctx\n");
    CHECK(TestType::current(outer) == &inner);
    second.reset();
    CHECK(TestType::current(outer) == outside);
    CHECK(text == "R exit_pass_ctx\nR exit_pass_ctx\n");

    // A guard may not outlive the body of `with`.
    CHECK_THROWS_AS(tutti::with(outer, [&] { second.emplace(inner); }), typename TestType::error);
    CHECK(TestType::current(outer) == &inner);
    second.reset();
    CHECK(TestType::current(outer) == outside);

    // If the body throws, its exception propagates instead of the error about the guard.
    CHECK_THROWS_AS(tutti::with(outer,
                                [&] {
                                    second.emplace(inner);
                                    throw 3;
                                }),
                    int);
    second->leave();
    CHECK(TestType::current(outer) == outside);
}
