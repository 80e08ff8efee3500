#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/pass/analysis_cache.hpp>
#include <tutti/pass/context.hpp>
#include <tutti/pass/current.hpp>
#include <tutti/pass/hook_lock.hpp>
#include <tutti/pass/names.hpp>
#include <tutti/pass/stop.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/runtime/erased_instruments.hpp>
#include <tutti/runtime/pass_config.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

template <class Unit>
class [[gnu::visibility("default")]] pass_context;

namespace detail {

/// Transforms parts of units in parallel on an executor, or in sequence without one. The counterpart of
/// `tutti::on(executor)` (`<tutti/pass/parallel.hpp>`) for run-time contexts.
template <class Unit>
class parts_runner {
    using part_scope = tutti::scope<pass_context<Unit>, true>;
    using part_function = change (*)(void* f, std::size_t i, part_scope&);

    void* executor_ = nullptr;
    unsigned (*concurrency_)(void* executor) = nullptr;
    change (*run_)(void* executor, pass_context<Unit>& whole, std::size_t count, part_function call, void* f) = nullptr;

public:
    parts_runner() = default;
    template <class E>
    parts_runner(tutti::internal::on_executor<E> given)
        : executor_(given.executor)
        , concurrency_([](void* executor) { return unsigned(static_cast<E*>(executor)->concurrency()); })
        , run_([](void* executor, pass_context<Unit>& whole, std::size_t count, part_function call, void* f) {
            const tutti::internal::on_executor<E> on{static_cast<E*>(executor)};
            const auto run = [&](std::size_t i, part_scope& ctx) { return call(f, i, ctx); };
            return on.template run_parts<pass_context<Unit>>(whole, count, run);
        }) {}

    unsigned concurrency() const { return concurrency_ ? concurrency_(executor_) : 1; }
    template <class F>
    change run_parts(pass_context<Unit>& whole, std::size_t count, F& f) const {
        return run_(
            executor_, whole, count,
            [](void* erased, std::size_t i, part_scope& ctx) { return (*static_cast<F*>(erased))(i, ctx); },
            const_cast<void*>(static_cast<const void*>(&f)));
    }
};

} // namespace detail

/// Names of passes: `{"FoldConstant", "FuseOps"}`.
struct name_list : std::vector<std::string> {
    using std::vector<std::string>::vector;
    name_list(std::vector<std::string> names) : std::vector<std::string>(std::move(names)) {}
    /// Reports that a name needs braces.
    template <std::convertible_to<std::string> Name>
    name_list(const Name&) {
        static_assert(std::is_void_v<Name>,
                      "tutti::runtime::context_options: disabled and required must be lists of names; put the name in "
                      "braces, as in {.disabled = {\"Name\"}}");
    }
};

/// The options of a run-time context.
template <class Unit>
struct context_options {
    int opt_level = 2;
    name_list disabled{}; ///< names of passes that sequentials skip
    name_list required{}; ///< names of passes that sequentials run at any level, and that no instrument can skip
    std::vector<any_instrument<Unit>> instruments{};
    pass_config config{};                  ///< settings that passes read with `tutti::config(ctx, key)`
    detail::parts_runner<Unit> executor{}; ///< transforms parts of a unit in parallel; see `tutti::on`
    stop_token* stop = nullptr;            ///< ends runs early if requested; null: runs complete
    bool check_names = true; ///< true if unknown pass names are errors when the body of `with` runs a pipeline
};

/// A context whose options are known at run time. Like `tutti::pass_context`, it models `tutti::context`. On entry it
/// becomes the current context of its type. It keeps analyses.
///
/// Example:
/// ```
/// runtime::pass_context<int> ctx{{.opt_level = 3, .disabled = {"FuseOps"}, .instruments = {timing}}};
/// int out = tutti::with(ctx, [&] { return runtime::pass_context<int>::current().run(pipeline, 1); });
/// ```
template <class Unit>
class [[gnu::visibility("default")]] pass_context {
    using instrument_set = tutti::internal::instrument_set<detail::erased_instruments<Unit>>;

