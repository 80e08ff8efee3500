#include <tutti/pass/stop.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/parallel.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/stoppable.hpp"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

namespace {

constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
constexpr auto other = tutti::make_pass<"Other">([](int n) { return n + 10; });
// Requests the stop, as another thread would, when the unit has reached a number.
struct stops {
    static constexpr tutti::pass_info info{.name = "Stops"};
    tutti::stop_token* token;
    int at = 0;
    constexpr tutti::change operator()(int& n) const {
        if (++n >= at) token->request();
        return tutti::changed;
    }
};
// Takes long, and polls.
struct counts_up {
    static constexpr tutti::pass_info info{.name = "CountsUp"};
    tutti::stop_token* token;
    void operator()(int& n, auto& ctx) const {
        for (int i = 0; i < 1000 && !ctx.stop_requested(); ++i)
            if (++n == 7) token->request();
    }
};

// A unit that can be neither copied nor assigned.
struct owner {
    std::unique_ptr<int> part = std::make_unique<int>(0);
    owner() = default;
    owner(owner&&) = default;
    owner& operator=(owner&&) = delete;
};

static_assert([] {
    tutti::stop_token token;
    tutti::pass_context ctx{tutti::stoppable{token}};
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(next, stops{&token}, next), n); });
    return n == 2 && token.stopped() && token.stopped_at() == "Next";
}());
} // namespace

TEST_CASE("stop_token: says whether a run was stopped, and where", "[pass][stop]") {
    tutti::stop_token token;
    CHECK(!token.requested());
    token.request();
    CHECK(token.requested());
    CHECK(!token.stopped()); // nobody has polled
    CHECK(token.stopped_at().empty());
    CHECK(token.poll());
    CHECK(token.stopped());
    CHECK(token.stop_at(std::string(100, 'x')));
    CHECK(!token.stop_at("B")); // only the first
    CHECK(token.stopped_at() == std::string(64, 'x'));
    token.reset();
    CHECK(!token.requested());
    CHECK(!token.stopped());
    CHECK(token.stopped_at().empty());
    CHECK(!token.poll());
}

TEST_CASE("stop_token: is requested when a time has passed, or with the token outside", "[pass][stop]") {
    tutti::stop_token outer;
    tutti::stop_token inner{&outer}, alone{nullptr};
    CHECK(!inner.poll());
    CHECK(!alone.poll());
    alone.request_after(0);
    CHECK(alone.requested());
    CHECK(alone.poll());
    alone.reset();
    alone.request_after(1'000'000);
    CHECK(!alone.poll());
    outer.request();
    CHECK(inner.requested());
    CHECK(inner.poll());
    CHECK(!inner.stopped()); // the outer one is
    CHECK(outer.stopped());
    CHECK(inner.stop_at("A"));
    CHECK(outer.stopped_at() == "A");
    CHECK(inner.stopped_at().empty());
}

TEMPLATE_TEST_CASE("stop: a sequential skips the remaining members, at any depth, and keeps the unit", "[pass][stop]",
                   stoppable_static, stoppable_erased) {
    tutti::stop_token token;
    stop_notes heard;
    auto ctx = TestType::template context<int>(token, heard);
    const auto pipeline =
        tutti::sequential(next, tutti::sequential<"Inner">(stops{&token}, next, other), tutti::repeat(next, 5), other);
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { CHECK(scope.run(pipeline, n) == tutti::changed); });
    CHECK(n == 2);
    CHECK(token.stopped());
    CHECK(token.stopped_at() == "Next");
    CHECK(heard.text == noted{"Next", "Stops", "Inner: Next: the run was stopped here", "-Next", "-Other", "Inner",
                              "-repeat", "-Other", "sequential"});
    // A requested token stops the next run before its first member, too.
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, n); });
    CHECK(n == 2);
    token.reset();
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(next, other), n); });
    CHECK(n == 13);
    CHECK(!token.stopped());
}

