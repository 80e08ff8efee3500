// The overhead of running passes. 100 trivial passes are called by hand, in a static pipeline, and type-erased, with
// zero to four counting instruments, and with each instrument of the library. Prints a table of the nanoseconds and, if
// valgrind is installed, the instructions per pass. measure_instrument.hpp measures custom instruments.
//
//     instrument_overhead                    prints the table
//     instrument_overhead --row=N --loops=M  runs row N, M times 100 passes, under valgrind

#include <tutti/instrument.hpp>
#include <tutti/instrument/blame.hpp>
#include <tutti/instrument/check_properties.hpp>
#include <tutti/instrument/count_allocations.hpp>
#include <tutti/instrument/cycles.hpp>
#include <tutti/instrument/dump.hpp>
#include <tutti/instrument/filter.hpp>
#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/memory.hpp>
#include <tutti/instrument/only_changed.hpp>
#include <tutti/instrument/perf_counters.hpp>
#include <tutti/instrument/progress.hpp>
#include <tutti/instrument/sample.hpp>
#include <tutti/instrument/time_trace.hpp>
#include <tutti/instrument/totals.hpp>
#include <tutti/pass/stop.hpp>
#include <tutti/report/graph_file.hpp>
#include <tutti/report/report.hpp>
#include <tutti/search/bisect_limit.hpp>
#include <tutti/search/crash_reproducer.hpp>
#include <tutti/search/rewrite_limit.hpp>

#include "measure_instrument.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using tutti::bench::counting_instrument;
using tutti::bench::passes_in_a_run;

struct unit {
    long n = 0;
};

} // namespace

template <>
struct tutti::unit_traits<unit> {
    static std::string to_text(const unit& u) { return std::to_string(u.n); }
    static std::uint64_t fingerprint(const unit& u) { return static_cast<std::uint64_t>(u.n); }
    static void verify(const unit&) {}
    static tutti::operator_counts count_operators(const unit&) { return {}; }
    static tutti::unit_graph graph(const unit&) { return {}; }
};

namespace {

namespace instrument = tutti::instrument;
using indices = std::make_index_sequence<passes_in_a_run>;

template <std::size_t... I>
[[gnu::noinline]] void by_hand(unit& u, std::index_sequence<I...>) {
    (tutti::bench::do_nothing<I>(u), ...);
}

struct virtual_pass {
    virtual ~virtual_pass() = default;
    virtual void run(unit& u) const = 0;
};
template <std::size_t I>
struct virtual_trivial : virtual_pass {
    void run(unit& u) const override { tutti::bench::do_nothing<I>(u); }
};
template <std::size_t... I>
auto virtual_pipeline(std::index_sequence<I...>) {
    std::vector<std::unique_ptr<virtual_pass>> list;
    (list.push_back(std::make_unique<virtual_trivial<I>>()), ...);
    return list;
}
const auto virtuals = virtual_pipeline(indices{});
[[gnu::noinline]] void by_virtual_calls(unit& u) {
    for (const auto& pass : virtuals) pass->run(u);
}

struct row {
    std::string name;
    double target; // ns per pass; 0 is none
    std::function<void(unit&, std::size_t runs)> run;
    bool writes_files = false;
};
std::vector<row> rows;

// Replaces the instrument from time to time, since some instruments accumulate data.
template <class Make>
auto anew(Make make, auto run) {
    return [=](unit& u, std::size_t runs) {
        while (runs > 0) {
            const std::size_t now = std::min(runs, tutti::bench::runs_of_an_instrument);
            auto it = make();
            run(u, now, it);
            runs -= now;
        }
    };
}

// Adds rows for an instrument. test/house/instruments.py checks that each header of include/tutti/instrument has a row.
template <class Make>
void row_of(const char* name, Make make, double target = 0, bool writes_files = false) {
    const auto in_static = [](unit& u, std::size_t runs, auto& it) { tutti::bench::run_static(u, runs, it); };
    const auto in_erased = [](unit& u, std::size_t runs, auto& it) { tutti::bench::run_erased(u, runs, it); };
    rows.push_back({std::string{"static, "} + name, target, anew(make, in_static), writes_files});
    rows.push_back({std::string{"erased, "} + name, 0, anew(make, in_erased), writes_files});
}

void ignore(std::string_view) {}

// Runs the pipelines in contexts whose token is polled before each pass, with a deadline that is not reached if `limit` is
// not 0.
[[gnu::noinline]] void poll_static(unit& u, std::size_t runs, std::int64_t limit) {
    constexpr auto pipeline = tutti::bench::detail::static_pipeline<unit>(indices{});
    tutti::stop_token token;
    if (limit != 0) token.request_after(limit);
    tutti::pass_context ctx{tutti::stoppable{token}};
    for (std::size_t i = 0; i < runs; ++i) tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, u); });
}
[[gnu::noinline]] void poll_erased(unit& u, std::size_t runs, std::int64_t limit) {
    static const auto pipeline = tutti::bench::detail::erased_pipeline<unit>(indices{});
    tutti::stop_token token;
    if (limit != 0) token.request_after(limit);
    tutti::runtime::pass_context<unit> ctx{{.stop = &token}};
    for (std::size_t i = 0; i < runs; ++i) tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, u); });
}
constexpr std::int64_t long_time = 1'000'000'000; // milliseconds

