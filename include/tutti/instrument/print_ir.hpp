#pragma once

#include <tutti/base/nearest.hpp>
#include <tutti/instrument/print_pass.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// The passes around which to print; "all" selects every pass.
struct print_points {
    std::vector<std::string> before{};
    std::vector<std::string> after{};
    std::string part{}; ///< only this part, such as a function; the whole unit if empty
};

/// Writes units before and after passes, each under a line `// before FoldConstant` or `// after FoldConstant`, to
/// standard error by default.
///
/// On leaving the context, writes a line for each selected pass that has not run: `// after FoldConstants: no pass of
/// that name ran; did you mean FoldConstant?`.
///
/// Requires: units have a text (`unit_traits<Unit>::to_text`); passes over parts that have none are skipped. If `part`
///           is set, units need `to_text(unit, part)`, and all passes over parts are skipped.
/// Example:  `print_ir print{{.after = {"FoldConstant"}}, [](std::string_view text) { std::cerr << text; }};`
template <std::invocable<std::string_view> Write = tutti::internal::write_to_stderr>
class print_ir {
    struct known_pass {
        std::string name;
        bool ran;
        skip_reason why;
    };

    print_points points_;
    Write write_;
    tutti::internal::pass_nesting nesting_;
    std::vector<known_pass> known_; // passes that ran or were skipped since the context was entered; no duplicates

    static bool names(const std::vector<std::string>& points, std::string_view pass) {
        for (const std::string& each : points)
            if (each == pass || each == "all") return true;
        return false;
    }

    void know(const known_pass& pass) {
        for (known_pass& each : known_)
            if (each.name == pass.name) {
                if (pass.ran) each.ran = true;
                return;
            }
        known_.push_back(pass);
    }

    // Reports selected passes that have not run.
    void complain(std::string_view when, const std::vector<std::string>& points) {
        for (const std::string& point : points) {
            tutti::internal::nearest_name meant{point};
            const known_pass* found = nullptr;
            for (const known_pass& each : known_) {
                meant.offer(each.name);
                if (each.name == point) found = &each;
            }
            if (point.empty() || point == "all" || (found && found->ran)) continue;
            std::string text{"// "};
            text.append(when).append(" ").append(point).append(": ");
            if (found)
                text.append("it was skipped (").append(to_string(found->why)).append(")");
            else if (text += "no pass of that name ran"; !meant.found().empty())
                text.append("; did you mean ").append(meant.found()).append("?");
            write_(std::string_view{text += '\n'});
        }
    }

    template <class Unit>
    void print(std::string_view when, const Unit& unit, const pass_info& info) {
        if (!tutti::internal::has_unit_text<Unit>(points_.part)) return;
        std::string text{"// "};
        text.append(when).append(" ").append(info.name).append("\n");
        const std::size_t head = text.size();
        text += tutti::internal::unit_text(unit, points_.part);
        if (text.size() == head && !points_.part.empty()) text += "// no " + points_.part;
        if (!text.ends_with('\n')) text += '\n';
        write_(std::string_view{text});
    }

public:
    static constexpr std::string_view name = "print_ir";
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    explicit print_ir(print_points points, Write write = {}) : points_(std::move(points)), write_(std::move(write)) {}

    void enter_pass_ctx() {
        if (nesting_.enter()) known_.clear();
    }
    void exit_pass_ctx() {
        nesting_.exit();
        if (!nesting_.empty()) return; // more passes may follow
        complain("before", points_.before);
        complain("after", points_.after);
        known_.clear();
    }
    template <tutti::internal::has_text Unit>
    void run_before_pass(const Unit& unit, const pass_info& info) {
        nesting_.begin(info);
        know({std::string{info.name}, true, {}});
        if (names(points_.before, info.name)) print("before", unit, info);
    }
    template <tutti::internal::has_text Unit>
    void run_after_pass(const Unit& unit, const pass_info& info) {
        if (!nesting_.end(info)) know({std::string{info.name}, true, {}}); // the pass began unseen
        if (names(points_.after, info.name)) print("after", unit, info);
    }
    template <tutti::internal::has_text Unit>
    void pass_failed(const Unit*, const pass_info& info, const std::exception_ptr&) {
        nesting_.end(info);
    }
    void pass_skipped(const pass_info& info, skip_reason why) { know({std::string{info.name}, false, why}); }

    /// For `check_instrument_of`.
    template <class... Unit>
    static consteval bool check_units(units<Unit...>) {
        constexpr bool fits = (tutti::internal::has_text<Unit> || ...);
        static_assert(
            fits,
            "tutti::instrument::print_ir: a unit must have a text; specialise tutti::unit_traits for it, before it is used, "
            "with static std::string to_text(const Unit&)");
        return fits;
    }
};

} // namespace tutti::instrument
