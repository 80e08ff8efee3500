#pragma once

#include <tutti/pass/analysis_cache.hpp>
#include <tutti/pass/check.hpp>
#include <tutti/pass/context.hpp>
#include <tutti/pass/run.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti {

/// The argument of `with`'s body and the second argument of every pass: runs passes in a static or run-time context.
///
/// A pass receives a nested scope, which differs only in type: names of disabled passes are checked in pipelines run by
/// the body, but not in pipelines run by passes.
template <class Context, bool Nested>
class scope {
    Context* context_;

    using inner_scope = scope<Context, true>;
    using instrument_set = std::remove_cvref_t<decltype(std::declval<Context&>().instruments())>;

    template <class P, class Unit>
    static consteval bool check() {
        static_assert(!std::is_const_v<Unit>,
                      "tutti::scope::run(pass, unit): a unit must not be const, since passes change it; pass a copy");
        constexpr bool unit_fits = Context::template runs_over<std::remove_const_t<Unit>>;
        static_assert(unit_fits,
                      "tutti::scope::run(pass, unit): a unit must be of the context's type, or one of its parts; run "
                      "the pass in a runtime::pass_context of that unit");
        if constexpr (std::is_const_v<Unit> || !unit_fits)
            return false;
        else if constexpr (!check_pass<std::conditional_t<transforms<const P, Unit, inner_scope>, const P, P>, Unit,
                                       inner_scope, std::conditional_t<Nested, detail::some_whole, void>>())
            return false;
        else if constexpr (Nested)
            return true;
        else if constexpr (!instrument_set::template check<Unit>())
            return false;
        else if constexpr (composite<P>)
            return detail::check_pipeline<std::remove_const_t<P>, Context>();
        else
            return true;
    }

    // Drops invalidated analyses and reports kept ones. Not inlined, because most passes run without analyses.
    template <bool InPlace, class P, class Unit>
    [[gnu::noinline]] constexpr void settle_kept(const P& pass, Unit& unit, change what) const {
        analysis_cache& cache = context_->analyses();
        detail::drop_invalid<InPlace>(cache, pass, unit, what);
        cache.release_borrowed(unit);
        if constexpr (instrument_set::hears_analyses)
            if (pass.info.kind != pass_kind::sequential && context_->instruments().asks_for_analyses())
                cache.each_kept(unit, [&](const kept_analysis& kept) { context_->instruments().kept(kept); });
    }
    template <bool InPlace, class P, class Unit>
    constexpr void settle([[maybe_unused]] const P& pass, [[maybe_unused]] Unit& unit,
                          [[maybe_unused]] change what) const {
        if constexpr (Context::keeps_analyses)
            if (!context_->analyses().idle()) [[unlikely]]
                settle_kept<InPlace>(pass, unit, what);
    }
    // Calls a pass. Returns the change if the pass runs in place, otherwise the unit.
    template <bool InPlace, class P, class Unit>
    constexpr auto call(P& pass, Unit& unit) {
        if constexpr (InPlace)
            return internal::call_in_place(pass, unit, *this);
        else
            return detail::call_by_value<Unit>(pass, static_cast<Unit&&>(unit), *this);
    }
    template <bool InPlace, class P, class Unit, class Call>
    constexpr auto settled(const P& pass, const Unit& unit, const Call& call) const {
        if constexpr (Context::keeps_analyses) {
            analysis_cache& cache = context_->analyses();
            return internal::on_unwind(
                call, [&]() __attribute__((always_inline)) { detail::settle_failed<InPlace>(cache, pass, unit); });
        } else {
            return call();
        }
    }