    context_options<Unit> own_options_; // without the instruments, which are moved to instruments_
    const context_options<Unit>& options_ = own_options_;
    instrument_set instruments_;
    analysis_cache analyses_;
    stop_token* stop_ = options_.stop;
    bool is_part_ = false; // true for the context of one part, which transforms its own parts in sequence

    static bool contains(const std::vector<std::string>& names, std::string_view name) {
        for (const std::string& each : names)
            if (each == name) return true;
        return false;
    }

public:
    pass_context() = default;
    explicit pass_context(context_options<Unit> options)
        : own_options_(std::move(options))
        , instruments_(detail::erased_instruments<Unit>(std::exchange(own_options_.instruments, {}))) {}
    /// Creates a context for one part that is transformed in parallel with other parts. `whole` is the context of the
    /// whole unit.
    pass_context(pass_context& whole, const tutti::internal::hook_lock& lock)
        : options_(whole.options_)
        , instruments_(detail::erased_instruments<Unit>(whole.instruments_.storage(), lock))
        , stop_(whole.stop_)
        , is_part_(true) {
        instruments_.current() = whole.instruments_.current();
        instruments_.runs() = whole.instruments_.runs();
    }
    pass_context(const pass_context&) = delete;
    pass_context& operator=(const pass_context&) = delete;

    static constexpr bool keeps_analyses = true;
    static constexpr bool becomes_current = true;
    /// The context may transform parts of units in parallel.
    static constexpr bool parts_at_once = true;
    static constexpr bool any_forks = true;
    /// True if `U` is the type of this context's units or of their parts. Passes over a `U` can then run here.
    template <class U>
    static constexpr bool runs_over = levels_of<Unit>::template contains<U>;

    /// Returns the context of the innermost `with` on this thread, or the thread's default context outside any `with`.
    static pass_context& current() {
        thread_local pass_context fallback;
        pass_context* const entered = tutti::internal::current_guard<pass_context>::current();
        return entered ? *entered : fallback;
    }

    /// For `current_guard`.
    [[noreturn]] static void raise_out_of_order() {
        raise(error{"tutti::entered", "a context is exited before one that was entered later",
                    "contexts to be exited in reverse order of entry"});
    }

    int opt_level() const { return options_.opt_level; }
    /// Returns the value of a config key, or the key's default if it is not set.
    template <tutti::internal::config_type T>
    T config(const config_key<T>& key) const {
        return options_.config(key);
    }
    const pass_config& config() const { return options_.config; }
    /// Calls `f(key, value)` for each config key that is set, in order.
    void each_setting(auto&& f) const {
        for (const config_entry& each : options_.config.entries()) {
            const std::string_view key = each.name;
            if (each.value.template holds<bool>()) f(key, each.value.template get<bool>());
            if (each.value.template holds<std::int64_t>()) f(key, each.value.template get<std::int64_t>());
            if (each.value.template holds<double>()) f(key, each.value.template get<double>());
            if (each.value.template holds<std::string_view>()) f(key, each.value.template get<std::string_view>());
        }
    }
    const std::vector<std::string>& disabled() const { return options_.disabled; }
    const std::vector<std::string>& required() const { return options_.required; }
    void each_disabled(auto&& f) const {
        for (const std::string& name : options_.disabled) f(std::string_view(name));
    }
    void each_required(auto&& f) const {
        for (const std::string& name : options_.required) f(std::string_view(name));
    }
    instrument_set& instruments() { return instruments_; }
    const instrument_set& instruments() const { return instruments_; }
    analysis_cache& analyses() { return analyses_; }
    /// The token that stops runs, or null.
    stop_token* stop() const { return stop_; }
    /// Replaces the token, and returns the previous one. For adaptors, which restore it.
    stop_token* exchange_stop(stop_token* token) { return std::exchange(stop_, token); }
    /// True if there are no instruments, or if an instrument threw when the context was entered or left.
    bool instruments_cleared() const { return instruments_.cleared() || instruments_.size() == 0; }

