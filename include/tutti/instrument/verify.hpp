#pragma once

#include <tutti/error.hpp>
#include <tutti/failure.hpp>
#include <tutti/instrument/pass_nesting.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit_traits.hpp>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::instrument {

/// Verifies units after each pass, and before the outermost ones of a context, so that the pass that breaks one is the one that
/// is blamed.
///
/// Requires: units can be verified (`unit_traits<Unit>::verify`); passes over parts that cannot are left out.
/// Throws:   `tutti::error` from its hooks: "after FoldConstant: …".
class verify {
    pass_nesting nesting_;

public:
    static constexpr std::string_view name = "verify";

    /// For each part of those that are transformed at the same time; see `tutti::forks`.
    verify fork() const { return *this; }
    void join(verify&&) {}

    void enter_pass_ctx() { nesting_.enter(); }
    void exit_pass_ctx() { nesting_.exit(); }
    template <is_verified Unit>
    void run_before_pass(const Unit& unit, const pass_info& info) {
        if (nesting_.outermost()) checked_around("before", info.name, [&] { unit_traits<Unit>::verify(unit); });
        nesting_.begin(info);
    }
    template <is_verified Unit>
    void run_after_pass(const Unit& unit, const pass_info& info) {
        nesting_.end(info);
        checked_after(info.name, [&] { unit_traits<Unit>::verify(unit); });
    }
    template <is_verified Unit>
    void pass_failed(const Unit*, const pass_info& info, const std::exception_ptr&) {
        nesting_.end(info);
    }

    /// For `check_instrument_of`.
    template <class... Unit>
    static consteval bool check_units(units<Unit...>) {
        constexpr bool fits = (is_verified<Unit> || ...);
        static_assert(fits,
                      "tutti::instrument::verify: a unit must be verifiable; specialise tutti::unit_traits for it, "
                      "with static void verify(const Unit&)");
        return fits;
    }
};

} // namespace tutti::instrument
