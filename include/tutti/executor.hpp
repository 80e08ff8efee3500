#pragma once

#include <tutti/failure.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

namespace tutti {

/// A function of a number, by reference; it must not throw. What executors call.
class bulk_function {
    void* object_;
    void (*call_)(void*, std::size_t);

public:
    /// Refers to `f`, which must live as long as this is used.
    template <class F>
        requires(!std::same_as<std::remove_const_t<F>, bulk_function>)
    explicit bulk_function(F& f)
        : object_(const_cast<void*>(static_cast<const void*>(&f)))
        , call_([](void* object, std::size_t i) { (*static_cast<F*>(object))(i); }) {}

    void operator()(std::size_t i) const noexcept { call_(object_, i); }
};

/// What runs many calls of a function at once: a pool of threads, or another library's scheduler. Users bring one; `thread_pool`
/// and `inline_executor` are ours.
///
/// `concurrency()` is how many calls run at the same time at most, the calling thread's among them. `bulk(count, f)` calls `f(i)`
/// for each `i` below `count`, in any order and on any threads, and returns when all calls have. It may be called within `f`.
///
/// Laws:
/// ```
/// e.concurrency() >= 1
/// what happened before e.bulk(n, f) has happened to each f(i), and each f(i) to what comes after it
/// ```
/// Example: examples/tbb_executor.cpp, an executor that is oneTBB's
template <class E>
concept executor = requires(E& e, std::size_t count, bulk_function f) {
    { e.concurrency() } -> std::convertible_to<unsigned>;
    e.bulk(count, f);
};

/// The executor that is the calling thread: calls in their order, one after another.
struct inline_executor {
    static constexpr unsigned concurrency() { return 1; }
    static void bulk(std::size_t count, bulk_function f) {
        for (std::size_t i = 0; i < count; ++i) f(i);
    }
};

/// Any executor, by reference: which one is known at run time only. The inline one if none was given.
class executor_ref {
    void* object_ = nullptr;
    unsigned (*concurrency_)(void*) = [](void*) { return 1U; };
    void (*bulk_)(void*, std::size_t, bulk_function) = [](void*, std::size_t count, bulk_function f) {
        inline_executor::bulk(count, f);
    };

public:
    constexpr executor_ref() = default;

    /// Refers to an executor, which must live as long as this is used.
    template <executor E>
        requires(!std::same_as<std::remove_const_t<E>, executor_ref> && !std::is_const_v<E>)
    constexpr executor_ref(E& e)
        : object_(&e)
        , concurrency_([](void* object) { return static_cast<unsigned>(static_cast<E*>(object)->concurrency()); })
        , bulk_([](void* object, std::size_t count, bulk_function f) { static_cast<E*>(object)->bulk(count, f); }) {}

    unsigned concurrency() const { return concurrency_(object_); }
    void bulk(std::size_t count, bulk_function f) const { bulk_(object_, count, f); }
};

namespace detail {

// The first number at which something was thrown, of those that several threads go through.
class first_failure {
    std::size_t at_;
    bool writing_ = false;
    std::exception_ptr reason_;

public:
    explicit first_failure(std::size_t count) : at_(count) {}

    // Whether one before it has failed: it is not run then, and nor are those behind it.
    bool cancels(std::size_t i) const { return i >= __atomic_load_n(&at_, __ATOMIC_RELAXED); }

    [[gnu::cold, gnu::noinline]] void fail(std::size_t i, std::exception_ptr reason) {
        while (__atomic_test_and_set(&writing_, __ATOMIC_ACQUIRE)) {}
        if (i < at_) {
            __atomic_store_n(&at_, i, __ATOMIC_RELAXED);
            std::swap(reason_, reason);
        }
        __atomic_clear(&writing_, __ATOMIC_RELEASE);
    }
    void rethrow_if_failed() {
        if (reason_) [[unlikely]]
            std::rethrow_exception(std::move(reason_));
    }
};

// Neighbouring numbers that one lane begins with, and others take from when they are done with theirs; in a line of the cache of its own.
struct alignas(64) lane_share {
    std::size_t next, end;

