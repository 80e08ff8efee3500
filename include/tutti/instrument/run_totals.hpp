#pragma once

#include <tutti/instrument/support/json.hpp>
#include <tutti/pass/remark.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::internal {

/// Adds to a number, which stays at the limit of its type if the sum is beyond it.
template <class T>
constexpr void add_saturated(T& to, T n) {
    if (!__builtin_add_overflow(to, n, &to)) return;
    to = std::is_signed_v<T> && n < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

} // namespace tutti::internal

namespace tutti::instrument {

/// The distribution of times: how many of them are in each bucket. A bucket is at most 3.2 % wide; times below 64 ns
/// have buckets of their own. Merging is exact: the order does not matter.
///
/// Source: HdrHistogram, which lays out its buckets in the same way; here with five significant bits.
class time_histogram {
public:
    struct bucket {
        std::uint32_t number = 0;
        std::uint64_t count = 0;

        friend bool operator==(const bucket&, const bucket&) = default;
    };

    /// Returns the bucket of a time in nanoseconds. Negative times are in the first.
    static constexpr std::uint32_t bucket_of(std::int64_t time) {
        const auto value = time < 0 ? std::uint64_t{0} : static_cast<std::uint64_t>(time);
        if (value < 64) return static_cast<std::uint32_t>(value);
        const auto shift = static_cast<std::uint32_t>(std::bit_width(value)) - 6;
        return 32 * shift + static_cast<std::uint32_t>(value >> shift);
    }
    /// Returns the least time in a bucket.
    static constexpr std::int64_t begin_of(std::uint32_t bucket) {
        if (bucket < 64) return bucket;
        const std::uint32_t shift = bucket / 32 - 1;
        return static_cast<std::int64_t>(std::uint64_t{bucket % 32 + 32} << shift);
    }
    /// The number of buckets.
    static constexpr std::uint32_t most_buckets = 1888;

    /// Adds a number of equal times, in nanoseconds.
    void add(std::int64_t time, std::uint64_t times = 1) {
        if (times == 0) return;
        least_ = count_ == 0 || time < least_ ? time : least_;
        most_ = count_ == 0 || time > most_ ? time : most_;
        std::int64_t all = 0;
        if (__builtin_mul_overflow(time, times, &all)) all = std::numeric_limits<std::int64_t>::max();
        tutti::internal::add_saturated(sum_, all);
        put(bucket_of(time), times);
    }
    void merge(const time_histogram& other) {
        if (other.count_ == 0) return;
        least_ = count_ == 0 || other.least_ < least_ ? other.least_ : least_;
        most_ = count_ == 0 || other.most_ > most_ ? other.most_ : most_;
        tutti::internal::add_saturated(sum_, other.sum_);
        for (const bucket& each : other.buckets_) put(each.number, each.count);
    }
    /// Creates a histogram from its parts, such as one read from a file.
    ///
    /// Requires: the buckets are in ascending order.
    static time_histogram of_parts(std::vector<bucket> buckets, std::int64_t sum, std::int64_t least,
                                   std::int64_t most) {
        time_histogram made;
        for (const bucket& each : buckets) made.count_ += each.count;
        made.buckets_ = std::move(buckets);
        made.sum_ = sum;
        made.least_ = least;
        made.most_ = most;
        return made;
    }

    std::uint64_t count() const { return count_; }
    std::int64_t sum() const { return sum_; }
    std::int64_t least() const { return least_; }
    std::int64_t most() const { return most_; }
    double mean() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }
    /// Returns the time below which a share of the times lies: 0.5 for the median. Exact to the width of a bucket.
    std::int64_t quantile(double share) const {
        const double rank = share * static_cast<double>(count_);
        std::uint64_t before = 0;
        for (const bucket& each : buckets_) {
            before += each.count;
            if (static_cast<double>(before) >= rank) return each.number < 64 ? begin_of(each.number) : middle_of(each);
        }
        return most_;
    }
    /// The buckets that are not empty, in ascending order.
    const std::vector<bucket>& buckets() const { return buckets_; }

    friend bool operator==(const time_histogram&, const time_histogram&) = default;

private:
    static std::int64_t middle_of(const bucket& of) {
        return begin_of(of.number) + (begin_of(of.number + 1) - begin_of(of.number)) / 2;
    }
    void put(std::uint32_t number, std::uint64_t count) {
        count_ += count;
        std::size_t at = buckets_.size();
        while (at > 0 && buckets_[at - 1].number >= number) --at;
        if (at == buckets_.size() || buckets_[at].number != number)
            buckets_.insert(buckets_.begin() + static_cast<std::ptrdiff_t>(at), {number, 0});
        buckets_[at].count += count;
    }

    std::vector<bucket> buckets_;
    std::uint64_t count_ = 0;
    std::int64_t sum_ = 0, least_ = 0, most_ = 0;
};

static_assert(time_histogram::bucket_of(INT64_MAX) == time_histogram::most_buckets - 1);

/// Times, counts and remarks of passes, added up over runs. A run is everything between entering and leaving a context.
///
/// Totals of threads, processes and machines can be merged, in any order. Entries are sorted.
class run_totals {
public:
    /// The runs of passes with one name.
    struct pass_entry {
        std::string pass;
        std::uint64_t calls = 0;
        std::int64_t inclusive = 0; ///< nanoseconds with the passes that they ran; nested runs of one name count once
        time_histogram self{};      ///< for each run: nanoseconds of all calls, without the passes that they ran

        friend bool operator==(const pass_entry&, const pass_entry&) = default;
    };
    /// A count that passes reported.
    struct count_entry {
        std::string pass, name;
        std::int64_t count = 0;