    // Returns a callable that returns true if a pass always reports changes. It is a constant if the pass's type
    // determines the answer.
    template <bool InPlace, class Unit, class P>
    static constexpr auto tells(const P& pass) {
        if constexpr (internal::tells_by_value<P>)
            return [&pass] { return InPlace && internal::tells_change<Unit, scope>(pass); };
        else
            return std::bool_constant<InPlace && internal::type_tells_change<Unit, scope, P>()>{};
    }
    // Runs a pass, and calls the hooks around it.
    template <bool InPlace, class P, class Unit>
    constexpr auto observe(P& pass, Unit& unit) {
        using hooks = typename instrument_set::template hooks<Unit>;
        if constexpr (hooks::at_passes || hooks::track)
            if (!context_->instruments_cleared()) return observe_watched<InPlace>(pass, unit);
        return observe_bare<InPlace>(pass, unit);
    }
    // Runs a pass in a run-time context, and calls the hooks around it. Only the path without instruments is inlined.
    template <bool InPlace, class P, class Unit>
    [[gnu::always_inline]] constexpr auto observe_erased(P& pass, Unit& unit) {
        if (!context_->instruments_cleared()) {
            if constexpr (requires { typename std::remove_const_t<P>::run_time_context; })
                return observe_flat<InPlace>(pass, unit);
            else
                return observe_apart<InPlace>(pass, unit);
        }
        return observe_bare<InPlace>(pass, unit);
    }
    template <bool InPlace, class P, class Unit>
    constexpr auto observe_bare(P& pass, Unit& unit) {
        const auto call_it = [&] { return call<InPlace>(pass, unit); };
        if constexpr (Context::keeps_analyses) {
            auto result = settled<InPlace>(pass, unit, call_it);
            if constexpr (InPlace)
                settle<true>(pass, unit, result);
            else
                settle<false>(pass, unit, change::unknown);
            return result;
        } else {
            return call_it();
        }
    }
    template <bool InPlace, class P, class Unit>
    [[gnu::noinline]] constexpr auto observe_apart(P& pass, Unit& unit) {
        return observe_watched<InPlace>(pass, unit);
    }
    // Runs an erased pass in a run-time context, flattened into one function. Not used for a pass of known type, which
    // would be inlined completely, at any size.
    template <bool InPlace, class P, class Unit>
    [[gnu::noinline, gnu::flatten]] constexpr auto observe_flat(P& pass, Unit& unit) {
        return observe_watched<InPlace>(pass, unit);
    }
    template <bool InPlace, class P, class Unit>
    constexpr auto observe_watched(P& pass, Unit& unit) {
        auto& set = context_->instruments();
        using hooks = typename instrument_set::template hooks<Unit>;
        const auto call_it = [&] { return call<InPlace>(pass, unit); };
        bool must_run = false;
        if constexpr (hooks::decide) must_run = context_->is_required(pass);
        const detail::run_terms terms{must_run, InPlace, tells<InPlace, Unit>(pass),
                                      detail::returned_error<Context>(*context_)};
        const auto& checked = detail::checked_call<hooks>(set, pass.info, unit, terms.error, call_it);
        if constexpr (Context::keeps_analyses)
            return detail::run_watched(
                set, pass.info, terms, unit, [&] { return settled<InPlace>(pass, unit, checked); },
                [&](change what) { settle<InPlace>(pass, unit, what); });
        else
            return detail::run_watched(set, pass.info, terms, unit, checked, detail::settle_nothing{});
    }

    template <class U>
    using result_of = std::conditional_t<std::is_lvalue_reference_v<U>, change, std::remove_cvref_t<U>>;

    // The lifetime of a unit: `on` if it is known to outlive a run, otherwise `perhaps`.
    enum class lives { on, perhaps };

    // If the run has just been stopped, stores where, and emits a remark.
    // Requires: the context has a token.
    [[gnu::noinline, gnu::cold]] constexpr void note_stop(const pass_info& info) const {
        if (context_->stop()->stop_at(info.name)) remark(remark_kind::note, info.name, "the run was stopped here");
    }
    template <class Unit>
    [[gnu::noinline, gnu::cold]] constexpr bool poll_before(const pass_info& info) const {
        if (!context_->stop()->poll()) return false;
        note_stop(info);
        skip<Unit>(info, skip_reason::stopped);
        return true;
    }
    // Returns the result of a pass that is not run.
    template <class U>
    static constexpr auto kept(U&& unit) -> result_of<U> {
        if constexpr (std::is_lvalue_reference_v<U>)
            return unchanged;
        else
            return static_cast<U&&>(unit);
    }

