// tutti corpus run: runs passes over many modules, and records the results.

#include "run.hpp"

#include <tutti/base/steady_clock.hpp>
#include <tutti/pipeline/writing.hpp>

#include "../trial.hpp"
#include "local_transport.hpp"
#include "mpi_transport.hpp"
#include "recorder.hpp"
#include "scheduler.hpp"
#include "work_list.hpp"
#include "worker.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace program::corpus {

namespace {

// A sanitizer reserves more address space than any useful limit.
constexpr bool is_sanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

std::string joined(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& each : all) text.append(text.empty() ? "" : ",").append(each);
    return text;
}
std::string to_text(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", x);
    return text;
}

run_settings settings_of(run_options given) {
    run_settings made{.options = std::move(given)};
    const run_options& options = made.options;
    const std::string given_check = options.check;
    constexpr std::string_view baseline = "baseline=";
    std::string& check = made.options.check;
    if (check.starts_with(baseline)) made.baseline = std::exchange(check, "verify").substr(baseline.size());
    if (check != "crash" && check != "verify" && check != "numerics")
        throw failure{wrong_usage,
                      message("tutti corpus run", "--check: `" + check +
                                                      "` is not valid; expected crash, verify, numerics or "
                                                      "baseline=DB")};
    made.passes = read_pass_options("tutti corpus run", options.passes, "-");
    made.passes_options = options_text(options.passes, made.passes.context.opt_level);
    const read_options& reading = options.passes.reading;
    made.configuration = {{"passes", tutti::write_pipeline(made.passes.pipeline)},
                          {"options", made.passes_options},
                          {"check", given_check},
                          {"tolerance", to_text(options.tolerance)},
                          {"time-limit", to_text(options.time_limit)},
                          {"memory-limit", std::to_string(options.memory_limit)},
                          {"reduce", options.reduce ? std::to_string(options.max_tries) : ""},
                          {"params", reading.params},
                          {"param", joined(reading.values)},
                          {"dim", joined(reading.dims)}};
    if (is_sanitized) made.options.memory_limit = 0;
    return made;
}

// Reports rate, failures and the time left: on a terminal a line that changes, elsewhere a line every 10 seconds.
class rate_line {
    progress shown_;
    const scheduler& of_;
    const recorder& to_;
    const std::uint64_t all_;
    std::int64_t begin_ = tutti::internal::steady_clock::now(), last_ = begin_;
    bool is_line_ = is_terminal(stderr);

public:
    rate_line(const scheduler& of, const recorder& to, std::uint64_t all) : of_(of), to_(to), all_(all) {}

    std::string text() const {
        const double seconds = static_cast<double>(tutti::internal::steady_clock::now() - begin_) * 1e-9;
        const std::uint64_t done = of_.finished(), now = done - of_.skipped();
        const double rate = static_cast<double>(now) / std::max(seconds, 1e-3);
        char text[160];
        std::snprintf(text, sizeof text, "%llu of %llu modules, %s a second, %llu failed, %.0f s left",
                      static_cast<unsigned long long>(done), static_cast<unsigned long long>(all_),
                      to_text(std::round(rate * 10) / 10).c_str(), static_cast<unsigned long long>(to_.failures()),
                      std::ceil(static_cast<double>(all_ - done) / std::max(rate, 1e-3)));
        return text;
    }
    void tell() {
        const std::int64_t now = tutti::internal::steady_clock::now();
        constexpr std::int64_t second = 1'000'000'000;
        if (now - last_ < (is_line_ ? second / 5 : 10 * second)) return;
        last_ = now;
        if (is_line_)
            shown_.tell("tutti corpus run: " + text());
        else
            note("tutti corpus run", text());
    }
    void clear() { shown_.clear(); }
};

void record_all(const run_settings& settings, const work_list& list, transport& workers,
                const volatile std::sig_atomic_t& stop) {
    recorder to{settings};
    const std::uint64_t failed_before = to.failures();
    scheduler work{list, workers, to};
    rate_line shown{work, to, list.size()};
    while (stop == 0) {
        work.hand_out();
        if (work.is_done()) break;
        work.handle(0.1);
        shown.tell();
    }
    to.commit();
    shown.clear();
    const std::string counts = counted(work.finished() - work.skipped(), "module") + ", " +
                               std::to_string(work.skipped()) + " skipped, " +
                               std::to_string(to.failures() - failed_before) + " failed";
    if (stop != 0)
        throw failure{wrong_input, message("tutti corpus run", "interrupted after " + counts + "; --resume continues")};
    note("tutti corpus run", counts);
    if (to.failures() != 0)
        throw failure{pass_failed,
                      message(program::name_of(settings.options.output),
                              counted(to.failures(), "module") + " failed; `tutti corpus show --failures` lists them")};
}

void run_as_rank(const run_settings& settings) {
    const run_options& options = settings.options;
    const bool has_ranks = is_mpi_launched();
    const mpi_functions* const mpi = has_ranks ? &load_mpi() : nullptr;
    std::vector<random_programs> random;
    for (const std::string& each : options.random) random.push_back(read_random(each));
    if (options.models.empty() && random.empty())
        throw failure{wrong_usage,
                      message("tutti corpus run", "there are no modules; expected MODELS or --random=SEED:COUNT")};
    std::signal(SIGXFSZ, SIG_IGN); // a file that grows too large is an error of the database
    const interruption stop;
    const std::size_t usual = has_ranks ? 1 : std::max(1U, std::thread::hardware_concurrency());
    // The workers start while this process is small, and before MPI.
    local_transport own{options.jobs != 0 ? options.jobs : usual, [&](channel& to) { work(settings, to); }};
    if (mpi) {
        const int rank = mpi->start();
        if (rank < 0) throw failure{wrong_input, message("tutti corpus run", "MPI cannot be started")};
        if (rank != 0) return relay_messages(*mpi, own);
        mpi_transport all{*mpi, own};
        record_all(settings, work_list{options.models, std::move(random)}, all, stop.flag());
    } else {
        record_all(settings, work_list{options.models, std::move(random)}, own, stop.flag());
    }
}

} // namespace

void run(run_options given) {
    try {
        run_as_rank(settings_of(std::move(given)));
    } catch (const failure& f) {
        if (is_other_rank()) throw failure{f.code, {}}; // rank 0 reports it
        throw;
    }
}

} // namespace program::corpus
