#pragma once

#include <tutti/instrument/filter.hpp>
#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/sample.hpp>
#include <tutti/instrument/support/line_diff.hpp>

#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// Random pipelines over plans, and the observations to expect from an instrument that records beginnings and ends.

using dice = std::minstd_rand;

inline std::size_t roll(dice& d, std::size_t sides) { return d() % sides; }

// A pass constructed at run time. It changes the unit and runs other passes.
struct step {
    tutti::pass_info info;
    std::function<void(plan&)> does{};
    std::vector<step> members{};

    void operator()(plan& p, auto& ctx) const {
        if (does) does(p);
        for (const step& each : members) {
            if (info.kind == tutti::pass_kind::pass)
                ctx.run(each, p);
            else
                ctx.run_member(each, p);
        }
        if (does) does(p);
    }
};

inline constexpr const char* leaves[]{"A", "B", "C", "D", "E"};

inline step random_leaf(dice& d) {
    step made{.info = {.name = leaves[roll(d, std::size(leaves))]}};
    switch (roll(d, 3)) {
    case 0:
        made.does = [n = std::to_string(d())](plan& p) { p.steps.push_back(n); };
        break;
    case 1:
        made.does = [](plan& p) {
            if (p.steps.size() > 1) p.steps.erase(p.steps.begin());
        };
        break;
    default:
        break;
    }
    return made;
}
// Returns a random pass. A pass that runs others and also changes the unit is named P.
inline step random_step(dice& d, int depth, bool with_outer_passes = true) {
    if (depth == 0 || roll(d, 3) == 0) return random_leaf(d);
    step made;
    if (with_outer_passes && roll(d, 4) == 0) {
        made = random_leaf(d);
        made.info.name = "P";
    } else if (roll(d, 3) == 0) {
        made.info = {.name = "R", .kind = tutti::pass_kind::adaptor};
    } else {
        made.info = {.name = "S", .kind = tutti::pass_kind::sequential};
    }
    for (std::size_t n = roll(d, 5); n > 0; --n) made.members.push_back(random_step(d, depth - 1, with_outer_passes));
    return made;
}
inline step random_pipeline(dice& d, bool with_outer_passes = true) {
    step made{.info = {.name = "S", .kind = tutti::pass_kind::sequential}};
    for (int i = 0; i < 4; ++i) made.members.push_back(random_step(d, 3, with_outer_passes));
    return made;
}
// Returns a random pass of the pipeline `in`.
inline step& random_inner(dice& d, step& in) {
    step* at = &in;
    while (!at->members.empty() && (at == &in || roll(d, 2) == 0)) at = &at->members[roll(d, at->members.size())];
    return *at;
}

// Records each beginning and end that it observes, and keeps no unit between them.
struct looks_always {
    struct run {
        std::string name;
        tutti::pass_kind kind;
        std::string before;
        std::optional<std::string> after{};
    };
    std::vector<run> runs{};
    std::vector<std::size_t> open{};
    std::vector<std::size_t> open_around{}; // passes that were running when a context was entered
    std::string changes{};                  // output expected from print_changed for passes of the kind `pass`
    std::string first_broken{};             // report expected from verify

    void look(const char* where, const plan& p, const tutti::pass_info& info) {
        for (const std::string& each : p.steps)
            if (each == "broken" && first_broken.empty()) first_broken = where + (" " + std::string(info.name)) + ": ";
    }
    void enter_pass_ctx() { open_around.push_back(open.size()); }
    // After exit_pass_ctx, passes that began in the context have no more ends; see pass_frames.
    void exit_pass_ctx() {
        open.resize(open_around.back());
        open_around.pop_back();
    }
    void run_before_pass(const plan& p, const tutti::pass_info& info) {
        look("before", p, info);
        open.push_back(runs.size());
        runs.push_back({std::string(info.name), info.kind, tutti::unit_traits<plan>::to_text(p)});
    }
    void run_after_pass(const plan& p, const tutti::pass_info& info) {
        look("after", p, info);
        if (open.empty()) return; // the pass began before this instrument was installed
        run& done = runs[open.back()];
        open.pop_back();
        done.after = tutti::unit_traits<plan>::to_text(p);
        if (done.kind == tutti::pass_kind::pass && done.before != *done.after)
            changes += "// after " + done.name + ":\n" + tutti::instrument::line_diff(done.before, *done.after, {});
    }
    void pass_failed(const plan*, const tutti::pass_info&, const std::exception_ptr&) {
        if (!open.empty()) open.pop_back();
    }
};

// Calls `check(around)` for each way to observe some of the passes. `around(instrument)` wraps an instrument.
template <class Check>
void each_way_to_hear(dice& d, Check&& check) {
    check([](auto& it) -> auto& { return it; });
    const std::size_t every = 2 + roll(d, 3);
    check([every](auto& it) { return tutti::instrument::sample(every, it); });
    std::vector<std::string> names;
    for (const char* each : {"A", "B", "C", "D", "E", "P", "R", "S"})
        if (roll(d, 2) == 0) names.emplace_back(each);
    check([&](auto& it) { return tutti::instrument::filter(names, it); });
    check([&](auto& it) { return tutti::instrument::filter(names, tutti::instrument::sample(every, it)); });
}

// Collects the output of print_changed for passes of the kind `pass` that changed something.
struct written {
    std::string text{};

    void operator()(std::string_view line) {
        const char name = line[std::string_view("// after ").size()];
        if (name != 'S' && name != 'R' && line.find(": no change") == std::string_view::npos) text += line;
    }
};
inline auto printing(written& to) {
    return tutti::instrument::print_changed({}, [&to](std::string_view line) { to(line); });
}

template <class Layer>
std::string run_in(auto& context, const auto& pipeline) {
    plan p{{"first"}};
    try {
        Layer::with(context, [&](auto& scope) { scope.run(pipeline, p); });
    } catch (const std::exception& e) {
        return e.what();
    }
    return {};
}
