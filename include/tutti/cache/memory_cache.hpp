#pragma once

#include <tutti/cache/result_cache.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace tutti {

/// Keeps results in memory, at most `most_bytes` of them. The least recently used results are evicted first.
///
/// Example: `tutti::memory_cache kept{64 << 20}; … tutti::cached(kept, pipeline)`
class memory_cache final : public result_cache {
    struct entry {
        result_key key;
        std::shared_ptr<const std::string> bytes;
    };
    struct hash_of_key {
        std::size_t operator()(const result_key& key) const {
            return static_cast<std::size_t>(key.unit.low ^ key.unit.high ^ key.run.low);
        }
    };
    using entries = std::list<entry>;

    // The size that an entry is counted with, which includes the memory around its bytes.
    static std::uint64_t size_of(const entry& e) { return e.bytes->size() + 160; }

    void drop(entries::iterator at) {
        bytes_ -= size_of(*at);
        places_.erase(at->key);
        entries_.erase(at);
    }

    mutable std::mutex mutex_;
    std::uint64_t most_;
    std::uint64_t bytes_ = 0;
    entries entries_; // the most recently used first
    std::unordered_map<result_key, entries::iterator, hash_of_key> places_;
    cache_counts counts_;

public:
    explicit memory_cache(std::uint64_t most_bytes = std::uint64_t{1} << 30) : most_(most_bytes) {}
    memory_cache(const memory_cache&) = delete;
    memory_cache& operator=(const memory_cache&) = delete;

    cached_bytes find(const result_key& key) override {
        const std::scoped_lock held(mutex_);
        const auto found = places_.find(key);
        if (found == places_.end()) {
            ++counts_.missing;
            return {};
        }
        ++counts_.found;
        entries_.splice(entries_.begin(), entries_, found->second);
        const auto& bytes = found->second->bytes;
        return {bytes, *bytes, true};
    }
    void store(const digest& run, std::span<fresh_result> results) override {
        const std::scoped_lock held(mutex_);
        for (fresh_result& each : results) {
            entry made{{run, each.unit}, std::make_shared<const std::string>(std::move(each.bytes))};
            if (const auto old = places_.find(made.key); old != places_.end()) drop(old->second);
            if (size_of(made) > most_) continue;
            while (bytes_ + size_of(made) > most_) {
                drop(std::prev(entries_.end()));
                ++counts_.evicted;
            }
            bytes_ += size_of(made);
            entries_.push_front(std::move(made));
            places_.emplace(entries_.front().key, entries_.begin());
            ++counts_.stored;
        }
    }
    void note_damaged(const result_key& key) override {
        const std::scoped_lock held(mutex_);
        ++counts_.damaged;
        if (const auto bad = places_.find(key); bad != places_.end()) drop(bad->second);
    }
    cache_counts counts() const override {
        const std::scoped_lock held(mutex_);
        return counts_;
    }
    /// Returns the memory that the results take.
    std::uint64_t bytes() const {
        const std::scoped_lock held(mutex_);
        return bytes_;
    }
};

} // namespace tutti
