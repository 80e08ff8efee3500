#pragma once

#include <tutti/instrument/support/hash_index.hpp>
#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::instrument {

/// Sums the counts that passes report with `ctx.count(name, n)`, by pass and name. Sums stay until `clear()`, across
/// contexts.
///
/// Example: `statistics counted; …; std::cerr << counted.render();`
class statistics {
public:
    /// A count, summed over the runs of passes with one name.
    struct entry {
        std::string pass, name;
        std::int64_t count = 0;
    };

    static constexpr std::string_view name = "statistics";

    /// Returns an instrument for a part transformed in parallel; see `tutti::forks`.
    statistics fork() const { return {}; }
    void join(statistics&& child) {
        for (const entry& each : child.entries_) add(each.pass, each.name, each.count);
    }

    void pass_counted(const pass_info& info, std::string_view what, std::int64_t n) { add(info.name, what, n); }

    /// The counts in order of first occurrence.
    const std::vector<entry>& counts() const { return entries_; }

    void clear() {
        entries_.clear();
        index_.clear();
    }

    /// Returns one line per count, in columns: `  12  FuseOps       groups`.
    std::string render() const {
        std::size_t digits = 0, letters = 0;
        for (const entry& each : entries_) {
            digits = widest(digits, std::to_string(each.count).size());
            letters = widest(letters, each.pass.size());
        }
        std::string text;
        for (const auto& [pass, what, count] : entries_) {
            const std::string number = std::to_string(count);
            text.append(digits - number.size(), ' ').append(number).append("  ").append(pass);
            text.append(letters - pass.size(), ' ').append("  ").append(what).append("\n");
        }
        return text;
    }

private:
    void add(std::string_view pass, std::string_view what, std::int64_t n) {
        const std::uint64_t hash = tutti::internal::hash_of(what) ^ 31 * tutti::internal::hash_of(pass);
        const std::uint32_t there =
            index_.find(hash, [&](std::uint32_t i) { return entries_[i].name == what && entries_[i].pass == pass; });
        if (there != tutti::internal::hash_index::none) {
            entries_[there].count += n;
            return;
        }
        entries_.push_back({std::string{pass}, std::string{what}, n});
        index_.add(hash);
    }
    static std::size_t widest(std::size_t a, std::size_t b) { return a < b ? b : a; }

    std::vector<entry> entries_;
    tutti::internal::hash_index index_; // finds entries by pass and name
};

} // namespace tutti::instrument
