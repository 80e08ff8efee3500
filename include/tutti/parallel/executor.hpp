#pragma once

#include <tutti/base/failure.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

namespace tutti {

/// A reference to a function that executors call with an index. The function must not throw.
class bulk_function {
    void* object_;
    void (*call_)(void*, std::size_t);

public:
    /// Refers to `f`, which must outlive the reference.
    template <class F>
        requires(!std::same_as<std::remove_const_t<F>, bulk_function>)
    explicit bulk_function(F& f)
        : object_(const_cast<void*>(static_cast<const void*>(&f)))
        , call_([](void* object, std::size_t i) { (*static_cast<F*>(object))(i); }) {}

    void operator()(std::size_t i) const noexcept { call_(object_, i); }
};

/// Runs many calls of a function in parallel: a thread pool, or another library's scheduler. This library provides
/// `thread_pool` and `inline_executor`; users may supply their own executors.
///
/// `concurrency()` is the largest number of simultaneous calls, including the calling thread. `bulk(count, f)` calls
/// `f(i)` for each `i` below `count`, in any order and on any threads, and returns when all calls have returned.
/// `bulk` may be called inside `f`.
///
/// Laws:
/// ```
/// e.concurrency() >= 1
/// everything before e.bulk(n, f) happens before each f(i), and each f(i) before everything after it
/// ```
/// Example: examples/tbb_executor.cpp, an executor for oneTBB
template <class E>
concept executor = requires(E& e, std::size_t count, bulk_function f) {
    { e.concurrency() } -> std::convertible_to<unsigned>;
    e.bulk(count, f);
};

/// Runs calls on the calling thread, in order.
struct inline_executor {
    static constexpr unsigned concurrency() { return 1; }
    static void bulk(std::size_t count, bulk_function f) {
        for (std::size_t i = 0; i < count; ++i) f(i);
    }
};

/// A type-erased reference to any executor. By default, refers to an inline executor.
class executor_ref {
    void* object_ = nullptr;
    unsigned (*concurrency_)(void*) = [](void*) { return 1U; };
    void (*bulk_)(void*, std::size_t, bulk_function) = [](void*, std::size_t count, bulk_function f) {
        inline_executor::bulk(count, f);
    };

public:
    constexpr executor_ref() = default;

    /// Refers to an executor, which must outlive the reference.
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

// The smallest index whose call has thrown on any thread, and the exception.
class first_failure {
    std::size_t at_;
    bool writing_ = false;
    std::exception_ptr reason_;

public:
    explicit first_failure(std::size_t count) : at_(count) {}

    // True if a call at index i or a smaller index has failed. The call at index i is then skipped.
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

// The consecutive indices that one lane starts with. Other lanes take indices from this share once their own shares are
// used up. Each share has its own cache line.
struct alignas(64) lane_share {
    std::size_t next, end;

    // Returns the first of the next `grain` indices, or a value of at least `end` if none are left.
    std::size_t take(std::size_t grain) {
        // tested first, so that idle threads do not overflow the counter
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
    grain = grain == 0 ? 1 : grain < count ? grain : count; // limited, so that `next` does not overflow
    first_failure failure(count);
    // Runs the calls from index i up to `end`. Returns false if any of them is cancelled or fails.
    const auto run_some = [&](std::size_t i, std::size_t end, std::size_t lane) {
        std::exception_ptr reason = internal::caught([&] {
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

/// Returns the maximum number of simultaneous calls in `for_each_index`.
template <executor E>
constexpr std::size_t lanes(E&& on, std::size_t count) {
    const std::size_t most = on.concurrency();
    return most < count ? most : count == 0 ? 1 : count;
}

/// Returns the grain at which each lane takes its share of `count` indices in about four turns. It suits loops with
/// uniform work in which neighbouring calls write to adjacent memory, since threads then rarely share a cache line.
template <executor E>
constexpr std::size_t coarse_grain(E&& on, std::size_t count) {
    const std::size_t turns = 4 * lanes(on, count);
    return count < turns ? 1 : count / turns;
}

/// Calls `f(i)` or `f(i, lane)` for each `i` below `count`. The calls are parallel if the executor is. Returns when all
/// calls have returned.
///
/// A lane is a number below `lanes(on, count)`. Simultaneous calls have different lanes, so temporary memory can be
/// kept per lane. A lane starts with the same share of consecutive indices in each loop of the same count, so later
/// loops find the data of earlier loops in the cache. The lane then takes from other shares. It takes up to `grain`
/// indices at a time, in order. `f` may call this function on the same executor.
///
/// Throws: the exception of `f` at the smallest `i`, as in serial execution. Calls at greater `i` that have not begun
///         are skipped; all calls at smaller `i` are done.
/// Cost:   allocates nothing; with a concurrency of 1, a plain loop.
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
