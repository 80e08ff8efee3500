#pragma once

#include <tutti/base/steady_clock.hpp>
#include <tutti/instrument/support/json.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::instrument {

/// Records passes as Chrome trace events, for chrome://tracing, Perfetto and speedscope. One row shows the nested
/// passes, and another row the hooks of other instruments, if there are any. A skipped pass is a mark. Each further
/// thread that transforms parts has its own two rows. Each `measured` instrument that is connected to the trace has one
/// row.
///
/// Keeps the events of all contexts until `clear()`. `Clock::now()` returns nanoseconds since an arbitrary epoch.
///
/// Cost:    two clock readings and about 100 bytes per pass; four readings with other instruments.
/// Example: `time_trace trace; …; std::ofstream{"passes.json"} << trace.render();`
template <class Clock>
class basic_time_trace {
    enum class row : unsigned char { passes, hooks, others };
    enum class state : unsigned char { running, ended, failed, skipped };
    struct event {
        std::size_t name_begin, name_size;
        std::int64_t start, end;
        std::string_view detail{}; // a literal: a hook's name, or the reason for a skip
        std::string_view unit{};
        std::size_t track = 0;  // index in `tracks_`, for calls of instruments
        std::size_t thread = 0; // index in `threads_`
        row kind = row::passes;
        state how = state::running;
    };

    std::vector<event> events_;
    std::string names_;                 // copies, because a pass may no longer exist
    pass_frames<std::size_t> running_;  // each running pass's index in `events_`
    std::vector<std::string> tracks_;   // the names of instruments' rows
    std::vector<const void*> threads_;  // threads with rows: the first is the one that reported the first pass
    const void* part_thread_ = nullptr; // in a `fork()` for a part: the part's thread
    int stops_ = 0;
    std::int64_t stopped_at_ = 0;

