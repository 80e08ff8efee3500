#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/instrument/support/allocations.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::instrument {

/// Counts exactly what passes allocate with `new` on their thread. One source file of the program must include
/// <tutti/instrument/count_allocations.hpp>. Allocations in hooks of instruments are excluded.
///
/// Cost:    about 100 bytes per pass; counting takes a few additions per `new` and `delete`.
/// Throws:  `tutti::error` from the constructor, if no source file includes that header.
/// Example: `memory used; …; std::cerr << used.render();`
class memory {
public:
    /// The allocations of a pass, including those of passes that it ran.
    struct entry {
        std::size_t depth = 0; ///< number of surrounding passes
        std::string pass;
        std::int64_t allocated = 0;   ///< bytes
        std::int64_t allocations = 0; ///< number of allocations
        std::int64_t live = 0;        ///< change of the bytes in use
        std::int64_t peak = 0;        ///< largest number of bytes in use, minus the number at the start
    };

    static constexpr std::string_view name = "memory";
    static constexpr bool pairs_begin_and_end = true;
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    memory() {
        const std::int64_t before = allocations().allocations;
        void* volatile probe = ::operator new(1);
        ::operator delete(probe);
        if (allocations().allocations == before)
            raise(error{"tutti::instrument::memory", "the program does not count allocations",
                        "<tutti/instrument/count_allocations.hpp> included in one of its sources"});
    }

    void enter_pass_ctx() {
        const unseen here{*this};
        if (frames_.enter()) entries_.clear();
    }
    void exit_pass_ctx() {
        unseen here{*this};
        frames_.exit([&](const running_pass& done) { close(done, here.now); });
    }
    void run_before_pass(const auto&, const pass_info& info) {
        unseen here{*this};
        entries_.push_back({.depth = frames_.depth(), .pass = std::string{info.name}});
        frames_.begin(info, {entries_.size() - 1, here.now});
        here.now.peak = here.now.live;
    }
    void run_after_pass(const auto&, const pass_info& info) { end(info); }
    void pass_failed(const auto*, const pass_info& info, const std::exception_ptr&) { end(info); }
    void stop_clock() {
        if (stops_++ == 0) stopped_ = allocations();
    }
    void start_clock() {
        if (--stops_ == 0) allocations() = stopped_;
    }

    /// The passes since the context was entered, in the order in which they began.
    const std::vector<entry>& entries() const { return entries_; }

    /// Returns one line per pass, indented by a tab per surrounding pass: `FuseOps: 5120 bytes in 12 allocations, +1024
    /// live, peak 4096`.
    std::string render() const {
        std::string text;
        for (const entry& each : entries_) {
            text.append(each.depth, '\t').append(each.pass).append(": ").append(std::to_string(each.allocated));
            text.append(" bytes in ").append(std::to_string(each.allocations)).append(" allocations, ");
            text.append(each.live > 0 ? "+" : "").append(std::to_string(each.live)).append(" live, peak ");
            text.append(std::to_string(each.peak)).append("\n");
        }
        return text;
    }

private:
    struct running_pass {
        std::size_t index;
        allocation_counts before;
    };
    // Excludes allocations during its lifetime: the destructor restores the counts to `now`.
    struct unseen {
        memory& self;
        allocation_counts now;

        explicit unseen(memory& m) : self(m), now(m.stops_ > 0 ? m.stopped_ : allocations()) {}
        ~unseen() { (self.stops_ > 0 ? self.stopped_ : allocations()) = now; }
        unseen(const unseen&) = delete;
    };

    void end(const pass_info& info) {
        unseen here{*this};
        const auto close_it = [&](const running_pass& done) { close(done, here.now); };
        frames_.end(info, close_it, close_it);
    }
    void close(const running_pass& ended, allocation_counts& now) {
        const auto& [index, before] = ended;
        entry& done = entries_[index];
        done.allocated = now.allocated - before.allocated;
        done.allocations = now.allocations - before.allocations;
        done.live = now.live - before.live;
        done.peak = now.peak - before.live;
        if (before.peak > now.peak) now.peak = before.peak;
    }

    std::vector<entry> entries_;
    pass_frames<running_pass> frames_;
    allocation_counts stopped_;
    int stops_ = 0;
};

} // namespace tutti::instrument
