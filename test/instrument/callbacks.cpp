#include <tutti/instrument/callbacks.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <functional>
#include <memory>

using tutti::instrument::callbacks;

namespace {
constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });

constexpr auto refuses = callbacks{.should_run = [](const auto&, const tutti::pass_info&) { return false; }};
using refuses_type = std::remove_const_t<decltype(refuses)>;
static_assert(tutti::internal::decides<refuses_type, int>);
static_assert(!tutti::internal::enters<refuses_type> && !tutti::internal::sees_before<refuses_type, int>);
static_assert(!tutti::hook::enter_pass_ctx::is_named<refuses_type>() &&
              tutti::hook::should_run::is_named<refuses_type>());
static_assert(sizeof(refuses) <= sizeof(std::string_view) + 16); // empty callables take no extra space
} // namespace

TEMPLATE_TEST_CASE("callbacks: each present hook is called", "[instrument][callbacks]", static_layer, erased_layer) {
    std::string text;
    callbacks all{
        .enter_pass_ctx = [&] { text += "enter "; },
        .exit_pass_ctx = [&] { text += "exit "; },
        .should_run = [&](const int&, const tutti::pass_info& info) { return text += "ask ", info.name == "Next"; },
        .run_before_pass = [&](const int&, const tutti::pass_info&) { text += "before "; },
        .run_after_pass = [&](const int&, const tutti::pass_info&) { text += "after "; },
        .pass_skipped = [&](const tutti::pass_info&, tutti::skip_reason) { text += "skipped "; },
        .pass_failed = [&](const int*, const tutti::pass_info&, const std::exception_ptr&) { text += "failed "; },
    };
    auto ctx = TestType::template context<int>({}, all);
    TestType::with(ctx, [](auto& scope) {
        CHECK(scope.run(next, 1) == 2);
        CHECK(scope.run(tutti::make_pass<"Other">([](int n) { return -n; }), 1) == 1);
    });
    CHECK(text == "enter ask before after ask skipped exit ");
}

TEST_CASE("callbacks: one that is absent changes nothing", "[instrument][callbacks]") {
    int befores = 0;
    callbacks only{.run_before_pass = [&](const auto&, const tutti::pass_info&) { ++befores; }};
    tutti::pass_context ctx{tutti::instruments(only)};
    CHECK(tutti::with(ctx, [](auto& scope) { return scope.run(next, 1); }) == 2);
    CHECK(befores == 1);
}

TEST_CASE("callbacks: may own, and be kept by the context", "[instrument][callbacks]") {
    auto owned = std::make_unique<int>(0);
    int& count = *owned;
    tutti::pass_context ctx{tutti::instruments(callbacks{
        .run_after_pass = [counter = std::move(owned)](const auto&, const tutti::pass_info&) { ++*counter; }})};
    tutti::with(ctx, [&](auto& scope) {
        CHECK(scope.run(next, 1) == 2);
        CHECK(count == 1);
    });
}

TEMPLATE_TEST_CASE("callbacks: may be registered later, and again", "[instrument][callbacks]", static_layer,
                   erased_layer) {
    using told = std::function<void(const int&, const tutti::pass_info&)>;
    callbacks later{.name = "later", .run_before_pass = told{}, .run_after_pass = told{}};
    CHECK(tutti::internal::instrument_name(later) == "later");
    auto ctx = TestType::template context<int>({}, later);
    std::string text;
    TestType::with(ctx, [&](auto& scope) {
        CHECK(scope.run(next, 1) == 2);
        later.run_after_pass = [&](const int& n, const tutti::pass_info& info) {
            text += std::string{info.name} + " made " + std::to_string(n) + "; ";
        };
        CHECK(scope.run(next, 2) == 3);
        later.run_after_pass = nullptr;
        CHECK(scope.run(next, 3) == 4);
    });
    CHECK(text == "Next made 3; ");
}

TEST_CASE("callbacks: receive counts and remarks of passes", "[instrument][callbacks]") {
    std::string text;
    callbacks all{.pass_counted = [&](const tutti::pass_info& info, std::string_view name,
                                      std::int64_t n) { text.append(info.name).append(name) += std::to_string(n); },
                  .pass_remarked = [&](const tutti::pass_info&, const tutti::remark& said) { text += said.text; }};
    tutti::pass_context ctx{tutti::instruments(all)};
    const auto says = tutti::make_pass<"Says">([](int&, auto& inside) {
        inside.count(" turns ", 3);
        inside.remark(tutti::remark_kind::note, "here", ", and so");
    });
    tutti::with(ctx, [&](auto& scope) { return scope.run(says, 1); });
    CHECK(text == "Says turns 3, and so");
}
