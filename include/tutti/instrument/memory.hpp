#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/instrument/support/allocations.hpp>
#include <tutti/instrument/support/pass_nesting.hpp>
#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::instrument {

/// Counts exactly what passes allocate with `new` on their thread, in a program with a source file that includes
/// <tutti/instrument/count_allocations.hpp>. Allocations in hooks of instruments are excluded.
///
/// Cost:    some hundred bytes per pass; counting takes some additions per `new` and `delete`.
/// Throws:  `tutti::error` from the constructor, in a program that does not count.
/// Example: `memory used; …; std::cerr << used.render();`
class memory {
public:
    /// The allocations of a pass, including those of passes that it ran.
    struct entry {
        std::size_t depth = 0; ///< number of passes around it
        std::string pass;
        std::int64_t allocated = 0;   ///< bytes
        std::int64_t allocations = 0; ///< number of allocations
        std::int64_t live = 0;        ///< change of the bytes in use
        std::int64_t peak = 0;        ///< largest increase meanwhile
    };

    static constexpr std::string_view name = "memory";
    static constexpr bool pairs_begin_and_end = true;
    /// Parts are transformed in sequence: see `tutti::on`.
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
        if (!nesting_.enter()) return;
        entries_.clear();
        running_.clear();
    }
    void exit_pass_ctx() {
        unseen here{*this};
        close(nesting_.exit(), here.now);
    }
    void run_before_pass(const auto&, const pass_info& info) {
        unseen here{*this};
        running_.push_back({entries_.size(), here.now});
        entries_.push_back({.depth = nesting_.depth(), .pass = std::string{info.name}});
        nesting_.begin(info);
        here.now.peak = here.now.live;
    }
    void run_after_pass(const auto&, const pass_info& info) {
        unseen here{*this};
        close(nesting_.end(info), here.now);
    }
    void pass_failed(const auto*, const pass_info& info, const std::exception_ptr&) {
        unseen here{*this};
        close(nesting_.end(info), here.now);
    }
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
    // Excludes allocations during its lifetime; `now` are the counts before, and after.
    struct unseen {
        memory& self;
        allocation_counts now;

        explicit unseen(memory& m) : self(m), now(m.stops_ > 0 ? m.stopped_ : allocations()) {}
        ~unseen() { (self.stops_ > 0 ? self.stopped_ : allocations()) = now; }
        unseen(const unseen&) = delete;
    };

    void close(std::size_t passes, allocation_counts& now) {
        for (; passes > 0; --passes) {
            const auto& [index, before] = running_.back();
            entry& done = entries_[index];
            done.allocated = now.allocated - before.allocated;
            done.allocations = now.allocations - before.allocations;
            done.live = now.live - before.live;
            done.peak = now.peak - before.live;
            if (before.peak > now.peak) now.peak = before.peak;
            running_.pop_back();
        }
    }

    std::vector<entry> entries_;
    std::vector<running_pass> running_; // as many as nest
    pass_nesting nesting_;
    allocation_counts stopped_;
    int stops_ = 0;
};

} // namespace tutti::instrument
