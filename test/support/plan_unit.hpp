#pragma once

#include <tutti/base/error.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/unit/operator_counts.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <string>
#include <vector>

// A unit that is a list of steps. Its traits support every instrument. A step named "broken" is invalid.

struct plan {
    std::vector<std::string> steps;
};

template <>
struct tutti::unit_traits<plan> {
    static std::string to_text(const plan& p) {
        std::string text;
        for (const std::string& step : p.steps) text += step + "\n";
        return text;
    }
    static tutti::operator_counts count_operators(const plan& p) {
        tutti::operator_counts counts;
        for (const std::string& step : p.steps) ++counts[step];
        return counts;
    }
    static void verify(const plan& p) {
        for (std::size_t i = 0; i < p.steps.size(); ++i)
            if (p.steps[i] == "broken") throw tutti::error{"step " + std::to_string(i), "is broken", "a whole one"};
    }
};

inline constexpr auto add_sort = tutti::make_pass<"AddSort", 1>([](plan& p) { p.steps.push_back("sort"); });
inline constexpr auto drop_first = tutti::make_pass<"DropFirst">([](plan& p) { p.steps.erase(p.steps.begin()); });
inline constexpr auto break_it = tutti::make_pass<"BreakIt">([](plan& p) { p.steps.push_back("broken"); });
inline constexpr auto throw_it = tutti::make_pass<"ThrowIt">([](plan& p) {
    if (!p.steps.empty()) throw tutti::error{"ThrowIt", "cannot"};
});