    // Runs an enabled member after its requirements, unless the run is to end before it. U is `Unit&` or `Unit`.
    template <lives Lives, class U, class P>
    constexpr auto run_enabled(P& pass, U&& unit) const {
        if constexpr (may_stop)
            if (context_->stop() != nullptr) [[unlikely]]
                if (poll_before<std::remove_reference_t<U>>(pass.info)) return kept<U>(static_cast<U&&>(unit));
        if constexpr (!check<P, std::remove_reference_t<U>>()) {
            return nothing<result_of<U>>();
        } else {
            change before = run_required<Lives>(internal::required_of<P>{}, unit);
            if constexpr (requires { pass.run_required(unit, *this); }) before |= pass.run_required(unit, *this);
            if constexpr (!may_stop) {
                if constexpr (std::is_lvalue_reference_v<U>)
                    return before | run_in<Lives>(pass, static_cast<U&&>(unit));
                else
                    return run_in<Lives>(pass, static_cast<U&&>(unit));
            } else {
                auto result = run_in<Lives>(pass, static_cast<U&&>(unit));
                if (context_->stop() != nullptr) [[unlikely]]
                    note_stop(pass.info);
                if constexpr (std::is_lvalue_reference_v<U>)
                    return before | result;
                else
                    return result;
            }
        }
    }
    template <lives Lives, class... R, class Unit>
    constexpr change run_required(passes<R...>, [[maybe_unused]] Unit& unit) const {
        change all = unchanged;
        [[maybe_unused]] const auto run_one = [&]<class Q>(Q required) {
            if constexpr (transforms<Q, Unit, inner_scope>) all |= run_in<Lives>(required, unit);
        };
        (run_one(R{}), ...);
        return all;
    }

