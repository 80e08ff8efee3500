#pragma once

#include <tutti/failure.hpp>
#include <tutti/instrument/bisect_limit.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::instrument {

/// What `bisect` found out.
struct bisection {
    bool failed = false;    ///< whether the result is wrong when all passes run
    std::size_t number = 0; ///< the pass from which on it is; 0 if it is wrong when none runs
    std::string pass{};     ///< that pass: `CSE in fixpoint over a function`
    std::size_t passes = 0; ///< how many run when all do
    std::size_t tries = 0;
};

/// Finds the pass from which on a result is wrong, by running the first so many passes only: a pass after which it is wrong, and
/// before which it is not. That is the first one, unless a later pass puts right what an earlier one spoilt.
///
/// `try_one(limit)` runs the pipeline, over a unit made anew, in a context that has the instrument `limit`, and returns whether
/// the result is right; where it throws, it is not.
///
/// Cost:    the logarithm of the number of passes, plus two, in tries.
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
    bisection found;
    const auto is_right = [&](std::size_t limit, std::size_t& count, std::string& last) {
        bisect_limit<> instrument{limit};
        bool right = false;
        ++found.tries;
        const bool completed = completes([&] { right = static_cast<bool>(try_one(instrument)); });
        count = instrument.count();
        last = instrument.last();
        return completed && right;
    };
    std::size_t ignored = 0;
    std::string last;
    if (is_right(bisect_limit<>::unlimited, found.passes, found.pass)) {
        found.pass.clear();
        return found;
    }
    found.failed = true;
    if (!is_right(0, ignored, last)) {
        found.pass.clear();
        return found;
    }
    found.number = found.passes;
    for (std::size_t right = 0; found.number - right > 1;) {
        const std::size_t middle = right + (found.number - right) / 2;
        if (is_right(middle, ignored, last)) {
            right = middle;
        } else {
            found.number = middle;
            found.pass = last;
        }
    }
    return found;
}

} // namespace tutti::instrument
