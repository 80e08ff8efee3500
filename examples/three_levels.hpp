#pragma once

// An intermediate representation with three levels, and passes over each level. See three_levels.cpp.

#include <tutti/pass.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The IR does not store statements, but only counts them.

struct loop {
    std::string name;
    std::int64_t trips = 1;                     // trip count
    std::int64_t each = 0, same = 0, ahead = 0; // statements in each trip, loop-invariant ones, ones before the loop
};
struct function {
    std::string name;
    std::int64_t statements = 0; // outside loops
    std::vector<loop> loops{};
    bool hot = false;
};
struct ir_module {
    std::vector<function> functions{};
};

// Descriptions of the levels: the name in pipelines from text, the parts, and the printed form for instruments.
template <>
struct tutti::unit_traits<loop> {
    static constexpr std::string_view name = "loop", comment = ";";
    static std::string to_text(const loop& l) {
        std::string text =
            "loop " + l.name + " times " + std::to_string(l.trips) + ": " + std::to_string(l.each) + " each";
        if (l.same != 0) text += ", " + std::to_string(l.same) + " the same";
        if (l.ahead != 0) text += ", " + std::to_string(l.ahead) + " ahead";
        return text + '\n';
    }
};
template <>
struct tutti::unit_traits<function> {
    static constexpr std::string_view name = "function", comment = ";";
    static std::vector<loop>& parts(function& f) { return f.loops; }
    static std::string to_text(const function& f) {
        std::string text = "function " + f.name + ": " + std::to_string(f.statements) + (f.hot ? ", hot\n" : "\n");
        for (const loop& l : f.loops) text += "  " + unit_traits<loop>::to_text(l);
        return text;
    }
};
template <>
struct tutti::unit_traits<ir_module> {
    static constexpr std::string_view name = "module", comment = ";";
    static std::vector<function>& parts(ir_module& m) { return m.functions; }
    static std::string to_text(const ir_module& m) {
        std::string text;
        for (const function& f : m.functions) text += unit_traits<function>::to_text(f);
        return text;
    }
};

// An analysis of a function. The cost is the number of statements that a call runs, plus one for each trip. The
// analysis counts its own runs.
struct cost {
    static constexpr std::string_view name = "Cost";
    std::int64_t operator()(const function& f, auto& ctx) const {
        ctx.count("costs computed");
        std::int64_t all = f.statements;
        for (const loop& l : f.loops) all += l.ahead + l.trips * (1 + l.each + l.same);
        return all;
    }
};

// A pass over a loop, which hoists loop-invariant statements. They then run once, before the loop.
struct hoist {
    static constexpr tutti::pass_info info{.name = "Hoist"};
    tutti::change operator()(loop& l, auto& ctx) const {
        if (l.same == 0) return tutti::unchanged;
        ctx.count("statements hoisted", l.same);
        l.ahead += std::exchange(l.same, 0);
        return tutti::changed;
    }
};

// A pass over a loop, which unrolls the loop and so reduces its trip count. The data member is an option with a name.
struct unroll {
    static constexpr tutti::pass_info info{.name = "Unroll"};
    std::int64_t factor = 4;
    static constexpr tutti::option_list<&unroll::factor> options{"factor"};
    tutti::change operator()(loop& l, auto& ctx) const {
        if (l.trips % factor != 0) {
            ctx.remark(tutti::remark_kind::missed, l.name, [&] { return std::to_string(l.trips) + " trips"; });
            return tutti::unchanged;
        }
        l.trips /= factor;
        l.each *= factor;
        l.same *= factor;
        return tutti::changed;
    }
};

// A pass over a function, which gets the cost and reports it.
struct measure {
    static constexpr tutti::pass_info info{.name = "Measure"};
    tutti::change operator()(function& f, auto& ctx) const {
        ctx.count("costs asked for");
        const std::int64_t all = ctx.template get<cost>(f);
        ctx.remark(tutti::remark_kind::note, f.name, [&] { return "cost " + std::to_string(all); });
        return tutti::unchanged;
    }
};

// A pass that changes a function, but not its cost, so a cached cost remains valid.
struct name_loops {
    static constexpr tutti::pass_info info{.name = "NameLoops"};
    using preserves = tutti::analyses<cost>;
    tutti::change operator()(function& f) const {
        for (std::size_t i = 0; i < f.loops.size(); ++i) f.loops[i].name = f.name + '.' + std::to_string(i);
        return f.loops.empty() ? tutti::unchanged : tutti::changed;
    }
};

// Fuses adjacent loops with equal trip counts. A fixpoint repeats the pass until there are none. The pass preserves no
// analyses, so the cost of a changed function is computed again when a pass gets it.
struct fuse_loops {
    static constexpr tutti::pass_info info{.name = "FuseLoops"};
    tutti::change operator()(function& f, auto& ctx) const {
        for (std::size_t i = 1; i < f.loops.size(); ++i) {
            loop &into = f.loops[i - 1], &from = f.loops[i];
            if (into.trips != from.trips) continue;
            ctx.remark(tutti::remark_kind::applied, into.name, [&] { return "has taken in " + from.name; });
            into.each += from.each;
            into.same += from.same;
            into.ahead += from.ahead;
            f.loops.erase(f.loops.begin() + static_cast<std::ptrdiff_t>(i));
            return tutti::changed;
        }
        return tutti::unchanged;
    }
};

// A pass over the module, which may get analyses of functions. The cost of main is no longer cached: a change to a loop
// invalidates the analyses of all functions, since it is unknown which function has the loop.
struct mark_hot {
    static constexpr tutti::pass_info info{.name = "MarkHot"};
    std::int64_t at_least = 1000;
    static constexpr tutti::option_list<&mark_hot::at_least> options{"at_least"};
    void operator()(ir_module& m, auto& ctx) const {
        for (function& f : m.functions) {
            ctx.count("costs asked for");
            f.hot = ctx.template get<cost>(f) >= at_least;
            if (f.hot) ctx.remark(tutti::remark_kind::applied, f.name, "is hot");
        }
    }
};
