#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::instrument {

/// The durations of passes, nested as they ran; filled by `timing` and returned by `timing::last()`.
///
/// Example: `for (std::size_t i = 0; i < profile.size(); ++i) log(profile[i].name, profile[i].self);`
class profile {
    struct record {
        const char* key = nullptr; // the address of the pass's name, by which `end` finds the record
        std::size_t name_begin = 0;
        std::size_t name_size = 0;
        std::size_t parent = nobody;
        std::size_t depth = 0;
        std::int64_t start = 0;
        std::int64_t inclusive = 0;
        std::int64_t children = 0;
        std::int64_t cpu = 0; // processor time of passes over its parts, if these ran in parallel
    };
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

    std::vector<record> records_; // in the order in which the passes began: parents before children
    std::string names_;           // copies, because a pass may no longer exist when its profile is read
    std::size_t running_ = nobody;

    std::string_view name_of(const record& r) const {
        return std::string_view{names_}.substr(r.name_begin, r.name_size);
    }

    // `children` may exceed `inclusive` if passes over parts ran in parallel.
    static std::int64_t self_of(const record& r) { return r.children < r.inclusive ? r.inclusive - r.children : 0; }

    static double micros(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

public:
    /// One run of a pass.
    struct entry {
        std::string_view name;      ///< valid until the profile changes or is destroyed
        std::size_t depth = 0;      ///< 0 for a pass not run by another one
        std::int64_t inclusive = 0; ///< nanoseconds from beginning to end
        std::int64_t self = 0;      ///< `inclusive` without the passes that it ran
        std::int64_t cpu = 0;       ///< processor time of passes over its parts, if these ran in parallel
    };

    bool empty() const { return records_.empty(); }
    std::size_t size() const { return records_.size(); }
    entry operator[](std::size_t i) const {
        const record& r = records_[i];
        return {name_of(r), r.depth, r.inclusive, self_of(r), r.cpu};
    }

    /// Removes all entries and keeps the memory.
    void clear() {
        records_.clear();
        names_.clear();
        running_ = nobody;
    }

    /// True if a pass has begun and not ended.
    bool running() const { return running_ != nobody; }
    /// The innermost running pass, or "".
    std::string_view running_name() const { return running() ? name_of(records_[running_]) : std::string_view{}; }

    /// Begins a pass inside the running one. Calls `now()`, which returns the time in nanoseconds, after the
    /// bookkeeping.
    template <class Now>
    void begin(std::string_view name, Now&& now) {
        names_.append(name);
        records_.push_back({.key = name.data(),
                            .name_begin = names_.size() - name.size(),
                            .name_size = name.size(),
                            .parent = running_,
                            .depth = running() ? records_[running_].depth + 1 : 0});
        running_ = records_.size() - 1;
        records_.back().start = now();
    }

    /// The innermost running pass, for `end_since`.
    std::size_t place() const { return running_; }
    /// Ends the passes begun since `place()` returned `place`.
    void end_since(std::size_t place, std::int64_t now) {
        while (running() && running_ != place) end(now);
    }
    /// Ends the pass that began with the same view `name`, and the passes inside it. Does nothing if that pass is not
    /// running.
    void end(std::string_view name, std::int64_t now) {
        std::size_t at = running_;
        while (at != nobody && records_[at].key != name.data()) at = records_[at].parent;
        if (at != nobody) end_since(records_[at].parent, now);
    }
    /// Ends the innermost running pass. Does nothing if no pass is running.
    void end(std::int64_t now) {
        if (!running()) return;
        record& r = records_[running_];
        r.inclusive = now - r.start;
        running_ = r.parent;
        if (running()) records_[running_].children += r.inclusive;
    }

    /// Adds `part`, a profile of passes over a part of the unit, to the running pass. `cpu` is the processor time of
    /// these passes.
    void append(const profile& part, std::int64_t cpu) {
        const std::size_t first = records_.size(), names = names_.size(),
                          depth = running() ? records_[running_].depth + 1 : 0;
        names_ += part.names_;
        for (const record& each : part.records_) {
            records_.push_back(each);
            record& added = records_.back();
            added.name_begin += names;
            added.depth += depth;
            added.parent = each.parent == nobody ? running_ : each.parent + first;
            if (each.parent == nobody && running()) records_[running_].children += each.inclusive;
        }
        if (running()) records_[running_].cpu += cpu;
    }

    /// Returns one line per run: a tab per level of depth, then `NAME: inclusive [self] (share of all; share of the
    /// parent)`.
    ///
    /// If passes over parts ran in parallel, the line also contains their processor time:
    /// `function: 82us [0us] (53.44%; 99.92%); CPU: 160us`.
    ///
    /// Throws:  `tutti::error` while a pass is running.
    /// Example: `FoldConstant: 8235us [1701us] (53.44%; 99.92%)`
    std::string render() const {
        if (running())
            raise(error{"tutti::instrument::profile::render", "the pass " + std::string{running_name()} + " is running",
                        "a call while no pass is running"});
        std::int64_t total = 0;
        for (const record& r : records_)
            if (r.parent == nobody) total += r.inclusive;
        const auto percent = [](std::int64_t part, std::int64_t whole) {
            return whole == 0 ? 0.0 : 100 * micros(part) / micros(whole);
        };
        std::string text;
        char numbers[160];
        for (const record& r : records_) {
            const auto whole = r.parent == nobody ? total : records_[r.parent].inclusive;
            std::snprintf(numbers, sizeof numbers, ": %.0fus [%.0fus] (%.2f%%; %.2f%%)\n", micros(r.inclusive),
                          micros(self_of(r)), percent(r.inclusive, total), percent(r.inclusive, whole));
            text.append(r.depth, '\t').append(name_of(r)).append(numbers);
            if (r.cpu != 0) {
                text.pop_back();
                std::snprintf(numbers, sizeof numbers, "; CPU: %.0fus\n", micros(r.cpu));
                text.append(numbers);
            }
        }
        return text;
    }
};

} // namespace tutti::instrument