TEMPLATE_TEST_CASE("stop: without a request everything runs", "[pass][stop]", stoppable_static, stoppable_erased) {
    tutti::stop_token token;
    stop_notes heard;
    auto ctx = TestType::template context<int>(token, heard);
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(next, tutti::repeat(other, 2)), n); });
    CHECK(n == 21);
    CHECK(!token.stopped());
    CHECK(heard.text == noted{"Next", "Other", "Other", "repeat", "sequential"});
}

TEMPLATE_TEST_CASE("stop: a sequential by value returns the unit that it has reached", "[pass][stop]", stoppable_static,
                   stoppable_erased) {
    tutti::stop_token token;
    auto ctx = TestType::template context<int>(token);
    const int n = tutti::with(
        ctx, [&](auto& scope) { return scope.run(tutti::sequential(other, stops{&token}, other, other), 0); });
    CHECK(n == 11);
    CHECK(token.stopped_at() == "Other");
}

TEMPLATE_TEST_CASE("stop: a unit that cannot be copied or assigned", "[pass][stop]", stoppable_static,
                   stoppable_erased) {
    tutti::stop_token token;
    auto ctx = TestType::template context<owner>(token);
    const auto add = tutti::make_pass<"Add">([&](owner& o) {
        if (++*o.part == 3) token.request();
    });
    owner o;
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::repeat(add, 100), o); });
    CHECK(*o.part == 3);
    CHECK(token.stopped_at() == "repeat");
}

TEMPLATE_TEST_CASE("stop: fixpoint and repeat end before the next round", "[pass][stop]", stoppable_static,
                   stoppable_erased) {
    tutti::stop_token token;
    stop_notes heard;
    auto ctx = TestType::template context<int>(token, heard);
    int n = 0;
    SECTION("fixpoint") {
        tutti::with(ctx, [&](auto& scope) {
            CHECK(scope.run(tutti::sequential(tutti::fixpoint(stops{&token, 3}, 100), next), n) == tutti::changed);
        });
        CHECK(heard.text == noted{"Stops", "Stops", "Stops", "fixpoint: Stops: the run was stopped here", "-Stops",
                                  "fixpoint", "-Next", "sequential"});
        CHECK(token.stopped_at() == "Stops");
    }
    SECTION("repeat") {
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(tutti::repeat(stops{&token, 3}, 100)), n); });
        CHECK(heard.text ==
              noted{"Stops", "Stops", "Stops", "repeat", "sequential: repeat: the run was stopped here", "sequential"});
        CHECK(token.stopped_at() == "repeat");
    }
    CHECK(n == 3);
}

TEMPLATE_TEST_CASE("stop: a pass that polls ends early, and is named", "[pass][stop]", stoppable_static,
                   stoppable_erased) {
    tutti::stop_token token;
    auto ctx = TestType::template context<int>(token);
    int n = 0;
    SECTION("in a sequential, as its last member") {
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(counts_up{&token}), n); });
    }
    SECTION("alone") {
        tutti::with(ctx, [&](auto& scope) { scope.run(counts_up{&token}, n); });
    }
    SECTION("inside another pass") {
        const auto outer = tutti::make_pass<"Outer">(
            [&](int& u, auto& inside) { inside.run(tutti::sequential(counts_up{&token}, next), u); });
        tutti::with(ctx, [&](auto& scope) { scope.run(outer, n); });
    }
    CHECK(n == 7);
    CHECK(token.stopped());
    CHECK(token.stopped_at() == "CountsUp");
}

TEMPLATE_TEST_CASE("stop: a disabled pass is not the one at which the run stopped", "[pass][stop]", static_layer,
                   erased_layer) {
    tutti::stop_token token;
    stop_notes heard;
    const auto pipeline = tutti::sequential(stops{&token}, next, other);
    int n = 0;
    const auto run = [&](auto&& ctx) { tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, n); }); };
    if constexpr (std::is_same_v<TestType, static_layer>)
        run(tutti::pass_context{tutti::disable<"Next">, tutti::stoppable{token}, tutti::instruments(heard)});
    else
        run(tutti::runtime::pass_context<int>{{.disabled = {"Next"}, .instruments = {heard}, .stop = &token}});
    CHECK(token.stopped_at() == "Other");
    CHECK(heard.text == noted{"Stops", "?Next", "sequential: Other: the run was stopped here", "-Other", "sequential"});
}