    // Calls `go`, which runs a pass over `unit`, and ensures that no result of an analysis outlives the unit.
    template <lives Lives, class Unit, class Go>
    constexpr auto kept_meanwhile([[maybe_unused]] Unit& unit, const Go& go) const {
        if constexpr (Context::keeps_analyses) {
            analysis_cache& cache = context_->analyses();
            if (Lives == lives::perhaps && cache.is_foreign(&unit, Nested)) [[unlikely]]
                return detail::run_apart(cache, unit, go);
            const analysis_cache::running_unit now{cache, &unit};
            return go();
        } else {
            return go();
        }
    }
    // Runs a pass that the caller has checked. `run` and `run_member` check at the call, which keeps diagnostics short.
    template <lives Lives, class P, class U>
    [[gnu::always_inline]] constexpr auto run_in(P&& pass, U&& unit) const -> result_of<U> {
        if constexpr (!Nested && requires { context_->check_names(pass); }) context_->check_names(pass);
        if constexpr (Context::keeps_analyses) {
            if constexpr (Nested)
                if (context_->analyses().runs(&unit)) [[likely]]
                    return observe_in_inner(pass, static_cast<U&&>(unit));
            return run_over<Lives, P, U>(pass, static_cast<U&&>(unit));
        } else {
            return observe_in_inner(pass, static_cast<U&&>(unit));
        }
    }
    // Runs a pass for `run`. A pass that polls may end early, without a sequential around it that would note this.
    template <class P, class U>
    [[gnu::always_inline]] constexpr auto run_outermost(P&& pass, U&& unit) const -> result_of<U> {
        if constexpr (Nested || !may_stop) {
            return run_in<lives::perhaps>(pass, static_cast<U&&>(unit));
        } else {
            auto result = run_in<lives::perhaps>(pass, static_cast<U&&>(unit));
            if (context_->stop() != nullptr) [[unlikely]]
                note_stop(pass.info);
            return result;
        }
    }
    template <class P, class U>
    [[gnu::always_inline]] constexpr auto observe_in_inner(P& pass, U&& unit) const -> result_of<U> {
        inner_scope inner{*context_};
        if constexpr (instrument_set::is_erased)
            return inner.template observe_erased<std::is_lvalue_reference_v<U>>(pass, unit);
        else
            return inner.template observe<std::is_lvalue_reference_v<U>>(pass, unit);
    }
    // Runs an outermost pass, or a pass whose unit is not the unit of the surrounding pass.
    template <lives Lives, class P, class U>
    [[gnu::noinline]] constexpr auto run_over(P& pass, U&& unit) const -> result_of<U> {
        const auto go = [&] { return observe_in_inner(pass, static_cast<U&&>(unit)); };
        if constexpr (!Nested) {
            const analysis_cache::run_guard outermost{context_->analyses()};
            return kept_meanwhile<Lives>(unit, go);
        } else {
            return kept_meanwhile<Lives>(unit, go);
        }
    }
    template <lives Lives, class P, class U>
    constexpr auto run_member_in(P&& pass, U&& unit) const -> result_of<U> {
        if constexpr (requires { pass.is_point(); })
            if (pass.is_point()) return unrun(static_cast<U&&>(unit));
        constexpr decision known = Context::template known<std::remove_cvref_t<P>>();
        if constexpr (known == decision::run) {
            return run_enabled<Lives, U>(pass, static_cast<U&&>(unit));
        } else {
            decision now = known;
            if constexpr (known == decision::unknown) {
                now = context_->decide(pass);
                if (now == decision::run) return run_enabled<Lives, U>(pass, static_cast<U&&>(unit));
            }
            skip<std::remove_reference_t<U>>(pass.info, now == decision::disabled ? skip_reason::disabled
                                                                                  : skip_reason::opt_level);
            return unrun(static_cast<U&&>(unit));
        }
    }
    template <class U>
    static constexpr auto unrun([[maybe_unused]] U&& unit) -> result_of<U> {
        if constexpr (std::is_lvalue_reference_v<U>)
            return unchanged;
        else
            return static_cast<U&&>(unit);
    }

public:
    constexpr explicit scope(Context& context) : context_(&context) {}

    constexpr Context& context() const { return *context_; }
    constexpr int opt_level() const { return context_->opt_level(); }
    /// Returns the value of a config key in the context, or the key's default if it is not set.
    template <internal::config_type T>
    constexpr T config(const config_key<T>& key) const {
        return context_->config(key);
    }

    /// Runs a pass over a unit, and calls the hooks of the context's instruments around it.
    ///
    /// If the unit is an lvalue, the pass changes it in place, and the call returns the change that the pass reports,
    /// or `unknown`. If the unit is an rvalue, the pass takes it by value, and the call returns the new unit. Only
    /// instruments can skip a pass that is run this way. Levels, disabled and required passes apply only to
    /// sequentials. If an exception propagates, a unit changed in place is as the pass left it, and a unit passed by
    /// value is lost.
    ///
    /// Requires: `pass_over<P, Unit, scope>`.
    template <class P, class U>
        requires std::is_lvalue_reference_v<U>
    constexpr auto run(P&& pass, U&& unit) const
        -> std::conditional_t<Nested, change, detail::in_place_result<std::remove_cvref_t<U>>> {
        if constexpr (!check<std::remove_reference_t<P>, std::remove_reference_t<U>>())
            return {nothing<change>()};
        else
            return {run_outermost(pass, static_cast<U&&>(unit))};
    }
    template <class P, class U>
    [[nodiscard(
        "the unit was moved into the pass: keep the returned unit, or run the pass over an lvalue")]] constexpr auto
    run(P&& pass, U&& unit) const -> result_of<U> {
        if constexpr (!check<std::remove_reference_t<P>, std::remove_reference_t<U>>())
            return nothing<result_of<U>>();
        else
            return run_outermost(pass, static_cast<U&&>(unit));
    }

