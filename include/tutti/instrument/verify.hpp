#pragma once

#include <tutti/error.hpp>
#include <tutti/unit_traits.hpp>
#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

namespace tutti::instrument {

/// Verifies units after each pass, and before the outermost ones, so that the pass that breaks one is the one
/// that is blamed.
///
/// Requires: units can be verified (`unit_traits<Unit>::verify`).
/// Throws:   `tutti::error` from its hooks: "after FoldConstant: …".
class verify {
    std::size_t depth_ = 0;

    template <class Unit>
    static void check(std::string_view when, const Unit& unit, const pass_info& info) {
        static_assert(is_verified<Unit>, "tutti::instrument::verify: a unit must be verifiable; specialise "
                                         "tutti::unit_traits for it, with static void verify(const Unit&)");
        if constexpr (is_verified<Unit>) {
            try {
                unit_traits<Unit>::verify(unit);
            } catch (const error& e) {
                std::string where{when};
                where.append(" ").append(info.name);
                if (!e.where().empty()) where.append(": ").append(e.where());
                throw error{std::move(where), e.problem(), e.expected()};
            }
        }
    }

public:
    void enter_pass_ctx() { depth_ = 0; }
    void run_before_pass(const auto& unit, const pass_info& info) {
        if (depth_ == 0) check("before", unit, info);
        ++depth_;
    }
    void run_after_pass(const auto& unit, const pass_info& info) {
        --depth_;
        check("after", unit, info);
    }
    void pass_failed(const auto&, const pass_info&, const std::exception_ptr&) { --depth_; }
};

} // namespace tutti::instrument
