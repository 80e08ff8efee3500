#pragma once

#include <tutti/pass/check.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/run.hpp>

namespace tutti {

/// What `with` gives its body, and what every pass gets as its second argument: the way to run passes in a
/// context.
///
/// A pass gets a nested one, which differs in its type only: names in `disable<"...">` are looked up in what
/// the body runs, not in what passes run.
template <class Context, bool Nested>
class scope {
    Context* context_;

public:
    constexpr explicit scope(Context& context) : context_(&context) {}

    constexpr Context& context() const { return *context_; }
    constexpr int opt_level() const { return context_->opt_level(); }

    /// Runs a pass over a unit among the context's instruments: in place if the unit is an lvalue, else it
    /// takes it and returns one.
    ///
    /// Only instruments can keep a pass that is run like this from running; levels, disabled and required
    /// passes are for sequentials. If anything throws, it goes on from here; a unit that was run in place is
    /// then as the pass left it, and a pass by value has lost it.
    ///
    /// Requires: `pass_over<P, Unit, scope>`.
    template <class P, class U>
    constexpr auto run(const P& pass, U&& unit) const
        -> std::conditional_t<std::is_lvalue_reference_v<U>, void, std::remove_cvref_t<U>> {
        using Unit = std::remove_reference_t<U>;
        if constexpr (!detail::check_run<P, Unit, Context, Nested>()) {
            if constexpr (!std::is_lvalue_reference_v<U>) return detail::nothing<std::remove_cvref_t<U>>();
        } else {
            scope<Context, true> inner{*context_};
            const auto call = [&] {
                if constexpr (std::is_lvalue_reference_v<U>)
                    detail::call_in_place(pass, unit, inner);
                else
                    return detail::call<Unit>(pass, static_cast<Unit&&>(unit), inner);
            };
            auto& set = context_->instruments();
            using Set = std::remove_reference_t<decltype(set)>;
            if constexpr (Set::template around_passes<Unit>) {
                if (!set.cleared()) {
                    bool required = false;
                    if constexpr (Set::template asked<Unit>) required = context_->is_required(pass);
                    return detail::run_watched(set, pass.info, required, unit, call);
                }
            }
            return call();
        }
    }

    /// For sequentials: what is known at compile time of whether to run a `P`.
    template <class P>
    static consteval detail::decision known() {
        return Context::template known<P>();
    }
    /// For sequentials: whether to run this pass.
    template <class P>
    constexpr detail::decision decide(const P& pass) const {
        return context_->decide(pass);
    }
    /// For sequentials: tells the instruments that a pass is not run.
    template <class Unit>
    constexpr void skip(const pass_info& info, skip_reason why) const {
        auto& set = context_->instruments();
        using Set = std::remove_reference_t<decltype(set)>;
        if constexpr (Set::template around_passes<Unit>) {
            if (set.cleared()) return;
            const detail::clock_pause<Set, Unit> pause{set};
            set.skipped(info, why);
        }
    }
};

} // namespace tutti