    /// Runs a member after its requirements if the context enables the member; otherwise reports the member as skipped.
    /// For sequentials and adaptors.
    template <class P, class U>
    constexpr auto run_member(P&& pass, U&& unit) const -> result_of<U> {
        return run_member_in<lives::perhaps>(pass, static_cast<U&&>(unit));
    }
    /// Runs a member in place over a part of the adaptor's unit. Unlike `run_member`, keeps the part's analyses after
    /// the run.
    ///
    /// Requires: the part is neither moved nor destroyed before the adaptor returns, unless the adaptor returns
    ///           `changed`.
    template <class P, class Part>
    constexpr change run_part(P&& pass, Part& part) const {
        return run_member_in<lives::on>(pass, part);
    }
    /// True if the context's type allows stopping runs: it has a `stop_token`.
    static constexpr bool may_stop = requires(Context& context) { context.stop()->poll(); };

    /// True if the run is to end early, because the context's `stop_token` was requested, or because a pass failed in a
    /// `try_run`. A pass that then returns early leaves a valid unit. Without a token, the result is constant in a static
    /// context, and costs the test of a pointer in a run-time context.
    constexpr bool stop_requested() const {
        if constexpr (may_stop)
            return context_->stop() != nullptr && context_->stop()->poll();
        else
            return false;
    }
    /// True if the run is to end before a pass. Then reports the pass as skipped. `run_member` calls this function. For
    /// sequentials that decide about their members themselves.
    template <class Unit>
    constexpr bool stops_before([[maybe_unused]] const pass_info& info) const {
        if constexpr (may_stop)
            return context_->stop() != nullptr && poll_before<Unit>(info);
        else
            return false;
    }
    /// Runs a pass like `run`, unless the run is to end before it. For sequentials that decide about their members
    /// themselves.
    template <class P, class U>
    constexpr auto run_unless_stopped(P&& pass, U&& unit) const -> result_of<U> {
        if constexpr (may_stop) {
            if (stops_before<std::remove_reference_t<U>>(pass.info)) return kept<U>(static_cast<U&&>(unit));
            result_of<U> result = run(pass, static_cast<U&&>(unit));
            if (context_->stop() != nullptr) note_stop(pass.info);
            return result;
        } else {
            return run(pass, static_cast<U&&>(unit));
        }
    }

    /// Calls `replace`, which moves a unit away and assigns a new one. For `call_in_place`.
    template <class Unit, class Replace>
    constexpr void while_moved([[maybe_unused]] Unit& unit, const Replace& replace) const {
        constexpr bool must_know = Context::keeps_analyses || instrument_set::hears_failures;
        if constexpr (must_know)
            internal::on_unwind(replace, [&] {
                if constexpr (Context::keeps_analyses) context_->analyses().drop_all();
                if constexpr (instrument_set::hears_failures) context_->instruments().lose(&unit);
            });
        else
            replace();
        if constexpr (Context::keeps_analyses) context_->analyses().drop_all();
    }
    /// Calls `body`, which returns a `change`, as if it were a pass over a unit. The unit may die at the end of the
    /// call, so its analyses are then dropped. For passes that are called directly, without `run`.
    template <class Unit, class Body>
    constexpr change over(Unit& unit, const Body& body) const {
        return kept_meanwhile<lives::perhaps>(unit, body);
    }

    /// True if the context's type allows transforming parts of a unit in parallel.
    static constexpr bool parts_at_once = requires { requires Context::parts_at_once; };

    /// True if `for_each_part` would call its function for this many parts in parallel.
    constexpr bool runs_at_once([[maybe_unused]] std::size_t count) const {
        if constexpr (may_stop && parts_at_once) // so that the first part's error is returned
            if (context_->stop() != nullptr && context_->stop()->sink() != nullptr) return false;
        if constexpr (parts_at_once)
            return !__builtin_is_constant_evaluated() && count > 1 && context_->concurrency() > 1;
        else
            return false;
    }

