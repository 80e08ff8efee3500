#include "reducing.hpp"

#include <tutti/base/error.hpp>
#include <tutti/runtime/parse_pipeline.hpp>

#include <algorithm>
#include <optional>

namespace program {

namespace {

// The timeout for tries that look for a hang: 20 times the longest try that finished, but at least 0.25 s and no more
// than `most`.
class time_limit {
    static constexpr double least = 0.25;

    double most_, longest_ = 0;

public:
    explicit time_limit(double most) : most_(most) {}

    void took(const outcome& result) {
        if (result.what != outcome::hung) longest_ = std::max(longest_, result.seconds);
    }
    double seconds() const { return std::min(most_, std::max(least, 20 * longest_)); }
};

trial::pipeline parsed(const std::string& passes) { return tutti::runtime::parse_pipeline(passes, known_passes()); }

} // namespace

reduced_failure reduce_failure(trial& tries, const tutti::relay::ir_module& m, const std::string& passes,
                               const outcome& sought, std::size_t max_tries,
                               const std::function<bool(const tutti::relay::reduction&, std::size_t)>& goes_on) {
    const double timeout = tries.seconds;
    reduced_failure made;
    bool stopped = false;
    const auto reduce = [&](bool is_hasty, std::size_t tried) {
        time_limit limit(timeout);
        made.latest = sought;
        made.found = tutti::relay::reduce(
            m, passes,
            [&](const tutti::relay::ir_module& smaller, const std::string& shorter) {
                std::optional<trial::pipeline> pipeline;
                try {
                    pipeline = parsed(shorter);
                } catch (const tutti::error&) { // the remaining text is not a pipeline
                    return false;
                }
                if (is_hasty) tries.seconds = limit.seconds();
                const outcome result = tries.run(smaller, *pipeline);
                limit.took(result);
                tries.seconds = timeout;
                const bool is_it = result.is_failure() && result.is_like(sought);
                if (is_it) made.latest = result;
                return is_it;
            },
            {.max_tries = max_tries - std::min(tried, max_tries - 1)},
            [&](const tutti::relay::reduction& so_far) {
                stopped = !goes_on(so_far, tried);
                return !stopped;
            });
    };
    // The search for hangs uses a shorter timeout, but the final program must hang for the full timeout.
    const bool is_hung = sought.what == outcome::hung;
    reduce(is_hung, 0);
    if (is_hung && made.found.failed && !stopped &&
        !tries.run(made.found.program, parsed(made.found.passes)).is_like(sought))
        reduce(false, made.found.tries);
    return made;
}

} // namespace program
