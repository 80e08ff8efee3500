// What it costs to run passes: 100 trivial ones, by hand, through a static pipeline, and type-erased, with
// none to four instruments that count, with timing, and with those for finding mistakes. Prints one table: nanoseconds and, where valgrind is
// found, instructions a pass.
//
//     instrument_overhead                    the table
//     instrument_overhead --row=N --loops=M  what valgrind is given: row N, M times 100 passes

#include <tutti/instrument/bisect_limit.hpp>
#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/time_trace.hpp>
#include <tutti/instrument/timing.hpp>
#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t passes = 100;

struct unit {
    long n = 0;
};

} // namespace

template <>
struct tutti::unit_traits<unit> {
    static std::string to_text(const unit& u) { return std::to_string(u.n); }
    static std::uint64_t fingerprint(const unit& u) { return static_cast<std::uint64_t>(u.n); }
};

namespace {

// A function apiece, which the compiler may neither inline nor see through.
template <std::size_t I>
[[gnu::noinline]] void work(unit& u) {
    asm volatile("" : "+m"(u.n) : "i"(I) : "memory");
}

template <std::size_t I>
struct trivial {
    static constexpr tutti::pass_info info{.name = "Trivial"};
    void operator()(unit& u) const { work<I>(u); }
};

struct counter {
    long befores = 0;
    long afters = 0;
    void run_before_pass(const unit&, const tutti::pass_info&) { ++befores; }
    void run_after_pass(const unit&, const tutti::pass_info&) { ++afters; }
};

using tutti::instrument::timing;
using indices = std::make_index_sequence<passes>;

template <std::size_t... I>
constexpr auto static_pipeline(std::index_sequence<I...>) {
    return tutti::sequential(trivial<I>{}...);
}
template <std::size_t... I>
auto erased_pipeline(std::index_sequence<I...>) {
    return tutti::runtime::sequential<unit>{{trivial<I>{}...}};
}

template <std::size_t... I>
[[gnu::noinline]] void by_hand(unit& u, std::index_sequence<I...>) {
    (work<I>(u), ...);
}

struct virtual_pass {
    virtual ~virtual_pass() = default;
    virtual void run(unit& u) const = 0;
};
template <std::size_t I>
struct virtual_trivial : virtual_pass {
    void run(unit& u) const override { work<I>(u); }
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

// One context a row, made once; each loop enters it, runs the pipeline, leaves it.
template <class... I>
[[gnu::noinline]] void in_static(unit& u, std::size_t loops, I&... instruments) {
    constexpr auto pipeline = static_pipeline(indices{});
    if constexpr (sizeof...(I) == 0) {
        tutti::pass_context ctx{};
        for (std::size_t i = 0; i < loops; ++i) tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, u); });
    } else {
        tutti::pass_context ctx{tutti::instruments(instruments...)};
        for (std::size_t i = 0; i < loops; ++i) tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, u); });
    }
}
template <class... I>
[[gnu::noinline]] void in_erased(unit& u, std::size_t loops, I&... instruments) {
    static const auto pipeline = erased_pipeline(indices{});
    tutti::runtime::pass_context<unit> ctx{{.instruments = {instruments...}}};
    for (std::size_t i = 0; i < loops; ++i) tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, u); });
}

struct row {
    const char* name;
    double target; // ns a pass; 0: none
    void (*run)(unit&, std::size_t loops);
};

// What it keeps, it keeps of one run.
struct short_trace : tutti::instrument::time_trace {
    void enter_pass_ctx() {
        clear();
        tutti::instrument::time_trace::enter_pass_ctx();
    }
};
constexpr auto ignore = [](std::string_view) {};

counter a, b, c, d;
timing clock_of_passes;
short_trace trace;
tutti::instrument::bisect_limit<> limit;
tutti::instrument::measured measured_counter{a};
tutti::instrument::print_changed names{{.form = tutti::instrument::changed_form::quiet}, ignore};

