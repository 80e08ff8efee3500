#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/pass/analysis_cache.hpp>
#include <tutti/pass/config.hpp>
#include <tutti/pass/context.hpp>
#include <tutti/pass/hook_lock.hpp>
#include <tutti/pass/instrument.hpp>
#include <tutti/pass/instrument_set.hpp>
#include <tutti/pass/scope.hpp>
#include <tutti/pass/slots.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <exception>
#include <mutex>
#include <type_traits>
#include <utility>

namespace tutti {

namespace detail {

// Calls an instrument for the passes over one part: under the lock, directly if it is concurrent, or through its child
// if it forks.
template <class I>
struct told_by_part {
    using type = I;
    I* whole;
    const internal::hook_lock* lock;

    told_by_part(I& instrument, const internal::hook_lock& of_all) : whole(&instrument), lock(&of_all) {}
    void tell(auto& f) {
        const internal::hook_lock::holder held(*lock);
        f(*whole);
    }
    void join() {}
};
template <class I>
    requires internal::concurrent_instrument<I>
struct told_by_part<I> {
    using type = I;
    I* whole;

    told_by_part(I& instrument, const internal::hook_lock&) : whole(&instrument) {}
    void tell(auto& f) { f(*whole); }
    void join() {}
};
template <class I>
    requires(forks<I> && !internal::concurrent_instrument<I>)
struct told_by_part<I> {
    using type = decltype(std::declval<I&>().fork());
    I* whole;
    type child;

    told_by_part(I& instrument, const internal::hook_lock&) : whole(&instrument), child(instrument.fork()) {}
    void tell(auto& f) { f(child); }
    void join() { whole->join(static_cast<type&&>(child)); }
};

// The instruments of a static context, as called by the passes over one part.
template <class Storage>
struct part_storage;
template <class... I>
struct part_storage<instrument_slots<I...>> : typed_storage {
    using types = internal::instrument_types<typename told_by_part<std::remove_reference_t<I>>::type...>;
    static constexpr bool any_forks = (forks<std::remove_reference_t<I>> || ...);
    static constexpr bool any_wants_order = (internal::wants_order<I> || ...);

    slots<told_by_part<std::remove_reference_t<I>>...> list;

    part_storage(auto& whole, [[maybe_unused]] const internal::hook_lock& lock)
        : list(whole.list.apply([&](auto&... instrument) {
            return slots<told_by_part<std::remove_reference_t<I>>...>{
                {told_by_part<std::remove_reference_t<I>>(instrument, lock)}...};
        })) {}

    static constexpr std::size_t size() { return sizeof...(I); }
    void each(auto&& f) {
        list.each([&](auto& one) { one.tell(f); });
    }
    void join() {
        list.each([](auto& one) { one.join(); });
    }
};

template <class Set>
struct part_set;
template <class Storage>
struct part_set<internal::instrument_set<Storage>> {
    using storage = part_storage<Storage>;
    using type = internal::instrument_set<storage>;
};

struct no_analyses {};

} // namespace detail

/// The context of the passes over one part of a unit, while other parts are transformed in parallel.
///
/// It models `context`. It uses the options of the whole's context, and has its own analyses and running passes.
template <class Whole>
class part_context {
    using storage =
        typename detail::part_set<std::remove_cvref_t<decltype(std::declval<Whole&>().instruments())>>::storage;

    Whole* whole_;
    internal::instrument_set<storage> instruments_;
    [[no_unique_address]] std::conditional_t<Whole::keeps_analyses, analysis_cache, detail::no_analyses> analyses_;

public:
    static constexpr bool keeps_analyses = Whole::keeps_analyses, becomes_current = false;
    template <class Unit>
    static constexpr bool runs_over = Whole::template runs_over<Unit>;
    static constexpr bool any_forks = storage::any_forks;

    part_context(Whole& whole, const internal::hook_lock& lock)
        : whole_(&whole), instruments_(storage(whole.instruments().storage(), lock)) {
        instruments_.current() = whole.instruments().current();
        instruments_.runs() = whole.instruments().runs();
    }