        friend bool operator==(const count_entry&, const count_entry&) = default;
    };
    /// A remark. Its place is not kept, so that equal remarks are one entry.
    struct remark_entry {
        std::string pass;
        remark_kind kind = remark_kind::note;
        std::string text;
        std::uint64_t count = 0;

        friend bool operator==(const remark_entry&, const remark_entry&) = default;
    };

    /// Number of runs.
    std::uint64_t runs() const { return runs_; }
    const std::vector<pass_entry>& passes() const { return passes_; }
    const std::vector<count_entry>& counts() const { return counts_; }
    const std::vector<remark_entry>& remarks() const { return remarks_; }

    void add_runs(std::uint64_t count) { runs_ += count; }
    void add(const pass_entry& each) {
        pass_entry& to =
            place_in(passes_, each, [](const pass_entry& a, const pass_entry& b) { return a.pass.compare(b.pass); });
        to.calls += each.calls;
        tutti::internal::add_saturated(to.inclusive, each.inclusive);
        to.self.merge(each.self);
    }
    void add(const count_entry& each) {
        count_entry& to = place_in(counts_, each, [](const count_entry& a, const count_entry& b) {
            const int order = a.pass.compare(b.pass);
            return order != 0 ? order : a.name.compare(b.name);
        });
        tutti::internal::add_saturated(to.count, each.count);
    }
    void add(const remark_entry& each) {
        place_in(remarks_, each, [](const remark_entry& a, const remark_entry& b) {
            int order = a.pass.compare(b.pass);
            if (order == 0) order = static_cast<int>(a.kind) - static_cast<int>(b.kind);
            return order != 0 ? order : a.text.compare(b.text);
        }).count += each.count;
    }
    void merge(const run_totals& other) {
        runs_ += other.runs_;
        for (const pass_entry& each : other.passes_) add(each);
        for (const count_entry& each : other.counts_) add(each);
        for (const remark_entry& each : other.remarks_) add(each);
    }

    friend bool operator==(const run_totals&, const run_totals&) = default;

private:
    // Returns the entry equal to `wanted` in a sorted list. Inserts one without numbers if there is none.
    template <class Entry, class Compare>
    static Entry& place_in(std::vector<Entry>& all, const Entry& wanted, Compare compare) {
        std::size_t first = 0, last = all.size();
        while (first < last) {
            const std::size_t middle = first + (last - first) / 2;
            if (compare(all[middle], wanted) < 0)
                first = middle + 1;
            else
                last = middle;
        }
        if (first == all.size() || compare(all[first], wanted) != 0)
            all.insert(all.begin() + static_cast<std::ptrdiff_t>(first), empty_like(wanted));
        return all[first];
    }
    static pass_entry empty_like(const pass_entry& of) { return {.pass = of.pass}; }
    static count_entry empty_like(const count_entry& of) { return {.pass = of.pass, .name = of.name}; }
    static remark_entry empty_like(const remark_entry& of) {
        return {.pass = of.pass, .kind = of.kind, .text = of.text};
    }

    std::uint64_t runs_ = 0;
    std::vector<pass_entry> passes_;
    std::vector<count_entry> counts_;
    std::vector<remark_entry> remarks_;
};

/// The version of the JSON that `to_json(run_totals)` writes.
inline constexpr int run_totals_version = 1;

/// Returns totals as JSON, which `tutti profile` reads. Equal totals are equal bytes.
///
/// ```
/// {"tutti_profile":1,"runs":2,
/// "passes":[
/// {"pass":"FuseOps","calls":2,"inclusive_ns":81,"self_ns":70,"least_ns":30,"most_ns":40,"self":[[30,1],[40,1]]}],
/// "counts":[
/// {"pass":"FuseOps","name":"fused","count":6}],
/// "remarks":[
/// {"pass":"FuseOps","kind":"missed","text":"the result is used twice","count":1}]}
/// ```
/// `self` has pairs of a bucket of `time_histogram` and the number of runs in it.
[[gnu::cold]] inline std::string to_json(const run_totals& all) {
    using tutti::internal::write_json_text;
    std::string out = "{\"tutti_profile\":" + std::to_string(run_totals_version);
    out.append(",\"runs\":").append(std::to_string(all.runs())).append(",\n\"passes\":[");
    const auto begin = [&](bool first, std::string_view pass) {
        out += first ? "\n{\"pass\":" : ",\n{\"pass\":";
        write_json_text(pass, out);
    };
    const auto number = [&](std::string_view name, auto value) {
        out.append(",\"").append(name).append("\":").append(std::to_string(value));
    };
    for (const auto& each : all.passes()) {
        begin(&each == all.passes().data(), each.pass);
        number("calls", each.calls);
        number("inclusive_ns", each.inclusive);
        number("self_ns", each.self.sum());
        number("least_ns", each.self.least());
        number("most_ns", each.self.most());
        out += ",\"self\":[";
        for (const time_histogram::bucket& in : each.self.buckets()) {
            out += &in == each.self.buckets().data() ? "[" : ",[";
            out.append(std::to_string(in.number)).append(",").append(std::to_string(in.count)).append("]");
        }
        out += "]}";
    }
    out += "],\n\"counts\":[";
    for (const auto& each : all.counts()) {
        begin(&each == all.counts().data(), each.pass);
        out += ",\"name\":";
        write_json_text(each.name, out);
        number("count", each.count);
        out += '}';
    }
    out += "],\n\"remarks\":[";
    for (const auto& each : all.remarks()) {
        begin(&each == all.remarks().data(), each.pass);
        out.append(",\"kind\":\"").append(to_string(each.kind)).append("\",\"text\":");
        write_json_text(each.text, out);
        number("count", each.count);
        out += '}';
    }
    return out + "]}\n";
}

} // namespace tutti::instrument
