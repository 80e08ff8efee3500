// Tests hooks that run pipelines in their own or another context, replace the instruments, or throw. Also tests passes
// that replace the instruments. The cases are random pipelines × actions × hooks × static and run-time contexts. Old
// and new instruments must see one end for each beginning, and must record the unit between passes correctly.

#include "observed.hpp"
#include "random_steps.hpp"
#include "support/catch.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

// Calls `act` in one of its hooks, but not recursively.
struct acts {
    hook where;
    std::function<void()> act{};
    int calls_until = 0;
    bool acting = false;

    void at(hook now) {
        if (now != where || acting || !act || calls_until-- > 0) return;
        acting = true;
        tutti::internal::on_unwind(act, [&] { acting = false; });
        acting = false;
    }
    bool should_run(const plan&, const tutti::pass_info&) {
        at(hook::should_run);
        return true;
    }
    void run_before_pass(const plan&, const tutti::pass_info&) { at(hook::before); }
    void run_after_pass(const plan&, const tutti::pass_info&) { at(hook::after); }
    void pass_failed(const plan*, const tutti::pass_info&, const std::exception_ptr&) { at(hook::none); }
};
constexpr hook hooks[]{hook::should_run, hook::before, hook::after, hook::none};

// Instruments that keep state, one of each kind.
struct watchers {
    books ends{};
    looks_always looks{};
    written prints{};
    decltype(printing(prints)) print = printing(prints);

    watchers() = default;
    watchers(const watchers&) = delete;
    void check() const {
        CHECK((ends.open == 0 && !ends.wrong));
        CHECK(prints.text == looks.changes);
    }
};

// The action of a hook or a pass.
enum class action { run_here, run_inside, replace, throws };
constexpr action actions[]{action::run_here, action::run_inside, action::replace, action::throws};

template <class Layer>
std::function<void()> does(action what, dice& d, auto& context, watchers& seen, watchers& fresh) {
    const auto pipeline = std::make_shared<step>(random_pipeline(d));
    switch (what) {
    case action::run_here: // on a separate unit
        return [pipeline, &context] {
            plan p{{"other"}};
            auto scope = tutti::scope<std::remove_cvref_t<decltype(context)>, false>(context);
            scope.run(*pipeline, p);
        };
    case action::run_inside:
        return [pipeline, &seen] {
            auto inner = Layer::template context<plan>({}, seen.print, seen.ends, seen.looks);
            run_in<Layer>(inner, *pipeline);
        };
    case action::replace:
        if constexpr (std::is_same_v<Layer, erased_layer>)
            return [&context, &fresh] { context.override_instruments({fresh.ends, fresh.looks, fresh.print}); };
        [[fallthrough]];
    case action::throws:
        break;
    }
    return [] { throw std::runtime_error("it is thrown"); };
}

} // namespace

TEMPLATE_TEST_CASE("laws: hooks that run passes, replace instruments or throw leave each begin one end",
                   "[laws][instrument][acting]", static_layer, erased_layer) {
    dice d{4};
    for (int round = 0; round < 40; ++round)
        for (const hook where : hooks)
            for (const action what : actions) {
                INFO("hook " << static_cast<int>(where) << ", action " << static_cast<int>(what));
                step pipeline = random_pipeline(d);
                if (where == hook::none || roll(d, 3) == 0)
                    random_inner(d, pipeline).members.push_back({.info = {.name = "Fail"}, .does = [](plan&) {
                                                                     throw std::runtime_error("it fails");
                                                                 }});
                watchers first, last, fresh;
                acts it{.where = where, .calls_until = static_cast<int>(roll(d, 8))};
                auto context = TestType::template context<plan>({}, first.ends, first.looks, first.print, it, last.ends,
                                                                last.looks, last.print);
                it.act = does<TestType>(what, d, context, first, fresh);
                run_in<TestType>(context, pipeline);
                first.check();
                // An error thrown by pass_failed propagates immediately, so instruments listed later miss this end.
                if (where != hook::none || what == action::run_here || what == action::run_inside) last.check();
                CHECK((fresh.ends.open == 0 && fresh.looks.runs.empty())); // hooks cannot replace instruments
            }
}

TEMPLATE_TEST_CASE("laws: passes that run passes, replace instruments and throw leave each begin one end",
                   "[laws][instrument][acting]", static_layer, erased_layer) {
    dice d{5};
    int heard = 0;
    for (int round = 0; round < 100; ++round)
        for (const action what : actions) {
            INFO("action " << static_cast<int>(what));
            step pipeline = random_pipeline(d);
            watchers first, fresh;
            auto context = TestType::template context<plan>({}, first.ends, first.looks, first.print);
            std::function<void()> act = does<TestType>(what, d, context, first, fresh);
            const bool fails = roll(d, 2) == 0;
            random_inner(d, pipeline).members.push_back({.info = {.name = "Act"}, .does = [&](plan& p) {
                                                             if (p.steps.empty() || p.steps.back() == "acted") return;
                                                             p.steps.push_back("acted");
                                                             act();
                                                             if (fails) throw std::runtime_error("it fails");
                                                         }});
            run_in<TestType>(context, pipeline);
            first.check();
            fresh.check();
            heard += static_cast<int>(fresh.looks.runs.size());
        }
    CHECK((heard > 0) == (std::is_same_v<TestType, erased_layer>)); // only run-time contexts can replace instruments
}

// A by-value pass that throws loses the unit, for the enclosing passes as well. This holds even if pass_failed hooks
// run other passes.
TEMPLATE_TEST_CASE("laws: a unit that is lost stays lost when a hook of failure runs passes",
                   "[laws][instrument][acting]", static_layer, erased_layer) {
    struct sees_failures {
        std::string text{};
        void pass_failed(const plan* unit, const tutti::pass_info& info, const std::exception_ptr&) {
            text.append(info.name).append(unit ? " has it\n" : " has lost it\n");
        }
    };
    const auto loses = tutti::make_pass<"Loses">([](plan p) -> plan {
        p.steps.clear();
        throw std::runtime_error("it is lost");
    });
    for (const action what : {action::run_here, action::run_inside}) {
        dice d{6};
        watchers seen;
        sees_failures sees;
        acts it{.where = hook::none};
        auto context = TestType::template context<plan>({}, it, seen.ends, sees);
        it.act = does<TestType>(what, d, context, seen, seen);
        plan p{{"first"}};
        const auto pipeline = tutti::sequential<"Outer">(tutti::repeat(tutti::sequential<"Inner">(loses), 1));
        CHECK_THROWS(TestType::with(context, [&](auto& scope) { scope.run(pipeline, p); }));
        CHECK(sees.text == "Loses has lost it\nInner has lost it\nrepeat has lost it\nOuter has lost it\n");
    }
}