    int opt_level() const { return whole_->opt_level(); }
    template <internal::config_type T>
    T config(const config_key<T>& key) const {
        return whole_->config(key);
    }
    void each_setting(auto&& f) const { whole_->each_setting(f); }
    void each_disabled(auto&& f) const { whole_->each_disabled(f); }
    void each_required(auto&& f) const { whole_->each_required(f); }
    auto& instruments() { return instruments_; }
    const auto& instruments() const { return instruments_; }
    bool instruments_cleared() const { return whole_->instruments_cleared(); }
    analysis_cache& analyses()
        requires keeps_analyses
    {
        return analyses_;
    }
    template <class P>
    static consteval decision known() {
        return Whole::template known<P>();
    }
    template <class P>
    decision decide(const P& pass) const {
        return whole_->decide(pass);
    }
    template <class P>
    bool is_required(const P& pass) const {
        return whole_->is_required(pass);
    }
    /// The token that stops the whole.
    constexpr auto* stop() const
        requires requires(Whole& whole) { whole.stop(); }
    {
        return whole_->stop();
    }
    /// Merges the part's instruments into the whole's instruments.
    void join() { instruments_.storage().join(); }
    /// Calls `body`, and keeps analyses in this context until `body` is done.
    change call(auto&& body) {
        if constexpr (keeps_analyses) {
            const analysis_cache::run_guard kept_meanwhile{analyses_, analysis_cache::run_of::part};
            return body();
        } else {
            return body();
        }
    }
};

namespace detail {

// The contexts of the parts. The pointer for a part that was not begun is null.
template <class Part>
class made_parts {
    std::size_t count_;
    Part** parts_;

public:
    explicit made_parts(std::size_t count) : count_(count), parts_(new Part* [count] {}) {}
    ~made_parts() {
        for (std::size_t i = 0; i < count_; ++i) delete parts_[i];
        delete[] parts_;
    }
    made_parts(const made_parts&) = delete;

    Part*& operator[](std::size_t i) { return parts_[i]; }
    // Merges the instruments in the order of the parts, up to the first part that failed, as in serial execution.
    void join(std::size_t failed) {
        for (std::size_t i = 0; i < count_ && i <= failed; ++i)
            if (parts_[i] != nullptr) parts_[i]->join();
    }
};

// Atomically replaces a number by `to`, if `to` is less.
inline void lower(std::atomic<std::size_t>& least, std::size_t to) {
    std::size_t now = least.load(std::memory_order_relaxed);
    while (to < now && !least.compare_exchange_weak(now, to, std::memory_order_relaxed)) {}
}

// Implements `scope::for_each_part` in a context with an executor. `Part` is the type of a part's context.
template <class Part, class Whole, executor E, class F>
change run_parts(Whole& whole, E& on, std::size_t count, F& f) {
    std::mutex one_at_a_time;
    const internal::hook_lock lock(one_at_a_time);
    std::atomic<int> all{static_cast<int>(unchanged)};
    const auto run = [&](Part& part, std::size_t i) {
        scope<Part, true> inside{part};
        all.fetch_or(static_cast<int>(part.call([&] { return f(i, inside); })), std::memory_order_relaxed);
    };
    const auto settle = [&] {
        if constexpr (Whole::keeps_analyses)
            if (all.load(std::memory_order_relaxed) != static_cast<int>(unchanged)) whole.analyses().clear();
    };
    const auto run_all = [&] {
        if constexpr (Part::any_forks) {
            made_parts<Part> parts(count);
            std::atomic<std::size_t> failed{count};
            internal::on_failure(
                [&] {
                    for_each_index(on, count, [&](std::size_t i) {
                        internal::on_failure(
                            [&] {
                                parts[i] = new Part(whole, lock);
                                run(*parts[i], i);
                            },
                            [&](const std::exception_ptr&) { lower(failed, i); });
                    });
                },
                [&](const std::exception_ptr&) { parts.join(failed.load(std::memory_order_relaxed)); });
            parts.join(count);
        } else {
            for_each_index(on, count, [&](std::size_t i) {
                Part part(whole, lock);
                run(part, i);
            });
        }
    };
    internal::on_failure(run_all, [&](const std::exception_ptr&) {
        all.store(static_cast<int>(change::unknown), std::memory_order_relaxed);
        settle();
    });
    settle();
    return static_cast<change>(all.load(std::memory_order_relaxed));
}

} // namespace detail

namespace internal {

/// The option made by `on`.
template <class E>
struct on_executor {
    E* executor;

    /// True if a context with this option may transform parts in parallel: no instrument is `in_order`.
    template <class Context>
    static constexpr bool at_once = !detail::part_set<
        std::remove_cvref_t<decltype(std::declval<Context&>().instruments())>>::storage::any_wants_order;

    template <class Part, class Context, class F>
    change run_parts(Context& whole, std::size_t count, F& f) const {
        return detail::run_parts<Part>(whole, *executor, count, f);
    }
};

} // namespace internal

/// Context option: transforms parts of a unit in parallel, on an executor that must outlive the context.
///
/// Results and exceptions match serial execution: the exception is that of the first failing part in order. After a
/// failure, parts that have not begun are skipped. Parts of parts are transformed in sequence. Passes must be safe to
/// call from several threads at once, as const passes without mutable members are.
///
/// Hooks run one at a time, and `pass_run::outer` refers to a pass of their own thread. All threads may call a
/// `concurrent` instrument at once, an instrument with `fork` has a child per part, and an `in_order` instrument makes
/// parts run in sequence.
///
/// Requires: the context does not have the option `as_current{}`, because it would belong to one thread.
/// Example:
/// ```
/// tutti::thread_pool pool{4};
/// tutti::pass_context ctx{tutti::opt_level<3>, tutti::on(pool)};
/// ```
template <executor E>
constexpr internal::on_executor<E> on(E& executor) {
    return {&executor};
}

} // namespace tutti
