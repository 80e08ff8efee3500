#include <tutti/pass/instrument.hpp>

#include "archetypes/instrument.hpp"
#include "archetypes/tree.hpp"
#include "support/catch.hpp"

namespace {
struct nothing {
    int value = 0;
};
struct misspelt {
    void run_after_pass(const int&) {}
};
struct hidden {
private:
    [[maybe_unused]] void enter_pass_ctx() {}
};
struct final_one final {
    void enter_pass_ctx() {}
};
struct with_members {
    tutti::none enter_pass_ctx{};
    void (*run_before_pass)(const int&, const tutti::pass_info&) = nullptr;
};

static_assert(tutti::internal::enters<only_enters> && !tutti::internal::exits<only_enters>);
static_assert(tutti::internal::exits<only_exits>);
static_assert(tutti::internal::decides<only_decides, int> && tutti::internal::decides<only_decides, tree>);
static_assert(tutti::internal::sees_before<only_before, tree>);
static_assert(tutti::internal::sees_after<only_after, tree>);
static_assert(tutti::internal::sees_skipped<only_skipped>);
static_assert(tutti::internal::sees_failed<only_failed, tree>);
static_assert(tutti::instrument_of<all_hooks, tree> && tutti::instrument_of<only_skipped, int>);
static_assert(!tutti::instrument_of<nothing, int>);
static_assert(tutti::internal::stops_clock<measuring> && !tutti::internal::stops_clock<all_hooks>);
static_assert(tutti::instrument_of<with_members, int> && !tutti::internal::enters<with_members>);

} // namespace

TEST_CASE("instrument: hooks are members, templates, or data members that can be called", "[pass][instrument]") {
    int calls = 0;
    const auto count = [&](const int&, const tutti::pass_info&) { ++calls; };
    struct {
        decltype(count)& run_before_pass;
    } instrument{count};
    STATIC_REQUIRE(tutti::instrument_of<decltype(instrument), int>);
    instrument.run_before_pass(1, {.name = "A"});
    CHECK(calls == 1);
    CHECK_FALSE(tutti::instrument_of<nothing, int>);
}