counting_instrument a, b, c, d;
instrument::timing clock_of_passes;

void make_rows(const std::string& folder) {
    using tutti::bench::run_erased, tutti::bench::run_static;
    rows = {
        {"by hand: direct calls", 0,
         [](unit& u, std::size_t runs) {
             for (std::size_t i = 0; i < runs; ++i) by_hand(u, indices{});
         }},
        {"by hand: virtual calls", 0,
         [](unit& u, std::size_t runs) {
             for (std::size_t i = 0; i < runs; ++i) by_virtual_calls(u);
         }},
        {"static, no instrument", 0, [](unit& u, std::size_t runs) { run_static(u, runs); }},
        {"static, 1 counting", 0, [](unit& u, std::size_t runs) { run_static(u, runs, a); }},
        {"static, 2 counting", 0, [](unit& u, std::size_t runs) { run_static(u, runs, a, b); }},
        {"static, 4 counting", 12, [](unit& u, std::size_t runs) { run_static(u, runs, a, b, c, d); }},
        {"static, timing and 4 counting", 0,
         [](unit& u, std::size_t runs) { run_static(u, runs, a, b, clock_of_passes, c, d); }},
        {"erased, no instrument", 15, [](unit& u, std::size_t runs) { run_erased(u, runs); }},
        {"erased, 1 counting", 0, [](unit& u, std::size_t runs) { run_erased(u, runs, a); }},
        {"erased, 2 counting", 0, [](unit& u, std::size_t runs) { run_erased(u, runs, a, b); }},
        {"erased, 4 counting", 0, [](unit& u, std::size_t runs) { run_erased(u, runs, a, b, c, d); }},
        {"erased, timing and 4 counting", 0,
         [](unit& u, std::size_t runs) { run_erased(u, runs, a, b, clock_of_passes, c, d); }},
        {"static, a stop token", 0, [](unit& u, std::size_t runs) { poll_static(u, runs, 0); }},
        {"erased, a stop token", 0, [](unit& u, std::size_t runs) { poll_erased(u, runs, 0); }},
        {"static, a deadline", 0, [](unit& u, std::size_t runs) { poll_static(u, runs, long_time); }},
        {"erased, a deadline", 0, [](unit& u, std::size_t runs) { poll_erased(u, runs, long_time); }},
    };
    row_of("bisect_limit", [] { return instrument::bisect_limit<>{}; });
    row_of("callbacks", [] {
        return instrument::callbacks{.run_after_pass = [](const auto&, const tutti::pass_info&) { ++a.afters; }};
    });
    row_of("blame", [] { return instrument::blame{}; });
    row_of("check_analyses", [] { return instrument::check_analyses{}; });
    row_of("check_properties", [] { return instrument::check_properties{std::vector<instrument::claimed_pass>{}}; });
    row_of("cycles", [] { return instrument::cycles{}; });
    row_of("progress",
           [] { return instrument::progress{{.pipeline = "None"}, [](const instrument::progress_step&) {}}; });
    row_of("crash_reproducer", [=] { return instrument::crash_reproducer{{.file = folder + "/crash"}}; }, 0, true);
    row_of("dump", [=] { return instrument::dump{{.folder = folder + "/dump"}}; }, 0, true);
    row_of("filter", [] { return instrument::filter({"None"}, counting_instrument{}); });
    row_of("graph_file", [=] { return instrument::graph_file{{.file = folder + "/graph.svg"}}; }, 0, true);
    row_of("measured", [] { return instrument::measured{counting_instrument{}}; });
    row_of("memory", [] { return instrument::memory{}; });
    row_of("only_changed", [] { return instrument::only_changed{counting_instrument{}}; });
    row_of("op_diff", [] { return instrument::op_diff{}; });
    row_of("perf_counters", [] { return instrument::perf_counters{}; });
    row_of("print_changed",
           [] { return instrument::print_changed{{.form = instrument::changed_form::quiet}, ignore}; });
    row_of("print_ir", [] { return instrument::print_ir{{.after = {"None"}}, ignore}; });
    row_of("print_on_failure", [] { return instrument::print_on_failure{ignore}; });
    row_of("remarks", [] { return instrument::remarks{}; });
    row_of("report", [] { return instrument::report{}; });
    row_of("rewrite_limit", [] { return instrument::rewrite_limit<>{}; });
    row_of("sample", [] { return instrument::sample{10, counting_instrument{}}; });
    row_of("statistics", [] { return instrument::statistics{}; });
    row_of("time_trace", [] { return instrument::time_trace{}; });
    row_of("totals", [] { return instrument::totals{}; });
    row_of("timing", [] { return instrument::timing{}; }, 100);
    row_of("verify", [] { return instrument::verify{}; });
}

