#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// Searches for values that match none of a match's clauses.
///
/// A case is a pattern for a set of values. If a clause examines an unspecified part of a case, the case splits into
/// one case per constructor. A case that matches a clause is finished.
///
/// Source: the reference. The work is limited, because every algorithm takes exponential time for some patterns: see
///         L. Maranget, Warnings for pattern matching, Journal of Functional Programming 17 (2007).
class match_coverage {
public:
    /// Requires: `known` defines the constructors in the match's patterns, with the same numbers of fields.
    constexpr match_coverage(const graph& g, expr_id match, const data_types& known) : g_(&g), known_(&known) {
        for_each_clause(g, match, [&](const match_clause& c) { clauses_.push_back(c); });
    }

    /// Returns the printed form of a case that matches no clause, or an empty string if every case matches a clause.
    ///
    /// Throws: `tutti::error` if the search examines more than `most_work` parts of cases and patterns.
    constexpr std::string missing() {
        cases_.push_back({part{wildcard, 0}});
        std::size_t work = 0;
        while (!cases_.empty()) {
            const plain_vector<part> now = cases_.back();
            cases_.pop_back();
            bool covered = false;
            for (const match_clause& c : clauses_) {
                work += now.size() + c.pattern.size();
                if (work > most_work)
                    throw error("match", "has too many cases to check that its clauses cover all of them",
                                "`match?`, or simpler patterns");
                const result r = compare(now, c.pattern);
                if (r == result::clash) continue;
                covered = true;
                if (r == result::unspecified) refine(now);
                break;
            }
            if (!covered) return text(now);
        }
        return {};
    }

private:
    static constexpr std::uint32_t wildcard = 0xFFFFFFFFU;
    static constexpr std::uint32_t tuple = 0xFFFFFFFEU;
    static constexpr std::size_t most_work = std::size_t{1} << 24;

    // A part of a case, followed by its fields. `what` is a constructor's index or one of the constants above.
    struct part {
        std::uint32_t what;
        std::uint32_t fields;
    };
    enum class result : std::uint8_t { fits, clash, unspecified };

    constexpr std::uint32_t number_of(std::span<const attr_value> pattern) const {
        if (kind_of_pattern(pattern) == pattern_kind::tuple) return tuple;
        return known_->find_constructor(g_->strings()[pattern[1].string()]);
    }

    static constexpr std::size_t end_of(const plain_vector<part>& all, std::size_t at) {
        for (std::size_t open = 1; open != 0; ++at) open = open - 1 + all[at].fields;
        return at;
    }

    // Compares a case with a pattern. If the result is `unspecified`, `place_` is the first unspecified part of the
    // case that the pattern examines, and `wanted_` is the pattern's constructor.
    constexpr result compare(const plain_vector<part>& now, std::span<const attr_value> pattern) {
        result r = result::fits;
        std::size_t at = 0;
        while (!pattern.empty()) {
            const pattern_kind kind = kind_of_pattern(pattern);
            if (kind == pattern_kind::wildcard || kind == pattern_kind::variable) {
                at = end_of(now, at);
                pattern = pattern.subspan(1);
            } else if (now[at].what == wildcard) {
                if (r == result::fits) {
                    place_ = at;
                    wanted_ = number_of(pattern);
                    fields_ = static_cast<std::uint32_t>(pattern_fields(pattern));
                }
                r = result::unspecified;
                ++at;
                pattern = pattern.subspan(extent(pattern));
            } else {
                if (now[at].what != number_of(pattern)) return result::clash;
                ++at;
                pattern = pattern.subspan(pattern_head(pattern));
            }
        }
        return r;
    }

    constexpr void refine(const plain_vector<part>& now) {
        const bool one = wanted_ == tuple;
        const std::uint32_t type = one ? 0 : known_->made_by(wanted_);
        const std::uint32_t first = one ? tuple : known_->first_constructor(type);
        for (std::uint32_t n = one ? 1 : known_->constructors_of(type); n-- > 0;) {
            const std::uint32_t fields = one ? fields_ : static_cast<std::uint32_t>(known_->fields(first + n).size());
            plain_vector<part> made;
            made.append(now.data(), place_);
            made.push_back({first + n, fields});
            for (std::uint32_t i = 0; i < fields; ++i) made.push_back({wildcard, 0});
            made.append(now.data() + place_ + 1, now.size() - place_ - 1);
            cases_.push_back(std::move(made));
        }
    }

    constexpr std::string text(const plain_vector<part>& now) const {
        std::string out;
        plain_vector<std::uint32_t> open;
        for (const part& p : now) {
            if (p.what == wildcard) out += '_';
            if (p.what < tuple) out += known_->constructor_name(p.what);
            if (p.fields != 0 || p.what == tuple) out += '(';
            if (p.fields != 0) {
                open.push_back(p.fields);
                continue;
            }
            if (p.what == tuple) out += ')';
            while (!open.empty() && --open.back() == 0) {
                out += ')';
                open.pop_back();
            }
            if (!open.empty()) out += ", ";
            if (out.size() > 1000) return out + "...";
        }
        return out;
    }

    const graph* g_;
    const data_types* known_;
    vector<match_clause> clauses_;
    vector<plain_vector<part>> cases_; // the remaining cases
    std::size_t place_ = 0;
    std::uint32_t wanted_ = 0;
    std::uint32_t fields_ = 0;
};

} // namespace tutti::relay::inline TUTTI_FORM