    /// Calls `f(i, ctx)` for each part index `i` below `count`. For adaptors and passes over a whole.
    ///
    /// `ctx` is the scope for the passes over part `i`. `f` returns a `change`, and the result combines all changes.
    /// The calls run in parallel if the context has an executor (`tutti::on`), otherwise in sequence.
    ///
    /// Throws: the exception of `f` for the first part that fails.
    template <class F>
    constexpr change for_each_part(std::size_t count, F&& f) const {
        if constexpr (parts_at_once)
            if (runs_at_once(count)) return context_->run_parts(count, f);
        inner_scope inner{*context_};
        const auto run_parts = [&] {
            change all = unchanged;
            for (std::size_t i = 0; i < count; ++i) all |= f(i, inner);
            return all;
        };
        if constexpr (!Nested && Context::keeps_analyses) {
            const analysis_cache::run_guard outermost{context_->analyses()};
            return run_parts();
        } else {
            return run_parts();
        }
    }

    /// Default-constructs required passes, and runs those that transform this type of unit. Passes over the whole
    /// around the unit are skipped. For sequentials.
    template <class... R, class Unit>
    constexpr change run_all(passes<R...> required, [[maybe_unused]] Unit& unit) const {
        return run_required<lives::perhaps>(required, unit);
    }

    /// Runs a member like `run_member`, and finds the change from the pass's report or the unit's fingerprint. The
    /// change is `unknown` if both are missing. For adaptors.
    template <class P, class Unit>
    constexpr change run_for_change(P&& pass, Unit& unit) const {
        detail::change_finder<true, Unit> finder{[&] { return internal::tells_change<Unit, inner_scope>(pass); }};
        finder.note(unit);
        const change said = run_member(pass, unit);
        if constexpr (internal::has_structure<Unit>) unit_traits<Unit>::check_structure(unit, pass.info.name);
        return finder.between(unit, said); // instruments may have found changes that cancel out
    }

    /// Returns the compile-time decision about a `P`. For sequentials.
    template <class P>
    static consteval decision known() {
        return Context::template known<P>();
    }
    /// Returns the decision about `pass`. For sequentials.
    template <class P>
    constexpr decision decide(const P& pass) const {
        return context_->decide(pass);
    }
    /// Reports a pass as skipped. For sequentials.
    template <class Unit>
    constexpr void skip(const pass_info& info, skip_reason why) const {
        using hooks = typename instrument_set::template hooks<Unit>;
        if constexpr (hooks::at_passes) {
            auto& set = context_->instruments();
            if (context_->instruments_cleared()) return;
            [[maybe_unused]] const detail::list_pin<instrument_set> pin{set};
            const detail::clock_pause<hooks::stop_clocks, instrument_set> pause{set};
            set.skipped(info, why);
        }
    }

    /// Returns the result of an analysis of a unit.
    ///
    /// For a pass in a context that keeps analyses, the result is a reference, which is valid until a pass changes the
    /// unit. Otherwise, each call computes the result and returns it by value.
    ///
    /// Requires: `analysis_of<A, Unit, scope>`; the unit is the pass's own unit or one of its parts, or lives until the
    ///           pass ends.
    template <class A, class Unit>
    constexpr decltype(auto) get(const Unit& unit) const {
        constexpr bool fits = detail::analysis_of<A, Unit, inner_scope>;
        static_assert(
            fits, "tutti::scope::get<A>(unit): an A must be callable, when const, with the unit; declare its operator "
                  "as Result operator()(const Unit&) const or (const Unit&, auto& ctx) const");
        if constexpr (fits) {
            inner_scope inner{*context_};
            if constexpr (Context::keeps_analyses && Nested)
                return context_->analyses().template get<A>(unit, inner, kept_listener{*context_});
            else
                return detail::compute_analysis<A>(unit, inner);
        }
    }

