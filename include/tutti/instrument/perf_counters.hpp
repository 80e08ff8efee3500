#pragma once

#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <cerrno>
#include <cstring>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tutti::instrument {

/// The events of `perf_counters`.
enum class perf_event { instructions, cycles, page_faults };

/// Number of events.
inline constexpr std::size_t perf_event_count = 3;

/// Returns `event` in words: "instructions", "cycles", "page faults".
constexpr std::string_view to_string(perf_event event) {
    constexpr std::string_view words[] = {"instructions", "cycles", "page faults"};
    return words[static_cast<std::size_t>(event)];
}

/// The kernel's counters of user-space events on the thread that creates the object. Uses Linux's perf_event_open, if
/// permitted.
class kernel_counters {
    int files_[perf_event_count] = {-1, -1, -1};
    std::string missing_[perf_event_count];

public:
    kernel_counters() {
#if defined(__linux__)
        const std::uint64_t what[] = {PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_SW_PAGE_FAULTS};
        for (std::size_t i = 0; i < perf_event_count; ++i) {
            perf_event_attr wanted{};
            wanted.size = sizeof wanted;
            wanted.type = i == 2 ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE;
            wanted.config = what[i];
            wanted.exclude_kernel = 1;
            wanted.exclude_hv = 1;
            wanted.pinned = i == 2 ? 0 : 1; // pinned events are counted all the time or not at all
            files_[i] = static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0UL));
            if (files_[i] < 0)
                missing_[i] = std::strerror(errno);
            else if (read(static_cast<perf_event>(i)) < 0)
                missing_[i] = "the processor has no free counter";
        }
#else
        for (std::string& each : missing_) each = "this system has no perf_event_open";
#endif
    }
    ~kernel_counters() {
#if defined(__linux__)
        for (const int file : files_)
            if (file >= 0) close(file);
#endif
    }
    kernel_counters(kernel_counters&& other) noexcept {
        for (std::size_t i = 0; i < perf_event_count; ++i) {
            std::swap(files_[i], other.files_[i]);
            std::swap(missing_[i], other.missing_[i]);
        }
    }
    kernel_counters& operator=(const kernel_counters&) = delete;

    /// The reason why an event is not counted, or "".
    const std::string& missing(perf_event event) const { return missing_[static_cast<std::size_t>(event)]; }
    /// The number of occurrences of an event; negative if the event is not counted.
    std::int64_t read(perf_event event) const {
#if defined(__linux__)
        std::int64_t count = 0;
        const int file = files_[static_cast<std::size_t>(event)];
        if (file >= 0 && ::read(file, &count, sizeof count) == static_cast<ssize_t>(sizeof count)) return count;
#endif
        return -1;
    }
};

/// Counts instructions, cycles and page faults of passes, like `perf stat`, on the thread that creates the instrument,
/// excluding hooks of other instruments. If the kernel does not permit counting an event (`perf_event_paranoid`, a
/// container, a virtual machine), `missing` and `render` give the reason.
///
/// Cost:    a system call per counted event, twice per pass, or four times with other instruments.
/// Example: `perf_counters counters; …; std::cerr << counters.render();`
template <class Source>
class basic_perf_counters {
public:
    /// The counts of one run of a pass; negative for events that are not counted.
    struct entry {
        std::size_t depth = 0; ///< number of passes around it
        std::string pass;
        std::int64_t inclusive[perf_event_count] = {}, self[perf_event_count] = {};
    };

    static constexpr std::string_view name = "perf_counters";
    static constexpr bool pairs_begin_and_end = true;
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;

    /// The reason why an event is not counted, or "".
    std::string_view missing(perf_event event) const { return source_.missing(event); }

    void enter_pass_ctx() {
        if (frames_.enter()) entries_.clear();
    }
    void exit_pass_ctx() {
        const counts all = now();
        frames_.exit([&](const running_pass& done) { close(done, all); });
    }
    void run_before_pass(const auto&, const pass_info& info) {
        entries_.push_back({.depth = frames_.depth(), .pass = std::string{info.name}});
        frames_.begin(info, {entries_.size() - 1, {}});
        frames_.back().start = now();
    }
    void run_after_pass(const auto&, const pass_info& info) { end(info); }
    void pass_failed(const auto*, const pass_info& info, const std::exception_ptr&) { end(info); }
    void stop_clock() {
        if (stops_++ == 0) stopped_ = read();
    }
    void start_clock() {
        if (--stops_ > 0) return;
        const counts again = read();
        for (std::size_t i = 0; i < perf_event_count; ++i) left_out_.of[i] += again.of[i] - stopped_.of[i];
    }

    /// The passes since the context was entered, in the order in which they began.
    const std::vector<entry>& entries() const { return entries_; }

    /// Returns one line per pass, indented by a tab per surrounding pass: `FuseOps: 5120 [1024] instructions, …`. The
    /// brackets contain the pass's own counts. A line per uncounted event follows: `cycles: not counted: Permission
    /// denied`.
    std::string render() const {
        std::string text;
        for (const entry& each : entries_) {
            text.append(each.depth, '\t').append(each.pass);
            const char* separator = ": ";
            for (std::size_t i = 0; i < perf_event_count; ++i) {
                if (!missing(static_cast<perf_event>(i)).empty()) continue;
                text.append(separator).append(std::to_string(each.inclusive[i])).append(" [");
                text.append(std::to_string(each.self[i])).append("] ").append(to_string(static_cast<perf_event>(i)));
                separator = ", ";
            }
            text += '\n';
        }
        for (std::size_t i = 0; i < perf_event_count; ++i)
            if (const std::string_view why = missing(static_cast<perf_event>(i)); !why.empty())
                text.append(to_string(static_cast<perf_event>(i))).append(": not counted: ").append(why).append("\n");
        return text;
    }

private:
    struct counts {
        std::int64_t of[perf_event_count] = {};
    };
    struct running_pass {
        std::size_t index;
        counts start;
        counts inside{}; // counts of the passes inside it
    };

    counts read() const {
        counts all;
        for (std::size_t i = 0; i < perf_event_count; ++i)
            if (missing(static_cast<perf_event>(i)).empty()) all.of[i] = source_.read(static_cast<perf_event>(i));
        return all;
    }
    counts now() const {
        counts all = stops_ > 0 ? stopped_ : read();
        for (std::size_t i = 0; i < perf_event_count; ++i) all.of[i] -= left_out_.of[i];
        return all;
    }
    void end(const pass_info& info) {
        const counts all = now();
        const auto close_it = [&](const running_pass& done) { close(done, all); };
        frames_.end(info, close_it, close_it);
    }
    // Ends a pass. `done` is its frame, which has been removed from `frames_`.
    void close(const running_pass& done, const counts& all) {
        for (std::size_t i = 0; i < perf_event_count; ++i) {
            const bool counted = missing(static_cast<perf_event>(i)).empty();
            const std::int64_t took = all.of[i] - done.start.of[i];
            entries_[done.index].inclusive[i] = counted ? took : -1;
            entries_[done.index].self[i] = counted ? took - done.inside.of[i] : -1;
            if (!frames_.empty()) frames_.back().inside.of[i] += took;
        }
    }

    Source source_;
    std::vector<entry> entries_;
    pass_frames<running_pass> frames_;
    counts stopped_, left_out_;
    int stops_ = 0;
};

/// `basic_perf_counters` with the kernel's counters.
using perf_counters = basic_perf_counters<kernel_counters>;

} // namespace tutti::instrument
