#include "reproducer.hpp"

#include <tutti/base/error.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/relay/testing/choices.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/search/isolated.hpp>
#include <tutti/search/reproducer.hpp>

#include "../judging.hpp"
#include "../reducing.hpp"
#include "examine.hpp"
#include "work_list.hpp"

#include <csignal>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace program::corpus {

namespace {

namespace relay = tutti::relay;
using tutti::instrument::isolated_writer;

constexpr std::size_t most_text = 1 << 20; // bytes of a program stored without being asked for

std::string text_of(const relay::ir_module& m, const std::string& passes, const std::string& pass,
                    const std::string& failure, const run_settings& settings) {
    std::string program = tutti::unit_traits<relay::ir_module>::to_full_text(m);
    if (!program.ends_with('\n')) program += '\n';
    if (passes.empty()) return program;
    tutti::instrument::reproducer r;
    r.pass = pass.empty() ? passes : pass;
    r.passes = passes;
    r.options = settings.passes_options;
    r.failure = failure;
    r.unit = std::move(program);
    return to_text(r);
}

// Reduces a random program by the choices that made it, so that its inputs stay valid.
std::string reduced_choices(std::uint64_t seed, const module_row& sought, const std::string& passes,
                            const run_settings& settings) {
    const auto outcome_of = [&](const std::vector<std::uint8_t>& bytes) {
        module_row row;
        const auto end = tutti::instrument::run_isolated(
            [&](isolated_writer to) {
                module_row tried;
                examine(random_module_of(bytes), settings, {[](std::string_view) {}}, tried);
                tell(to, 'o', std::to_string(static_cast<int>(tried.outcome)));
                tell(to, 'p', tried.pass);
                tell(to, 'm', tried.message);
            },
            {.seconds = settings.options.time_limit, .max_bytes = settings.options.memory_limit << 20});
        each_told(end.said, [&](char what, std::string_view text) {
            if (what == 'o') row.outcome = static_cast<outcome_kind>(std::atoi(std::string{text}.c_str()));
            if (what == 'p') row.pass = text;
            if (what == 'm') row.message = text;
        });
        return row;
    };
    const auto made = relay::testing::bytes_of_seed(seed);
    module_row latest = sought;
    const auto bytes = relay::testing::reduced(
        made,
        [&](const auto& fewer) {
            module_row row = outcome_of({fewer.begin(), fewer.end()});
            const bool is_it = row.outcome == sought.outcome && row.pass == sought.pass;
            if (is_it) latest = std::move(row);
            return is_it;
        },
        static_cast<int>(settings.options.max_tries));
    return text_of(random_module_of({bytes.begin(), bytes.end()}).program, passes, latest.pass, latest.message,
                   settings);
}

std::string reduced(const read_module& m, const std::string& name, const module_row& row, const std::string& passes,
                    const run_settings& settings) {
    std::uint64_t seed = 0;
    if (is_random(name, seed) && row.outcome == outcome_kind::results_differ)
        return reduced_choices(seed, row, passes, settings);
    check_options check;
    check.check = settings.verifies() ? settings.computes() ? "numerics" : "verify" : "crash";
    check.timeout = settings.options.time_limit;
    check.tolerance = settings.options.tolerance;
    const volatile std::sig_atomic_t never = 0;
    trial tries(check, settings.passes, never);
    const outcome sought = tries.run(m.program, settings.passes.pipeline);
    if (!sought.is_failure()) return {};
    const reduced_failure made =
        reduce_failure(tries, m.program, passes, sought, static_cast<std::size_t>(settings.options.max_tries),
                       [](const relay::reduction&, std::size_t) { return true; });
    if (!made.found.failed) return {};
    return text_of(made.found.program, made.found.passes, made.latest.pass, made.latest.text(), settings);
}

} // namespace

void add_reproducer(module_row& row, const std::string& name, const run_settings& settings) {
    if (!is_failure(row.outcome) || row.outcome == outcome_kind::unreadable) return;
    const std::string passes = tutti::write_pipeline(settings.passes.pipeline);
    const auto body = [&](isolated_writer to) {
        try {
            const read_module m = read(name, settings);
            const std::string whole = text_of(m.program, passes, row.pass, row.message, settings);
            if (whole.size() <= most_text) tell(to, 't', whole);
            if (!settings.options.reduce) return;
            if (const std::string smaller = reduced(m, name, row, passes, settings); !smaller.empty())
                tell(to, 't', smaller);
        } catch (const std::exception&) { // without a reproducer, the row names the module
        } catch (const failure&) {}
    };
    // A reduction of a hang tries many programs that hang.
    const double tries = settings.options.reduce ? static_cast<double>(settings.options.max_tries) : 1;
    const auto end = tutti::instrument::run_isolated(body, {.seconds = 10 + settings.options.time_limit * tries});
    each_told(end.said, [&](char, std::string_view text) { row.reproducer = text; });
}

} // namespace program::corpus
