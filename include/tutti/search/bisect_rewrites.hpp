#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/search/bisect.hpp>
#include <tutti/search/bisect_limit.hpp>
#include <tutti/search/rewrite_limit.hpp>

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// The result of `bisect_rewrites`: a pass, and the rewrite of this pass.
struct rewrite_bisection : bisection {
    std::size_t rewrite = 0;   ///< the rewrite found, counted from 1 in the pass; 0 if none of its rewrites is at fault
    std::size_t rewrites = 0;  ///< number of rewrites that the pass makes
    named_rewrite what{};      ///< the rewrite found
    std::size_t made_before{}; ///< number of rewrites that the passes before it make
};

/// The outcome of a run of the first passes with the first rewrites.
struct rewrite_try : bisect_try {
    std::size_t rewrites = 0; ///< number of rewrites that were or would have been made
    named_rewrite what{};     ///< the last rewrite that was made
};

/// Finds a pass before which the result is right and after which it is wrong, and the rewrite of this pass that makes
/// the result wrong.
///
/// `try_first(passes, rewrites)` runs the first `passes` passes over a new unit, makes the first `rewrites` rewrites, and
/// returns the outcome. `bisect_limit` and `rewrite_limit` define the counts.
///
/// Cost:    about log2(n) + log2(r) + 3 tries for n passes and r rewrites of the pass found.
template <std::invocable<std::size_t, std::size_t> Try>
rewrite_bisection bisect_rewrites_first(Try&& try_first) {
    constexpr std::size_t unlimited = bisect_limit<>::unlimited;
    struct counted {
        std::size_t passes, rewrites;
        named_rewrite what;
    };
    std::vector<counted> made; // by each run of the first passes
    rewrite_bisection found;
    static_cast<bisection&>(found) = bisect_first([&](std::size_t passes) {
        rewrite_try one = try_first(passes, unlimited);
        made.push_back({passes == unlimited ? one.passes : passes, one.rewrites, one.what});
        return static_cast<bisect_try&&>(one);
    });
    if (!found.failed || found.number == 0) return found;
    std::size_t last = 0;
    for (counted& each : made) {
        if (each.passes == found.number - 1) found.made_before = each.rewrites;
        if (each.passes != found.number) continue;
        last = each.rewrites;
        found.what = std::move(each.what);
    }
    const auto is_right = [&](std::size_t rewrites, named_rewrite& what) {
        ++found.tries;
        rewrite_try one = try_first(found.number, rewrites);
        what = std::move(one.what);
        return one.right;
    };
    std::size_t right = found.made_before;
    found.rewrites = last > right ? last - right : 0;
    named_rewrite latest;
    if (found.rewrites == 0 || !is_right(right, latest)) { // the pass is wrong without its rewrites
        found.what = {};
        return found;
    }
    while (last - right > 1) {
        const std::size_t middle = right + (last - right) / 2;
        if (is_right(middle, latest)) {
            right = middle;
        } else {
            last = middle;
            found.what = std::move(latest);
        }
    }
    found.rewrite = last - found.made_before;
    return found;
}

/// Finds the rewrite that makes a result wrong, like `bisect_rewrites_first`. All tries run in this process.
///
/// `try_one(passes, rewrites)` runs the pipeline over a new unit, in a context with the two instruments. It returns true
/// if the result is right. An exception counts as a wrong result.
///
/// Cost:    about log2(n) + log2(r) + 3 tries for n passes and r rewrites of the pass found.
/// Example:
/// ```
/// const rewrite_bisection found = bisect_rewrites([&](bisect_limit<>& passes, rewrite_limit<>& rewrites) {
///     unit u = fresh;
///     tutti::pass_context ctx{tutti::instruments(passes, rewrites)};
///     tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, u); });
///     return is_right(u);
/// });
/// std::cerr << "rewrite " << found.rewrite << " of " << found.pass << ": " << to_text(found.what) << '\n';
/// ```
template <std::invocable<bisect_limit<>&, rewrite_limit<>&> Try>
rewrite_bisection bisect_rewrites(Try&& try_one) {
    return bisect_rewrites_first([&](std::size_t most_passes, std::size_t most_rewrites) {
        bisect_limit<> passes{most_passes};
        rewrite_limit<> rewrites{most_rewrites};
        bool right = false;
        const bool completed =
            tutti::internal::completes([&] { right = static_cast<bool>(try_one(passes, rewrites)); });
        return rewrite_try{{completed && right, passes.count(), passes.last()}, rewrites.count(), rewrites.last()};
    });
}

} // namespace tutti::instrument
