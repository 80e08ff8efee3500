#pragma once

#include <tutti/base/digest.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tutti {

/// The key of a cached result: everything that a run depends on besides its unit (the pipeline, its options, the
/// context, the version), and the unit. Results of the same run are stored together.
struct result_key {
    digest run;
    digest unit;

    friend constexpr bool operator==(const result_key&, const result_key&) = default;
};

/// The bytes of a cached result. They stay valid while the object exists, even if the cache evicts them.
struct cached_bytes {
    std::shared_ptr<const void> owner; ///< null if there is no result
    std::string_view bytes;
    bool is_trusted = false; ///< true if this program wrote the bytes, so that they need no check

    explicit operator bool() const { return owner != nullptr; }
};

/// A result to store.
struct fresh_result {
    digest unit;
    std::string bytes;
};

/// Counts of a cache since its creation.
struct cache_counts {
    std::uint64_t found = 0;   ///< results that were found
    std::uint64_t missing = 0; ///< results that were not found
    std::uint64_t stored = 0;  ///< results that were stored
    std::uint64_t evicted = 0; ///< results, or files of results, that were removed to make room
    std::uint64_t damaged = 0; ///< results or files that were damaged or foreign, and are treated as missing

    friend constexpr bool operator==(const cache_counts&, const cache_counts&) = default;
};

/// A store of results for `cached`: `memory_cache`, `folder_cache`, or yours.
///
/// Its functions may be called from several threads. A cache may forget a result at any time, but never returns other
/// bytes than those stored for a key.
class result_cache {
public:
    virtual ~result_cache() = default;

    /// Called before the results of a run are looked up, to take in those that other processes have stored.
    virtual void begin(const digest& /*run*/) {}
    /// Returns the result with this key, if there is one.
    virtual cached_bytes find(const result_key& key) = 0;
    /// Stores the results of one run.
    virtual void store(const digest& run, std::span<fresh_result> results) = 0;
    /// Counts a result whose bytes `find` returned but that could not be restored.
    virtual void note_damaged(const result_key& key) = 0;
    virtual cache_counts counts() const = 0;
    /// Writes results that are not yet written.
    virtual void flush() {}
    /// Returns the last problem that kept results from being stored, such as a full disk, or "".
    virtual std::string problem() const { return {}; }
};

} // namespace tutti
