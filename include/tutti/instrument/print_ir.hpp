#pragma once

#include <tutti/unit_traits.hpp>
#include <tutti/pass/pass_info.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// Around which passes to print: names; "all" stands for every one.
struct print_points {
    std::vector<std::string> before{};
    std::vector<std::string> after{};
};

/// Writes units before and after passes, each under a line `// before FoldConstant` or `// after
/// FoldConstant`.
///
/// Requires: units have a text (`unit_traits<Unit>::to_text`).
/// Example:  `print_ir print{{.after = {"FoldConstant"}}, [](std::string_view text) { std::cerr << text; }};`
class print_ir {
    print_points points_;
    std::function<void(std::string_view)> write_;

    static bool names(const std::vector<std::string>& points, std::string_view pass) {
        for (const std::string& each : points)
            if (each == pass || each == "all") return true;
        return false;
    }

    template <class Unit>
    void print(std::string_view when, const Unit& unit, const pass_info& info) const {
        static_assert(has_text<Unit>, "tutti::instrument::print_ir: a unit must have a text; specialise "
                                      "tutti::unit_traits for it, with static std::string to_text(const Unit&)");
        if constexpr (has_text<Unit>) {
            std::string text{"// "};
            text.append(when).append(" ").append(info.name).append("\n");
            text += unit_traits<Unit>::to_text(unit);
            if (!text.ends_with('\n')) text += '\n';
            write_(text);
        }
    }

public:
    print_ir(print_points points, std::function<void(std::string_view)> write)
        : points_(std::move(points)), write_(std::move(write)) {}

    void run_before_pass(const auto& unit, const pass_info& info) {
        if (names(points_.before, info.name)) print("before", unit, info);
    }
    void run_after_pass(const auto& unit, const pass_info& info) {
        if (names(points_.after, info.name)) print("after", unit, info);
    }
};

} // namespace tutti::instrument
