#pragma once

#include <tutti/executor.hpp>
#include <tutti/failure.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>

namespace tutti {

/// An executor of a fixed number of threads; the one that calls `bulk` is one of them.
///
/// Several threads may use one at once, and calls in it may use it again: then the calling thread does what no other thread is free
/// for. Its threads look out for work for a moment before they sleep, since after one loop the next one often comes soon.
///
/// Cost:    `bulk` takes no memory.
/// Example: `tutti::thread_pool pool{4}; tutti::for_each_index(pool, 100, [&](std::size_t i) { work(i); });`
class thread_pool {
public:
    /// How many threads the machine runs at once, at least 1.
    static unsigned hardware_threads() {
        const unsigned known = std::thread::hardware_concurrency();
        return known == 0 ? 1 : known;
    }

    /// A pool of `threads`, the calling one among them: one less is started. `spins` is how often one that is out of work looks for
    /// more before it sleeps; 1,000 times take some 10 to 50 us.
    ///
    /// Throws: std::system_error if the system has no more threads.
    explicit thread_pool(unsigned threads = hardware_threads(), unsigned spins = 1000)
        : spins_(spins)
        , started_(threads > 1 ? threads - 1 : 0)
        , threads_(started_ == 0 ? nullptr : new std::thread[started_]) {
        on_unwind(
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
        job mine{f, count};
        {
            const std::scoped_lock held(guard_);
            mine.older = newest_;
            newest_ = &mine;
            open_.store(true, std::memory_order_relaxed);
        }
        if (count > 2)
            work_.notify_all();
        else
            work_.notify_one();
        f(0);
        std::unique_lock held(guard_);
        while (mine.next != count) call_next(mine, held);
        if (mine.left.load(std::memory_order_relaxed) != 0) {
            held.unlock();
            for (unsigned i = 0; i < spins_ && mine.left.load(std::memory_order_relaxed) != 0; ++i) pause();
            held.lock(); // also: who was last has let go of `mine`
            done_.wait(held, [&] { return mine.left.load(std::memory_order_relaxed) == 0; });
        }
    }

private:
    // A call of `bulk`, on the stack of its thread: in the list as long as not all of its numbers were taken.
    struct job {
        bulk_function f;
        std::size_t count;
        std::size_t next = 1;          // 0 is its own thread's
        std::atomic<std::size_t> left; // those that have not returned
        job* older = nullptr;

        job(bulk_function function, std::size_t numbers) : f(function), count(numbers), left(numbers - 1) {}
    };

    static void pause() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }

    // Calls one of a job's functions, of which there is one that nobody took, without the lock.
    void call_next(job& of, std::unique_lock<std::mutex>& held) {
        const std::size_t i = of.next++;
        if (of.next == of.count) remove(of);
        held.unlock();
        of.f(i);
        held.lock();
        if (of.left.fetch_sub(1, std::memory_order_relaxed) == 1) done_.notify_all();
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
    std::mutex guard_; // of the list and its jobs
    std::condition_variable work_, done_;
    job* newest_ = nullptr;
    std::atomic<bool> open_ = false, stopped_ = false; // whether there is work, for those that do not hold the lock
    std::unique_ptr<std::thread[]> threads_;
};

} // namespace tutti