double nanoseconds(const row& r) {
    using clock = std::chrono::steady_clock;
    unit u;
    double best = 1e300;
    std::size_t loops = 1;
    for (int repeats = 0; repeats < 100;) {
        const auto start = clock::now();
        r.run(u, loops);
        const std::chrono::duration<double, std::nano> took = clock::now() - start;
        if (took.count() < 1e6) { // a run takes at least 1 ms, but is short enough that some runs are not interrupted
            loops *= 2;
            continue;
        }
        best = std::min(best, took.count() / static_cast<double>(loops * passes_in_a_run));
        ++repeats;
    }
    return best;
}

// Returns the number of instructions in a run of this program under valgrind; negative without valgrind.
double instructions(const std::string& self, std::size_t row, std::size_t loops) {
    const std::string command = "valgrind --tool=callgrind --callgrind-out-file=/dev/null '" + self +
                                "' --row=" + std::to_string(row) + " --loops=" + std::to_string(loops) + " 2>&1";
    std::FILE* out = popen(command.c_str(), "r");
    if (!out) return -1;
    double count = -1;
    char line[256];
    while (std::fgets(line, sizeof line, out))
        if (const char* found = std::strstr(line, "Collected : ")) count = std::strtod(found + 12, nullptr);
    return pclose(out) == 0 ? count : -1;
}

void print_table(const char* self) {
    std::printf("%zu trivial passes, a pass:       ns  over by hand  instructions  over by hand  target\n",
                passes_in_a_run);
    double ns_by_hand = 0, instructions_by_hand = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double ns = nanoseconds(rows[i]);
        const std::size_t more = rows[i].writes_files ? 2 : 100;
        const double few = instructions(self, i, 1), many = instructions(self, i, 1 + more);
        const double counted = few < 0 ? -1 : (many - few) / static_cast<double>(more * passes_in_a_run);
        if (i == 0) ns_by_hand = ns, instructions_by_hand = counted;
        std::printf("%-29s %8.2f %13.2f", rows[i].name.c_str(), ns, ns - ns_by_hand);
        if (counted < 0)
            std::printf("  %12s  %12s", "-", "-");
        else
            std::printf("  %12.2f  %12.2f", counted, counted - instructions_by_hand);
        if (rows[i].target > 0) std::printf("  <= %.0f ns", rows[i].target);
        std::printf("\n");
        std::fflush(stdout);
    }
}

} // namespace

int main(int argc, char** argv) {
    std::string folder = (std::filesystem::temp_directory_path() / "tutti-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return 1;
    make_rows(folder);
    std::size_t only = rows.size(), loops = 1;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--row=", 6) == 0) only = std::strtoul(argv[i] + 6, nullptr, 10);
        if (std::strncmp(argv[i], "--loops=", 8) == 0) loops = std::strtoul(argv[i] + 8, nullptr, 10);
    }
    if (only < rows.size()) {
        unit u;
        rows[only].run(u, loops);
    } else {
        print_table(argv[0]);
    }
    std::filesystem::remove_all(folder);
}
