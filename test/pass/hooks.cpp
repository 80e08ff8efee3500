#include <tutti/pass/hooks.hpp>

#include "support/catch.hpp"

#include <functional>

namespace {
namespace hook = tutti::hook;
struct misspelt {
    void run_after_pass(const int&) {}
};
struct hidden {
private:
    [[maybe_unused]] void enter_pass_ctx() {}
};
struct final_one final {
    void enter_pass_ctx() {}
    void exit_pass_ctx(auto) {}
};
struct with_members {
    tutti::none enter_pass_ctx{};
    void (*run_before_pass)(const int&) = nullptr;
};
static_assert(hook::run_after_pass::is_named<misspelt>() && !hook::run_before_pass::is_named<misspelt>());
static_assert(hook::enter_pass_ctx::is_named<hidden>());
static_assert(hook::enter_pass_ctx::is_named<final_one>() && !hook::should_run::is_named<final_one>());
static_assert(!hook::exit_pass_ctx::is_named<final_one>()); // templates in a final class cannot be detected
static_assert(!hook::enter_pass_ctx::is_named<with_members>() && hook::run_before_pass::is_named<with_members>());
} // namespace

TEST_CASE("hooks: a data member that holds nothing is empty, a function is not", "[pass][hooks]") {
    with_members members;
    CHECK(hook::run_before_pass::is_empty(members));
    members.run_before_pass = [](const int&) {};
    CHECK_FALSE(hook::run_before_pass::is_empty(members));
    struct {
        std::function<void()> exit_pass_ctx;
    } later;
    CHECK(hook::exit_pass_ctx::is_empty(later));
    final_one one;
    CHECK_FALSE(hook::enter_pass_ctx::is_empty(one));
}
