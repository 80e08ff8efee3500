#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti {

/// Returns a number with digit groups for messages: "10,000,000".
[[gnu::cold]] inline std::string grouped_digits(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
    return text;
}

/// A limit on the resources spent on an input, so that a short input cannot exhaust memory or time.
///
/// Example: `limit most{"Inline", "expressions copied", "max_nodes", 1'000'000};`
struct limit {
    std::string_view where;  ///< the user of the resource: a pass, a parser
    std::string_view what;   ///< the counted items, in the plural
    std::string_view option; ///< the option that sets the limit; empty if there is none
    std::uint64_t most = 0;

    /// Returns "Inline: more than 1,000,000 expressions copied; expected no more, or a larger max_nodes".
    [[gnu::cold, gnu::noinline]] error complaint() const {
        std::string expected = "no more";
        if (!option.empty()) expected.append(", or a larger ").append(option);
        return error(std::string(where), "more than " + grouped_digits(most) + ' ' + std::string(what),
                     std::move(expected));
    }

    /// Throws the `complaint()`.
    [[noreturn, gnu::cold, gnu::noinline]] void refuse() const { raise(complaint()); }

    /// Throws the `complaint()` if `count` exceeds the limit.
    constexpr void check(std::uint64_t count) const {
        if (count > most) refuse();
    }
};

/// Counts towards a limit.
///
/// Example: `budget copies{{"Inline", "expressions copied", "max_nodes", max_nodes}}; copies.take(g.size());`
class budget {
public:
    /// Starts counting. The limit applies to growth: the size of the input, `input`, is not counted.
    constexpr explicit budget(const limit& of, std::uint64_t input = 0)
        : limit_(of), left_(input > ~of.most ? ~std::uint64_t{0} : of.most + input) {}

    /// The remaining amount.
    constexpr std::uint64_t left() const { return left_; }

    /// Takes `count`. Throws: `tutti::error` with the limit and its option if less than `count` remains.
    constexpr void take(std::uint64_t count) {
        if (count > left_) limit_.refuse();
        left_ -= count;
    }

private:
    limit limit_;
    std::uint64_t left_;
};

} // namespace tutti