    /// Drops the analyses of a unit that the running pass has changed, either directly or through a context that keeps
    /// no analyses. Call this before you request analyses again. They are also dropped when the pass ends, unless the
    /// pass returns `unchanged`.
    template <class Unit>
    constexpr void invalidate([[maybe_unused]] const Unit& unit) const {
        if constexpr (Context::keeps_analyses) context_->analyses().invalidate(unit);
    }

    /// True if the type of an instrument has a hook for counts (or remarks).
    static constexpr bool hears_counts = instrument_set::hears_counts;
    static constexpr bool hears_remarks = instrument_set::hears_remarks;
    /// True if an instrument currently receives counts (or remarks). Check this before an expensive count or remark.
    constexpr bool asks_for_counts() const { return context_->instruments().asks_for_counts(); }
    constexpr bool asks_for_remarks() const { return context_->instruments().asks_for_remarks(); }

    /// Adds `n` to the count `name` of the running pass. Does nothing if no instrument receives counts.
    constexpr void count([[maybe_unused]] std::string_view name, [[maybe_unused]] std::int64_t n = 1) const {
        if constexpr (hears_counts) context_->instruments().counted(name, n);
    }
    /// Emits a remark of the running pass. Does nothing if no instrument receives remarks. An expensive text may be
    /// passed as a callable that returns the text. It is called only if an instrument receives remarks.
    template <class Text>
    constexpr void remark([[maybe_unused]] remark_kind kind, [[maybe_unused]] std::string_view where,
                          [[maybe_unused]] Text&& text) const {
        if constexpr (!hears_remarks) {
        } else if constexpr (requires { std::string_view(text()); }) {
            if (!asks_for_remarks()) return;
            const auto& made = text();
            context_->instruments().remarked({kind, where, std::string_view(made)});
        } else {
            context_->instruments().remarked({kind, where, std::string_view(text)});
        }
    }
    /// True if the type of an instrument has a hook that decides about rewrites.
    static constexpr bool hears_rewrites = instrument_set::hears_rewrites;
    /// True if an instrument currently decides about rewrites.
    constexpr bool asks_for_rewrites() const { return context_->instruments().asks_for_rewrites(); }

    /// True if the running pass may make a rewrite; otherwise it must not change the place.
    ///
    /// `rule` is the name of the rule within its pass. `where` is a line or an expression; a callable that returns it is
    /// called only if an instrument decides. `part` is the part of the unit, such as a function.
    ///
    /// Cost:    none if the context's type has no such instrument; the test of a pointer in a run-time context.
    /// Example: `if (matches(e) && ctx.may_apply("add_zero", [&] { return text_of(e); })) replace(e);`
    template <class Where>
    constexpr bool may_apply([[maybe_unused]] std::string_view rule, [[maybe_unused]] Where&& where,
                             [[maybe_unused]] std::string_view part = {}) const {
        if constexpr (!hears_rewrites) {
            return true;
        } else {
            if (!asks_for_rewrites()) return true;
            if constexpr (requires { std::string_view(where()); }) {
                const auto& made = where();
                return context_->instruments().should_apply({rule, std::string_view(made), part});
            } else {
                return context_->instruments().should_apply({rule, std::string_view(where), part});
            }
        }
    }

    /// Returns the number of passes around the running pass, or −1 if no instrument needs the surrounding passes.
    constexpr int depth() const {
        const pass_run* const current = context_->instruments().current();
        return current ? current->depth : -1;
    }

private:
    template <class, bool>
    friend class scope;

    // Reports kept results to the instruments when a pass requests them.
    struct kept_listener {
        Context& context;

        explicit operator bool() const {
            if constexpr (instrument_set::hears_reuse)
                return !context.instruments_cleared() && context.instruments().asks_for_reuse();
            else
                return false;
        }
        void operator()(const kept_analysis& kept) const {
            if constexpr (instrument_set::hears_reuse) context.instruments().kept(kept);
        }
    };
};

} // namespace tutti