const std::array rows{
    row{"by hand: direct calls", 0,
        [](unit& u, std::size_t loops) {
            for (std::size_t i = 0; i < loops; ++i) by_hand(u, indices{});
        }},
    row{"by hand: virtual calls", 0,
        [](unit& u, std::size_t loops) {
            for (std::size_t i = 0; i < loops; ++i) by_virtual_calls(u);
        }},
    row{"static, no instrument", 0, [](unit& u, std::size_t loops) { in_static(u, loops); }},
    row{"static, 1 counting", 0, [](unit& u, std::size_t loops) { in_static(u, loops, a); }},
    row{"static, 2 counting", 0, [](unit& u, std::size_t loops) { in_static(u, loops, a, b); }},
    row{"static, 4 counting", 12, [](unit& u, std::size_t loops) { in_static(u, loops, a, b, c, d); }},
    row{"static, timing", 100, [](unit& u, std::size_t loops) { in_static(u, loops, clock_of_passes); }},
    row{"static, timing and 4 counting", 0,
        [](unit& u, std::size_t loops) { in_static(u, loops, a, b, clock_of_passes, c, d); }},
    row{"static, time_trace", 0, [](unit& u, std::size_t loops) { in_static(u, loops, trace); }},
    row{"static, bisect_limit", 0, [](unit& u, std::size_t loops) { in_static(u, loops, limit); }},
    row{"static, 1 counting, measured", 0, [](unit& u, std::size_t loops) { in_static(u, loops, measured_counter); }},
    row{"static, print_changed, names", 0, [](unit& u, std::size_t loops) { in_static(u, loops, names); }},
    row{"erased, no instrument", 15, [](unit& u, std::size_t loops) { in_erased(u, loops); }},
    row{"erased, 1 counting", 0, [](unit& u, std::size_t loops) { in_erased(u, loops, a); }},
    row{"erased, 2 counting", 0, [](unit& u, std::size_t loops) { in_erased(u, loops, a, b); }},
    row{"erased, 4 counting", 0, [](unit& u, std::size_t loops) { in_erased(u, loops, a, b, c, d); }},
    row{"erased, timing", 0, [](unit& u, std::size_t loops) { in_erased(u, loops, clock_of_passes); }},
    row{"erased, timing and 4 counting", 0,
        [](unit& u, std::size_t loops) { in_erased(u, loops, a, b, clock_of_passes, c, d); }},
    row{"erased, time_trace", 0, [](unit& u, std::size_t loops) { in_erased(u, loops, trace); }},
    row{"erased, bisect_limit", 0, [](unit& u, std::size_t loops) { in_erased(u, loops, limit); }},
    row{"erased, 1 counting, measured", 0, [](unit& u, std::size_t loops) { in_erased(u, loops, measured_counter); }},
    row{"erased, print_changed, names", 0, [](unit& u, std::size_t loops) { in_erased(u, loops, names); }},
};

double nanoseconds(const row& r) {
    using clock = std::chrono::steady_clock;
    unit u;
    double best = 1e300;
    std::size_t loops = 1;
    for (int repeats = 0; repeats < 7;) {
        const auto start = clock::now();
        r.run(u, loops);
        const std::chrono::duration<double, std::nano> took = clock::now() - start;
        if (took.count() < 3e7) {
            loops *= 2;
            continue;
        }
        best = std::min(best, took.count() / static_cast<double>(loops * passes));
        ++repeats;
    }
    return best;
}

// The instructions of a run of this program under valgrind; negative if there is none.
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

} // namespace

int main(int argc, char** argv) {
    std::size_t only = rows.size(), loops = 1;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--row=", 6) == 0) only = std::strtoul(argv[i] + 6, nullptr, 10);
        if (std::strncmp(argv[i], "--loops=", 8) == 0) loops = std::strtoul(argv[i] + 8, nullptr, 10);
    }
    if (only < rows.size()) {
        unit u;
        rows[only].run(u, loops);
        return 0;
    }
    std::printf("%zu trivial passes, a pass:      ns  over by hand  instructions  over by hand  target\n", passes);
    double ns_by_hand = 0, instructions_by_hand = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double ns = nanoseconds(rows[i]);
        const double few = instructions(argv[0], i, 10), many = instructions(argv[0], i, 110);
        const double counted = few < 0 ? -1 : (many - few) / (100.0 * passes);
        if (i == 0) ns_by_hand = ns, instructions_by_hand = counted;
        std::printf("%-29s %7.2f %13.2f", rows[i].name, ns, ns - ns_by_hand);
        if (counted < 0)
            std::printf("  %12s  %12s", "-", "-");
        else
            std::printf("  %12.2f  %12.2f", counted, counted - instructions_by_hand);
        if (rows[i].target > 0) std::printf("  <= %.0f ns", rows[i].target);
        std::printf("\n");
        std::fflush(stdout);
    }
}
