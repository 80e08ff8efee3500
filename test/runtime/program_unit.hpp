#pragma once

#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <string_view>
#include <vector>

// A unit with three levels: a program has procedures, and a procedure has loops. Procedures and loops hold a number.

struct loop_body {
    int trips = 0;
};
struct procedure {
    int size = 0;
    std::vector<loop_body> loops{};
};
struct program_unit {
    std::vector<procedure> procedures{};

    int sum() const {
        int all = 0;
        for (const procedure& p : procedures) {
            all += p.size;
            for (const loop_body& l : p.loops) all += l.trips;
        }
        return all;
    }
};

template <>
struct tutti::unit_traits<loop_body> {
    static constexpr std::string_view name = "loop";
};
template <>
struct tutti::unit_traits<procedure> {
    static constexpr std::string_view name = "procedure";
    static std::vector<loop_body>& parts(procedure& p) { return p.loops; }
};
template <>
struct tutti::unit_traits<program_unit> {
    static constexpr std::string_view name = "program";
    static std::vector<procedure>& parts(program_unit& p) { return p.procedures; }
};

// A pass for each of the three levels, and one for all levels.

struct unroll {
    static constexpr tutti::pass_info info{.name = "Unroll"};
    void operator()(loop_body& l) const { l.trips /= 2; }
};
struct shrink {
    static constexpr tutti::pass_info info{.name = "Shrink"};
    void operator()(procedure& p) const { --p.size; }
};
struct drop_last {
    static constexpr tutti::pass_info info{.name = "DropLast"};
    void operator()(program_unit& p) const { p.procedures.pop_back(); }
};
struct look {
    static constexpr tutti::pass_info info{.name = "Look"};
    void operator()(auto&) const {}
};
struct has_loops {
    static constexpr std::string_view name = "has_loops";
    bool operator()(const procedure& p) const { return !p.loops.empty(); }
};

inline program_unit example_program() { return {{{10, {{8}, {4}}}, {20, {}}}}; }
