#pragma once

#include <tutti/pass/hooks.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/rewrite_site.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::instrument {

/// A rewrite of a pass, with texts of its own.
struct named_rewrite {
    std::string pass{}, rule{};
    std::string where{};
    std::string part{}; ///< the part of the unit; empty if the pass does not say

    bool operator==(const named_rewrite&) const = default;
};

/// Returns a rewrite as text: `SimplifyExpr, add_to_itself at main:2:8`.
inline std::string to_text(const named_rewrite& r) {
    std::string text = r.pass;
    text.append(", ").append(r.rule);
    if (!r.where.empty()) text.append(" at ").append(r.where);
    return text;
}

/// Limits the number of rewrites that passes make, to find the rewrite that makes a result wrong. `bisect_rewrites`
/// automates the search.
///
/// The instrument counts the rewrites that passes ask about with `ctx.may_apply`, in order, and refuses those after the
/// limit. The count is never reset. A pass that finds a refused rewrite again asks again, and is counted again.
///
/// With a `Write`, the instrument writes a line for each rewrite, such as `BISECT: making rewrite (7) CSE, merged at
/// main:3:8` or `BISECT: NOT making rewrite (8) …`.
///
/// Example: `rewrite_limit first{7, [](std::string_view line) { std::cerr << line; }};`
template <class Write = none>
class rewrite_limit {
    std::size_t limit_, count_ = 0;
    [[no_unique_address]] Write write_;
    named_rewrite last_;

public:
    static constexpr std::string_view name = "rewrite_limit";
    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;
    /// No limit.
    static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

    explicit rewrite_limit(std::size_t limit = unlimited, Write write = {}) : limit_(limit), write_(std::move(write)) {}

    /// Returns the number of rewrites that were or would have been made.
    std::size_t count() const { return count_; }
    /// Returns the last rewrite that was made.
    const named_rewrite& last() const { return last_; }

    bool should_apply(const pass_info& info, const rewrite_site& site) {
        const bool makes = ++count_ <= limit_;
        if (makes) {
            last_.pass = info.name;
            last_.rule = site.rule;
            last_.where = site.where;
            last_.part = site.part;
        }
        if constexpr (!std::same_as<Write, none>) {
            std::string line = makes ? "BISECT: making rewrite (" : "BISECT: NOT making rewrite (";
            line.append(std::to_string(count_)).append(") ");
            line += makes ? to_text(last_)
                          : to_text(named_rewrite{
                                std::string{info.name}, std::string{site.rule}, std::string{site.where}, {}});
            write_(std::string_view{line += '\n'});
        }
        return makes;
    }
};

} // namespace tutti::instrument
