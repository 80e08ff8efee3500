#pragma once

#include <tutti/pass/config.hpp>
#include <tutti/pass/context.hpp>
#include <tutti/pass/scope.hpp>
#include <tutti/pass/stop.hpp>

#include <cstddef>
#include <type_traits>

namespace tutti::internal {

/// A context inside another one, with a token of its own. The passes of `with_stop` in a static context run in it.
///
/// It models `context`, and has the options, instruments and analyses of the whole's context.
template <class Whole>
class stop_context {
    Whole* whole_;
    stop_token* stop_;

public:
    static constexpr bool keeps_analyses = Whole::keeps_analyses, becomes_current = false;
    static constexpr bool parts_at_once = scope<Whole, true>::parts_at_once;
    template <class Unit>
    static constexpr bool runs_over = Whole::template runs_over<Unit>;

    constexpr stop_context(Whole& whole, stop_token& token) : whole_(&whole), stop_(&token) {}

    constexpr stop_token* stop() const { return stop_; }
    constexpr int opt_level() const { return whole_->opt_level(); }
    template <config_type T>
    constexpr T config(const config_key<T>& key) const {
        return whole_->config(key);
    }
    constexpr void each_setting(auto&& f) const { whole_->each_setting(f); }
    constexpr void each_disabled(auto&& f) const { whole_->each_disabled(f); }
    constexpr void each_required(auto&& f) const { whole_->each_required(f); }
    constexpr auto& instruments() const { return whole_->instruments(); }
    constexpr bool instruments_cleared() const { return whole_->instruments_cleared(); }
    constexpr auto& analyses() const
        requires keeps_analyses
    {
        return whole_->analyses();
    }
    unsigned concurrency() const
        requires parts_at_once
    {
        return whole_->concurrency();
    }
    template <class F>
    change run_parts(std::size_t count, F& f)
        requires parts_at_once
    {
        return whole_->run_parts_of(*this, count, f);
    }
    template <class Context, class F>
    change run_parts_of(Context& inner, std::size_t count, F& f) const
        requires parts_at_once
    {
        return whole_->run_parts_of(inner, count, f);
    }
    template <class P>
    static consteval decision known() {
        return Whole::template known<P>();
    }
    template <class P>
    static consteval bool check_names()
        requires requires { Whole::template check_names<P>(); }
    {
        return Whole::template check_names<P>();
    }
    template <class P>
    constexpr decision decide(const P& pass) const {
        return whole_->decide(pass);
    }
    template <class P>
    constexpr bool is_required(const P& pass) const {
        return whole_->is_required(pass);
    }
};

/// The scope that `with_stop` passes to its body.
template <class Scope>
struct stop_scope {
    using type = Scope;
};
template <class Context, bool Nested>
    requires(!requires(Context& context, stop_token* token) { context.exchange_stop(token); })
struct stop_scope<scope<Context, Nested>> {
    using type = scope<stop_context<Context>, Nested>;
};
template <class Scope>
using stop_scope_t = typename stop_scope<Scope>::type;

/// Returns the token of a scope's context, or null.
template <class Scope>
constexpr stop_token* stop_of([[maybe_unused]] const Scope& ctx) {
    if constexpr (Scope::may_stop)
        return ctx.context().stop();
    else
        return nullptr;
}

/// Returns `body(scope)`. In the scope, passes and sequentials poll `token` instead of the context's token.
template <class Scope, class Body>
constexpr decltype(auto) with_stop(Scope& ctx, stop_token& token, Body&& body) {
    auto& context = ctx.context();
    if constexpr (requires { context.exchange_stop(&token); }) {
        struct restored {
            decltype(context) in;
            stop_token* before;
            ~restored() { in.exchange_stop(before); }
        } const replaced{context, context.exchange_stop(&token)};
        return body(ctx);
    } else {
        using inner_context = stop_context<std::remove_reference_t<decltype(context)>>;
        inner_context inner{context, token};
        stop_scope_t<Scope> inside{inner};
        return body(inside);
    }
}

} // namespace tutti::internal
