#pragma once

#include <tutti/base/failure.hpp>
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

/// Writes the unit as it was before a pass that throws, under a line `// before FoldConstant, which failed: it cannot`.
/// Writes only for the innermost failing pass, to standard error by default.
///
/// If a hook of an instrument throws, the pass around that hook counts as failed. Place checking instruments (`verify`)
/// before this one.
///
/// With a `part`, writes only that part, such as a function.
///
/// Requires: units have a text (`unit_traits<Unit>::to_text`); passes over parts that have none are skipped. If `part`
///           is set, units need `to_text(unit, part)`, and all passes over parts are skipped.
/// Cost:     a text before each pass, and memory for the texts of running passes. The unit is not copied.
/// Example:  `print_on_failure print{[](std::string_view text) { std::cerr << text; }};`
template <std::invocable<std::string_view> Write = tutti::internal::write_to_stderr>
class print_on_failure {
    Write write_{};
    std::string part_;
    pass_frames<std::string> texts_; // the unit's text before each running pass
    std::exception_ptr reported_;    // the exception already reported

public:
    static constexpr std::string_view name = "print_on_failure";
    static constexpr bool pairs_begin_and_end = true;
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    explicit print_on_failure(Write write = {}, std::string part = {})
        : write_(std::move(write)), part_(std::move(part)) {}

    void enter_pass_ctx() {
        reported_ = nullptr;
        texts_.enter();
    }
    void exit_pass_ctx() {
        reported_ = nullptr;
        texts_.exit();
    }
    template <tutti::internal::has_text Unit>
    void run_before_pass(const Unit& unit, const pass_info& info) {
        texts_.begin(info, tutti::internal::has_unit_text<Unit>(part_)
                               ? std::string{tutti::internal::unit_text(unit, part_)}
                               : std::string{});
    }
    template <tutti::internal::has_text Unit>
    void run_after_pass(const Unit&, const pass_info& info) {
        texts_.end(info);
    }
    template <tutti::internal::has_text Unit>
    void pass_failed(const Unit*, const pass_info& info, const std::exception_ptr& reason) {
        std::string before;
        const bool is_known = texts_.end(info, [&](std::string& text) { before.swap(text); });
        if (!is_known || reason == reported_ || !tutti::internal::has_unit_text<Unit>(part_))
            return; // if `reason` has been reported, it came from a pass inside this one
        reported_ = reason;
        std::string text = "// before ";
        text.append(info.name).append(", which failed");
        tutti::internal::with_what(reason, [&](const char* why) { text.append(": ").append(why); });
        text.append("\n").append(before);
        if (!text.ends_with('\n')) text += '\n';
        write_(std::string_view{text});
    }

    /// For `check_instrument_of`.
    template <class... Unit>
    static consteval bool check_units(units<Unit...>) {
        constexpr bool fits = (tutti::internal::has_text<Unit> || ...);
        static_assert(fits,
                      "tutti::instrument::print_on_failure: a unit must have a text; specialise tutti::unit_traits for "
                      "it, before it is used, with static std::string to_text(const Unit&)");
        return fits;
    }
};

} // namespace tutti::instrument