TEMPLATE_TEST_CASE("stop: resolved sequentials, static and at run time, stop before the next member", "[pass][stop]",
                   stoppable_static, stoppable_erased) {
    tutti::stop_token token;
    stop_notes heard;
    auto ctx = TestType::template context<int>(token, heard);
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::resolve(tutti::sequential(stops{&token}, next, other)), n); });
    CHECK(n == 1);
    CHECK(token.stopped_at() == "Next");
    CHECK(heard.text.size() == 5);
    if constexpr (std::is_same_v<TestType, stoppable_erased>) {
        token.reset();
        const tutti::runtime::sequential<int> made{{stops{&token}, next, other}};
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::runtime::resolve(made), n); });
        CHECK(n == 2);
        CHECK(token.stopped_at() == "Next");
        token.reset();
        tutti::with(ctx, [&](auto& scope) { scope.run(made, n); });
        CHECK(n == 3);
    }
}

TEMPLATE_TEST_CASE("stop: each ends before the next part", "[pass][stop]", stoppable_static, stoppable_erased) {
    tutti::stop_token token;
    auto ctx = TestType::template context<module>(token);
    int runs = 0;
    const auto third = tutti::make_pass<"Third">([&](function& f) {
        f.cost = 1;
        if (++runs == 3) token.request();
    });
    module m;
    m.functions.resize(10);
    tutti::with(ctx, [&](auto& scope) {
        CHECK(scope.run(tutti::sequential(tutti::each<function>(third)), m) == tutti::change::unknown);
    });
    CHECK(runs == 3);
    CHECK(token.stopped_at() == "function");
}

TEST_CASE("stop: parts that are transformed in parallel stop as well", "[pass][stop]") {
    tutti::thread_pool pool{2};
    const auto run = [&](auto make_context) {
        tutti::stop_token token;
        std::atomic<int> runs = 0;
        const auto count = tutti::make_pass<"Count">([&](function&, auto& ctx) {
            if (++runs >= 5) token.request();
            CHECK(ctx.stop_requested() == token.requested());
        });
        module m;
        m.functions.resize(1000);
        auto ctx = make_context(token);
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::each<function>(count), m); });
        CHECK(runs < 1000);
        CHECK(token.stopped_at() == "Count");
    };
    run([&](auto& token) { return tutti::pass_context{tutti::on(pool), tutti::stoppable{token}}; });
    run([&](auto& token) {
        return tutti::runtime::pass_context<module>{
            tutti::runtime::context_options<module>{.executor = tutti::on(pool), .stop = &token}};
    });
}

TEMPLATE_TEST_CASE("stop: hooks that throw while a run stops leave the context usable", "[pass][stop]",
                   stoppable_static, stoppable_erased) {
    struct bad {
        void pass_skipped(const tutti::pass_info&, tutti::skip_reason) { throw std::runtime_error("bad hook"); }
    } broken;
    tutti::stop_token token;
    auto ctx = TestType::template context<int>(token, broken);
    int n = 0;
    CHECK_THROWS_WITH(tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(stops{&token}, next), n); }),
                      "bad hook");
    CHECK(token.stopped_at() == "Next");
    token.reset();
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(next), n); });
    CHECK(n == 2);
}

TEST_CASE("stop: a thread stops a run of another thread", "[pass][stop]") {
    tutti::stop_token token;
    tutti::runtime::pass_context<int> ctx{{.stop = &token}};
    std::atomic<bool> begun = false;
    const auto spin = tutti::make_pass<"Spin">([&](int&, auto& inside) {
        begun = true;
        while (!inside.stop_requested()) {}
    });
    std::thread user{[&] {
        while (!begun) {}
        token.request();
    }};
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(spin, next), n); });
    user.join();
    CHECK(n == 0);
    CHECK(token.stopped_at() == "Spin");
}
