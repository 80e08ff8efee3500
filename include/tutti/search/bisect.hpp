#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/search/bisect_limit.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

namespace tutti::instrument {

/// The result of `bisect`.
struct bisection {
    bool failed = false;    ///< true if the result is wrong when all passes run
    std::size_t number = 0; ///< the pass found, counted from 1; 0 if the result is wrong without any pass
    std::string pass{};     ///< description of the pass, such as `CSE in fixpoint over a function`
    std::size_t passes = 0; ///< number of passes in a full run
    std::size_t tries = 0;
};

/// The outcome of a run of the first passes.
struct bisect_try {
    bool right = false;
    std::size_t passes = 0; ///< number of passes that ran or would have run
    std::string last{};     ///< description of the last pass that ran
};

/// Finds a pass before which the result is right and after which it is wrong. It is the first such pass, unless a later
/// pass repairs the result.
///
/// `try_first(n)` runs the first `n` passes over a new unit and returns the outcome. Passes are counted as in
/// `bisect_limit`. If the process dies, `passes` is the number of passes that have begun.
///
/// Cost:    about log2(n) + 2 tries for n passes.
template <std::invocable<std::size_t> Try>
bisection bisect_first(Try&& try_first) {
    bisection found;
    const auto run = [&](std::size_t limit) {
        ++found.tries;
        return static_cast<bisect_try>(try_first(limit));
    };
    bisect_try all = run(bisect_limit<>::unlimited);
    found.passes = all.passes;
    if (all.right) return found;
    found.failed = true;
    if (!run(0).right) return found;
    found.number = found.passes;
    found.pass = std::move(all.last);
    for (std::size_t right = 0; found.number - right > 1;) {
        const std::size_t middle = right + (found.number - right) / 2;
        bisect_try half = run(middle);
        if (half.right) {
            right = middle;
        } else {
            found.number = middle;
            found.pass = std::move(half.last);
        }
    }
    return found;
}

/// Finds a pass after which the result is wrong, like `bisect_first`. All tries run in this process.
///
/// `try_one(limit)` runs the pipeline over a new unit, in a context with the instrument `limit`. It returns true if the
/// result is right. An exception counts as a wrong result.
///
/// Cost:    about log2(n) + 2 tries for n passes.
/// Example:
/// ```
/// const bisection found = bisect([&](bisect_limit<>& limit) {
///     unit u = fresh;
///     tutti::pass_context ctx{tutti::instruments(limit)};
///     tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, u); });
///     return is_right(u);
/// });
/// std::cerr << "pass " << found.number << ", " << found.pass << '\n';
/// ```
template <std::invocable<bisect_limit<>&> Try>
bisection bisect(Try&& try_one) {
    return bisect_first([&](std::size_t passes) {
        bisect_limit<> limit{passes};
        bool right = false;
        const bool completed = tutti::internal::completes([&] { right = static_cast<bool>(try_one(limit)); });
        return bisect_try{completed && right, limit.count(), limit.last()};
    });
}

} // namespace tutti::instrument