    /// Returns the maximum number of parts that are transformed in parallel.
    unsigned concurrency() const {
        return is_part_ || instruments_.storage().wants_order() ? 1 : options_.executor.concurrency();
    }
    /// For `scope::for_each_part`.
    template <class F>
    change run_parts(std::size_t count, F& f) {
        return instruments_.storage().while_parts_run([&] { return options_.executor.run_parts(*this, count, f); });
    }
    /// For the context of one part. `join` merges its instruments into those of the whole's context. `call` calls
    /// `body` with this context as the thread's current context.
    void join() { instruments_.storage().join(); }
    change call(auto&& body) {
        const tutti::internal::current_guard<pass_context> current{*this};
        const analysis_cache::run_guard kept_meanwhile{analyses_, analysis_cache::run_of::part};
        return body();
    }

    /// Replaces the instruments: leaves the old ones and enters the new ones, even if the context is not entered.
    ///
    /// When a running pass ends or fails, only the instruments that saw the pass begin are notified. New instruments
    /// only see passes that begin later. An instrument held by reference must live until the passes that it saw begin
    /// have ended.
    ///
    /// Throws: the exceptions of hooks. The context then has no instruments, and those already entered are left.
    ///         `tutti::error` if called inside a hook, or while passes over parts run in parallel.
    void override_instruments(std::vector<any_instrument<Unit>> list) {
        instruments_.storage().check_idle();
        if (!instruments_cleared()) instruments_.exit();
        instruments_.assign(detail::erased_instruments<Unit>(std::move(list)));
        instruments_.enter();
    }

    /// Runs a pass in this context, even if another context is current; see `scope::run`.
    template <class P, class U>
        requires std::is_lvalue_reference_v<U>
    auto run(P&& pass, U&& unit) {
        return tutti::scope<pass_context, false>{*this}.run(pass, unit);
    }
    template <class P, class U>
    [[nodiscard("the unit was moved into the pass: keep the returned unit, or run the pass over an lvalue")]] auto
    run(P&& pass, U&& unit) {
        return tutti::scope<pass_context, false>{*this}.run(pass, std::forward<U>(unit));
    }

    /// Returns `unknown`, because decisions about passes are made at run time.
    template <class>
    static consteval decision known() {
        return decision::unknown;
    }
    /// Returns a sequential's decision about the pass: to run it, or the reason for skipping it.
    template <class P>
    decision decide(const P& pass) const {
        if (contains(options_.disabled, pass.info.name)) return decision::disabled;
        if (contains(options_.required, pass.info.name)) return decision::run;
        return options_.opt_level >= pass.info.opt_level ? decision::run : decision::opt_level;
    }
    /// True if the context requires the pass, so that no instrument can skip it.
    template <class P>
    bool is_required(const P& pass) const {
        return contains(options_.required, pass.info.name);
    }

    /// Checks that the disabled and required passes occur in a pipeline that the body of `with` is about to run, and
    /// that the order of its passes can work, if `runtime/property.hpp` is included. Single passes are not checked, nor are
    /// passes run through the current context.
    ///
    /// Throws: `tutti::error` for an unknown name. The message suggests the nearest name in the pipeline. `order_error`
    ///         for a pass that needs a property that does not hold there.
    template <class P>
    void check_names(const P& pipeline) const {
        if (pipeline.info.kind == pass_kind::pass || analyses_.running()) return;
        if constexpr (requires { check_order_of(detail::order_of_run{}, pipeline, *this); })
            check_order_of(detail::order_of_run{}, pipeline, *this);
        if (!options_.check_names) return;
        check_list("disabled", options_.disabled, pipeline);
        check_list("required", options_.required, pipeline);
    }

private:
    template <class P>
    static void check_list(const char* what, const std::vector<std::string>& names, const P& pipeline) {
        for (const std::string& wanted : names) {
            tutti::internal::nearest_name meant{wanted};
            const auto visit = [&](std::string_view name) {
                meant.offer(name);
                return name == wanted;
            };
            if (tutti::internal::each_pass_name(pipeline, visit)) continue;
            std::string problem = "no pass of that name is in the pipeline";
            if (!meant.found().empty()) problem += "; did you mean " + std::string{meant.found()} + "?";
            raise(error{std::string{what} + " pass " + wanted, std::move(problem),
                        meant.found().empty() ? "the name of a pass in the pipeline" : ""});
        }
    }
};

} // namespace tutti::runtime
