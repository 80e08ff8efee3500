#pragma once

#include <tutti/runtime/pass_context.hpp>

#include <type_traits>
#include <utility>

namespace tutti::runtime {

/// The way to run passes in a run-time context; what passes get there as their second argument. The twin of
/// `tutti::scope`.
template <class Unit>
class scope {
    pass_context<Unit>* context_;

public:
    explicit scope(pass_context<Unit>& context) : context_(&context) {}

    pass_context<Unit>& context() const { return *context_; }
    int opt_level() const { return context_->opt_level(); }
    /// The value of a config key in the context; `tutti::config(ctx, key)` asks this.
    template <config_type T>
    T config(const config_key<T>& key) const {
        return context_->config(key);
    }

    /// Runs a pass over a unit among the context's instruments: in place if the unit is an lvalue, else it
    /// takes it and returns one.
    ///
    /// Everything as in `tutti::scope::run`; the pass may be a static one or an `any_pass`.
    template <class P, class U>
    auto run(const P& pass, U&& unit) const
        -> std::conditional_t<std::is_lvalue_reference_v<U>, void, std::remove_cvref_t<U>> {
        constexpr bool same = std::is_same_v<std::remove_reference_t<U>, Unit>;
        static_assert(same,
                      "tutti::runtime::scope::run(pass, unit): a unit must be of the context's type, and not const; "
                      "pass a copy, or run the pass in a runtime::pass_context of that unit");
        if constexpr (!same || !tutti::detail::check_pass<P, Unit, scope>()) {
            if constexpr (!std::is_lvalue_reference_v<U>) return tutti::detail::nothing<std::remove_cvref_t<U>>();
        } else {
            scope inner{*context_};
            const auto call = [&] {
                if constexpr (std::is_lvalue_reference_v<U>)
                    tutti::detail::call_in_place(pass, unit, inner);
                else
                    return tutti::detail::call<Unit>(pass, std::move(unit), inner);
            };
            auto& set = context_->instruments();
            if (set.cleared()) return call();
            return tutti::detail::run_watched(set, pass.info, context_->is_required(pass), unit, call);
        }
    }

    /// For sequentials, as in `tutti::scope`: nothing is known at compile time.
    template <class>
    static consteval tutti::detail::decision known() {
        return tutti::detail::decision::unknown;
    }
    template <class P>
    tutti::detail::decision decide(const P& pass) const {
        return context_->decide(pass);
    }
    template <class>
    void skip(const pass_info& info, skip_reason why) const {
        auto& set = context_->instruments();
        if (set.cleared()) return;
        const tutti::detail::clock_pause<runtime::instruments<Unit>, Unit> pause{set};
        set.skipped(info, why);
    }
};

} // namespace tutti::runtime