    // The first of the next `grain` numbers; none are left if it is not below `end`.
    std::size_t take(std::size_t grain) {
        // a test first, so that threads that find nothing left cannot count it over the end of numbers
        return __atomic_load_n(&next, __ATOMIC_RELAXED) < end ? __atomic_fetch_add(&next, grain, __ATOMIC_RELAXED)
                                                              : end;
    }
};

template <class F>
constexpr void call_for_index(F& f, std::size_t i, [[maybe_unused]] std::size_t lane) {
    if constexpr (requires { f(i, lane); })
        f(i, lane);
    else
        f(i);
}

template <class E, class F>
[[gnu::noinline]] void for_each_index_at_once(E& on, std::size_t lanes, std::size_t count, std::size_t grain, F& f) {
    constexpr std::size_t most_shares = 32;
    lane_share shares[most_shares];
    const std::size_t parts = lanes < most_shares ? lanes : most_shares;
    for (std::size_t i = 0, first = 0; i < parts; ++i) {
        shares[i].next = first;
        first += count / parts + (i < count % parts ? 1 : 0);
        shares[i].end = first;
    }
    grain = grain == 0      ? 1
            : grain < count ? grain
                            : count; // no more, so that shares are not counted over the end of numbers
    first_failure failure(count);
    // False if the numbers behind them are cancelled.
    const auto run_some = [&](std::size_t i, std::size_t end, std::size_t lane) {
        std::exception_ptr reason = caught([&] {
            for (; i != end && !failure.cancels(i); ++i) call_for_index(f, i, lane);
        });
        if (reason) [[unlikely]]
            failure.fail(i, std::move(reason));
        return i == end;
    };
    const auto run_lane = [&](std::size_t lane) {
        for (std::size_t turn = 0; turn < parts; ++turn) {
            lane_share& from = shares[(lane + turn) % parts];
            for (std::size_t first = from.take(grain); first < from.end; first = from.take(grain)) {
                const std::size_t most = from.end - first;
                if (!run_some(first, first + (grain < most ? grain : most), lane)) break;
            }
        }
    };
    on.bulk(lanes, bulk_function(run_lane));
    failure.rethrow_if_failed();
}

} // namespace detail

/// How many calls of `for_each_index` run at the same time at most.
template <executor E>
constexpr std::size_t lanes(E&& on, std::size_t count) {
    const std::size_t most = on.concurrency();
    return most < count ? most : count == 0 ? 1 : count;
}

/// The grain by which each lane takes its share of `count` numbers in some four turns: for loops whose numbers are alike much work, and
/// whose neighbours write to neighbouring memory, which threads in turn would take out of each other's caches.
template <executor E>
constexpr std::size_t coarse_grain(E&& on, std::size_t count) {
    const std::size_t turns = 4 * lanes(on, count);
    return count < turns ? 1 : count / turns;
}

/// Calls `f(i)`, or `f(i, lane)`, for each `i` below `count`, several at once if the executor does; returns when all calls have.
///
/// Calls at the same time have different lanes, numbers below `lanes(on, count)`: what each needs for itself can be kept by lane.
/// A lane begins with its share of neighbouring numbers, the same in each call for as many, so that what a loop has left in its caches and
/// its part of the memory the next one finds there; done with it, it takes from the others'. `grain` numbers are taken at a time, in their
/// order. `f` may call it again, on the same executor.
///
/// Throws: what `f` throws, at the least `i` if at several: the same as one after another. Calls at greater `i` that have not
///         begun are left out; all lesser ones are done.
/// Cost:   no memory but on the stack; with a concurrency of 1 a plain loop.
/// Example: `for_each_index(pool, rows, [&](std::size_t row) { multiply(row); });`
template <executor E, class F>
constexpr void for_each_index(E&& on, std::size_t count, F&& f, std::size_t grain = 1) {
    if (const std::size_t at_once = lanes(on, count); at_once > 1) {
        detail::for_each_index_at_once(on, at_once, count, grain, f);
    } else {
        for (std::size_t i = 0; i < count; ++i) detail::call_for_index(f, i, 0);
    }
}

} // namespace tutti
