#pragma once

#include <tutti/pass.hpp>

#include "support/two_layers.hpp"

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

// Records the events and results of passes over units of any type, with and without an instrument. The laws of
// instruments compare these records.
//
// A `World` has a type `unit` and functions: `make()` returns a unit, `next(unit)` changes it, `show(unit)` prints it.

// Counts beginnings and ends: each beginning must have one end.
struct books {
    int open = 0;
    bool wrong = false;

    void run_before_pass(const auto&, const tutti::pass_info&) { ++open; }
    void run_after_pass(const auto&, const tutti::pass_info&) { wrong = wrong || --open < 0; }
    void pass_failed(const auto*, const tutti::pass_info&, const std::exception_ptr&) { wrong = wrong || --open < 0; }
};

// A no-op that stands for an instrument of the library. Each position in a list of instruments has its own object, so
// that threads do not share one.
struct only_sees {
    void run_before_pass(const auto&, const tutti::pass_info&) {}
};

template <class Layer, class World>
class observed {
    using unit = typename World::unit;

    // The pipelines are made outside of `run`, so that their types, and all code that depends on them in the erased
    // layer, are the same for all instruments.
    static auto inner() {
        const auto next = tutti::make_pass<"Next">([](unit& u) {
            World::next(u);
            return tutti::changed;
        });
        const auto idle = tutti::make_pass<"Idle">([](unit&) { return tutti::unchanged; });
        return tutti::sequential<"Inner">(next, idle);
    }
    static auto outer(const std::function<void(unit&)>& enter, bool fails) {
        const auto high = tutti::make_pass<"High", 9>([](unit& u) { World::next(u); });
        const auto says = tutti::make_pass<"Says">([](unit& u, auto& ctx) {
            ctx.count("said", 1);
            ctx.remark(tutti::remark_kind::applied, "here", "it is said");
            World::next(u);
        });
        const auto enters = tutti::make_pass<"Enters">([&enter](unit& u) { enter(u); });
        const auto last = tutti::make_pass<"Last">([fails](unit&) {
            if (fails) throw std::runtime_error{"it fails"};
        });
        return tutti::sequential(high, inner(), says, enters, last);
    }

public:
    // Runs a pipeline that nests and skips passes, counts, emits remarks, enters another context with the same
    // instruments, and fails if `fails`. The instruments are `front`, one that throws in the hook `bad`, and `back`.
    static std::string run(hook bad, bool fails, auto& front, auto& back) {
        std::string text;
        throwing_recorder sees{"R", text, bad, recording::hooks_and_passes};
        full_recorder sees_inside{"Inside", text, recording::hooks_and_passes};
        books first;
        const std::function<void(unit&)> enter = [&](unit& u) {
            auto context = Layer::template context<unit>({}, front, sees_inside, back);
            Layer::with(context, [&](auto& scope) { scope.run(inner(), u); });
        };
        const auto pipeline = outer(enter, fails);
        unit u = World::make();
        auto context = Layer::template context<unit>({}, first, front, sees, back);
        try {
            Layer::with(context, [&](auto& scope) { scope.run(pipeline, u); });
        } catch (const std::exception& e) {
            text += e.what();
        }
        return text + " " + World::show(u) + (first.open != 0 || first.wrong ? " the books are wrong\n" : "\n");
    }
};

inline constexpr hook bad_hooks[]{hook::none, hook::enter, hook::exit, hook::should_run, hook::before, hook::after};
