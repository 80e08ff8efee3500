#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/parallel/executor.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace tutti {

/// An executor with a fixed number of threads, including the thread that calls `bulk`.
///
/// Several threads may use a pool at once, and loops may be nested. The calling thread does the work for which no other
/// thread is free. While it waits for the end of its loop, it helps with the loops nested in this loop. Idle threads
/// look for work for a moment before they sleep, because loops often follow each other closely.
///
/// Cost:    `bulk` allocates nothing.
/// Example: `tutti::thread_pool pool{4}; tutti::for_each_index(pool, 100, [&](std::size_t i) { work(i); });`
class thread_pool {
public:
    /// Returns the number of threads that the machine runs at once, at least 1.
    static unsigned hardware_threads() {
        const unsigned known = std::thread::hardware_concurrency();
        return known == 0 ? 1 : known;
    }

    /// Starts a pool of `threads` threads, one of which is the calling thread. `spins` is the number of times that an
    /// idle thread looks for work before it sleeps; 1,000 spins take about 10 to 50 us.
    ///
    /// Throws: std::system_error if the system cannot start a thread.
    explicit thread_pool(unsigned threads = hardware_threads(), unsigned spins = 1000)
        : spins_(spins)
        , started_(threads > 1 ? threads - 1 : 0)
        , threads_(started_ == 0 ? nullptr : new std::thread[started_]) {
        internal::on_unwind(
            [&] {
                for (unsigned i = 0; i < started_; ++i) threads_[i] = std::thread([this] { serve(); });
            },
            [&] { stop(); });
    }
    thread_pool(const thread_pool&) = delete;
    ~thread_pool() { stop(); }

    unsigned concurrency() const { return started_ + 1; }

    void bulk(std::size_t count, bulk_function f) {
        if (started_ == 0 || count < 2) return inline_executor::bulk(count, f);
        job mine{f, count, running};
        bool helpers_sleep = false;
        {
            const std::scoped_lock held(guard_);
            mine.older = newest_;
            newest_ = &mine;
            added_.store(added_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            open_.store(true, std::memory_order_relaxed);
            helpers_sleep = waiting_ != 0;
        }
        if (count > 2)
            work_.notify_all();
        else
            work_.notify_one();
        if (helpers_sleep) done_.notify_all();
        call(mine, 0);
        std::unique_lock held(guard_);
        while (mine.next != count) call_next(mine, held);
        while (!mine.is_done()) { // checked under the lock: no other thread uses `mine` afterwards
            if (job* inner = newest_within(mine)) {
                call_next(*inner, held);
                continue;
            }
            const std::size_t known = added_.load(std::memory_order_relaxed);
            held.unlock();
            for (unsigned i = 0; i < spins_ && !mine.is_done() && added_.load(std::memory_order_relaxed) == known; ++i)
                pause();
            held.lock();
            if (mine.is_done() || added_.load(std::memory_order_relaxed) != known) continue;
            ++waiting_;
            done_.wait(held, [&] { return mine.is_done() || newest_within(mine); });
            --waiting_;
        }
    }

private:
    // The record of a call of `bulk`, on the caller's stack. It is in the list while indices are left.
    struct job {
        bulk_function f;
        std::size_t count;
        job* outer;                    // the surrounding job, if any
        std::size_t next = 1;          // next index; the caller takes 0
        std::atomic<std::size_t> left; // calls that have not returned
        job* older = nullptr;

        job(bulk_function function, std::size_t numbers, job* around)
            : f(function), count(numbers), outer(around), left(numbers - 1) {}
        bool is_done() const { return left.load(std::memory_order_relaxed) == 0; }
    };
    static inline constinit thread_local job* running = nullptr; // the job whose call this thread runs

    static void call(job& of, std::size_t i) {
        job* const before = std::exchange(running, &of);
        of.f(i);
        running = before;
    }

    static void pause() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }

    // Takes a job's next index, and calls its function without the lock.
    void call_next(job& of, std::unique_lock<std::mutex>& held) {
        const std::size_t i = of.next++;
        if (of.next == of.count) remove(of);
        held.unlock();
        call(of, i);
        held.lock();
        if (of.left.fetch_sub(1, std::memory_order_relaxed) == 1) done_.notify_all();
    }
    // Returns the newest job that has indices left and was started inside a call of `waited`; null if there is none.
    job* newest_within(const job& waited) const {
        for (job* each = newest_; each; each = each->older)
            for (const job* around = each->outer; around; around = around->outer)
                if (around == &waited) return each;
        return nullptr;
    }
    void remove(job& taken) {
        for (job** at = &newest_; *at; at = &(*at)->older)
            if (*at == &taken) {
                *at = taken.older;
                break;
            }
        if (!newest_) open_.store(false, std::memory_order_relaxed);
    }

    void serve() {
        std::unique_lock held(guard_);
        while (!stopped_.load(std::memory_order_relaxed)) {
            if (newest_) {
                call_next(*newest_, held);
                continue;
            }
            held.unlock();
            for (unsigned i = 0; i < spins_ && !open_.load(std::memory_order_relaxed); ++i) pause();
            held.lock();
            work_.wait(held, [&] { return newest_ || stopped_.load(std::memory_order_relaxed); });
        }
    }
    void stop() noexcept {
        {
            const std::scoped_lock held(guard_);
            stopped_.store(true, std::memory_order_relaxed);
            open_.store(true, std::memory_order_relaxed);
        }
        work_.notify_all();
        for (unsigned i = 0; i < started_; ++i)
            if (threads_[i].joinable()) threads_[i].join();
    }

    const unsigned spins_, started_;
    std::mutex guard_; // protects the list and its jobs
    std::condition_variable work_, done_;
    job* newest_ = nullptr;
    unsigned waiting_ = 0;                             // number of sleeping callers of `bulk`
    std::atomic<std::size_t> added_ = 0;               // number of jobs ever added
    std::atomic<bool> open_ = false, stopped_ = false; // readable without the lock; open: work is available
    std::unique_ptr<std::thread[]> threads_;
};

} // namespace tutti