    event& add(std::string_view what, std::int64_t start, std::int64_t end) {
        names_ += what;
        events_.push_back({names_.size() - what.size(), what.size(), start, end});
        return events_.back();
    }
    void end(const pass_info& info, state how) {
        const std::int64_t now = Clock::now();
        running_.end(
            info, [&](std::size_t own) { close(own, now, how); },
            [&](std::size_t inner) { close(inner, now, state::ended); });
    }
    void close(std::size_t number, std::int64_t now, state how) {
        events_[number].end = now;
        events_[number].how = how;
    }
    // Returns an address that identifies the current thread.
    static const void* here() {
        static constinit thread_local char own = 0;
        return &own;
    }
    std::size_t number_of(const void* thread) {
        for (std::size_t i = 0; i < threads_.size(); ++i)
            if (threads_[i] == thread) return i;
        threads_.push_back(thread);
        return threads_.size() - 1;
    }
    static void write_row(std::size_t number, std::string_view title, std::string& out) {
        out.append("{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":").append(std::to_string(number));
        out.append(",\"args\":{\"name\":");
        tutti::internal::write_json_text(title, out);
        out += "}}";
    }
    void write(const event& e, std::int64_t origin, std::int64_t now, std::string& out) const {
        static constexpr const char* words[] = {"still running", "", "failed", "skipped"};
        out += "{\"name\":";
        tutti::internal::write_json_text(std::string_view{names_}.substr(e.name_begin, e.name_size), out);
        out.append(",\"cat\":").append(e.kind == row::passes ? "\"pass\"" : "\"instrument\"");
        out.append(e.how == state::skipped ? ",\"ph\":\"i\",\"s\":\"t\"" : ",\"ph\":\"X\"").append(",\"ts\":");
        tutti::internal::write_micros(e.start - origin, out);
        if (e.how != state::skipped) {
            out += ",\"dur\":";
            tutti::internal::write_micros((e.how == state::running ? now : e.end) - e.start, out);
        }
        const std::size_t number = e.kind == row::others ? 3 + e.track
                                   : e.thread == 0
                                       ? (e.kind == row::passes ? 1 : 2)
                                       : 1 + tracks_.size() + 2 * e.thread + (e.kind == row::passes ? 0 : 1);
        out.append(",\"pid\":1,\"tid\":").append(std::to_string(number)).append(",\"args\":{");
        const char* separator = "";
        const auto argument = [&](std::string_view key, std::string_view value) {
            if (value.empty()) return;
            out.append(separator).append("\"").append(key).append("\":");
            tutti::internal::write_json_text(value, out);
            separator = ",";
        };
        argument("unit", e.unit);
        if (e.kind == row::passes) argument("result", words[static_cast<int>(e.how)]);
        argument(e.kind == row::passes ? "why" : "hook", e.detail);
        out += "}}";
    }

public:
    static constexpr std::string_view name = "time_trace";
    static constexpr bool pairs_begin_and_end = true;

    /// Returns an instrument for a part transformed in parallel; see `tutti::forks`. Each thread has its own rows.
    basic_time_trace fork() const {
        basic_time_trace part;
        part.part_thread_ = here();
        return part;
    }
    void join(basic_time_trace&& part) {
        const std::size_t names = names_.size();
        const std::size_t main = number_of(here()),
                          thread = part.part_thread_ == here() ? main : number_of(part.part_thread_);
        names_ += part.names_;
        for (event& each : part.events_) {
            each.name_begin += names;
            each.thread = thread;
            events_.push_back(each);
        }
    }

    void enter_pass_ctx() { running_.enter(); }
    void exit_pass_ctx() {
        if (running_.outermost()) return running_.exit();
        const std::int64_t now = Clock::now();
        running_.exit([&](std::size_t each) { close(each, now, state::ended); });
    }
    template <class Unit>
    void run_before_pass(const Unit&, const pass_info& info) {
        running_.begin(info, events_.size());
        event& begun = add(info.name, 0, 0);
        begun.unit = tutti::internal::unit_name<Unit>();
        begun.start = Clock::now();
    }
    void run_after_pass(const auto&, const pass_info& info) { end(info, state::ended); }
    void pass_failed(const auto*, const pass_info& info, const std::exception_ptr&) { end(info, state::failed); }
    void pass_skipped(const pass_info& info, skip_reason why) {
        const std::int64_t now = Clock::now();
        event& skipped = add(info.name, now, now);
        skipped.how = state::skipped;
        skipped.detail = to_string(why);
    }
    void stop_clock() {
        if (stops_++ == 0) stopped_at_ = Clock::now();
    }
    void start_clock() {
        if (--stops_ > 0) return;
        event& hooks = add("hooks", stopped_at_, Clock::now());
        hooks.kind = row::hooks;
        hooks.how = state::ended;
    }

    /// Adds a call of an instrument to the row of the instrument; creates the row if necessary. Requires: `hook` is a
    /// literal.
    void add_instrument(std::string_view instrument, std::string_view hook, std::int64_t start, std::int64_t end) {
        std::size_t track = 0;
        while (track < tracks_.size() && tracks_[track] != instrument) ++track;
        if (track == tracks_.size()) tracks_.emplace_back(instrument);
        event& added = add(instrument, start, end);
        added.detail = hook;
        added.kind = row::others;
        added.track = track;
        added.how = state::ended;
    }

    /// Discards everything except running passes.
    void clear() {
        if (!running_.empty()) return;
        events_.clear();
        names_.clear();
        tracks_.clear();
        threads_.clear();
    }

    /// Returns the trace as JSON. Times are microseconds since the first event. Running passes appear to end now.
    std::string render() const {
        const std::int64_t now = Clock::now();
        std::int64_t origin = now;
        bool hooks = false;
        for (const event& e : events_) {
            if (e.start < origin) origin = e.start;
            hooks = hooks || e.kind == row::hooks;
        }
        std::string out = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
        write_row(1, "passes", out);
        if (hooks) write_row(2, "instruments", out += ",\n");
        for (std::size_t i = 0; i < tracks_.size(); ++i) write_row(3 + i, "instrument " + tracks_[i], out += ",\n");
        for (std::size_t i = 1; i < threads_.size(); ++i) {
            const std::string number = std::to_string(i + 1);
            const std::size_t first = 1 + tracks_.size() + 2 * i;
            write_row(first, "passes, thread " + number, out += ",\n");
            if (hooks) write_row(first + 1, "instruments, thread " + number, out += ",\n");
        }
        for (const event& e : events_) write(e, origin, now, out += ",\n");
        return out += "\n]}\n";
    }
};

/// `basic_time_trace` with the steady clock.
using time_trace = basic_time_trace<tutti::internal::steady_clock>;

} // namespace tutti::instrument
